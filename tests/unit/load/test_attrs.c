/* test_attrs.c: attributes, literals and element types. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "load/graph/attrs.h"
#include "load/graph/tensor.h"
#include "load/text/text_reader.h"
#include "proto/graph.pb-c.h"

/* Parses the text message TEXT and returns its wire form, allocated in ARENA. */
static struct wire_in wire_of(const char *text, const ProtobufCMessageDescriptor *message,
                              struct arena *arena)
{
    struct text_source source = {.path = "t", .text = (const uint8_t *)text,
                                 .size_bytes = strlen(text), .message = message};
    struct strbuf wire = {0};
    struct err err = {0};
    struct wire_in in;

    if (!text_to_wire(&source, &wire, &err))
        fail_msg("%s", err_text(&err));
    in = wire_in_of(arena_memdupz(arena, sb_text(&wire), wire.len), wire.len);
    sb_done(&wire);
    return in;
}

static struct attr_value value_of(const char *text, struct arena *arena)
{
    struct attr_value value;

    attr_value_decode(wire_of(text, &tfp__attr_value__descriptor, arena), arena, &value);
    return value;
}

static struct attr_tensor tensor_of(const char *text, struct arena *arena)
{
    return tensor_decode(wire_of(text, &tfp__tensor_proto__descriptor, arena), arena);
}

static void assert_text(struct attr_bytes s, const char *wanted)
{
    assert_int_equal(s.len, strlen(wanted));
    assert_memory_equal(s.bytes, wanted, s.len);
}

static void single_values(void **state)
{
    struct arena arena = {0};
    struct attr_value v;

    (void)state;
    v = value_of("", &arena);
    assert_int_equal(v.kind, ATTR_NONE);
    v = value_of("s: 'SAME'", &arena);
    assert_int_equal(v.kind, ATTR_STRING);
    assert_text(v.v.s, "SAME");
    v = value_of("i: -3", &arena);
    assert_int_equal(v.kind, ATTR_INT);
    assert_int_equal(v.v.i, -3);
    v = value_of("f: 0.5", &arena);
    assert_int_equal(v.kind, ATTR_FLOAT);
    assert_true(v.v.f == 0.5);
    v = value_of("b: true", &arena);
    assert_int_equal(v.kind, ATTR_BOOL);
    assert_int_equal(v.v.i, 1);
    v = value_of("type: DT_INT64", &arena);
    assert_int_equal(v.kind, ATTR_TYPE);
    assert_int_equal(v.v.i, 9);
    v = value_of("placeholder: 'T'", &arena);
    assert_int_equal(v.kind, ATTR_PLACEHOLDER);
    assert_text(v.v.s, "T");
    v = value_of("func { attr { key: 'name' } name: 'f_1' }", &arena);
    assert_int_equal(v.kind, ATTR_FUNC);
    assert_text(v.v.s, "f_1");
    v = value_of("i: 1 s: 'last wins'", &arena);
    assert_int_equal(v.kind, ATTR_STRING);
    arena_done(&arena);
}

static void shapes(void **state)
{
    struct arena arena = {0};
    struct attr_value v;

    (void)state;
    v = value_of("shape { dim { size: 3 } dim { } dim { size: -1 name: 'n' } dim { size: -9 } }",
                 &arena);
    assert_int_equal(v.v.shape.n_dims, 4);
    assert_int_equal(v.v.shape.dims[0], 3);
    assert_int_equal(v.v.shape.dims[1], 0);
    assert_int_equal(v.v.shape.dims[2], -1);
    assert_int_equal(v.v.shape.dims[3], -1);
    v = value_of("shape { unknown_rank: true }", &arena);
    assert_true(v.v.shape.unknown_rank);
    v = value_of("shape { }", &arena);
    assert_false(v.v.shape.unknown_rank);
    assert_int_equal(v.v.shape.n_dims, 0);
    arena_done(&arena);
}

