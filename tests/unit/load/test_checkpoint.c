/* test_checkpoint.c: intact and damaged checkpoints of both versions. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/crc32c.h"
#include "base/strbuf.h"
#include "base/wire_out.h"
#include "fixtures/checkpoint_bytes.h"
#include "fixtures/table_bytes.h"
#include "load/checkpoint/checkpoint_parts.h"
#include "load/checkpoint/sstable.h"

/* The examples of sections 3.5 and 4 of formats-checkpoint.md: a partitioned variable, strings and
 * a scalar, in both versions. */
static const uint8_t bundle_index[] = {
    0x00, 0x00, 0x06, 0x08, 0x01, 0x1a, 0x02, 0x08, 0x01, 0x00, 0x0e, 0x15, 0x00, 0x74,
    0x61, 0x62, 0x6c, 0x65, 0x00, 0x01, 0x01, 0x02, 0x80, 0x82, 0x80, 0x82, 0x08, 0x01,
    0x12, 0x08, 0x12, 0x02, 0x08, 0x02, 0x12, 0x02, 0x08, 0x02, 0x20, 0x34, 0x28, 0x10,
    0x35, 0x4c, 0x28, 0x98, 0x74, 0x0a, 0x04, 0x15, 0x82, 0x82, 0x80, 0x82, 0x08, 0x01,
    0x12, 0x08, 0x12, 0x02, 0x08, 0x02, 0x12, 0x02, 0x08, 0x02, 0x20, 0x44, 0x28, 0x10,
    0x35, 0xeb, 0xd5, 0xbc, 0x49, 0x00, 0x0a, 0x0f, 0x61, 0x6c, 0x70, 0x68, 0x61, 0x2f,
    0x62, 0x69, 0x61, 0x73, 0x08, 0x01, 0x12, 0x04, 0x12, 0x02, 0x08, 0x02, 0x28, 0x08,
    0x35, 0xc5, 0xaf, 0x21, 0x52, 0x06, 0x06, 0x15, 0x6b, 0x65, 0x72, 0x6e, 0x65, 0x6c,
    0x08, 0x01, 0x12, 0x08, 0x12, 0x02, 0x08, 0x02, 0x12, 0x02, 0x08, 0x03, 0x20, 0x08,
    0x28, 0x18, 0x35, 0x7a, 0xeb, 0xf5, 0xab, 0x00, 0x04, 0x11, 0x6e, 0x6f, 0x74, 0x65,
    0x08, 0x07, 0x12, 0x04, 0x12, 0x02, 0x08, 0x03, 0x20, 0x20, 0x28, 0x0c, 0x35, 0xa1,
    0x21, 0x64, 0xd1, 0x00, 0x04, 0x0d, 0x73, 0x74, 0x65, 0x70, 0x08, 0x09, 0x12, 0x00,
    0x20, 0x2c, 0x28, 0x08, 0x35, 0x67, 0x0e, 0x71, 0x56, 0x00, 0x05, 0x22, 0x74, 0x61,
    0x62, 0x6c, 0x65, 0x08, 0x01, 0x12, 0x08, 0x12, 0x02, 0x08, 0x04, 0x12, 0x02, 0x08,
    0x02, 0x3a, 0x08, 0x0a, 0x02, 0x10, 0x02, 0x0a, 0x02, 0x10, 0x02, 0x3a, 0x0a, 0x0a,
    0x04, 0x08, 0x02, 0x10, 0x02, 0x0a, 0x02, 0x10, 0x02, 0x00, 0x00, 0x00, 0x00, 0x01,
    0x00, 0x00, 0x00, 0x00, 0xcb, 0xd9, 0xc7, 0x36, 0x00, 0x00, 0x00, 0x00, 0x01, 0x00,
    0x00, 0x00, 0x00, 0xc0, 0xf2, 0xa1, 0xb0, 0x00, 0x01, 0x03, 0x75, 0x00, 0xe3, 0x01,
    0x00, 0x00, 0x00, 0x00, 0x01, 0x00, 0x00, 0x00, 0x00, 0x9f, 0x72, 0xa1, 0xcf, 0xe8,
    0x01, 0x08, 0xf5, 0x01, 0x0f, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
    0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
    0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x57, 0xfb, 0x80,
    0x8b, 0x24, 0x75, 0x47, 0xdb,
};

