/* test_threads.c: the loaded profile depends neither on the number of threads nor on whether the
 * graph is displayed before the rest is read. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <zlib.h>

#include "base/wire_out.h"
#include "load/bytes/input.h"
#include "fixtures/load_fixture.h"
#include "fixtures/load_with.h"
#include "fixtures/random_options.h"
#include "fixtures/same_profile.h"

/* Large enough to be split between threads. */
enum { N_NODES = 20000, SHARED_FROM_BYTES = 4 << 20 };
#define NONE UINT32_MAX

static void put_text(struct strbuf *sb, uint32_t field, const char *s)
{
    wire_bytes(sb, field, s, strlen(s));
}

/* An unknown field, so that few nodes make a large file, which remains large when it is compressed. */
static void put_padding(struct strbuf *sb, unsigned node)
{
    uint64_t words[20], state = node;

    for (unsigned i = 0; i < 20; i++)
        words[i] = random_next(&state);
    wire_bytes(sb, 99, (const char *)words, sizeof words);
}

static const char *name_of(unsigned node)
{
    static char text[64];

    snprintf(text, sizeof text, "scope_%u/some_layer/node_%u", node % 7, node);
    return text;
}

static void write_file(const char *name, struct strbuf *sb)
{
    assert_true(sb->len > SHARED_FROM_BYTES);
    fixture_write(name, sb->data, sb->len);
    sb_done(sb);
}

/* ---- inputs */

/* Node BAD has a bad input. */
static void write_graph(const char *name, unsigned bad)
{
    struct strbuf sb = {0};
    char text[80];

    for (unsigned i = 0; i < N_NODES; i++) {
        size_t node = wire_begin(&sb, 1);

        put_text(&sb, 1, name_of(i));
        snprintf(text, sizeof text, "Op%u", i % 80);
        put_text(&sb, 2, text);
        snprintf(text, sizeof text, "%s:%s", name_of(i * 31 % N_NODES), i == bad ? "x" : "1");
        put_text(&sb, 3, text);
        put_padding(&sb, i);
        wire_end(&sb, node);
    }
    write_file(name, &sb);
}

static void put_output(struct strbuf *sb, unsigned node, unsigned slot)
{
    size_t output = wire_begin(sb, 7), tensor, shape, dim, allocation;

    wire_int(sb, 1, slot);
    tensor = wire_begin(sb, 3);
    shape = wire_begin(sb, 2);
    dim = wire_begin(sb, 2);
    wire_int(sb, 1, node % 100);
    wire_end(sb, dim);
    wire_end(sb, shape);
    allocation = wire_begin(sb, 4);
    wire_int(sb, 1, node % 1000 * 4);
    wire_int(sb, 6, 0x7f0000000000 + node);
    wire_end(sb, allocation);
    wire_end(sb, tensor);
    wire_end(sb, output);
}

/* Every eleventh node is not in the graph. */
static void put_entry(struct strbuf *sb, unsigned node, bool kernel, bool bad)
{
    size_t entry = wire_begin(sb, 2), memory;
    char text[80];

    snprintf(text, sizeof text, "%s%s", node % 11 ? "" : "new/", name_of(node));
    put_text(sb, 1, text);
    put_padding(sb, node);
    wire_int(sb, 2, node % 13 ? 1500000000000000 + (int64_t)node : 0);
    wire_int(sb, 4, node % 17 * 10);
    if (!kernel) {
        memory = wire_begin(sb, 6);
        put_text(sb, 1, node % 2 ? "GPU_0_bfc" : "cpu");
        wire_int(sb, 2, node % 1000 * 4);
        wire_int(sb, 3, node % 1000 * (node % 5 ? 4 : 5));
        wire_end(sb, memory);
        for (unsigned slot = 0; slot < node % 3; slot++)
            put_output(sb, node, slot);
        if (node % 19 == 0) {
            memory = wire_begin(sb, 12);
            wire_int(sb, 1, node);
            wire_end(sb, memory);
        }
    }
    if (bad)
        wire_bytes(sb, 7, "\x1a\x04\x12\x02\x12\x7f", 6);
    wire_end(sb, entry);
}