static void lists(void **state)
{
    struct arena arena = {0};
    struct attr_value v;

    (void)state;
    v = value_of("list { }", &arena);
    assert_int_equal(v.kind, ATTR_LIST);
    assert_int_equal(v.item_kind, ATTR_NONE);
    assert_int_equal(v.n_items, 0);
    v = value_of("list { i: [1, 2] i: -1 }", &arena);
    assert_int_equal(v.item_kind, ATTR_INT);
    assert_int_equal(v.n_items, 3);
    assert_int_equal(v.v.list_i[2], -1);
    v = value_of("list { f: 1.5 f: 2 }", &arena);
    assert_int_equal(v.n_items, 2);
    assert_true(v.v.list_f[0] == 1.5);
    v = value_of("list { s: 'a' s: '' }", &arena);
    assert_int_equal(v.n_items, 2);
    assert_text(v.v.list_s[0], "a");
    assert_text(v.v.list_s[1], "");
    v = value_of("list { shape { dim { size: 2 } } shape { unknown_rank: true } }", &arena);
    assert_int_equal(v.item_kind, ATTR_SHAPE);
    assert_int_equal(v.v.list_shape[0].dims[0], 2);
    assert_true(v.v.list_shape[1].unknown_rank);
    v = value_of("list { func { name: 'f' } func { name: 'g' } }", &arena);
    assert_int_equal(v.item_kind, ATTR_FUNC);
    assert_text(v.v.list_s[1], "g");
    v = value_of("list { tensor { dtype: DT_BOOL } }", &arena);
    assert_int_equal(v.item_kind, ATTR_TENSOR);
    assert_int_equal(v.v.list_tensor[0].dtype, 10);
    v = value_of("list { type: [DT_FLOAT, DT_STRING] }", &arena);
    assert_int_equal(v.item_kind, ATTR_TYPE);
    assert_int_equal(v.v.list_i[1], 7);
    arena_done(&arena);
}

/* Unpacked numbers, as proto2 writers emit them. */
/* Lists at every length around the size of the inline buffer. */
static void lengths(void **state)
{
    enum { MAX_N = 40 };
    struct arena arena = {0};
    struct strbuf ints = {0}, dims = {0}, node = {0}, text = {0};

    (void)state;
    for (uint32_t n = 1; n <= MAX_N; n++) {
        struct attr_value list, shape;
        const struct attr *attrs;
        size_t n_attrs;

        sb_addf(&ints, "%s%u", n > 1 ? "," : "", n);
        sb_addf(&dims, "dim { size: %u } ", n);
        sb_addf(&node, "attr { key: 'k%u' value { i: %u } } ", n % (MAX_N - 5), n);
        sb_clear(&text);
        sb_addf(&text, "list { i: [%s] }", sb_text(&ints));
        list = value_of(sb_text(&text), &arena);
        sb_clear(&text);
        sb_addf(&text, "shape { %s}", sb_text(&dims));
        shape = value_of(sb_text(&text), &arena);
        attrs = attrs_of_message(wire_of(sb_text(&node), &tfp__node_def__descriptor, &arena), 5,
                                 &arena, &n_attrs);
        assert_int_equal(list.n_items, n);
        assert_int_equal(shape.v.shape.n_dims, n);
        assert_int_equal(n_attrs, n < MAX_N - 5 ? n : MAX_N - 5);
        assert_int_equal(attrs[n_attrs - 1].value.v.i, n);
        for (uint32_t i = 0; i < n; i++) {
            assert_int_equal(list.v.list_i[i], i + 1);
            assert_int_equal(shape.v.shape.dims[i], i + 1);
        }
        arena_reset(&arena);
    }
    sb_done(&ints);
    sb_done(&dims);
    sb_done(&node);
    sb_done(&text);
    arena_done(&arena);
}

