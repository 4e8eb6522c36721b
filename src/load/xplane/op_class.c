/* op_class.c: classifies events as compute, communication, copies and so on (formats-xplane.md
 * section 12). */
#include "load/xplane/program_nodes.h"

#include <string.h>

#include "hlo/opcode.h"
#include "load/slices/work_names.h"

static bool is_one_of(const char *name, size_t len, const char *const *list, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (strlen(list[i]) == len && memcmp(name, list[i], len) == 0)
            return true;
    return false;
}

/* Opcodes whose called computations have events of their own. */
static bool is_control(const char *opcode)
{
    static const char *const list[] = {"while", "conditional", "call"};

    return is_one_of(opcode, strlen(opcode), list, sizeof list / sizeof *list);
}

/* Communication opcodes, also as pairs of -start and -done. */
static bool is_communication(const char *opcode)
{
    static const char *const list[] = {
        "all-reduce", "all-gather", "reduce-scatter", "all-to-all", "ragged-all-to-all",
        "collective-permute", "collective-broadcast", "send", "recv",
    };
    static const char *const ends[] = {"-start", "-done"};
    size_t len = strlen(opcode);

    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        const size_t end = strlen(ends[i]);

        if (len > end && strcmp(opcode + len - end, ends[i]) == 0) {
            len -= end;
            break;
        }
    }
    return is_one_of(opcode, len, list, sizeof list / sizeof *list);
}

/* The opcode of the instruction of OP, or the category that a TPU reports if there is no HLO; "" if
 * OP is not an instruction. */
static const char *opcode_of(const struct nodes *n, const struct run_op *op,
                             const struct intern *strings)
{
    struct node_origin origin;
    const struct hlo_module *m;
    const char *name;

    if (op->kind != OP_HLO)
        return "";
    origin = nodes_origin(n, op->node);
    if (origin.module == UINT32_MAX)
        return intern_text(strings, op->category);
    m = n->modules.data[origin.module].module;
    name = hlo_opcodes[m->instructions[origin.instruction].opcode].name;
    return name ? name : "";
}

static enum event_class class_of_work(const struct nodes *n, const struct run_op *op,
                                      const struct intern *strings, struct text name)
{
    const char *opcode = opcode_of(n, op, strings);

    if (is_control(opcode))
        return EVENT_CONTROL;
    if (is_communication(opcode) || work_name_is_communication(name.bytes, name.len))
        return EVENT_COMMUNICATION;
    if (work_name_is_memset(name.bytes, name.len))
        return EVENT_MEMSET;
    if (op->is_memcpy || work_name_is_copy(name.bytes, name.len))
        return EVENT_COPY;
    return EVENT_COMPUTE;
}

enum event_class op_class(const struct run *r, const struct nodes *n, const struct run_op *op,
                          const struct intern *strings)
{
    const bool on_device = plane_is_device(r->devices.data[op->device].kind);

    if (on_device || op->kind == OP_HLO)
        return class_of_work(n, op, strings,
                             intern_string(strings, on_device ? op->kernel : op->name));
    return op->kind == OP_PIPELINE ? EVENT_INPUT : EVENT_HOST;
}