static const uint8_t bundle_data[] = {
    0x00, 0x00, 0x00, 0x3f, 0x00, 0x00, 0x80, 0xbf, 0x00, 0x00, 0x80, 0x3f, 0x00, 0x00,
    0x00, 0x40, 0x00, 0x00, 0x40, 0x40, 0x00, 0x00, 0x80, 0x40, 0x00, 0x00, 0xa0, 0x40,
    0x00, 0x00, 0xc0, 0x40, 0x02, 0x00, 0x03, 0x1b, 0x42, 0x8b, 0xca, 0x68, 0x69, 0x61,
    0x62, 0x63, 0xd2, 0x04, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x80, 0x3f,
    0x00, 0x00, 0x00, 0x40, 0x00, 0x00, 0x40, 0x40, 0x00, 0x00, 0x80, 0x40, 0x00, 0x00,
    0xa0, 0x40, 0x00, 0x00, 0xc0, 0x40, 0x00, 0x00, 0xe0, 0x40, 0x00, 0x00, 0x00, 0x41,
};

static const uint8_t v1_table[] = {
    0x00, 0x00, 0x28, 0x0a, 0x26, 0x0a, 0x09, 0x0a, 0x01, 0x6e, 0x12, 0x00, 0x18, 0x09,
    0x22, 0x00, 0x0a, 0x15, 0x0a, 0x01, 0x77, 0x12, 0x08, 0x12, 0x02, 0x08, 0x02, 0x12,
    0x02, 0x08, 0x02, 0x18, 0x01, 0x22, 0x04, 0x0a, 0x00, 0x0a, 0x00, 0x12, 0x02, 0x08,
    0x01, 0x00, 0x05, 0x0d, 0x00, 0x6e, 0x00, 0x01, 0x00, 0x12, 0x0b, 0x0a, 0x01, 0x6e,
    0x12, 0x00, 0x1a, 0x04, 0x52, 0x02, 0xd2, 0x09, 0x01, 0x09, 0x1f, 0x77, 0x00, 0x01,
    0x01, 0x02, 0x80, 0x7f, 0x80, 0x7f, 0x12, 0x1d, 0x0a, 0x01, 0x77, 0x12, 0x04, 0x0a,
    0x00, 0x0a, 0x00, 0x1a, 0x12, 0x2a, 0x10, 0x00, 0x00, 0x80, 0x3f, 0x00, 0x00, 0x00,
    0x40, 0x00, 0x00, 0x40, 0x40, 0x00, 0x00, 0x80, 0x40, 0x00, 0x00, 0x00, 0x00, 0x01,
    0x00, 0x00, 0x00, 0x00, 0x5a, 0x8f, 0x95, 0xa4, 0x00, 0x00, 0x00, 0x00, 0x01, 0x00,
    0x00, 0x00, 0x00, 0xc0, 0xf2, 0xa1, 0xb0, 0x00, 0x01, 0x02, 0x01, 0x00, 0x73, 0x00,
    0x00, 0x00, 0x00, 0x01, 0x00, 0x00, 0x00, 0x00, 0xa4, 0x1e, 0x36, 0xb5, 0x78, 0x08,
    0x85, 0x01, 0x0e, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
    0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
    0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x57, 0xfb, 0x80, 0x8b,
    0x24, 0x75, 0x47, 0xdb,
};

/* ---- a separate folder for every test */

struct folder {
    char path[64];
    struct strbuf name; /* the file requested last */
};

static const char *in_folder(struct folder *f, const char *name)
{
    sb_clear(&f->name);
    sb_addf(&f->name, "%s/%s", f->path, name);
    return sb_text(&f->name);
}

static void write_file(struct folder *f, const char *name, const void *bytes, size_t len)
{
    FILE *file = fopen(in_folder(f, name), "wb");

    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, len, file), len);
    fclose(file);
}

static int make_folder(void **state)
{
    struct folder *f = calloc(1, sizeof *f);

    strcpy(f->path, "/tmp/tfprof-checkpoint-XXXXXX");
    assert_non_null(mkdtemp(f->path));
    *state = f;
    return 0;
}

