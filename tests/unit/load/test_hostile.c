/* test_hostile.c: truncated, damaged and malicious inputs. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/crc32c.h"
#include "base/wire_out.h"
#include "fixtures/load_bytes.h"
#include "load/bytes/input.h"
#include "load/load.h"

static const struct cancel_mark never;

static bool try(enum bytes_kind kind, const void *bytes, size_t len)
{
    struct err err = {0};
    bool done = load_bytes(kind, bytes, len, &err);

    err_done(&err);
    return done;
}

static void try_all(const void *bytes, size_t len)
{
    for (enum bytes_kind kind = 0; kind < BYTES_KINDS; kind++)
        try(kind, bytes, len);
}

/* ---- damaged copies of real files */

static uint64_t next_random(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return *state >> 33;
}

/* One random kind of damage: changed bytes, a truncation, a duplicated part. */
static size_t mutate(uint8_t *bytes, size_t len, size_t room, uint64_t *random)
{
    size_t at = next_random(random) % len, n = 1 + next_random(random) % 16;

    switch (next_random(random) % 5) {
    case 0:
        bytes[at] = (uint8_t)next_random(random);
        return len;
    case 1:
        bytes[at] ^= (uint8_t)(1u << next_random(random) % 8);
        return len;
    case 2:
        memset(bytes + at, 0xff, n < len - at ? n : len - at);
        return len;
    case 3:
        return at + 1;
    default:
        if (n > len - at)
            n = len - at;
        if (len + n > room)
            return len;
        memmove(bytes + at + n, bytes + at, len - at);
        return len + n;
    }
}

static void damage(const struct source_file *file, unsigned rounds)
{
    size_t room = file->size_bytes + 256;
    uint8_t *copy = malloc(room);
    uint64_t random = file->size_bytes;

    for (unsigned i = 0; i < rounds && file->size_bytes; i++) {
        size_t len = file->size_bytes;

        memcpy(copy, file->bytes, len);
        for (uint64_t k = next_random(&random) % 4 + 1; k && len; k--)
            len = mutate(copy, len, room, &random);
        try(i % BYTES_KINDS, copy, len);
    }
    /* every truncation of a small file */
    for (size_t len = 0; len < file->size_bytes && len < 400; len++)
        try(BYTES_FILE, file->bytes, len);
    free(copy);
}

static void test_damaged_files(void **state)
{
    const char *top = getenv("top_srcdir");
    char folder[1024];
    struct dirent *entry;
    unsigned n_files = 0;
    DIR *dir;

    (void)state;
    snprintf(folder, sizeof folder, "%s/tests/golden/models/edge", top ? top : ".");
    dir = opendir(folder);
    assert_non_null(dir);
    while ((entry = readdir(dir))) {
        struct source_file file;
        struct err err = {0};
        char path[2048];

        if (!strstr(entry->d_name, ".gz"))
            continue;
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        assert_true(input_read(path, &file, never, &err));
        damage(&file, 100);
        input_drop(&file);
        free(file.path);
        n_files++;
    }
    closedir(dir);
    assert_true(n_files > 20);
}

/* ---- bytes that no writer emits */

