/* hlo_files.c: loads files of compiled programs as graphs without executions (formats-hlo.md
 * section 10). */
#include <inttypes.h>

#include "base/satmath.h"
#include "base/xalloc.h"
#include "hlo/opcode.h"
#include "load/fits.h"
#include "load/formats.h"
#include "load/idmap.h"
#include "load/spans.h"
#include "load/xplane/program_nodes.h"
#include "model/memory_log.h"

/* ---- detection */

/* Replaces *MESSAGE by its first field NUMBER; false when it is missing. */
static bool enter(struct span *message, uint32_t number)
{
    enum { LOOK_AT_FIELDS = 64 };
    struct wire_in in = span_walk(*message);
    struct wire_field f;

    for (unsigned i = 0; i < LOOK_AT_FIELDS && fits_next(&in, &f); i++) {
        if (f.number == number && f.type == WIRE_LEN) {
            *message = field_span(&f);
            return true;
        }
    }
    return false;
}

/* True for lower-case words with digits and hyphens. */
static bool is_opcode(struct span text)
{
    for (size_t i = 0; i < text.len; i++)
        if ((text.bytes[i] < 'a' || text.bytes[i] > 'z') && text.bytes[i] != '-' &&
            (text.bytes[i] < '0' || text.bytes[i] > '9'))
            return false;
    return text.len > 0;
}

static bool fits_instruction(struct span instruction)
{
    struct span name = instruction, opcode = instruction, shape = instruction;
    struct wire_in in;
    struct wire_field f;

    if (!enter(&name, 1) || !span_is_printable(name) || !enter(&opcode, 2) || !is_opcode(opcode) ||
        !enter(&shape, 3))
        return false;
    in = span_walk(shape);
    return fits_next(&in, &f) && f.number == 2 && f.type == WIRE_VARINT;
}

/* Unwraps the messages around the module: field 1 is an inner message, where a module has its
 * name. */
static bool fits_hlo(struct span bytes, struct evidence *e)
{
    enum { MAX_AROUND = 2 };

    for (unsigned i = 0; i < MAX_AROUND; i++) {
        struct span first = bytes;

        if (!enter(&first, 1) || span_is_printable(first))
            break;
        bytes = first;
    }
    return !e && enter(&bytes, 3) && enter(&bytes, 2) && fits_instruction(bytes);
}

/* ---- names */

static bool has_name(const struct run *r, strid name)
{
    for (size_t i = 0; i < r->programs.n; i++)
        if (r->programs.data[i].name == name)
            return true;
    return false;
}

/* The name of MODULE, made unique by its id, and if needed by its position. */
static strid name_of(const struct run *r, struct loader *l, const struct hlo_module *m)
{
    const struct text text = hlo_module_name(m);
    struct strbuf sb = {0};
    strid name;

    sb_add(&sb, text.bytes, text.len);
    name = builder_str(l->builder, sb_text(&sb), sb.len);
    if (has_name(r, name)) {
        sb_addf(&sb, "(%" PRIu64 ")", (uint64_t)m->id);
        name = builder_str(l->builder, sb_text(&sb), sb.len);
    }
    if (has_name(r, name)) {
        sb_addf(&sb, "#%zu", r->programs.n + 1);
        name = builder_str(l->builder, sb_text(&sb), sb.len);
    }
    sb_done(&sb);
    return name;
}

static bool load_hlo(struct loader *l, struct err *err)
{
    struct hlo_module *m = hlo_module_new(l->input.bytes, l->input.len, err);
    struct run_program program;

    if (!m) {
        err_prefix(err, "%s", l->path);
        return false;
    }
    if (!l->run) {
        l->run = run_new(KEPT_OPS);
        vec_push(&l->run->hosts, (struct run_host){.path = l->path});
    }
    program = (struct run_program){.id = (uint64_t)m->id, .name = name_of(l->run, l, m),
                                   .proto = l->input, .module = m};
    vec_push(&l->run->programs, program);
    return true;
}

/* ---- loading */

/* Planned memory of an instruction. */
static struct program_plan plan_of(const struct program_module *m, uint32_t i)
{
    struct program_plan plan = {.output_bytes = program_output_bytes(m->module, i)};

    if (m->memory) {
        plan.peak_bytes = m->memory->instruction_peak_bytes[i];
        plan.residual_bytes = m->memory->instruction_residual_bytes[i];
    }
    return plan;
}

static void add_plans(struct programs *c, const struct nodes *n)
{
    c->plans = arena_calloc(&c->arena, (size_t)c->n_costs + 1, sizeof *c->plans);
    for (node_id node = 0; node < c->n_costs; node++) {
        const struct node_origin origin = n->origins.data[node];

        if (origin.module != UINT32_MAX)
            c->plans[node] = plan_of(&n->modules.data[origin.module], origin.instruction);
    }
}

/* ---- the memory that programs plan, as allocators whose instants are events of the heap */

static uint32_t site_of(struct memory_log *log, struct loader *l, const struct module_nodes *nodes,
                        uint32_t instruction)
{
    static const char unknown[] = "(not recorded)";
    const node_id node = instruction == HLO_NONE ? NODE_NONE : nodes->of_instruction[instruction];
    const struct memory_site site = {
        .id = node, .name = node == NODE_NONE ? builder_str(l->builder, unknown, sizeof unknown - 1) : STRID_EMPTY};

    return memory_log_site(log, &site);
}

