/* names.c: categories and scopes of instructions. */
#include "hlo/names.h"

#include <string.h>

#include "base/text.h"
#include "hlo/fields.h"
#include "hlo/opcode.h"

/* ---- categories */

static const struct {
    const char *kind, *category;
} fusions[] = {
    {"kLoop", "loop fusion"},
    {"kInput", "input fusion"},
    {"kOutput", "output fusion"},
    {"kCustom", "custom fusion"},
};

struct text hlo_category(const struct hlo_module *m, uint32_t i)
{
    const enum hlo_opcode opcode = (enum hlo_opcode)m->instructions[i].opcode;
    const enum hlo_count_rule rule = hlo_opcodes[opcode].count;

    if (opcode == HLO_TRANSPOSE || opcode == HLO_COPY || opcode == HLO_RESHAPE)
        return text_from("data formatting");
    if (rule == HLO_COUNT_ELEMENTWISE || rule == HLO_COUNT_TRANSCENDENTAL)
        return text_from("non-fusion elementwise");
    if (opcode == HLO_FUSION) {
        const struct text kind = hlo_string(m, i, INSTRUCTION_FUSION_KIND);

        for (size_t k = 0; k < sizeof fusions / sizeof *fusions; k++)
            if (text_is(kind, fusions[k].kind))
                return text_from(fusions[k].category);
    }
    return hlo_opcode_name(m, i);
}

/* ---- scopes */

/* Splits the next component off *REST: up to a `/` outside of brackets.  An unmatched closing
 * bracket is ordinary text. */
static struct text next_part(struct text *rest)
{
    struct text part = *rest;
    uint32_t depth = 0, n = 0;

    for (; n < rest->len && (depth || rest->bytes[n] != '/'); n++) {
        if (strchr("([{", rest->bytes[n]) && rest->bytes[n])
            depth++;
        else if (strchr(")]}", rest->bytes[n]) && rest->bytes[n] && depth)
            depth--;
    }
    part.len = n;
    n += n < rest->len;
    rest->bytes += n;
    rest->len -= n;
    return part;
}

static void add_part(struct strbuf *path, struct text part)
{
    const size_t first = path->len;

    sb_add(path, part.bytes, part.len);
    for (size_t i = first; i < path->len; i++)
        if (path->data[i] == '/')
            path->data[i] = '|';
}

/* True for the components in which JAX wraps a program: the first one, then one jit(main). */
static bool is_program(struct text part, unsigned dropped)
{
    if (dropped)
        return dropped == 1 && text_is(part, "jit(main)");
    return text_begins(part, "jit(") || text_begins(part, "pjit(") || text_begins(part, "pmap(");
}

size_t hlo_scope(struct strbuf *path, struct text op_name)
{
    /* Merged instructions list several names. */
    const char *end = op_name.len ? memchr(op_name.bytes, ';', op_name.len) : NULL;
    size_t last = path->len;
    bool begun = false;
    unsigned dropped = 0;

    if (end)
        op_name.len = (uint32_t)(end - op_name.bytes);
    while (op_name.len) {
        const struct text part = next_part(&op_name);

        if (part.len == 0)
            continue;
        if (!begun && is_program(part, dropped)) {
            dropped++;
            continue;
        }
        sb_adds(path, begun ? "/" : "");
        begun = true;
        last = path->len;
        add_part(path, part);
    }
    return last;
}