/* The device names follow the entries.  Entry BAD of device BAD_DEVICE has a truncated shape. */
static void write_run(const char *name, unsigned bad, unsigned bad_device)
{
    static const char *const devices[] = {"/job:x/device:GPU:0", "/job:x/device:CPU:0",
                                          "/device:GPU:0/stream:all", "/job:x/device:GPU:1"};
    struct strbuf sb = {0};
    size_t step = wire_begin(&sb, 1);

    for (unsigned d = 0; d < 4; d++) {
        size_t device = wire_begin(&sb, 1);

        for (unsigned i = 0; i < N_NODES; i++)
            if (i % 2 == d % 2)
                put_entry(&sb, i, d == 2, i == bad && d == bad_device);
        put_text(&sb, 1, devices[d]);
        wire_end(&sb, device);
    }
    wire_end(&sb, step);
    write_file(name, &sb);
}

/* The strings follow the entries; entry BAD is truncated. */
static void write_op_log(const char *name, unsigned bad)
{
    struct strbuf sb = {0};
    char text[80];

    for (unsigned i = 0; i < N_NODES; i++) {
        size_t entry = wire_begin(&sb, 1), stack, frame;

        snprintf(text, sizeof text, "%s%s", name_of(i), i % 10 ? "" : "/not_there");
        put_text(&sb, 1, text);
        put_padding(&sb, i);
        wire_int(&sb, 2, i % 3);
        if (i % 4 == 0)
            put_text(&sb, 3, i % 8 ? "mine" : "_trainable_variables");
        for (unsigned twice = 0; twice < 1 + (i % 50 == 0); twice++) {
            stack = wire_begin(&sb, 4);
            for (unsigned k = 0; k < 4; k++) {
                frame = wire_begin(&sb, 1);
                wire_int(&sb, 6, 1);
                wire_int(&sb, 2, i % 777 + k);
                wire_int(&sb, 7, 2 + k % 2);
                wire_end(&sb, frame);
            }
            wire_end(&sb, stack);
        }
        if (i == bad)
            wire_bytes(&sb, 4, "\x0a\x7f", 2);
        wire_end(&sb, entry);
    }
    for (unsigned id = 1; id <= 3; id++) {
        size_t entry = wire_begin(&sb, 2);

        wire_int(&sb, 1, id);
        snprintf(text, sizeof text, "text %u", id);
        put_text(&sb, 2, text);
        wire_end(&sb, entry);
    }
    write_file(name, &sb);
}

/* ---- comparing */

static void all_parts_are_equal(void **state)
{
    static const char *const numbers[] = {"2", "16"};
    struct profile *one, *many;

    (void)state;
    write_graph("g.pb", NONE);
    write_run("r.pb", NONE, 0);
    write_op_log("l.pb", NONE);
    setenv("TFPROF_THREADS", "1", 1);
    one = fixture_load("g.pb", "l.pb", "r.pb", "r.pb");
    assert_in_range(one->n_nodes, N_NODES + 1, N_NODES * 2);
    assert_in_range(one->exec_begin[one->n_nodes], N_NODES * 2, N_NODES * 8);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        setenv("TFPROF_THREADS", numbers[i], 1);
        many = fixture_load("g.pb", "l.pb", "r.pb", "r.pb");
        assert_same_profile(one, many);
        profile_free(many);
    }
    unsetenv("TFPROF_THREADS");
    profile_free(one);
}

/* Loads the graph into *GRAPH, then the rest. */
static struct profile *load_in_two_parts(const struct load_request *request, struct profile **graph)
{
    const struct cancel_mark never = {0};
    struct load_begun *begun;
    struct err err = {0};
    struct profile *p;

    *graph = load_graph_first(request, NULL, never, &begun, &err);
    assert_non_null(*graph);
    assert_non_null(begun);
    assert_int_equal((*graph)->n_steps, 0);
    p = load_rest(begun, request, NULL, never, &err);
    assert_non_null(p);
    return p;
}

