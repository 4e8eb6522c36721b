/* test_checkpoint_parts.c: checkpoints whose parts contradict each other or the size of their
 * files. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/wire_out.h"
#include "fixtures/load_fixture.h"
#include "fixtures/skip.h"
#include "fixtures/table_bytes.h"
#include "load/checkpoint/checkpoint.h"
#include "load/checkpoint/checkpoint_parts.h"

enum { DT_FLOAT = 1, DT_STRING = 7 };

/* ---- V1: metadata, and an entry with the values of each slice */

/* One tensor of a table with its only slice. */
struct v1_tensor {
    const char *name;
    uint32_t rank;
    int64_t dims[3];
    struct slice_extent extents[3];
    float value; /* value of its first element */
};

static void add_shape(struct strbuf *sb, uint32_t field, const int64_t *dims, uint32_t rank)
{
    size_t shape = wire_begin(sb, field);

    for (uint32_t i = 0; i < rank; i++) {
        size_t dim = wire_begin(sb, 2);

        wire_int(sb, 1, dims[i]);
        wire_end(sb, dim);
    }
    wire_end(sb, shape);
}

static void add_slice(struct strbuf *sb, uint32_t field, const struct v1_tensor *t)
{
    size_t slice = wire_begin(sb, field);

    for (uint32_t i = 0; i < t->rank; i++) {
        size_t extent = wire_begin(sb, 1);

        wire_int(sb, 1, t->extents[i].start);
        wire_int(sb, 2, t->extents[i].length);
        wire_end(sb, extent);
    }
    wire_end(sb, slice);
}

static void add_contents(struct strbuf *block, const struct v1_tensor *t)
{
    struct strbuf contents = {0}, key = {0};
    size_t meta = wire_begin(&contents, 1), tensor = wire_begin(&contents, 1);

    wire_bytes(&contents, 1, t->name, strlen(t->name));
    add_shape(&contents, 2, t->dims, t->rank);
    wire_int(&contents, 3, DT_FLOAT);
    add_slice(&contents, 4, t);
    wire_end(&contents, tensor);
    wire_end(&contents, meta);
    table_add_bytes(block, &key, &contents);
    sb_done(&contents);
}

static void add_values(struct strbuf *block, const struct v1_tensor *t)
{
    struct strbuf saved = {0}, key = {0};
    size_t data = wire_begin(&saved, 2), literal;
    uint32_t bits;

    memcpy(&bits, &t->value, sizeof bits);
    wire_bytes(&saved, 1, t->name, strlen(t->name));
    literal = wire_begin(&saved, 3);
    wire_tag(&saved, 5, WIRE_I32); /* float_val */
    wire_fixed(&saved, bits, 4);
    wire_end(&saved, literal);
    wire_end(&saved, data);
    slice_key_add(&key, t->name, strlen(t->name), t->extents, t->rank);
    table_add_bytes(block, &key, &saved);
    sb_done(&saved);
    sb_done(&key);
}

static void write_table(const char *file_name, const struct strbuf *block)
{
    struct strbuf file = {0}, index = {0}, handle = {0};

    table_add_block(&file, block->data, block->len, false, &handle);
    table_add_entry(&index, 0, "z", handle.data, handle.len);
    table_end(&file, &index);
    fixture_write(file_name, file.data, file.len);
    sb_done(&file);
    sb_done(&index);
    sb_done(&handle);
}

/* Shard NUMBER of three, with tensor T only. */
static void write_shard(int number, const struct v1_tensor *t)
{
    struct strbuf block = {0};
    char name[32];

    add_contents(&block, t);
    add_values(&block, t);
    table_end_block(&block);
    snprintf(name, sizeof name, "s-%05d-of-00003", number);
    write_table(name, &block);
    sb_done(&block);
}

static struct checkpoint *open_shards(void)
{
    struct err err = {0};
    struct checkpoint *c = checkpoint_open(fixture_path("s-00000-of-00003"), &err);

    if (!c)
        fail_msg("%s", err_text(&err));
    return c;
}

/* Among tensors of one name the first shape wins, and only slices of that shape count.  The second
 * tensor has fewer dimensions; its extents must not be read. */
static void another_shape_is_another_tensor(void **state)
{
    static const struct v1_tensor left = {"w", 3, {1, 1, 2}, {{0, 1}, {0, 1}, {0, 1}}, 4},
                                  other = {"w", 1, {2}, {{0, 1}}, 5},
                                  right = {"w", 3, {1, 1, 2}, {{0, 1}, {0, 1}, {1, 1}}, 6};
    struct checkpoint_values v;
    struct err err = {0};
    struct checkpoint *c;

    (void)state;
    write_shard(0, &left);
    write_shard(1, &other);
    write_shard(2, &right);
    c = open_shards();
    assert_int_equal(checkpoint_n_tensors(c), 1);
    if (!checkpoint_values_read(c, checkpoint_tensor(c, 0), SIZE_MAX, &v, &err))
        fail_msg("%s", err_text(&err));
    assert_int_equal(v.n, 2);
    assert_true(v.doubles[0] == 4 && v.doubles[1] == 6);
    checkpoint_values_done(&v);
    checkpoint_close(c);
}