static int remove_folder(void **state)
{
    static const char *const names[] = {
        "m.index", "m.data-00000-of-00001", "m.data-00000-of-00002", "v1", "checkpoint",
        "s-00000-of-00002", "s-00001-of-00002"};
    struct folder *f = *state;

    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        unlink(in_folder(f, names[i]));
    assert_int_equal(rmdir(f->path), 0);
    sb_done(&f->name);
    free(f);
    return 0;
}

static void write_bundle(struct folder *f)
{
    write_file(f, "m.index", bundle_index, sizeof bundle_index);
    write_file(f, "m.data-00000-of-00001", bundle_data, sizeof bundle_data);
}

static struct checkpoint *open_ok(const char *path)
{
    struct err err = {0};
    struct checkpoint *c = checkpoint_open(path, &err);

    if (!c)
        fail_msg("%s", err_text(&err));
    return c;
}

static const struct checkpoint_tensor *find(const struct checkpoint *c, const char *name)
{
    const struct checkpoint_tensor *t = checkpoint_find(c, name, strlen(name));

    assert_non_null(t);
    return t;
}

static void check_doubles(const struct checkpoint *c, const char *name, size_t max,
                          const double *wanted, size_t n)
{
    struct checkpoint_values v;
    struct err err = {0};

    if (!checkpoint_values_read(c, find(c, name), max, &v, &err))
        fail_msg("%s", err_text(&err));
    assert_int_equal(v.kind, CHECKPOINT_DOUBLES);
    assert_int_equal(v.n, n);
    for (size_t i = 0; i < n; i++)
        assert_true(v.doubles[i] == wanted[i]);
    checkpoint_values_done(&v);
}

static void assert_values_fail(const struct checkpoint *c, const char *name, const char *wanted)
{
    struct checkpoint_values v;
    struct err err = {0};

    assert_false(checkpoint_values_read(c, find(c, name), SIZE_MAX, &v, &err));
    assert_non_null(strstr(err_text(&err), wanted));
    err_done(&err);
}

static void assert_open_fails(const char *path, const char *wanted)
{
    struct err err = {0};

    assert_null(checkpoint_open(path, &err));
    if (!strstr(err_text(&err), wanted))
        fail_msg("'%s' instead of '%s'", err_text(&err), wanted);
    err_done(&err);
}

/* ---- parts */

static void checksums(void **state)
{
    static const uint8_t zeros[32];

    (void)state;
    assert_int_equal(crc32c_extend(0, "123456789", 9), 0xe3069283);
    assert_int_equal(crc32c_extend(crc32c_extend(0, "1234", 4), "56789", 5), 0xe3069283);
    assert_int_equal(crc32c_mask(0xe3069283), 0xc78ab0e5);
    assert_int_equal(crc32c_extend(0, zeros, sizeof zeros), 0x8a9136aa);
    assert_int_equal(crc32c_mask(0), 0xa282ead8);
}

static void slice_keys(void **state)
{
    static const struct {
        int64_t value;
        const char *code;
        size_t len;
    } cases[] = {
        {0, "\x80", 1},
        {1, "\x81", 1},
        {63, "\xbf", 1},
        {64, "\xc0\x40", 2},
        {100, "\xc0\x64", 2},
        {8191, "\xdf\xff", 2},
        {8192, "\xe0\x20\x00", 3},
        {INT64_C(1) << 40, "\xfd\0\0\0\0\0", 6},
        {INT64_MAX, "\xff\xc0\x7f\xff\xff\xff\xff\xff\xff\xff", 10},
        {-1, "\x7f", 1},
        {-64, "\x40", 1},
        {-65, "\x3f\xbf", 2},
        {-2048, "\x38\x00", 2},
        {0x424242, "\xf0\x42\x42\x42", 4},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct slice_extent extent = {cases[i].value, -1};
        struct strbuf key = {0};

        slice_key_add(&key, "a\0\xff", 3, &extent, 1);
        assert_int_equal(key.len, 11 + cases[i].len);
        assert_memory_equal(key.data, "\0a\0\xff\xff\0\0\1\1\1", 10);
        assert_memory_equal(key.data + 10, cases[i].code, cases[i].len);
        assert_int_equal((uint8_t)key.data[key.len - 1], 0x7f);
        sb_done(&key);
    }
}

/* ---- V2 */