static void unpacked_lists(void **state)
{
    static const uint8_t wire[] = {0x0a, 0x08, 0x18, 0x05, 0x1a, 0x02, 0x06, 0x07, 0x18, 0x08};
    struct arena arena = {0};
    struct attr_value v;

    (void)state;
    attr_value_decode(wire_in_of(wire, sizeof wire), &arena, &v);
    assert_int_equal(v.n_items, 4);
    for (int i = 0; i < 4; i++)
        assert_int_equal(v.v.list_i[i], 5 + i);
    arena_done(&arena);
}

static void later_attributes_replace_earlier_ones(void **state)
{
    struct arena arena = {0};
    size_t n;
    const struct attr *attrs = attrs_of_message(
        wire_of("attr { key: 'a' value { i: 1 } } attr { key: 'b' value { i: 2 } } "
                "attr { key: 'a' value { i: 3 } } attr { key: 'ab' }",
                &tfp__node_def__descriptor, &arena),
        5, &arena, &n);

    (void)state;
    assert_int_equal(n, 3);
    assert_text(attrs[0].name, "b");
    assert_int_equal(attrs_find(attrs, n, "a")->v.i, 3);
    assert_int_equal(attrs_find(attrs, n, "ab")->kind, ATTR_NONE);
    assert_null(attrs_find(attrs, n, "c"));
    arena_done(&arena);
}

static void attributes_of_a_node_in_any_form(void **state)
{
    static const char text[] = " name: 'n' attr { key: 'k' value { i: 7 } } ";
    struct arena arena = {0};
    struct wire_in wire = wire_of(text, &tfp__node_def__descriptor, &arena);
    struct source_file files[] = {
        {.bytes = (const uint8_t *)text, .size_bytes = sizeof text - 1},
        {.bytes = wire.at, .size_bytes = (size_t)(wire.end - wire.at)},
    };
    struct node_def defs[] = {
        {.len_bytes = sizeof text - 1, .file = 0, .form = NODE_FORM_NODEDEF_TEXT},
        {.len_bytes = (uint32_t)files[1].size_bytes, .file = 1, .form = NODE_FORM_NODEDEF},
        {.form = NODE_FORM_NONE},
    };
    struct profile p = {.n_nodes = 3, .def = defs, .files = files, .n_files = 2};
    size_t n;

    (void)state;
    for (node_id node = 0; node < 2; node++) {
        const struct attr *attrs = attrs_decode(&p, node, &arena, &n);

        assert_int_equal(n, 1);
        assert_int_equal(attrs_find(attrs, n, "k")->v.i, 7);
    }
    assert_null(attrs_decode(&p, 2, &arena, &n));
    assert_int_equal(n, 0);
    arena_done(&arena);
}

static void check_doubles(const char *text, const double *wanted, int64_t n)
{
    struct arena arena = {0};
    struct attr_tensor t = tensor_of(text, &arena);
    const struct attr_doubles list = tensor_doubles(&t, 8, &arena);

    assert_int_equal(list.n_all, n);
    assert_int_equal(list.n, n);
    for (int64_t i = 0; i < n; i++)
        if (isnan(wanted[i]))
            assert_true(isnan(list.v[i]));
        else
            assert_true(list.v[i] == wanted[i]);
    arena_done(&arena);
}

#define DOUBLES(text, ...)                                                       \
    check_doubles(text, (const double[]){__VA_ARGS__},                           \
                  (int64_t)(sizeof((const double[]){__VA_ARGS__}) / sizeof(double)))

#define DIM(n) " tensor_shape { dim { size: " #n " } } "