static void loading_in_two_parts_gives_the_same_profile(void **state)
{
    char *files[] = {strdup(fixture_path("g.pb")), strdup(fixture_path("l.pb")),
                     strdup(fixture_path("r.pb"))};
    const struct cancel_mark never = {0};
    struct options options;
    const struct load_request request = {.options = &options};
    struct profile *all, *graph, *rest;
    struct load_begun *begun;
    struct err err = {0};

    (void)state;
    write_graph("g.pb", NONE);
    write_run("r.pb", NONE, 0);
    write_op_log("l.pb", NONE);
    set_options(&options, SETTINGS("graph_path", files[0], "op_log_path", files[1], "run_meta_path",
                                   files[2], "define_type", "own=scope_1/.*"));
    all = load_profile(&request, NULL, never, &err);
    assert_non_null(all);
    for (int graph_goes_first = 0; graph_goes_first < 2; graph_goes_first++) {
        rest = load_in_two_parts(&request, &graph);
        profile_free(graph_goes_first ? graph : NULL);
        assert_same_profile(all, rest);
        profile_free(rest);
        if (!graph_goes_first) {
            assert_int_equal(graph->n_nodes, N_NODES);
            assert_true(load_check(graph, &err));
            profile_free(graph);
        }
    }
    graph = load_graph_first(&request, NULL, never, &begun, &err);
    load_begun_free(begun);
    profile_free(graph);
    profile_free(all);
    options_done(&options);
    for (int i = 0; i < 3; i++)
        free(files[i]);
}

/* Load options that differ from those of the displayed graph: everything is read again. */
static void options_may_change_between_the_two_parts(void **state)
{
    char *graph = strdup(fixture_path("g.pb")), *run = strdup(fixture_path("r.pb"));
    const struct cancel_mark never = {0};
    struct options options;
    const struct load_request request = {.options = &options};
    struct load_begun *begun;
    struct err err = {0};
    struct profile *p;

    (void)state;
    set_options(&options, SETTINGS("graph_path", graph, "run_meta_path", run));
    profile_free(load_graph_first(&request, NULL, never, &begun, &err));
    assert_non_null(begun);
    options_done(&options);
    set_options(&options, SETTINGS("graph_path", graph, "run_meta_path", run, "define_type",
                                   "own=scope_1/.*"));
    p = load_rest(begun, &request, NULL, never, &err);
    assert_non_null(p);
    assert_string_equal(fixture_types(p, name_of(1)), "/job:x/device:cpu:0|Op1|own");
    profile_free(p);
    options_done(&options);
    free(graph);
    free(run);
}

/* Loads with several numbers of threads and checks the error WHY; NULL: no error. */
static void assert_ends(const char *graph, const char *op_log, const char *run_meta,
                        const char *why)
{
    static const char *const numbers[] = {"1", "2", "16"};

    for (size_t i = 0; i < 3; i++) {
        setenv("TFPROF_THREADS", numbers[i], 1);
        fixture_try(graph, op_log, run_meta, why);
    }
    unsetenv("TFPROF_THREADS");
}

/* The first error in file order is reported, whichever thread finds one first. */
static void errors_are_the_same(void **state)
{
    (void)state;
    write_graph("g.pb", 13744);
    assert_ends("g.pb", NULL, NULL,
                "g.pb: offset 3236783: node 'scope_3/some_layer/node_13744': input "
                "'scope_2/some_layer/node_6064:x' is not NAME:NUMBER");
    write_graph("g.pb", NONE);
    write_run("r.pb", 11111, 1);
    assert_ends("g.pb", NULL, "r.pb", "r.pb: offset 3842698: shape: length runs past the end");
    write_op_log("l.pb", 16667);
    assert_ends("g.pb", "l.pb", NULL,
                "l.pb: offset 4021072: call stack: length runs past the end");
}

/* Errors in dropped entries are ignored; here the node ran on another device. */
static void only_fields_that_are_read_must_be_well_formed(void **state)
{
    (void)state;
    write_graph("g.pb", NONE);
    write_run("r.pb", 11111, 3);
    assert_ends("g.pb", NULL, "r.pb", NULL);
}

/* ---- compressed inputs, read while they are decompressed */