static void a_bundle_lists_its_tensors(void **state)
{
    static const char *const names[] = {"alpha/bias", "alpha/kernel", "note", "step", "table"};
    static const int types[] = {1, 1, 7, 9, 1};
    struct folder *f = *state;
    struct checkpoint *c;

    /* This needs no data file. */
    write_file(f, "m.index", bundle_index, sizeof bundle_index);
    c = open_ok(in_folder(f, "m"));
    assert_string_equal(checkpoint_format(c), "checkpoint V2");
    assert_int_equal(checkpoint_n_tensors(c), 5);
    for (size_t i = 0; i < 5; i++) {
        const struct checkpoint_tensor *t = checkpoint_tensor(c, i);

        assert_int_equal(t->name.len, strlen(names[i]));
        assert_memory_equal(t->name.bytes, names[i], t->name.len);
        assert_int_equal(t->dtype, types[i]);
    }
    assert_int_equal(find(c, "table")->shape.dims[0], 4);
    assert_int_equal(find(c, "table")->n_elements, 8);
    assert_null(checkpoint_find(c, "tabl", 4));
    assert_values_fail(c, "step", "tensor step: the data file with its values is missing");
    checkpoint_close(c);
}

static void values_of_a_bundle(void **state)
{
    static const double eight[] = {1, 2, 3, 4, 5, 6, 7, 8};
    static const double bias[] = {0.5, -1};
    struct checkpoint_values v;
    struct err err = {0};
    struct checkpoint *c;

    write_bundle(*state);
    c = open_ok(in_folder(*state, "m"));
    check_doubles(c, "alpha/bias", SIZE_MAX, bias, 2);
    check_doubles(c, "alpha/kernel", SIZE_MAX, eight, 6);
    check_doubles(c, "alpha/kernel", 4, eight, 4);
    check_doubles(c, "table", SIZE_MAX, eight, 8);
    check_doubles(c, "table", 5, eight, 5);
    assert_true(checkpoint_values_read(c, find(c, "step"), 9, &v, &err));
    assert_int_equal(v.kind, CHECKPOINT_INTS);
    assert_int_equal(v.n, 1);
    assert_int_equal(v.ints[0], 1234);
    checkpoint_values_done(&v);
    assert_true(checkpoint_values_read(c, find(c, "note"), 9, &v, &err));
    assert_int_equal(v.kind, CHECKPOINT_STRINGS);
    assert_int_equal(v.n, 3);
    assert_int_equal(v.strings[0].len, 2);
    assert_memory_equal(v.strings[0].bytes, "hi", 2);
    assert_int_equal(v.strings[1].len, 0);
    assert_memory_equal(v.strings[2].bytes, "abc", 3);
    checkpoint_values_done(&v);
    checkpoint_close(c);
}

/* The file while another program changes it: elements read after the first FIRST_READING are
 * -1000. */
enum { FIRST_READING = 8, MINUS_1000 = 0xc47a0000 };
static bool file_changes;
static size_t n_read;

bool __real_part_reader_bits(struct part_reader *r, uint64_t first, size_t count, uint64_t *bits,
                             struct err *err);
bool __wrap_part_reader_bits(struct part_reader *r, uint64_t first, size_t count, uint64_t *bits,
                             struct err *err);

bool __wrap_part_reader_bits(struct part_reader *r, uint64_t first, size_t count, uint64_t *bits,
                             struct err *err)
{
    const bool done = __real_part_reader_bits(r, first, count, bits, err);

    for (size_t i = 0; file_changes && i < count; i++)
        if (n_read++ >= FIRST_READING)
            bits[i] = MINUS_1000;
    return done;
}

/* Values are read twice: values that appear only in the second pass still have a bin. */
static void statistics_of_changing_values(void **state)
{
    struct checkpoint_stats s;
    struct err err = {0};
    struct cancel_mark never = {0};
    struct checkpoint *c;

    write_bundle(*state);
    c = open_ok(in_folder(*state, "m"));
    n_read = 0;
    file_changes = true;
    assert_true(checkpoint_stats_compute(c, find(c, "table"), never, &s, &err));
    file_changes = false;
    assert_int_equal(n_read, 2 * FIRST_READING);
    assert_true(s.min == 1 && s.max == 8);
    assert_int_equal(s.bins[0], FIRST_READING);
    checkpoint_close(c);
}