static void tensors_as_doubles(void **state)
{
    (void)state;
    DOUBLES("dtype: DT_FLOAT" DIM(2) "tensor_content: \"\\000\\000\\200?\\000\\000\\000@\"", 1, 2);
    DOUBLES("dtype: DT_FLOAT" DIM(3) "float_val: [1, 2.5]", 1, 2.5, 2.5);
    DOUBLES("dtype: DT_FLOAT" DIM(2) "float_val: [1, 2, 3]", 1, 2);
    DOUBLES("dtype: DT_FLOAT" DIM(2), 0, 0);
    DOUBLES("dtype: DT_FLOAT tensor_shape { } float_val: inf", INFINITY);
    DOUBLES("dtype: DT_DOUBLE" DIM(2) "double_val: -0.1", -0.1, -0.1);
    DOUBLES("dtype: DT_HALF" DIM(4) "half_val: [15360, 49152, 31744, 1]", 1, -2, INFINITY,
            0x1p-24);
    DOUBLES("dtype: DT_BFLOAT16" DIM(2) "half_val: [16256, 32704]", 1, NAN);
    DOUBLES("dtype: DT_FLOAT8_E5M2" DIM(3) "float8_val: \"\\x3c\\x7c\\x01\"", 1, INFINITY, 0x1p-16);
    DOUBLES("dtype: DT_FLOAT8_E4M3FN" DIM(3) "float8_val: \"\\x38\\x7f\\x7e\"", 1, NAN, 448);
    DOUBLES("dtype: DT_FLOAT8_E4M3FNUZ" DIM(3) "float8_val: \"\\x40\\x80\\x7f\"", 1, NAN, 240);
    DOUBLES("dtype: DT_FLOAT4_E2M1FN" DIM(4) "float8_val: \"\\x02\\x07\\x0f\\x01\"", 1, 6, -6, 0.5);
    DOUBLES("dtype: DT_UINT64" DIM(1) "uint64_val: 18446744073709551615", 18446744073709551615.0);
    DOUBLES("dtype: DT_INT8" DIM(2) "int_val: [-1, 127]", -1, 127);
    DOUBLES("dtype: DT_BOOL" DIM(2) "bool_val: true bool_val: false", 1, 0);
}

static void check_ints(const char *text, const int64_t *wanted, int64_t n)
{
    struct arena arena = {0};
    struct attr_tensor t = tensor_of(text, &arena);
    const struct attr_int64s list = tensor_int64s(&t, 8, &arena);

    assert_int_equal(list.n_all, n);
    assert_int_equal(list.n, n < 0 ? 0 : n);
    for (int64_t i = 0; i < n && wanted; i++)
        assert_true(list.v[i] == wanted[i]);
    arena_done(&arena);
}

#define INTS(text, ...)                                                          \
    check_ints(text, (const int64_t[]){__VA_ARGS__},                             \
               (int64_t)(sizeof((const int64_t[]){__VA_ARGS__}) / sizeof(int64_t)))

static void tensors_as_integers(void **state)
{
    (void)state;
    INTS("dtype: DT_INT32" DIM(2) "tensor_content: \"\\377\\377\\377\\377\\002\\000\\000\\000\"", -1, 2);
    INTS("dtype: DT_INT64 tensor_shape { } int64_val: -5", -5);
    INTS("dtype: DT_UINT8" DIM(2) "int_val: 255", 255, 255);
    INTS("dtype: DT_QINT16" DIM(1) "tensor_content: \"\\000\\200\"", -32768);
    INTS("dtype: DT_UINT32" DIM(1) "uint32_val: 4294967295", 4294967295);
    check_ints("dtype: DT_INT32" DIM(0), NULL, 0);
    check_ints("dtype: DT_FLOAT" DIM(2), NULL, -1);
    check_ints("dtype: DT_STRING" DIM(2), NULL, -1);
    check_ints("dtype: DT_INT32" DIM(2) "tensor_content: \"\\000\\000\\000\\000\"", NULL, -1);
    check_ints("dtype: DT_INT32" DIM(2) "tensor_content: \"123456789\"", NULL, -1);
    check_ints("dtype: DT_INT32" DIM(-1), NULL, -1);
    check_ints("dtype: DT_INT32 tensor_shape { dim { size: 9223372036854775807 } dim { size: 2 } }",
               NULL, -1);
    check_ints("dtype: DT_INT32 tensor_shape { dim { size: 9223372036854775807 } dim { size: 0 } }",
               NULL, 0);
    check_ints("dtype: 77" DIM(2), NULL, -1);
}

