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

/* ---- the element types of HLO arrays */

struct element_type {
    const char *name;
    uint8_t bits;
};

static const struct element_type types[] = {
    [1] = {"pred", 8},        [2] = {"s8", 8},           [3] = {"s16", 16},
    [4] = {"s32", 32},        [5] = {"s64", 64},         [6] = {"u8", 8},
    [7] = {"u16", 16},        [8] = {"u32", 32},         [9] = {"u64", 64},
    [10] = {"f16", 16},       [11] = {"f32", 32},        [12] = {"f64", 64},
    [13] = {"tuple", 0},      [14] = {"opaque", 0},      [15] = {"c64", 64},
    [16] = {"bf16", 16},      [17] = {"token", 0},       [18] = {"c128", 128},
    [19] = {"f8e5m2", 8},     [20] = {"f8e4m3fn", 8},    [21] = {"s4", 8},
    [22] = {"u4", 8},         [23] = {"f8e4m3b11fnuz", 8}, [24] = {"f8e5m2fnuz", 8},
    [25] = {"f8e4m3fnuz", 8}, [26] = {"s2", 8},          [27] = {"u2", 8},
    [28] = {"f8e4m3", 8},     [29] = {"f8e3m4", 8},      [30] = {"s1", 8},
    [31] = {"u1", 8},         [32] = {"f4e2m1fn", 8},    [33] = {"f8e8m0fnu", 8},
    [34] = {"buffer", 0},
};

static const struct element_type *find(uint64_t type)
{
    static const struct element_type unknown;

    return type < sizeof types / sizeof *types ? &types[type] : &unknown;
}

const char *hlo_type_name(uint64_t type)
{
    return find(type)->name;
}

uint32_t hlo_type_bits(uint64_t type)
{
    return find(type)->bits;
}