static void figures_about_values(void **state)
{
    struct checkpoint_stats s;
    struct err err = {0};
    struct cancel_mark never = {0};
    struct checkpoint *c;

    write_bundle(*state);
    c = open_ok(in_folder(*state, "m"));
    assert_true(checkpoint_stats_compute(c, find(c, "table"), never, &s, &err));
    assert_int_equal(s.n, 8);
    assert_true(s.min == 1 && s.max == 8 && s.mean == 4.5);
    assert_true(s.deviation > 2.2912 && s.deviation < 2.2914);
    assert_int_equal(s.n_zeros + s.n_nans + s.n_infinite, 0);
    assert_int_equal(s.bins[0], 1);
    assert_int_equal(s.bins[CHECKPOINT_BINS - 1], 1);
    assert_false(checkpoint_stats_compute(c, find(c, "note"), never, &s, &err));
    assert_non_null(strstr(err_text(&err), "values of type DT_STRING are not shown"));
    err_done(&err);
    checkpoint_close(c);
}

static void damaged_values_are_found(void **state)
{
    struct folder *f = *state;
    uint8_t data[sizeof bundle_data];
    struct checkpoint *c;

    memcpy(data, bundle_data, sizeof data);
    data[3] ^= 1;    /* in alpha/bias */
    data[0x21] ^= 2; /* a string length in note */
    data[0x53] ^= 1; /* in the second slice of table */
    write_file(f, "m.index", bundle_index, sizeof bundle_index);
    write_file(f, "m.data-00000-of-00001", data, sizeof data);
    c = open_ok(in_folder(f, "m"));
    assert_values_fail(c, "alpha/bias", "the checksum of its values is wrong");
    assert_values_fail(c, "note", "the checksum of the lengths of its strings is wrong");
    assert_values_fail(c, "table", "the checksum of its values is wrong");
    write_file(f, "m.data-00000-of-00001", bundle_data, sizeof bundle_data - 1);
    assert_values_fail(c, "table", "its values run past the end of the data file");
    checkpoint_close(c);
}

/* The index names its data files; opening a pipe in their place must not block. */
static void a_data_file_that_is_a_pipe_is_refused(void **state)
{
    struct folder *f = *state;
    struct checkpoint *c;

    write_file(f, "m.index", bundle_index, sizeof bundle_index);
    unlink(in_folder(f, "m.data-00000-of-00001"));
    assert_int_equal(mkfifo(in_folder(f, "m.data-00000-of-00001"), 0600), 0);
    c = open_ok(in_folder(f, "m"));
    assert_values_fail(c, "table", "is not a regular file");
    checkpoint_close(c);
    unlink(in_folder(f, "m.data-00000-of-00001"));
}

/* Every truncation and every changed byte of the index is reported or harmless. */
static void damaged_indexes_never_crash(void **state)
{
    struct folder *f = *state;
    uint8_t index[sizeof bundle_index];
    struct err err = {0};

    for (size_t i = 0; i < sizeof index; i++) {
        struct checkpoint *c;

        memcpy(index, bundle_index, sizeof index);
        index[i] ^= 0x41;
        write_file(f, "m.index", index, sizeof index);
        c = checkpoint_open(in_folder(f, "m"), &err);
        /* The data block and its trailer are covered by a checksum. */
        if (i < 232)
            assert_null(c);
        checkpoint_close(c);
        err_done(&err);
    }
    write_file(f, "m.index", bundle_index, 47);
    assert_open_fails(in_folder(f, "m"), "m.index: too short to be a table");
    write_file(f, "m.index", bundle_index, 100);
    assert_open_fails(in_folder(f, "m"), "m.index: not a table: its magic number is missing");
}

/* Damage that checksums do not detect: changed entries of both versions and changed data, with
 * valid checksums. */
static void changed_contents_never_crash(void **state)
{
    /* The data blocks without their restarts and trailers. */
    static const struct {
        const uint8_t *bytes;
        size_t len;
    } contents[] = {{bundle_index, 0xdb}, {v1_table, 0x6d}};
    struct folder *f = *state;
    uint64_t random = 1;

    for (unsigned round = 0; round < 4000; round++) {
        const size_t len = contents[round % 2].len;
        uint8_t bytes[sizeof bundle_index + sizeof bundle_data];
        const size_t size = len + sizeof bundle_data;

        memcpy(bytes, contents[round % 2].bytes, len);
        memcpy(bytes + len, bundle_data, sizeof bundle_data);
        for (unsigned i = 0; i < 1 + round % 4; i++) {
            random = random * 6364136223846793005u + 1442695040888963407u;
            bytes[(random >> 33) % size] = (uint8_t)(random >> 24);
        }
        checkpoint_bytes(f->path, bytes, size, sizeof bundle_data);
    }
}

