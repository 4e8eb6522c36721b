/* opcode.c: the table of opcodes. */
#include "hlo/opcode.h"

#include <string.h>

#include "base/lower_bound.h"

const struct hlo_opcode_row hlo_opcodes[HLO_OPCODES] = {
#define OPCODE_ROW(constant, text, count_rule, bytes_rule) \
    [HLO_##constant] = {text, HLO_COUNT_##count_rule, HLO_BYTES_##bytes_rule},
    HLO_OPCODE_LIST(OPCODE_ROW)
#undef OPCODE_ROW
};

static int compare(const char *name, const void *bytes, size_t len)
{
    const size_t name_len = strlen(name);
    const int order = memcmp(name, bytes, name_len < len ? name_len : len);

    if (order || name_len == len)
        return order;
    return name_len > len ? 1 : -1;
}

enum hlo_opcode hlo_opcode_find(const void *name, size_t len)
{
    size_t at = HLO_OTHER + 1;

    LOWER_BOUND(at, HLO_OPCODES, i, compare(hlo_opcodes[i].name, name, len) < 0);
    if (at == HLO_OPCODES || compare(hlo_opcodes[at].name, name, len) != 0)
        return HLO_OTHER;
    return (enum hlo_opcode)at;
}
