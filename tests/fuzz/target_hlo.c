/* target_hlo.c: any bytes as a compiled program: read, counted, replayed, named, or rejected. */
#include "targets.h"

#include <stdlib.h>

#include "base/xalloc.h"
#include "fixtures/load_bytes.h"
#include "hlo/attributes.h"
#include "hlo/cost.h"
#include "hlo/memory.h"
#include "hlo/names.h"

/* Limits, because formulas and stacks of hostile programs are long. */
enum { MAX_TEXT_BYTES = 1 << 20, MAX_DEPTH = 10000 };

static void inspect_stack(const struct hlo_module *m, const struct hlo_metadata *metadata)
{
    const uint32_t depth = hlo_stack_depth(m, metadata);
    struct hlo_source_location *places;

    FUZZ_REQUIRE(depth <= m->n_frames);
    if (depth > MAX_DEPTH)
        return;
    places = xcalloc(depth, sizeof *places);
    hlo_stack(m, metadata, places);
    free(places);
}

static void inspect_instruction(const struct hlo_costs *costs, const struct hlo_module *m,
                                uint32_t i)
{
    const struct hlo_metadata metadata = hlo_metadata(m, i);
    const struct hlo_cost cost = hlo_cost(costs, i);
    struct strbuf text = {0};

    FUZZ_REQUIRE(cost.operations >= 0 && cost.transcendentals >= 0);
    FUZZ_REQUIRE(cost.bytes_read >= 0 && cost.bytes_written >= 0);
    FUZZ_REQUIRE(cost.state == HLO_COUNTED || cost.operations == 0);
    for (enum hlo_figure figure = 0; figure < HLO_FIGURES; figure++)
        hlo_formula(costs, i, figure, &text);
    hlo_scope(&text, metadata.op_name);
    hlo_shape_text(m, i, true, &text);
    FUZZ_REQUIRE(hlo_category(m, i).bytes || !hlo_category(m, i).len);
    for (uint32_t k = 0; k < m->instructions[i].n_operands; k++)
        FUZZ_REQUIRE(hlo_operand(m, i, k) == HLO_NONE || hlo_operand(m, i, k) < m->n_instructions);
    inspect_stack(m, &metadata);
    sb_done(&text);
}

static void inspect_module(const struct hlo_module *m)
{
    struct hlo_costs *costs = hlo_costs_new(m);
    size_t n_bytes = 0;

    for (uint32_t i = 0; i < m->n_instructions && n_bytes < MAX_TEXT_BYTES; i++) {
        inspect_instruction(costs, m, i);
        n_bytes += m->instructions[i].n_leaves + m->instructions[i].message.len;
    }
    hlo_costs_free(costs);
}

static void inspect_memory(const struct hlo_module *m)
{
    struct err err = {0};
    struct hlo_memory *memory = hlo_memory_new(m, &err);

    FUZZ_REQUIRE((memory != NULL) == (err.kind == ERR_NONE));
    if (memory)
        FUZZ_REQUIRE(memory->peak_bytes >= memory->heap_peak_bytes && memory->fixed_bytes >= 0);
    hlo_memory_free(memory);
    err_done(&err);
}

void target_hlo(const uint8_t *bytes, size_t size)
{
    struct err err = {0};
    struct hlo_module *m = hlo_module_new(bytes, size, &err);

    FUZZ_REQUIRE((m != NULL) == (err.kind == ERR_NONE));
    if (m) {
        inspect_module(m);
        inspect_memory(m);
    }
    hlo_module_free(m);
    err_done(&err);
    load_bytes(BYTES_FILE, bytes, size, &err);
    err_done(&err);
}