/* ---- file names */

static void any_file_of_a_bundle_opens_it(void **state)
{
    static const char state_file[] = "model_checkpoint_path: \"/gone/away/m\"\n"
                                     "all_model_checkpoint_paths: \"/gone/away/m\"\n";
    static const char *const names[] = {"m", "m.index", "m.data-00000-of-00001", "checkpoint", ""};
    struct folder *f = *state;

    write_bundle(f);
    write_file(f, "checkpoint", state_file, sizeof state_file - 1);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct checkpoint *c = open_ok(in_folder(f, names[i]));

        assert_int_equal(checkpoint_n_tensors(c), 5);
        checkpoint_close(c);
    }
    assert_open_fails(in_folder(f, "x"), "no checkpoint: neither");
}

static void a_wrong_shard_count_is_forgiven(void **state)
{
    static const double bias[] = {0.5, -1};
    struct folder *f = *state;
    struct checkpoint *c;

    write_file(f, "m.index", bundle_index, sizeof bundle_index);
    write_file(f, "m.data-00000-of-00002", bundle_data, sizeof bundle_data);
    c = open_ok(in_folder(f, "m"));
    check_doubles(c, "alpha/bias", SIZE_MAX, bias, 2);
    checkpoint_close(c);
}

/* ---- V1 */

static void values_of_v1(void **state)
{
    static const double four[] = {1, 2, 3, 4};
    struct folder *f = *state;
    struct checkpoint_values v;
    struct err err = {0};
    struct checkpoint *c;

    write_file(f, "v1", v1_table, sizeof v1_table);
    c = open_ok(in_folder(f, "v1"));
    assert_string_equal(checkpoint_format(c), "checkpoint V1");
    assert_int_equal(checkpoint_n_tensors(c), 2);
    assert_int_equal(find(c, "w")->shape.n_dims, 2);
    check_doubles(c, "w", SIZE_MAX, four, 4);
    check_doubles(c, "w", 3, four, 3);
    assert_true(checkpoint_values_read(c, find(c, "n"), 1, &v, &err));
    assert_int_equal(v.ints[0], 1234);
    checkpoint_values_done(&v);
    checkpoint_close(c);
}

static void shards_of_v1(void **state)
{
    struct folder *f = *state;
    struct checkpoint *c;

    write_file(f, "s-00000-of-00002", v1_table, sizeof v1_table);
    write_file(f, "s-00001-of-00002", v1_table, sizeof v1_table);
    c = open_ok(in_folder(f, "s-00001-of-00002"));
    assert_int_equal(checkpoint_n_tensors(c), 2);
    /* The same slice twice does not cover the tensor. */
    assert_values_fail(c, "w", "its slices do not cover it");
    checkpoint_close(c);
}

/* ---- synthetic tables: snappy, many blocks, object graphs */

static void packed_blocks_and_seeking(void **state)
{
    struct strbuf file = {0};
    struct strbuf index = {0};
    struct sstable table;
    struct sstable_cursor cursor;
    struct err err = {0};
    bool found, more;
    unsigned n = 0;

    (void)state;
    for (char letter = 'a'; letter < 'e'; letter++) {
        struct strbuf block = {0};
        struct strbuf handle = {0};
        char first[] = {letter, letter, '1', '\0'};
        char second[] = {letter, letter, '2', '\0'};

        table_add_entry(&block, 0, first, "one", 3);
        table_add_entry(&block, 2, second, "two", 3);
        table_end_block(&block);
        table_add_block(&file, block.data, block.len, true, &handle);
        table_add_entry(&index, 0, second, handle.data, handle.len);
        sb_done(&block);
        sb_done(&handle);
    }
    table_end(&file, &index);
    assert_true(sstable_open(&table, (const uint8_t *)file.data, file.len, "t", &err));
    sstable_cursor_init(&cursor, &table);
    assert_true(sstable_seek(&cursor, "cc2", 3, &found, &err));
    assert_true(found);
    assert_memory_equal(cursor.value, "two", 3);
    assert_true(sstable_seek(&cursor, "bb1", 3, &found, &err) && found);
    assert_true(sstable_seek(&cursor, "bb", 2, &found, &err) && !found);
    assert_true(sstable_seek(&cursor, "zz", 2, &found, &err) && !found);
    sstable_cursor_done(&cursor);
    sstable_cursor_init(&cursor, &table);
    while (sstable_next(&cursor, &more, &err) && more)
        n++;
    assert_int_equal(n, 8);
    sstable_cursor_done(&cursor);
    sstable_close(&table);
    sb_done(&file);
    sb_done(&index);
}

