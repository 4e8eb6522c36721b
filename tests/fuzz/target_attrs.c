/* target_attrs.c: attributes and literals: the same bytes as the attribute map of a NodeDef, as
 * AttrValue and as TensorProto. */
#include <string.h>

#include "load/graph/attrs.h"
#include "load/graph/tensor.h"
#include "targets.h"

enum { MAX_VALUES = 64, NODE_DEF_ATTR = 5 };

/* Reads the bytes, so that a sanitizer reports invalid ones. */
static void inspect_bytes(struct attr_bytes bytes)
{
    volatile char last;

    for (size_t i = 0; i < bytes.len; i++)
        last = bytes.bytes[i];
    (void)last;
}

/* True when N is all values, or the requested number. */
static bool is_whole(int64_t n_all, size_t n)
{
    return n == (n_all < 0 ? 0 : n_all < MAX_VALUES ? (size_t)n_all : MAX_VALUES);
}

static void inspect_tensor(const struct attr_tensor *t)
{
    struct arena arena = {0};
    const int64_t elements = tensor_elements(&t->shape);
    const struct attr_int64s ints = tensor_int64s(t, MAX_VALUES, &arena);
    const struct attr_doubles doubles = tensor_doubles(t, MAX_VALUES, &arena);
    const struct attr_strings strings = tensor_strings(t, MAX_VALUES, &arena);

    FUZZ_REQUIRE(elements >= -1);
    FUZZ_REQUIRE(doubles.n_all == -1 || doubles.n_all == elements);
    FUZZ_REQUIRE(ints.n_all == -1 || ints.n_all == doubles.n_all);
    FUZZ_REQUIRE(strings.n_all == -1 || (strings.n_all == elements && doubles.n_all == -1));
    FUZZ_REQUIRE(is_whole(ints.n_all, ints.n) && is_whole(doubles.n_all, doubles.n) &&
                 is_whole(strings.n_all, strings.n));
    for (size_t i = 0; i < strings.n; i++)
        inspect_bytes(strings.v[i]);
    arena_done(&arena);
}

static void inspect_shape(const struct attr_shape *shape)
{
    volatile int64_t last;

    for (uint32_t i = 0; i < shape->n_dims; i++)
        last = shape->dims[i];
    (void)last;
    FUZZ_REQUIRE(tensor_elements(shape) >= -1);
}

static void inspect_list(const struct attr_value *v)
{
    volatile double last;

    for (uint32_t i = 0; i < v->n_items; i++) {
        switch (v->item_kind) {
        case ATTR_STRING:
        case ATTR_FUNC:
            inspect_bytes(v->v.list_s[i]);
            break;
        case ATTR_INT:
        case ATTR_BOOL:
        case ATTR_TYPE:
            last = (double)v->v.list_i[i];
            break;
        case ATTR_FLOAT:
            last = v->v.list_f[i];
            break;
        case ATTR_SHAPE:
            inspect_shape(&v->v.list_shape[i]);
            break;
        case ATTR_TENSOR:
            inspect_tensor(&v->v.list_tensor[i]);
            break;
        default:
            FUZZ_REQUIRE(v->item_kind == ATTR_NONE);
        }
    }
    (void)last;
}

static void inspect_value(const struct attr_value *v)
{
    switch (v->kind) {
    case ATTR_STRING:
    case ATTR_PLACEHOLDER:
    case ATTR_FUNC:
        inspect_bytes(v->v.s);
        break;
    case ATTR_SHAPE:
        inspect_shape(&v->v.shape);
        break;
    case ATTR_TENSOR:
        inspect_tensor(&v->v.tensor);
        break;
    case ATTR_LIST:
        inspect_list(v);
        break;
    case ATTR_NONE:
    case ATTR_INT:
    case ATTR_FLOAT:
    case ATTR_BOOL:
    case ATTR_TYPE:
        break;
    }
}

void target_attrs(const uint8_t *bytes, size_t size)
{
    const struct wire_in message = wire_in_of(bytes, size);
    struct arena arena = {0};
    struct attr_value value;
    struct attr_tensor tensor;
    size_t n;
    const struct attr *attrs = attrs_of_message(message, NODE_DEF_ATTR, &arena, &n);

    for (size_t i = 0; i < n; i++) {
        inspect_bytes(attrs[i].name);
        inspect_value(&attrs[i].value);
        for (size_t k = 0; k < i && n < MAX_VALUES; k++)
            FUZZ_REQUIRE(attrs[i].name.len != attrs[k].name.len ||
                         memcmp(attrs[i].name.bytes, attrs[k].name.bytes, attrs[i].name.len) != 0);
    }
    attr_value_decode(message, &arena, &value);
    inspect_value(&value);
    tensor = tensor_decode(message, &arena);
    inspect_tensor(&tensor);
    arena_done(&arena);
}