static void assert_values_fail(const struct checkpoint *c, const char *wanted)
{
    struct checkpoint_values v;
    struct err err = {0};

    assert_false(checkpoint_values_read(c, checkpoint_tensor(c, 0), SIZE_MAX, &v, &err));
    if (!strstr(err_text(&err), wanted))
        fail_msg("'%s' instead of '%s'", err_text(&err), wanted);
    err_done(&err);
}

/* Absurd sizes: in one dimension, and as a product. */
static void a_shape_without_values_takes_no_memory(void **state)
{
    static const struct v1_tensor huge = {"w", 1, {INT64_C(1) << 50}, {{0, INT64_C(1) << 50}}, 4},
                                  other = {"x", 1, {2}, {{0, 2}}, 5};
    struct checkpoint *c;

    (void)state;
    write_shard(0, &huge);
    write_shard(1, &other);
    write_shard(2, &other);
    c = open_shards();
    assert_values_fail(c, "it has fewer values than its shape says");
    checkpoint_close(c);
}

/* ---- V2: an index, and a data file */

/* An index of one tensor at the start of a data file of DATA_BYTES. */
static struct checkpoint *open_bundle(int dtype, const int64_t *dims, uint32_t rank,
                                      int64_t size_bytes, size_t data_bytes)
{
    struct strbuf block = {0}, entry = {0}, key = {0}, header = {0}, data = {0};
    struct err err = {0};
    struct checkpoint *c;

    wire_int(&header, 1, 1);
    wire_int(&entry, 1, dtype);
    add_shape(&entry, 2, dims, rank);
    wire_int(&entry, 5, size_bytes);
    table_add_bytes(&block, &key, &header);
    sb_adds(&key, "w");
    table_add_bytes(&block, &key, &entry);
    table_end_block(&block);
    write_table("b.index", &block);
    sb_pad(&data, '\0', data_bytes);
    fixture_write("b.data-00000-of-00001", sb_text(&data), data.len);
    c = checkpoint_open(fixture_path("b"), &err);
    if (!c)
        fail_msg("%s", err_text(&err));
    sb_done(&block);
    sb_done(&entry);
    sb_done(&key);
    sb_done(&header);
    sb_done(&data);
    return c;
}

static void an_index_does_not_control_allocations(void **state)
{
    static const int64_t huge[] = {INT64_C(1) << 50}, zero[] = {0, INT64_MAX, INT64_MAX};
    struct checkpoint_values v;
    struct err err = {0};
    struct checkpoint *c;

    (void)state;
    c = open_bundle(DT_FLOAT, huge, 1, INT64_C(1) << 52, 8);
    assert_values_fail(c, "its values run past the end of the data file");
    checkpoint_close(c);
    c = open_bundle(DT_STRING, huge, 1, 8, 8);
    assert_values_fail(c, "its size does not fit its type and shape");
    checkpoint_close(c);
    c = open_bundle(DT_FLOAT, huge, 1, 8, 8);
    assert_values_fail(c, "its size does not fit its type and shape");
    checkpoint_close(c);
    c = open_bundle(DT_FLOAT, zero, 3, 0, 8);
    /* An empty tensor has no stored checksum; reading it is the whole test. */
    if (checkpoint_values_read(c, checkpoint_tensor(c, 0), SIZE_MAX, &v, &err)) {
        assert_int_equal(v.n, 0);
        checkpoint_values_done(&v);
    }
    err_done(&err);
    checkpoint_close(c);
}

/* A sparse data file may be larger than memory; that is an error of the tensor. */
static void values_that_do_not_fit_into_memory(void **state)
{
    static const int64_t huge[] = {INT64_C(1) << 42};
    struct checkpoint *c = open_bundle(4, huge, 1, INT64_C(1) << 42, 8);

    (void)state;
    if (truncate(fixture_path("b.data-00000-of-00001"), (off_t)1 << 42) != 0) {
        checkpoint_close(c);
        SKIP_TEST("the file system takes no file of 4 TiB");
    }
    assert_values_fail(c, "its values do not fit into memory");
    assert_int_equal(truncate(fixture_path("b.data-00000-of-00001"), 0), 0);
    checkpoint_close(c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(another_shape_is_another_tensor),
        cmocka_unit_test(a_shape_without_values_takes_no_memory),
        cmocka_unit_test(an_index_does_not_control_allocations),
        cmocka_unit_test(values_that_do_not_fit_into_memory),
    };

    return cmocka_run_group_tests_name("load/checkpoint_parts", tests, fixture_setup,
                                       fixture_teardown);
}
