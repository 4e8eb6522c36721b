/* test_flat.c: FlatBuffers are read within their bounds; details of TFLite models. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "fixtures/load_fixture.h"
#include "load/graph/attrs.h"
#include "load/load.h"
#include "load/tflite/flat.h"

/* A table at offset 16 with an integer in field 4 and a list of two numbers in field 6. */
static const uint8_t bytes[] = {
    16, 0, 0, 0, 'T', 'F', 'L', '3', /* the root */
    8, 0, 12, 0, 4, 0, 8, 0,         /* at 8: the offsets of fields */
    8, 0, 0, 0, 7, 0, 0, 0, 4, 0, 0, 0, /* at 16: the table */
    2, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, /* at 28: the list */
};

static struct flat flat_of(const uint8_t *data, size_t len)
{
    return (struct flat){.bytes = {data, len}};
}

static void fields_are_read(void **state)
{
    struct flat f = flat_of(bytes, sizeof bytes);
    const struct flat_table t = flat_root(&f);
    const struct flat_vector v = flat_field_vector(&f, t, 6, 4);

    (void)state;
    assert_int_equal(flat_field_i32(&f, t, 4, -1), 7);
    assert_int_equal(flat_field_i32(&f, t, 8, -1), -1);
    assert_int_equal(v.n, 2);
    assert_int_equal(flat_item_i32(&f, v, 1), 2);
    assert_null(f.why);
}

/* No changed byte or truncation causes a read out of bounds. */
static void damage_is_detected_or_harmless(void **state)
{
    uint8_t copy[sizeof bytes];

    (void)state;
    for (size_t at = 0; at < sizeof bytes; at++)
        for (int value = 0; value < 256; value += 5)
            for (size_t len = 0; len <= sizeof bytes; len += 9) {
                struct flat f = flat_of(copy, len);
                struct flat_table t;
                struct flat_vector v;

                memcpy(copy, bytes, sizeof bytes);
                copy[at] = (uint8_t)value;
                t = flat_root(&f);
                v = flat_field_vector(&f, t, 6, 4);
                for (uint32_t i = 0; i < v.n; i++)
                    flat_item_i32(&f, v, i);
                assert_true(f.why == NULL || f.at <= len);
            }
}

static void a_list_longer_than_the_file_is_an_error(void **state)
{
    uint8_t copy[sizeof bytes];
    struct flat f = flat_of(copy, sizeof copy);

    (void)state;
    memcpy(copy, bytes, sizeof bytes);
    copy[31] = 0x7f;
    assert_int_equal(flat_field_vector(&f, flat_root(&f), 6, 4).n, 0);
    assert_string_equal(f.why, "a list is longer than the file");
    assert_int_equal(f.at, 28);
}

/* The model with a fused layer of the fuzz targets. */
static struct profile *load_fused(void)
{
    const char *top = getenv("top_srcdir");
    char path[4096];
    const char *paths[] = {path};
    struct options options;
    struct load_request request = {.options = &options, .files = paths, .n_files = 1};
    struct err err = {0};
    struct profile *p;

    snprintf(path, sizeof path, "%s/tests/fuzz/corpus/tflite/kept-02", top ? top : ".");
    options_init(&options);
    p = load_profile(&request, NULL, (struct cancel_mark){NULL, 0}, &err);
    options_done(&options);
    assert_non_null(p);
    return p;
}

/* The path has the first of the joined names. */
static void details_have_whole_names(void **state)
{
    static const char joined[] = "net/dense/MatMul;net/dense/BiasAdd";
    struct profile *p = load_fused();
    const struct attr_value *value;
    const struct attr *attrs;
    struct arena arena = {0};
    size_t n;

    (void)state;
    attrs = attrs_decode(p, fixture_node(p, "net/dense/MatMul"), &arena, &n);
    value = attrs_find(attrs, n, "node outputs");
    assert_int_equal(value->n_items, 1);
    assert_int_equal(value->v.list_s[0].len, sizeof joined - 1);
    assert_memory_equal(value->v.list_s[0].bytes, joined, sizeof joined - 1);
    value = attrs_find(attrs, n, "node inputs");
    assert_int_equal(value->n_items, 3);
    assert_int_equal(value->v.list_s[2].len, 0); /* no bias */
    attrs = attrs_decode(p, fixture_node(p, "dense/kernel"), &arena, &n);
    assert_true(attrs_find(attrs, n, "scale")->v.list_f[0] == .5);
    arena_done(&arena);
    profile_free(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fields_are_read),
        cmocka_unit_test(damage_is_detected_or_harmless),
        cmocka_unit_test(details_have_whole_names),
        cmocka_unit_test(a_list_longer_than_the_file_is_an_error),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