static void test_odd_wire(void **state)
{
    static const struct {
        const char *bytes;
        size_t len;
    } cases[] = {
        {"\x00", 1},                                         /* tag 0 */
        {"\x07\x01", 2},                                     /* wire type 7 */
        {"\x0b\x08\x01\x0c", 4},                             /* a group */
        {"\x0b\x0b\x0b\x0b", 4},                             /* groups without end */
        {"\x0c", 1},                                         /* an end without group */
        {"\x0a\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", 11},  /* the largest length */
        {"\x0a\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", 12},
        {"\x0a\x80\x80\x80\x80\x80\x80\x80\x80\x80\x00", 11}, /* zero in ten bytes */
        {"\x08\x80", 2},
        {"\x0d\x01\x02", 3}, /* a truncated fixed number */
        {"\x09\x01\x02\x03\x04\x05\x06\x07\x08", 9}, /* field 1 of a wrong type */
        {"\x0a\x04\x0a\x02\x0a\x05", 6}, /* a length past the enclosing message */
        {"\xfa\xff\xff\xff\x0f\x00", 6}, /* the highest field number */
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        try_all(cases[i].bytes, cases[i].len);
    /* A node whose name has the wrong type has no name. */
    assert_true(try(BYTES_GRAPH, "\x0a\x05\x08\x07\x12\x01o", 7));
    assert_false(try(BYTES_GRAPH, "\x0a\x05\x0a\x07\x12\x01o", 7));
}

static void test_nested_groups(void **state)
{
    size_t len = 1 << 20;
    char *bytes = malloc(len);

    (void)state;
    memset(bytes, 0x0b, len);
    try_all(bytes, len);
    memset(bytes + len / 2, 0x0c, len / 2);
    try_all(bytes, len);
    free(bytes);
}

/* ---- large numbers of one item */

static long peak_kb(void)
{
    struct rusage usage;

    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss;
}

/* False with sanitizers and valgrind, which delay frees and allocate more. */
static bool is_memory_ours(void)
{
#if defined __has_feature
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SANITIZED
#endif
#endif
#if defined SANITIZED || defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__
    return false;
#else
    const char *preloaded = getenv("LD_PRELOAD");

    return !preloaded || !strstr(preloaded, "valgrind");
#endif
}

/* Loads SB and checks the memory bound of doc/faults.md: 64 bytes per byte of input, plus a fixed
 * part. */
static void load_bounded(enum bytes_kind kind, struct strbuf *sb)
{
    long before = peak_kb();

    assert_true(try(kind, sb->data, sb->len));
    if (is_memory_ours())
        assert_true(peak_kb() - before < (long)(sb->len / 1024 * 64) + 32 * 1024);
    sb_done(sb);
}

/* Items that need no memory; fewer where the bound is not checked. */
static int many_items(void)
{
    return is_memory_ours() ? 4000000 : 1000000;
}

/* An empty execution takes no bytes of a batch. */
static void test_many_empty_executions(void **state)
{
    struct strbuf sb = {0};
    size_t stats = wire_begin(&sb, 1), device = wire_begin(&sb, 1);

    (void)state;
    wire_bytes(&sb, 1, "/cpu:0", 6);
    for (int i = 0, n = many_items(); i < n; i++)
        wire_bytes(&sb, 2, "", 0);
    wire_end(&sb, device);
    wire_end(&sb, stats);
    load_bounded(BYTES_RUN_META, &sb);
}

static void test_many_inputs_of_one_node(void **state)
{
    struct strbuf sb = {0};
    size_t node = wire_begin(&sb, 1);

    (void)state;
    wire_bytes(&sb, 1, "n", 1);
    wire_bytes(&sb, 2, "o", 1);
    for (int i = 0; i < 200000; i++)
        wire_bytes(&sb, 3, "x", 1);
    wire_end(&sb, node);
    load_bounded(BYTES_GRAPH, &sb);
}

static void test_many_types_of_one_node(void **state)
{
    struct strbuf sb = {0};

    (void)state;
    for (int i = 0; i < 50000; i++) {
        size_t entry = wire_begin(&sb, 1);
        char type[16];

        wire_bytes(&sb, 1, "a", 1);
        wire_bytes(&sb, 3, type, (size_t)snprintf(type, sizeof type, "t%d", i));
        wire_end(&sb, entry);
    }
    load_bounded(BYTES_OP_LOG, &sb);
}

static void test_many_steps_of_one_node(void **state)
{
    struct strbuf sb = {0};
    size_t nodes = wire_begin(&sb, 1), node;

    (void)state;
    wire_int_always(&sb, 1, 1);
    node = wire_begin(&sb, 2);
    wire_bytes(&sb, 1, "n", 1);
    wire_bytes(&sb, 9, "o", 1);
    for (int i = 100000; i > 0; i--) {
        size_t exec = wire_begin(&sb, 12), value;

        wire_int_always(&sb, 1, i * 7919 % 100003);
        value = wire_begin(&sb, 2);
        wire_int(&sb, 1, 1);
        wire_end(&sb, value);
        wire_end(&sb, exec);
    }
    wire_end(&sb, node);
    wire_end(&sb, nodes);
    load_bounded(BYTES_PROFILE, &sb);
}

/* An empty entry for the times on a device takes two bytes. */
static void test_many_times_of_one_record(void **state)
{
    struct strbuf sb = {0};
    size_t nodes = wire_begin(&sb, 1), node, exec, record;

    (void)state;
    wire_int_always(&sb, 1, 1);
    node = wire_begin(&sb, 2);
    wire_bytes(&sb, 1, "n", 1);
    exec = wire_begin(&sb, 12);
    record = wire_begin(&sb, 2);
    for (int i = 0, n = many_items(); i < n; i++)
        wire_bytes(&sb, 4, "", 0);
    wire_end(&sb, record);
    wire_end(&sb, exec);
    wire_end(&sb, node);
    wire_end(&sb, nodes);
    load_bounded(BYTES_PROFILE, &sb);
}

/* The steps after the largest number have that number too. */
static void test_steps_of_the_largest_number(void **state)
{
    struct strbuf run = {0}, event = {0}, file = {0};
    size_t tagged, part;

    (void)state;
    part = wire_begin(&run, 1);
    wire_bytes(&run, 1, "", 0);
    wire_end(&run, part);
    wire_int(&event, 2, INT64_MAX);
    tagged = wire_begin(&event, 8);
    wire_bytes(&event, 2, run.data, run.len);
    wire_end(&event, tagged);
    for (int i = 0; i < 3; i++) {
        const size_t at = file.len;

        wire_fixed(&file, event.len, 8);
        wire_fixed(&file, crc32c_mask(crc32c_extend(0, file.data + at, 8)), 4);
        sb_add(&file, event.data, event.len);
        wire_fixed(&file, crc32c_mask(crc32c_extend(0, event.data, event.len)), 4);
    }
    assert_true(try(BYTES_FILE, file.data, file.len));
    sb_done(&run);
    sb_done(&event);
    sb_done(&file);
}

static void test_long_and_odd_names(void **state)
{
    size_t len = 1 << 20;
    char *name = malloc(len);
    struct strbuf sb = {0};
    size_t node = wire_begin(&sb, 1);

    (void)state;
    for (size_t i = 0; i < len; i++)
        name[i] = (char)(i * 7);
    wire_bytes(&sb, 1, name, len);
    wire_bytes(&sb, 2, "\0\x1b[2J", 5);
    wire_bytes(&sb, 3, "a\0b", 3);
    wire_end(&sb, node);
    node = wire_begin(&sb, 1);
    wire_bytes(&sb, 1, name, len - 1);
    wire_bytes(&sb, 2, "o", 1);
    wire_bytes(&sb, 3, "\n\x1b:\0", 4);
    wire_end(&sb, node);
    /* The error for the bad input is one line of bounded length. */
    {
        struct err err = {0};

        assert_false(load_bytes(BYTES_GRAPH, (const uint8_t *)sb.data, sb.len, &err));
        assert_true(strlen(err_text(&err)) < 2000);
        assert_non_null(strstr(err_text(&err), "input '\\x0a\\x1b:\\x00' is not NAME:NUMBER"));
        err_done(&err);
    }
    sb_done(&sb);
    free(name);
}

/* ---- files that change or cannot be read */

static void test_file_cut_while_mapped(void **state)
{
    const size_t len = 8 << 20;
    int fd = memfd_create("cut", MFD_CLOEXEC);
    struct source_file file;
    struct err err = {0};
    char path[32];
    unsigned sum = 0;

    (void)state;
    assert_int_equal(ftruncate(fd, (off_t)len), 0);
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    assert_true(input_read(path, &file, never, &err));
    assert_int_equal(file.size_bytes, len);
    assert_true(input_check(&file, &err));
    assert_int_equal(ftruncate(fd, 4096), 0);
    for (size_t i = 0; i < len; i += 1024)
        sum += file.bytes[i];
    assert_int_equal(sum, 0);
    assert_false(input_check(&file, &err));
    assert_non_null(strstr(err_text(&err), "was truncated"));
    err_done(&err);
    input_drop(&file);
    free(file.path);
    close(fd);
}

static void test_unreadable(void **state)
{
    struct source_file file;
    struct err err = {0};

    (void)state;
    assert_false(input_read("/proc/self/mem", &file, never, &err));
    assert_int_equal(err.kind, ERR_INPUT);
    err_done(&err);
    assert_false(input_read("/nonexistent/x", &file, never, &err));
    err_done(&err);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_damaged_files),
        cmocka_unit_test(test_odd_wire),
        cmocka_unit_test(test_nested_groups),
        cmocka_unit_test(test_many_empty_executions),
        cmocka_unit_test(test_many_inputs_of_one_node),
        cmocka_unit_test(test_many_types_of_one_node),
        cmocka_unit_test(test_many_steps_of_one_node),
        cmocka_unit_test(test_many_times_of_one_record),
        cmocka_unit_test(test_steps_of_the_largest_number),
        cmocka_unit_test(test_long_and_odd_names),
        cmocka_unit_test(test_file_cut_while_mapped),
        cmocka_unit_test(test_unreadable),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
