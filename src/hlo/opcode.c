/* opcode.c: the table of opcodes. */
#include "hlo/opcode.h"

#include <string.h>

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
    size_t low = HLO_OTHER + 1, high = HLO_OPCODES;

    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        const int order = compare(hlo_opcodes[middle].name, name, len);

        if (order == 0)
            return (enum hlo_opcode)middle;
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return HLO_OTHER;
}