/* A table with LEN bytes of contents and N entries with the key KEY and no value. */
static void write_crowd(struct folder *f, const char *name, const void *contents, size_t len,
                        const char *key, size_t n)
{
    struct strbuf file = {0}, index = {0}, block = {0}, handle = {0};
    const size_t key_len = strlen(key);

    table_add_entry(&block, 0, "", contents, len);
    for (size_t i = 0; i < n; i++)
        table_add_entry(&block, i ? key_len : 0, key, "", 0);
    table_end_block(&block);
    table_add_block(&file, block.data, block.len, false, &handle);
    table_add_entry(&index, 0, "z", handle.data, handle.len);
    table_end(&file, &index);
    write_file(f, name, file.data, file.len);
    sb_done(&file);
    sb_done(&index);
    sb_done(&block);
    sb_done(&handle);
}

static char *long_name(size_t len)
{
    char *name = malloc(len + 1);

    memset(name, 'n', len);
    name[len] = '\0';
    return name;
}

/* A long key shared by many entries, or a long name repeated by many slices, is refused before
 * memory is allocated. */
static void a_small_file_expands_to_bounded_data(void **state)
{
    struct folder *f = *state;
    const size_t len = 1 << 20;
    char *name = long_name(len);
    struct strbuf contents = {0}, tensor = {0};
    size_t meta;

    write_crowd(f, "v1", "\x08\x01", 2, name, 50);
    checkpoint_close(open_ok(in_folder(f, "v1")));
    write_crowd(f, "v1", "\x08\x01", 2, name, 300000);
    assert_open_fails(in_folder(f, "v1"), "names are too long");
    wire_bytes(&tensor, 1, name, len);
    wire_bytes(&tensor, 2, "", 0);
    for (int i = 0; i < 300000; i++)
        wire_bytes(&tensor, 4, "", 0);
    meta = wire_begin(&contents, 1);
    wire_bytes(&contents, 1, sb_text(&tensor), tensor.len);
    wire_end(&contents, meta);
    write_crowd(f, "v1", sb_text(&contents), contents.len, "", 0);
    assert_open_fails(in_folder(f, "v1"), "names are too long");
    sb_done(&contents);
    sb_done(&tensor);
    free(name);
}

/* Many index entries for the same block, or keys with a large total length. */
static void an_index_expands_to_bounded_data(void **state)
{
    const size_t len = 1 << 20;
    char *name = long_name(len);

    (void)state;
    for (int is_long = 0; is_long < 2; is_long++) {
        struct strbuf file = {0}, index = {0};
        struct sstable table;
        struct err err = {0};

        for (uint64_t i = 0; i < 1000; i++) {
            struct strbuf handle = {0};

            wire_varint(&handle, is_long ? i * 9 : 0);
            wire_varint(&handle, 8);
            table_add_entry(&index, i && is_long ? len : 0, is_long ? name : "k", handle.data, handle.len);
            sb_done(&handle);
        }
        table_end(&file, &index);
        assert_false(sstable_open(&table, (const uint8_t *)file.data, file.len, "t", &err));
        assert_non_null(strstr(err_text(&err), "a malformed entry in the index"));
        err_done(&err);
        sb_done(&file);
        sb_done(&index);
    }
    free(name);
}