static void string_tensors(void **state)
{
    struct arena arena = {0};
    struct attr_tensor t = tensor_of("dtype: DT_STRING" DIM(3) "string_val: 'a' string_val: 'bc'", &arena);
    struct attr_strings list = tensor_strings(&t, 4, &arena);

    (void)state;
    assert_int_equal(list.n_all, 3);
    assert_int_equal(list.n, 3);
    assert_text(list.v[0], "a");
    assert_text(list.v[2], "bc");
    t = tensor_of("dtype: DT_STRING" DIM(3) "tensor_content: \"\\002\\000\\003hiabc\"", &arena);
    list = tensor_strings(&t, 2, &arena);
    assert_int_equal(list.n_all, 3);
    assert_int_equal(list.n, 2);
    assert_text(list.v[0], "hi");
    assert_text(list.v[1], "");
    t = tensor_of("dtype: DT_STRING" DIM(3) "tensor_content: \"\\002\\000\\004hiabc\"", &arena);
    assert_int_equal(tensor_strings(&t, 2, &arena).n_all, -1);
    t = tensor_of("dtype: DT_INT32" DIM(3), &arena);
    assert_int_equal(tensor_strings(&t, 2, &arena).n_all, -1);
    arena_done(&arena);
}

/* Allocations are bounded by the data, whatever size the shape declares. */
static void literals_of_absurd_shapes(void **state)
{
    struct arena arena = {0};
    struct attr_tensor t = tensor_of("dtype: DT_INT32" DIM(9000000000000000000) "int_val: 5", &arena);
    struct attr_strings strings;

    (void)state;
    assert_int_equal(tensor_int64s(&t, 3, &arena).n, 3);
    assert_int_equal(tensor_int64s(&t, 3, &arena).v[2], 5);
    assert_true(tensor_doubles(&t, 2, &arena).n_all == 9000000000000000000);
    assert_int_equal(tensor_doubles(&t, 2, &arena).n, 2);
    t = tensor_of("dtype: DT_STRING" DIM(9000000000000000000) "string_val: 'x'", &arena);
    strings = tensor_strings(&t, 2, &arena);
    assert_int_equal(strings.n, 2);
    assert_text(strings.v[1], "x");
    t = tensor_of("dtype: DT_STRING" DIM(9000000000000000000) "tensor_content: '\\001x'", &arena);
    assert_int_equal(tensor_strings(&t, 2, &arena).n_all, -1);
    assert_true(arena.total_bytes < 1 << 20);
    arena_done(&arena);
}

static void type_names(void **state)
{
    (void)state;
    assert_string_equal(dtype_name(1), "DT_FLOAT");
    assert_string_equal(dtype_name(133), "DT_FLOAT4_E2M1FN_REF");
    assert_string_equal(dtype_name(101), "DT_FLOAT_REF");
    assert_null(dtype_name(34));
    assert_null(dtype_name(100));
    assert_null(dtype_name(134));
    assert_null(dtype_name(-1));
    assert_int_equal(dtype_find(103)->size_bytes, 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(single_values),
        cmocka_unit_test(shapes),
        cmocka_unit_test(lists),
        cmocka_unit_test(lengths),
        cmocka_unit_test(unpacked_lists),
        cmocka_unit_test(later_attributes_replace_earlier_ones),
        cmocka_unit_test(attributes_of_a_node_in_any_form),
        cmocka_unit_test(tensors_as_doubles),
        cmocka_unit_test(tensors_as_integers),
        cmocka_unit_test(string_tensors),
        cmocka_unit_test(literals_of_absurd_shapes),
        cmocka_unit_test(type_names),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
