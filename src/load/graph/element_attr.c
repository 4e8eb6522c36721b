/* element_attr.c: finds the attribute with the element type of a node's tensors. */
#include "load/graph/shape.h"

#include <string.h>

#include "load/graph/attrs.h"

/* In ascending order of rank: ops whose output type differs from the input type have one of the
 * later attributes as well (doc/semantics.md section 2, param_bytes). */
static const char *const keys[] = {"T", "output_type", "out_type", "DstT", "dtype"};

void element_attr_note(struct element_attr *best, struct span key, struct span value)
{
    for (unsigned i = 0; i < sizeof keys / sizeof *keys; i++)
        if (i + 1 >= best->rank && key.len == strlen(keys[i]) &&
            memcmp(key.bytes, keys[i], key.len) == 0)
            *best = (struct element_attr){i + 1, value};
}

uint8_t element_attr_bits(const struct element_attr *best, struct arena *pieces)
{
    enum { ATTR_TYPE_FIELD = 6, BITS_A_BYTE = 8 };
    struct wire_in in;
    struct attr_member set;
    const struct dtype *type;

    if (!best->rank || !best->value.len)
        return 0;
    in = span_walk(best->value);
    attr_member_set(&in, pieces, &set);
    if (set.number != ATTR_TYPE_FIELD || set.value > INT32_MAX)
        return 0;
    type = dtype_find((int)set.value);
    return type ? (uint8_t)(type->size_bytes * BITS_A_BYTE) : 0;
}