/* A bundle with one float under an object's key, and the object graph for it. */
static void objects_are_found_by_full_name(void **state)
{
    static const char key[] = "net/kernel/.ATTRIBUTES/VARIABLE_VALUE";
    struct folder *f = *state;
    struct strbuf graph = {0}, data = {0}, entry = {0}, block = {0}, handle = {0}, index = {0},
                  file = {0};
    size_t node, attribute;
    uint32_t lengths_crc, stored, crc;
    uint8_t bytes[4];
    struct checkpoint *c;
    static const double one[] = {1};

    node = wire_begin(&graph, 1);
    attribute = wire_begin(&graph, 2);
    wire_bytes(&graph, 1, "VARIABLE_VALUE", 14);
    wire_bytes(&graph, 2, "dense/kernel", 12);
    wire_bytes(&graph, 3, key, sizeof key - 1);
    wire_end(&graph, attribute);
    wire_end(&graph, node);

    wire_fixed(&data, 0x3f800000, 4);
    wire_varint(&data, graph.len);
    for (unsigned i = 0; i < 4; i++)
        bytes[i] = (uint8_t)(graph.len >> 8 * i);
    lengths_crc = crc32c_extend(0, bytes, 4);
    stored = crc32c_mask(lengths_crc);
    wire_fixed(&data, stored, 4);
    sb_add(&data, graph.data, graph.len);
    crc = crc32c_extend(lengths_crc, data.data + data.len - graph.len - 4, graph.len + 4);

    table_add_entry(&block, 0, "", "\x08\x01", 2);
    wire_int(&entry, 1, 7);
    wire_bytes(&entry, 2, "", 0);
    wire_int(&entry, 4, 4);
    wire_int(&entry, 5, (int64_t)data.len - 4);
    wire_tag(&entry, 6, WIRE_I32);
    wire_fixed(&entry, crc32c_mask(crc), 4);
    table_add_entry(&block, 0, "_CHECKPOINTABLE_OBJECT_GRAPH", entry.data, entry.len);
    sb_clear(&entry);
    wire_int(&entry, 1, 1);
    wire_bytes(&entry, 2, "", 0);
    wire_int(&entry, 5, 4);
    wire_tag(&entry, 6, WIRE_I32);
    wire_fixed(&entry, crc32c_mask(crc32c_extend(0, data.data, 4)), 4);
    table_add_entry(&block, 0, key, entry.data, entry.len);
    table_end_block(&block);
    table_add_block(&file, block.data, block.len, true, &handle);
    table_add_entry(&index, 0, "o", handle.data, handle.len);
    table_end(&file, &index);
    write_file(f, "m.index", file.data, file.len);
    write_file(f, "m.data-00000-of-00001", data.data, data.len);
    c = open_ok(in_folder(f, "m"));
    assert_int_equal(checkpoint_n_tensors(c), 2);
    check_doubles(c, "dense/kernel", SIZE_MAX, one, 1);
    check_doubles(c, key, SIZE_MAX, one, 1);
    assert_null(checkpoint_find(c, "net/kernel", 10));
    checkpoint_close(c);
    /* Without the data file only the key is available. */
    unlink(in_folder(f, "m.data-00000-of-00001"));
    c = open_ok(in_folder(f, "m"));
    assert_non_null(checkpoint_find(c, "net/kernel", 10));
    checkpoint_close(c);
    sb_done(&graph), sb_done(&data), sb_done(&entry), sb_done(&block), sb_done(&handle);
    sb_done(&index), sb_done(&file);
}

int main(void)
{
#define WITH_FOLDER(test) cmocka_unit_test_setup_teardown(test, make_folder, remove_folder)
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(checksums),
        cmocka_unit_test(slice_keys),
        WITH_FOLDER(a_bundle_lists_its_tensors),
        WITH_FOLDER(values_of_a_bundle),
        WITH_FOLDER(figures_about_values),
        WITH_FOLDER(statistics_of_changing_values),
        WITH_FOLDER(damaged_values_are_found),
        WITH_FOLDER(a_data_file_that_is_a_pipe_is_refused),
        WITH_FOLDER(damaged_indexes_never_crash),
        WITH_FOLDER(changed_contents_never_crash),
        WITH_FOLDER(any_file_of_a_bundle_opens_it),
        WITH_FOLDER(a_wrong_shard_count_is_forgiven),
        WITH_FOLDER(values_of_v1),
        WITH_FOLDER(shards_of_v1),
        cmocka_unit_test(packed_blocks_and_seeking),
        cmocka_unit_test(an_index_expands_to_bounded_data),
        WITH_FOLDER(a_small_file_expands_to_bounded_data),
        WITH_FOLDER(objects_are_found_by_full_name),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
