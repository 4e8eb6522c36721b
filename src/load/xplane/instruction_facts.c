/* instruction_facts.c: cost formulas and attributes of instructions. */
#include "load/xplane/program_nodes.h"

#include <inttypes.h>
#include <string.h>

#include "hlo/attributes.h"
#include "hlo/fields.h"
#include "hlo/names.h"
#include "hlo/opcode.h"
#include "model/attr.h"

struct place {
    const struct program_module *module; /* NULL: the node is not an instruction */
    uint32_t instruction;
};

static struct place place_of(const void *context, node_id node)
{
    const struct nodes *n = context;
    const struct node_origin origin = nodes_origin(n, node);
    const struct place none = {NULL, 0};

    return origin.module != UINT32_MAX
               ? (struct place){&n->modules.data[origin.module], origin.instruction}
               : none;
}

void instruction_formula(void *context, node_id node, bool transcendentals, struct strbuf *sb)
{
    const struct nodes *n = context;
    const struct place at = place_of(context, node);
    int64_t times = 1;

    if (!at.module)
        return;
    if (n->has_no_run)
        times = hlo_executions(at.module->costs, at.instruction,
                               transcendentals ? HLO_TOTAL_TRANSCENDENTALS : HLO_TOTAL_OPERATIONS);
    if (times != 1)
        sb_addf(sb, "%" PRId64 " * (", times);
    hlo_formula(at.module->costs, at.instruction,
                transcendentals ? HLO_TRANSCENDENTALS : HLO_OPERATIONS, sb);
    sb_adds(sb, times != 1 ? ")" : "");
}

struct text instruction_target(void *context, node_id node)
{
    const struct place at = place_of(context, node);
    struct text text = {"", 0};

    if (at.module)
        text = hlo_custom_call_target(at.module->module, at.instruction);
    return at.module && !text.len ? hlo_opcode_name(at.module->module, at.instruction) : text;
}

/* ---- attributes */

struct attr_list {
    struct attr *attrs;
    size_t n;
};

enum { MAX_ATTRS = 9 };

static void add(struct attr_list *list, const char *name, struct attr_value value)
{
    list->attrs[list->n++] = (struct attr){{name, strlen(name)}, value};
}

static void add_text(struct attr_list *list, const char *name, struct text text)
{
    if (text.len)
        add(list, name, (struct attr_value){.kind = ATTR_STRING, .v.s = {text.bytes, text.len}});
}

static void add_number(struct attr_list *list, const char *name, int64_t number)
{
    add(list, name, (struct attr_value){.kind = ATTR_INT, .v.i = number});
}

static void add_shape(struct attr_list *list, const struct hlo_module *m, uint32_t i,
                      struct arena *arena)
{
    struct strbuf shape = {0};

    hlo_shape_text(m, i, true, &shape);
    add_text(list, "shape",
             (struct text){arena_memdupz(arena, sb_text(&shape), shape.len), (uint32_t)shape.len});
    sb_done(&shape);
}

/* Adds the names of the called computations. */
static void add_called(struct attr_list *list, const struct hlo_module *m, uint32_t i,
                       struct arena *arena)
{
    const uint32_t n_called = m->instructions[i].n_called;
    struct attr_bytes *names = ARENA_NEW(arena, struct attr_bytes, n_called);
    struct attr_value value = {.kind = ATTR_LIST, .item_kind = ATTR_STRING, .v.list_s = names};

    for (uint32_t k = 0; k < n_called; k++) {
        const uint32_t c = hlo_called(m, i, k);

        if (c != HLO_NONE)
            names[value.n_items++] = (struct attr_bytes){hlo_text(m, m->computations[c].name).bytes,
                                                         m->computations[c].name.len};
    }
    if (value.n_items)
        add(list, "calls", value);
}

const struct attr *instruction_attrs(void *context, node_id node, struct arena *arena, size_t *n)
{
    const struct place at = place_of(context, node);
    struct attr_list list = {NULL, 0};
    const struct hlo_module *m;

    *n = 0;
    if (!at.module)
        return NULL;
    m = at.module->module;
    list.attrs = ARENA_NEW(arena, struct attr, MAX_ATTRS);
    add_text(&list, "opcode", hlo_opcode_name(m, at.instruction));
    add_shape(&list, m, at.instruction, arena);
    if (m->instructions[at.instruction].opcode == HLO_PARAMETER)
        add_number(&list, "parameter_number",
                   hlo_number(m, at.instruction, INSTRUCTION_PARAMETER_NUMBER));
    if (m->instructions[at.instruction].opcode == HLO_GET_TUPLE_ELEMENT)
        add_number(&list, "tuple_index", hlo_tuple_index(m, at.instruction));
    add_text(&list, "fusion_kind", hlo_string(m, at.instruction, INSTRUCTION_FUSION_KIND));
    add_text(&list, "custom_call_target", hlo_custom_call_target(m, at.instruction));
    add_called(&list, m, at.instruction, arena);
    add_text(&list, "op_name", hlo_metadata(m, at.instruction).op_name);
    add_text(&list, "backend_config", hlo_backend_config(m, at.instruction));
    *n = list.n;
    return list.attrs;
}