/* Compresses the file FROM as NAME, without the last CUT bytes. */
static void write_packed(const char *from, const char *name, size_t cut)
{
    struct source_file file;
    struct cancel_mark never = {0};
    struct err err = {0};
    unsigned char *packed;
    z_stream z = {.opaque = NULL};

    assert_true(input_read(fixture_path(from), &file, never, &err));
    assert_int_equal(deflateInit2(&z, 1, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
    packed = malloc(file.size_bytes);
    assert_non_null(packed);
    z.next_in = (unsigned char *)(uintptr_t)file.bytes;
    z.avail_in = (uInt)file.size_bytes;
    z.next_out = packed;
    z.avail_out = (uInt)file.size_bytes;
    assert_int_equal(deflate(&z, Z_FINISH), Z_STREAM_END);
    assert_in_range(z.total_out, 256 << 10, file.size_bytes);
    fixture_write(name, packed, z.total_out - cut);
    deflateEnd(&z);
    free(packed);
    input_drop(&file);
    free(file.path);
}

static void a_compressed_graph_is_the_same(void **state)
{
    static const char *const numbers[] = {"1", "2", "16"};
    struct profile *plain, *packed;

    (void)state;
    write_graph("g.pb", NONE);
    write_packed("g.pb", "g.gz", 0);
    plain = fixture_load("g.pb", NULL, NULL, NULL);
    for (size_t i = 0; i < 3; i++) {
        setenv("TFPROF_THREADS", numbers[i], 1);
        packed = fixture_load("g.gz", NULL, NULL, NULL);
        assert_same_profile(plain, packed);
        assert_int_equal(packed->files[0].size_bytes, plain->files[0].size_bytes);
        assert_memory_equal(packed->files[0].bytes, plain->files[0].bytes,
                            plain->files[0].size_bytes);
        profile_free(packed);
    }
    unsetenv("TFPROF_THREADS");
    profile_free(plain);
}

/* Each input is decompressed while the previous one is read. */
static void packed_inputs_are_the_same(void **state)
{
    struct profile *plain, *packed;

    (void)state;
    write_graph("g.pb", NONE);
    write_run("r.pb", NONE, 0);
    write_op_log("l.pb", NONE);
    write_packed("r.pb", "r.gz", 0);
    write_packed("l.pb", "l.gz", 0);
    setenv("TFPROF_THREADS", "2", 1);
    plain = fixture_load("g.pb", "l.pb", "r.pb", "r.pb");
    packed = fixture_load("g.pb", "l.gz", "r.gz", "r.gz");
    unsetenv("TFPROF_THREADS");
    for (size_t i = 0; i < packed->notes.n; i++) { /* notes name the files */
        char *name = strstr(packed->notes.data[i].text, "r.gz");

        if (name)
            memcpy(name, "r.pb", 4);
    }
    assert_same_profile(plain, packed);
    profile_free(packed);
    profile_free(plain);
}

/* A compression error is reported even if the data has an earlier error. */
static void faults_of_packed_inputs(void **state)
{
    (void)state;
    write_graph("g.pb", 13744);
    write_packed("g.pb", "g.gz", 0);
    assert_ends("g.gz", NULL, NULL,
                "g.gz: offset 3236783: node 'scope_3/some_layer/node_13744': input "
                "'scope_2/some_layer/node_6064:x' is not NAME:NUMBER");
    write_packed("g.pb", "g.gz", 100);
    assert_ends("g.gz", NULL, NULL, "g.gz: gzip: the compressed data ends too early");
    write_op_log("l.pb", NONE);
    write_packed("l.pb", "l.gz", 0);
    assert_ends("l.gz", NULL, NULL, "l.gz: is an OpLogProto, not a GraphDef");
    /* errors are reported in the order of the inputs */
    assert_ends("l.gz", "g.gz", NULL, "l.gz: is an OpLogProto, not a GraphDef");
    write_graph("g.pb", NONE);
    assert_ends("g.pb", "g.gz", NULL, "g.gz: gzip: the compressed data ends too early");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_parts_are_equal),
        cmocka_unit_test(loading_in_two_parts_gives_the_same_profile),
        cmocka_unit_test(options_may_change_between_the_two_parts),
        cmocka_unit_test(errors_are_the_same),
        cmocka_unit_test(only_fields_that_are_read_must_be_well_formed),
        cmocka_unit_test(a_compressed_graph_is_the_same),
        cmocka_unit_test(packed_inputs_are_the_same),
        cmocka_unit_test(faults_of_packed_inputs),
    };

    return cmocka_run_group_tests(tests, fixture_setup, fixture_teardown);
}
