/* test_changing_file.c: another program changes a mapped file while it is decoded.  The decoded
 * values may be arbitrary, but writes stay within the allocated memory. */
#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/wire_out.h"
#include "fixtures/load_fixture.h"
#include "fixtures/load_with.h"
#include "load/graph/attrs.h"

enum { ITEMS = 3000, MAPPED_BYTES = 2 << 20, UNKNOWN_FIELD = 14 };

/* Positions of tags that alternate between FIELD and an unknown field, all at once. */
struct region {
    size_t at, n;
    uint32_t field;
};

struct changing_file {
    struct strbuf bytes;
    struct region regions[5];
    size_t n_regions;
    uint8_t *shared; /* the mapping of the other program */
    atomic_bool stopped;
};

/* ITEMS empty messages in FIELD. */
static void add_items(struct changing_file *f, uint32_t field)
{
    f->regions[f->n_regions++] = (struct region){f->bytes.len, ITEMS, field};
    for (int i = 0; i < ITEMS; i++)
        wire_bytes(&f->bytes, field, "", 0);
}

static size_t begin_attr(struct changing_file *f, const char *name, size_t *value)
{
    size_t entry = wire_begin(&f->bytes, 5);

    wire_bytes(&f->bytes, 1, name, strlen(name));
    *value = wire_begin(&f->bytes, 2);
    return entry;
}

static void end_attr(struct changing_file *f, size_t entry, size_t value)
{
    wire_end(&f->bytes, value);
    wire_end(&f->bytes, entry);
}

/* A node with a long shape, long lists, and many attributes. */
static void add_node(struct changing_file *f)
{
    struct strbuf *sb = &f->bytes;
    size_t node = wire_begin(sb, 1), entry, value, inner;

    wire_bytes(sb, 1, "n", 1);
    wire_bytes(sb, 2, "Const", 5);
    entry = begin_attr(f, "shape", &value);
    inner = wire_begin(sb, 7);
    add_items(f, 2);
    wire_end(sb, inner);
    end_attr(f, entry, value);
    entry = begin_attr(f, "names", &value);
    inner = wire_begin(sb, 1);
    add_items(f, 2);
    wire_end(sb, inner);
    end_attr(f, entry, value);
    entry = begin_attr(f, "tensors", &value);
    inner = wire_begin(sb, 1);
    add_items(f, 8);
    wire_end(sb, inner);
    end_attr(f, entry, value);
    add_items(f, 5);
    wire_end(sb, node);
}

/* A function with many arguments. */
static void add_function(struct changing_file *f)
{
    struct strbuf *sb = &f->bytes;
    size_t library = wire_begin(sb, 2), function = wire_begin(sb, 1), signature = wire_begin(sb, 1);

    wire_bytes(sb, 1, "f", 1);
    add_items(f, 2);
    wire_end(sb, signature);
    wire_end(sb, function);
    wire_end(sb, library);
}

static void add_call(struct changing_file *f)
{
    size_t node = wire_begin(&f->bytes, 1);

    wire_bytes(&f->bytes, 1, "call", 4);
    wire_bytes(&f->bytes, 2, "f", 1);
    wire_end(&f->bytes, node);
}

static void *change(void *argument)
{
    struct changing_file *f = argument;

    for (unsigned round = 0; !atomic_load(&f->stopped); round++)
        for (size_t r = 0; r < f->n_regions; r++) {
            const uint32_t field = round % 2 ? f->regions[r].field : UNKNOWN_FIELD;
            volatile uint8_t *at = f->shared + f->regions[r].at;

            for (size_t i = 0; i < f->regions[r].n; i++)
                at[2 * i] = (uint8_t)(field << 3 | WIRE_LEN);
        }
    return NULL;
}

static struct profile *load(const char *path)
{
    struct err err = {0};
    struct profile *p = load_with(SETTINGS("graph_path", path), NULL, &err);

    err_done(&err);
    return p;
}

/* Loads the file and runs LOOK while the file changes. */
static void while_it_changes(struct changing_file *f,
                             void (*look)(const char *path, const struct profile *p))
{
    static const char padding[1000];
    struct profile *p;
    const char *path;
    pthread_t thread;
    int fd;

    while (f->bytes.len < MAPPED_BYTES)
        wire_bytes(&f->bytes, UNKNOWN_FIELD, padding, sizeof padding);
    fixture_write("changing.pb", f->bytes.data, f->bytes.len);
    path = fixture_path("changing.pb");
    fd = open(path, O_RDWR | O_CLOEXEC);
    assert_true(fd >= 0);
    f->shared = mmap(NULL, f->bytes.len, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    assert_true(f->shared != MAP_FAILED);
    close(fd);
    p = load(path);
    assert_non_null(p);
    assert_int_equal(pthread_create(&thread, NULL, change, f), 0);
    look(path, p);
    atomic_store(&f->stopped, true);
    pthread_join(thread, NULL);
    profile_free(p);
    munmap(f->shared, f->bytes.len);
    sb_done(&f->bytes);
}

static void inspect_attributes(const char *path, const struct profile *p)
{
    const node_id node = fixture_node(p, "n");

    (void)path;
    for (int round = 0; round < 1000; round++) {
        struct arena arena = {0};
        size_t n, sum = 0;
        const struct attr *attrs = attrs_decode(p, node, &arena, &n);

        for (size_t i = 0; i < n; i++)
            sum += attrs[i].name.len;
        assert_true(sum <= 3 * strlen("tensors"));
        arena_done(&arena);
    }
}

static void attributes(void **state)
{
    struct changing_file f = {0};

    (void)state;
    add_node(&f);
    while_it_changes(&f, inspect_attributes);
}

static void inspect_functions(const char *path, const struct profile *p)
{
    (void)p;
    for (int round = 0; round < 200; round++) {
        struct profile *again = load(path);

        if (again)
            profile_free(again);
    }
}

static void arguments_of_functions(void **state)
{
    struct changing_file f = {0};

    (void)state;
    add_function(&f);
    add_call(&f);
    while_it_changes(&f, inspect_functions);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(attributes),
        cmocka_unit_test(arguments_of_functions),
    };

    return cmocka_run_group_tests_name("load/changing_file", tests, fixture_setup,
                                       fixture_teardown);
}