/* Applies event I of A; LAST maps buffers to their last allocation. */
static void run_event(struct memory_allocator *a, struct idmap *last, const struct hlo_heap_event *e,
                      uint32_t i, uint32_t site)
{
    const uint32_t at = idmap_get(last, e->buffer);

    a->end_bytes = clamp_add(a->end_bytes, e->bytes);
    a->counts[e->bytes > 0 ? MEMORY_ALLOC : MEMORY_FREE]++;
    vec_push(&a->points, ((struct memory_point){a->end_bytes, i}));
    if (a->end_bytes > a->peak_bytes) {
        a->peak_bytes = a->end_bytes;
        a->peak = i + 1;
    }
    if (at != IDMAP_NONE && a->allocations.data[at].end == MEMORY_NEVER)
        a->allocations.data[at].end = i + 1;
    if (e->bytes < 0)
        return;
    idmap_put(last, e->buffer, (uint32_t)a->allocations.n, 0);
    vec_push(&a->allocations, ((struct memory_allocation){.address = e->buffer, .bytes = e->bytes, .begin = i + 1,
                                                          .end = MEMORY_NEVER, .pending = MEMORY_NEVER,
                                                          .site = site}));
}

static void add_fixed(struct memory_allocator *a, int64_t bytes, uint32_t site)
{
    a->n_before++;
    vec_push(&a->allocations, ((struct memory_allocation){.bytes = bytes, .end = MEMORY_NEVER,
                                                          .pending = MEMORY_NEVER, .site = site}));
}

/* Adds the plan of MODULE; arguments, constants and results are there before its first event. */
static void add_allocator(struct loader *l, const struct program_module *module, const struct module_nodes *nodes,
                          strid program)
{
    const struct hlo_memory *memory = module->memory;
    struct memory_log *log = builder_memory(l->builder);
    struct memory_allocator a = {
        .device = program, .name = builder_str(l->builder, "planned", 7), .file = l->file,
        .step = STEP_ALL, .first_ticks = MEMORY_UNKNOWN, .ticks_per_us = 1,
        .n_events = (uint32_t)memory->n_events, .start_bytes = memory->fixed_bytes,
        .end_bytes = memory->fixed_bytes, .peak_bytes = memory->fixed_bytes,
        .before_at_peak_bytes = memory->fixed_bytes, .reserved_start_bytes = MEMORY_UNKNOWN,
        .reserved_peak_bytes = MEMORY_UNKNOWN, .reserved_at_peak_bytes = MEMORY_UNKNOWN,
        .capacity_bytes = MEMORY_UNKNOWN, .lifetime_peak_bytes = MEMORY_UNKNOWN, .fragmentation = -1};
    struct idmap last = {.n = 0};

    for (size_t i = 0; i < memory->n_fixed; i++)
        add_fixed(&a, memory->held[i].bytes, site_of(log, l, nodes, memory->held[i].instruction));
    for (size_t i = 0; i < memory->n_events; i++)
        run_event(&a, &last, &memory->events[i], (uint32_t)i,
                  site_of(log, l, nodes, memory->events[i].instruction));
    idmap_done(&last);
    vec_push(&log->allocators, a);
}

static void add_allocators(struct loader *l, const struct nodes *n)
{
    vec_each(const struct module_nodes, nodes, &n->lists) {
        const struct program_module *module = &n->modules.data[nodes->module];

        if (module->memory && (module->memory->n_fixed || module->memory->n_events) &&
            module->memory->n_events < MEMORY_NEVER)
            add_allocator(l, module, nodes, n->labels[module->program]);
    }
}

/* Adds a note on conditionals in M, whose taken branches no run has recorded. */
static void note_conditionals(struct loader *l, const struct hlo_module *m)
{
    const struct text name = hlo_module_name(m);
    struct strbuf text = {0};

    for (uint32_t i = 0; i < m->n_instructions; i++) {
        if (m->instructions[i].opcode != HLO_CONDITIONAL)
            continue;
        load_quote(&text, (struct span){(const uint8_t *)name.bytes, name.len});
        note_add(&builder_profile(l->builder)->notes,
                 "%s: conditionals count their branch with most operations, or most bytes",
                 sb_text(&text));
        break;
    }
    sb_done(&text);
}

static bool load_hlo_end(struct loader *l, struct err *err)
{
    struct run *r = l->run;
    struct nodes *n = xcalloc(1, sizeof *n);

    n->has_no_run = true;
    if (!nodes_read_programs(n, r, l, err)) {
        nodes_free(n);
        return false;
    }
    for (uint32_t i = 0; i < r->programs.n; i++)
        nodes_of_program(n, r, l, i, DEVICE_NONE);
    for (size_t i = 0; i < n->modules.n; i++)
        note_conditionals(l, n->modules.data[i].module);
    facts_add(r, n, l, facts_of_events(r, n, 0), 0);
    add_plans(builder_profile(l->builder)->programs, n);
    add_allocators(l, n);
    run_free(r);
    l->run = NULL;
    return true;
}

const struct format_row format_hlo = {
    .name = "HloProto",
    .help = "compiled programs of XLA (*.hlo.pb, *.hlo_proto.pb), and folders of their dumps "
            "(XLA_FLAGS=--xla_dump_to=FOLDER --xla_dump_hlo_as_proto)",
    .binary_name = "HloProto, binary",
    .contents = CONTAINS_GRAPH,
    .load_order = 25,
    .detect_order = 15,
    .keep_bytes = true,
    .fits = fits_hlo,
    .load = load_hlo,
    .load_end = load_hlo_end,
};
