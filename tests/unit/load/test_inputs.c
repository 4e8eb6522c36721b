/* test_inputs.c: recognising, decompressing and refusing input files. */
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <cmocka.h>

#include "base/crc32c.h"
#include "base/wire_out.h"
#include "fixtures/load_fixture.h"
#include "fixtures/load_with.h"
#include "load/bytes/input.h"
#include "load/graph/node_batch.h"
#include "load/inputs/inputs.h"
#include "load/run/runmeta.h"

static const struct cancel_mark never;

/* ---- recognising */

static enum input_format format_of(const char *name)
{
    struct source_file file;
    struct err err = {0};
    enum input_format format;

    assert_true(input_read(fixture_path(name), &file, never, &err));
    format = detect_format((struct span){file.bytes, file.size_bytes});
    input_drop(&file);
    free(file.path);
    return format;
}

/* Both orders contain every format, whatever its position in the list. */
static void test_records_of_formats(void **state)
{
    unsigned n_tried = 0, n_loaded = 0;

    (void)state;
    for (enum input_format f = FORMAT_UNKNOWN + 1; f < FORMAT_COUNT; f++) {
        assert_non_null(formats[f]->name);
        assert_non_null(formats[f]->binary_name);
        assert_non_null(formats[f]->fits);
        assert_true(!formats[f]->load != !formats[f]->load_path);
    }
    for (enum input_format f = FORMAT_UNKNOWN; (f = format_next_to_try(f)) != FORMAT_UNKNOWN;)
        n_tried++;
    for (enum input_format f = FORMAT_UNKNOWN; (f = format_next_to_load(f)) != FORMAT_UNKNOWN;)
        n_loaded++;
    assert_int_equal(n_tried, FORMAT_COUNT - 1);
    assert_int_equal(n_loaded, FORMAT_COUNT - 1);
}

static unsigned detect_order_of(const struct format_row *row)
{
    return row->detect_order;
}

static void formats_of_equal_order_are_all_tried(void **state)
{
    static const struct format_row rows[] = {
        {.detect_order = 20}, {.detect_order = 10}, {.detect_order = 20},
        {.detect_order = 10}, {.detect_order = 10}, {.detect_order = 30},
    };
    static const unsigned expected[] = {2, 4, 5, 1, 3, 6};
    const struct format_row *const table[] = {NULL,     &rows[0], &rows[1], &rows[2],
                                              &rows[3], &rows[4], &rows[5]};
    unsigned row = 0;

    (void)state;
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        row = format_next_by(table, 7, detect_order_of, row);
        assert_int_equal(row, expected[i]);
    }
    assert_int_equal(format_next_by(table, 7, detect_order_of, row), 0);
}

static void test_formats(void **state)
{
    static const struct {
        enum input_format format;
        const char *text;
    } cases[] = {
        {FORMAT_GRAPH, "node { name: 'a' op: 'b' }"},
        {FORMAT_GRAPH, "versions { producer: 5 }"},
        {FORMAT_GRAPH, "node { name: 'a' } versions { producer: 5 }"},
        {FORMAT_GRAPH, "node { name: 'a' } node { name: 'b' op: 'c' }"},
        {FORMAT_GRAPH, "node { } library { function { signature { name: 'f' } } }"},
        {FORMAT_OP_LOG, "log_entries { name: 'a' types: 'b' }"},
        {FORMAT_OP_LOG, "log_entries { name: 'a' float_ops: 5 code_def { } }"},
        {FORMAT_OP_LOG, "id_to_string { key: 1 value: 'x' }"},
        {FORMAT_RUN_META, "step_stats { dev_stats { device: '/cpu:0' node_stats { node_name: 'a' "
                          "all_start_micros: 5 } } }"},
        {FORMAT_RUN_META, "step_stats { }"},
        {FORMAT_PROFILE, "nodes { key: 1 value { name: 'a' op: 'b' id: 1 } }"},
        {FORMAT_PROFILE, "nodes { key: 0 value { name: 'a' op: 'b' } } has_trace: true steps: 3"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        fixture_binary("f.pb", cases[i].format, cases[i].text);
        assert_int_equal(format_of("f.pb"), cases[i].format);
        fixture_write("f.txt", cases[i].text, strlen(cases[i].text));
        /* A string table alone may also be a profile. */
        if (cases[i].text[0] != 'i')
            assert_int_equal(format_of("f.txt"), cases[i].format);
    }
}

/* A capture of an idle profiler: no planes, only the host name and the errors. */
static void test_capture_without_planes(void **state)
{
    (void)state;
    fixture_write("x", "\x22\x08worker-0", 10);
    assert_int_equal(format_of("x"), FORMAT_CAPTURE);
    fixture_write("x", "\x12\x04oops\x22\x01h", 9);
    assert_int_equal(format_of("x"), FORMAT_CAPTURE);
    fixture_write("x", "\x22\x02\x0a\x00", 4); /* function_graphs { partition_graphs { } } */
    assert_int_equal(format_of("x"), FORMAT_RUN_META);
}

/* An endless stream is read up to its limit, in pieces of any size. */
static void test_endless_stream(void **state)
{
    byte_vec bytes = {0};
    struct err err = {0};
    int zero = open("/dev/zero", O_RDONLY | O_CLOEXEC), ends[2];

    (void)state;
    assert_true(zero >= 0);
    assert_false(input_read_all(zero, "zero", 0, 100000, &bytes, never, &err));
    assert_string_equal(err_text(&err), "zero: more than 100000 bytes from a stream");
    err_done(&err);
    close(zero);
    bytes.n = 0;
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(fcntl(ends[0], F_SETFL, O_NONBLOCK), 0);
    assert_int_equal(write(ends[1], "abc", 3), 3);
    close(ends[1]);
    assert_true(input_read_all(ends[0], "pipe", 0, 3, &bytes, never, &err));
    assert_int_equal(bytes.n, 3);
    close(ends[0]);
    vec_done(&bytes);
}

/* Data appended during reading is ignored, because it may arrive faster than it is read. */
static void test_growing_file(void **state)
{
    byte_vec bytes = {0};
    struct err err = {0};
    const int zero = open("/dev/zero", O_RDONLY | O_CLOEXEC);

    (void)state;
    assert_true(zero >= 0);
    assert_true(input_read_all(zero, "zero", 100000, UINT64_MAX, &bytes, never, &err));
    assert_int_equal(bytes.n, 100000);
    close(zero);
    vec_done(&bytes);
}

/* The first name is longer than the usual prefix that is examined. */
static void test_long_first_name(void **state)
{
    static char text[200100];
    int n = sprintf(text, "node { name: '");

    (void)state;
    memset(text + n, 'n', 200000);
    strcpy(text + n + 200000, "' op: 'A' }");
    fixture_binary("long", FORMAT_GRAPH, text);
    assert_int_equal(format_of("long"), FORMAT_GRAPH);
}

/* The buffer is not allocated at the maximum size of the prefix. */
static void test_head_of_small_file(void **state)
{
    enum { MAX_BYTES = 1 << 26, ENOUGH_BYTES = 1 << 17 };
    byte_vec head = {0};
    struct err err = {0};

    (void)state;
    fixture_write("x", "{}", 2);
    assert_true(input_peek(fixture_path("x"), MAX_BYTES, &head, &err));
    assert_int_equal(head.n, 2);
    assert_in_range(head.capacity, head.n, ENOUGH_BYTES);
    vec_done(&head);
}

static void test_unknown(void **state)
{
    (void)state;
    fixture_write("x", "\x89PNG\r\n\x1a\n....", 12);
    fixture_load_file("x", "x: a PNG image");
    fixture_write("x", "\x89HDF\r\n\x1a\n....", 12);
    fixture_load_file("x", "x: HDF5: Keras weights, not a graph");
    fixture_write("x", "{\"a\": 1}", 8);
    fixture_load_file("x", "x: JSON, but not a trace: it has no traceEvents");
    fixture_write("x", "nodes: 17\nedges: 3\n", 19);
    fixture_load_file("x", "x: text, but no `node {`");
    fixture_write("x", "Dear reader,\n", 13);
    fixture_load_file("x", "x: plain text");
    fixture_write("x", "# nothing\n", 10);
    fixture_load_file("x", "x: only blanks and comments");
    fixture_write("x", "", 0);
    fixture_load_file("x", "x: an empty file");
    fixture_write("x", "\xff\xfe\xff\xff\xff", 5);
    fixture_load_file("x", "x: binary data of unknown format");
    fixture_load_file("missing", "missing: No such file or directory");
}

/* A table that begins with a quote parses as a capture of host names up to its end. */
static void test_unknown_of_other_profilers(void **state)
{
    static const char pprof[] = "\x0a\x04\x08\x01\x10\x02\x0a\x04\x08\x03\x10\x04"
                                "\x12\x08\x0a\x01\x01\x12\x03\x01\x80\x02\x22\x04\x08\x01\x10\x01"
                                "\x32\x00\x32\x05" "count";
    static const char report[] =
        "\x0a\x14\x08\x08\x1a\x10\x08\x01\x10\x08\x18\x08!\0\0\0\0\0\0\xf0?";
    static const char table[] = "\"ID\",\"Process ID\",\"Process Name\",\"Host Name\",\"Kernel Name\"\n"
                                "\"0\",\"1\",\"a.out\",\"127.0.0.1\",\"k\"\n";
    static const char with_messages[] = "==PROF== Connected to process 1 (/bin/a)\n"
                                        "\"ID\",\"Process ID\",\"Process Name\"\n";

    (void)state;
    fixture_write("x", pprof, sizeof pprof - 1);
    fixture_load_file("x", "x: offset 0: string 2 of 2");
    fixture_write("x", report, sizeof report - 1);
    fixture_load_file("x", "x: a memory usage report of XLA: not supported");
    fixture_write("x", table, sizeof table - 1);
    fixture_load_file("x", "x: Nsight Compute report as CSV: not supported");
    fixture_write("x", with_messages, sizeof with_messages - 1);
    fixture_load_file("x", "x: Nsight Compute report as CSV: not supported");
    fixture_write("x", "\"" "Dear readers, this line is as long as\"", 38);
    fixture_load_file("x", "x: plain text");
    fixture_write("x", "\"a\",\"b\"\n\"1\",\"2\"\n", 16);
    fixture_load_file("x", "x: plain text");
    fixture_write("x", "{\xa9\x03\xfa\x01" "ai\x01\0\0\0", 11); /* marshalled statistics of cProfile */
    fixture_load_file("x", "x: binary data of unknown format");
    fixture_write("x", "PAR1\x15\x04\x15\x10", 8);
    fixture_load_file("x", "x: a table in Apache Parquet: not a profile");
    fixture_write("x", "(dp0\nVa\np1\nI5\ns.", 16);
    fixture_load_file("x", "x: a pickle of protocol 0 or 1: no memory snapshot of PyTorch");
    fixture_write("x", "}q\0(X\x01\0\0\0aq\1K\5u.", 16);
    fixture_load_file("x", "x: a pickle of protocol 0 or 1: no memory snapshot of PyTorch");
    for (char protocol = 2; protocol <= 5; protocol++) {
        fixture_write("x", (char[]){'\x80', protocol, '}', '.'}, 4);
        fixture_load_file("x", "x: a pickle, but no memory snapshot (top level: dict)");
    }
}

/* An option gives the format of a file; contradicting content is an error, and an empty file is an
 * empty message. */
static void test_named(void **state)
{
    const char *const *named;
    struct err err = {0};
    struct profile *p;

    (void)state;
    fixture_binary("r.pb", FORMAT_RUN_META, "step_stats { dev_stats { device: '/cpu:0' } }");
    named = SETTINGS("graph_path", fixture_path("r.pb"));
    assert_null(load_with(named, NULL, &err));
    assert_non_null(strstr(err_text(&err), "is a RunMetadata, not a GraphDef"));
    err_done(&err);
    fixture_write("r.pb", "\xff\xff\xff\xff", 4);
    assert_null(load_with(named, NULL, &err));
    assert_non_null(strstr(err_text(&err), "r.pb: offset 0: graph: "));
    err_done(&err);
    fixture_write("r.pb", "\x98\x06\x01", 3); /* one unknown field */
    assert_null(load_with(named, NULL, &err));
    assert_non_null(strstr(err_text(&err), "not a GraphDef: binary data"));
    err_done(&err);
    fixture_write("r.pb", "", 0);
    p = load_with(named, NULL, &err);
    assert_non_null(p);
    assert_int_equal(p->n_nodes, 0);
    profile_free(p);
}

static void test_contradictions(void **state)
{
    char *graph, *profile;
    struct err err = {0};

    (void)state;
    fixture_binary("g.pb", FORMAT_GRAPH, "node { name: 'a' op: 'b' }");
    fixture_binary("p.pb", FORMAT_PROFILE, "nodes { key: 1 value { name: 'a' op: 'b' } }");
    graph = strdup(fixture_path("g.pb"));
    profile = strdup(fixture_path("p.pb"));
    assert_null(load_with(SETTINGS("graph_path", graph, "profile_path", profile), NULL, &err));
    assert_int_equal(err.kind, ERR_USAGE);
    assert_non_null(strstr(err_text(&err), "profile"));
    err_done(&err);
    assert_null(load_with(SETTINGS("profile_path", "-"), "-", &err));
    err_done(&err);
    free(graph);
    free(profile);
}

static void test_folder(void **state)
{
    char *folder = strdup(fixture_path("sub"));
    struct err err = {0};
    struct exec e;
    struct profile *p;

    (void)state;
    assert_int_equal(mkdir(folder, 0700), 0);
    assert_null(load_with(SETTINGS(NULL), folder, &err));
    assert_non_null(strstr(err_text(&err), "no file in this folder"));
    err_done(&err);
    fixture_binary("sub/g.pb", FORMAT_GRAPH, "node { name: 'a' op: 'b' }");
    fixture_binary("sub/p.pb", FORMAT_PROFILE, "nodes { key: 1 value { name: 'z' op: 'b' } }");
    fixture_binary("sub/step_10.pb", FORMAT_RUN_META,
                   "step_stats { dev_stats { device: '/cpu:0' node_stats { node_name: 'a' "
                   "all_start_micros: 10 op_end_rel_micros: 10 } } }");
    fixture_binary("sub/step_9.pb", FORMAT_RUN_META,
                   "step_stats { dev_stats { device: '/cpu:0' node_stats { node_name: 'a' "
                   "all_start_micros: 9 op_end_rel_micros: 9 } } }");
    fixture_write("sub/readme", "Hello.\n", 7);
    p = load_with(SETTINGS(NULL), folder, &err);
    assert_non_null(p);
    assert_int_equal(p->n_nodes, 1);
    assert_int_equal(p->n_steps, 2);
    assert_true(profile_exec(p, 0, 0, &e));
    assert_int_equal(e.cpu_ps, 9 * PS_PER_US); /* 9 comes before 10 */
    assert_true(fixture_has_note(p, "readme: skipped: plain text"));
    assert_true(fixture_has_note(p, "p.pb: skipped: a profile cannot be combined"));
    profile_free(p);
    for (const char *const *name = (const char *const[]){"g.pb", "p.pb", "step_10.pb",
                                                         "step_9.pb", "readme", NULL};
         *name; name++) {
        char path[256];

        snprintf(path, sizeof path, "%s/%s", folder, *name);
        unlink(path);
    }
    rmdir(folder);
    free(folder);
}

/* ---- gzip and unusual files */

static size_t pack(const void *bytes, size_t len, unsigned char *packed, size_t room)
{
    z_stream z = {.next_in = (void *)bytes,
                  .avail_in = (uInt)len,
                  .next_out = packed,
                  .avail_out = (uInt)room};

    assert_int_equal(deflateInit2(&z, 9, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
    assert_int_equal(deflate(&z, Z_FINISH), Z_STREAM_END);
    deflateEnd(&z);
    return z.total_out;
}

static void test_gzip(void **state)
{
    static const char text[] = "node { name: 'packed' op: 'o' }";
    unsigned char packed[512];
    size_t len = pack(text, 16, packed, sizeof packed);

    (void)state;
    /* two members, followed by other bytes */
    len += pack(text + 16, sizeof text - 1 - 16, packed + len, sizeof packed - len);
    memcpy(packed + len, "tail", 4);
    fixture_write("g.gz", packed, len + 4);
    fixture_load_file("g.gz", NULL);
    fixture_write("g.gz", packed, len - 12);
    fixture_load_file("g.gz", "g.gz: gzip: the compressed data ends too early");
    packed[len - 6] ^= 1; /* the checksum of the last member */
    fixture_write("g.gz", packed, len);
    fixture_load_file("g.gz", "g.gz: gzip: offset 67: incorrect data check");
}

static void test_gzip_bomb(void **state)
{
    const size_t len = 8 << 20;
    unsigned char *zeros = calloc(len, 1);
    unsigned char packed[16384];
    size_t packed_len = pack(zeros, len, packed, sizeof packed);
    byte_vec out = {0};
    struct err err = {0};

    (void)state;
    assert_false(gunzip(packed, packed_len, 1 << 20, &out, NULL, never, &err));
    assert_int_equal(out.n, 1 << 20);
    assert_true(out.capacity <= 1 << 20);
    assert_string_equal(err_text(&err),
                        "decompresses to more than 1048576 bytes, the limit for its size");
    err_done(&err);
    vec_done(&out);
    assert_true(gunzip(packed, packed_len, len, &out, NULL, never, &err));
    assert_int_equal(out.n, len);
    vec_done(&out);
    free(zeros);
}

static void test_devices_and_pipes(void **state)
{
    struct source_file file;
    struct err err = {0};
    int ends[2];
    char path[64];

    (void)state;
    assert_false(input_read("/dev/zero", &file, never, &err));
    assert_string_equal(err_text(&err), "/dev/zero: is a device, not a file");
    err_done(&err);
    assert_false(input_read("/", &file, never, &err));
    assert_string_equal(err_text(&err), "/: is a folder");
    err_done(&err);
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(write(ends[1], "node{}", 6), 6);
    close(ends[1]);
    snprintf(path, sizeof path, "/dev/fd/%d", ends[0]);
    assert_true(input_read(path, &file, never, &err));
    assert_int_equal(file.size_bytes, 6);
    input_drop(&file);
    free(file.path);
    close(ends[0]);
}

/* ---- fields of later releases */

static void put_unknown(struct strbuf *sb)
{
    wire_bytes(sb, 1000, "later", 5);
}

static void put_node(struct strbuf *sb, uint32_t field, const char *name, const char *op)
{
    const size_t mark = wire_begin(sb, field);

    wire_bytes(sb, 1, name, strlen(name));
    put_unknown(sb);
    wire_bytes(sb, 2, op, strlen(op));
    wire_end(sb, mark);
}

/* Function NAME with many nodes. */
static void put_function(struct strbuf *sb, const char *name)
{
    const size_t function = wire_begin(sb, 1);
    const size_t signature = wire_begin(sb, 1);

    wire_bytes(sb, 1, name, strlen(name));
    wire_end(sb, signature);
    for (int i = 0; i < 20; i++)
        put_node(sb, 3, "c", "Square");
    wire_end(sb, function);
}

/* A library may make up most of a graph, but is not itself a graph. */
static void test_graph_of_a_later_release(void **state)
{
    struct strbuf sb = {0};
    size_t library;

    (void)state;
    put_node(&sb, 1, "x", "Placeholder");
    put_node(&sb, 1, "y", "f0");
    library = wire_begin(&sb, 2);
    put_function(&sb, "f0");
    put_function(&sb, "f1");
    put_unknown(&sb);
    put_function(&sb, "f2");
    wire_end(&sb, library);
    assert_int_equal(detect_format((struct span){(const uint8_t *)sb.data, sb.len}),
                     FORMAT_GRAPH);
    sb_done(&sb);
}

/* ---- cancelling and device strings */

/* Appends a record of an event file. */
static void put_record(struct strbuf *sb, const struct strbuf *event)
{
    struct strbuf len = {0};

    wire_fixed(&len, event->len, 8);
    sb_add(sb, sb_text(&len), 8);
    wire_fixed(sb, crc32c_mask(crc32c_extend(0, sb_text(&len), 8)), 4);
    sb_add(sb, sb_text(event), event->len);
    wire_fixed(sb, crc32c_mask(crc32c_extend(0, sb_text(event), event->len)), 4);
    sb_done(&len);
}

/* An event with an empty step of a run: STEP of the event (0: none), TAG. */
static void put_run(struct strbuf *sb, int64_t step, const char *tag)
{
    static const char run_meta[] = "\x0a\x05\x0a\x03\x0a\x01" "d";
    struct strbuf event = {0};
    size_t tagged;

    wire_int(&event, 2, step);
    tagged = wire_begin(&event, 8);
    wire_bytes(&event, 1, tag, strlen(tag));
    wire_bytes(&event, 2, run_meta, sizeof run_meta - 1);
    wire_end(&event, tagged);
    put_record(sb, &event);
    sb_done(&event);
}

/* The step is that of the event; profiling hooks omit it and write it in the tag. */
static void test_steps_of_events(void **state)
{
    static const int64_t wanted[] = {0, 1, 7, 10, 200};
    struct strbuf sb = {0};
    struct profile *p;

    (void)state;
    put_run(&sb, 0, "step_10");
    put_run(&sb, 0, "step200");
    put_run(&sb, 7, "step_99");
    put_run(&sb, 0, "first");
    put_run(&sb, 0, "step_99999999999999999999");
    fixture_write("events", sb.data, sb.len);
    sb_done(&sb);
    p = fixture_load("events", NULL, NULL, NULL);
    assert_int_equal(p->n_steps, 5);
    assert_memory_equal(p->steps, wanted, sizeof wanted);
    assert_true(fixture_has_note(p, "step 0 was recorded again: shown as step 1"));
    profile_free(p);
}

/* A graph in a chunked message is stored as a separate file while the other one is read. */
static void test_graphs_of_pieces_of_events(void **state)
{
    enum { EVENT_RUN_META = 8, RUN_META_PARTITION_GRAPHS = 3 };
    struct strbuf run_meta = {0}, event = {0}, sb = {0};
    struct profile *p;
    size_t mark;

    (void)state;
    mark = wire_begin(&run_meta, RUN_META_PARTITION_GRAPHS);
    put_node(&run_meta, 1, "a", "b");
    wire_end(&run_meta, mark);
    mark = wire_begin(&event, EVENT_RUN_META);
    wire_bytes(&event, 1, "step_1", 6);
    wire_end(&event, mark);
    mark = wire_begin(&event, EVENT_RUN_META);
    wire_bytes(&event, 2, run_meta.data, run_meta.len);
    wire_end(&event, mark);
    put_record(&sb, &event);
    fixture_write("pieces", sb.data, sb.len);
    p = fixture_load("pieces", NULL, NULL, NULL);
    assert_int_not_equal(fixture_node(p, "a"), NODE_NONE);
    assert_int_equal(p->n_files, 2);
    assert_string_equal(p->files[0].format, "event file");
    profile_free(p);
    sb_done(&run_meta);
    sb_done(&event);
    sb_done(&sb);
}

static void test_cancel(void **state)
{
    const char *path;
    struct options options;
    struct load_request request = {.options = &options, .files = &path, .n_files = 1};
    struct cancel token = {0};
    struct cancel_mark mark = cancel_mark_now(&token);
    struct err err = {0};

    (void)state;
    fixture_binary("g.pb", FORMAT_GRAPH, "node { name: 'a' op: 'b' }");
    path = fixture_path("g.pb");
    options_init(&options);
    cancel_ask(&token);
    assert_null(load_profile(&request, NULL, mark, &err));
    options_done(&options);
    assert_int_equal(err.kind, ERR_CANCELLED);
    err_done(&err);
}

/* A single node may make up the whole file. */
static void test_cancel_within_a_node(void **state)
{
    enum { N_INPUTS = 100000, FIELD_INPUT = 3 };
    struct options options;
    struct load_request request = {.options = &options};
    struct cancel token = {0};
    struct node_batch batch = {0};
    struct strbuf node = {0};
    struct loader l;

    (void)state;
    for (int i = 0; i < N_INPUTS; i++)
        wire_bytes(&node, FIELD_INPUT, "a", 1);
    options_init(&options);
    loader_init(&l, &request, NULL, cancel_mark_now(&token));
    node_batch_add(&batch, (struct span){(const uint8_t *)sb_text(&node), node.len},
                   (struct node_def){0});
    cancel_ask(&token);
    node_batch_decode(&batch, &l, NULL);
    assert_int_equal(batch.err.kind, ERR_CANCELLED);
    assert_int_equal(batch.nodes.n, 0);
    assert_true(batch.inputs.n < N_INPUTS / 10);
    node_batch_done(&batch);
    builder_abandon(l.builder);
    loader_done(&l);
    options_done(&options);
    sb_done(&node);
}

/* Walks over PROFILE, cancelled; returns the number of names visited before it ended. */
static size_t names_until_cancelled(struct strbuf *profile)
{
    struct options options;
    struct load_request request = {.options = &options};
    struct cancel token = {0};
    struct err err = {0};
    struct loader l;
    size_t n;

    options_init(&options);
    loader_init(&l, &request, NULL, cancel_mark_now(&token));
    l.input = (struct span){(const uint8_t *)sb_text(profile), profile->len};
    cancel_ask(&token);
    assert_false(format_profile.load(&l, &err));
    assert_int_equal(err.kind, ERR_CANCELLED);
    n = builder_profile(l.builder)->strings.n;
    err_done(&err);
    builder_abandon(l.builder);
    loader_done(&l);
    options_done(&options);
    sb_done(profile);
    return n;
}

/* All names of a profile are visited before its first node is added. */
static void test_cancel_within_a_profile(void **state)
{
    enum { N_NODES = 100000, FIELD_INPUT = 2 };
    struct strbuf many = {0}, large = {0};
    size_t entry, node;
    char name[16];

    (void)state;
    for (int i = 0; i < N_NODES; i++) {
        entry = wire_begin(&many, 1);
        wire_int(&many, 1, i);
        node = wire_begin(&many, 2);
        wire_bytes(&many, 1, name, (size_t)snprintf(name, sizeof name, "n%d", i));
        wire_end(&many, node);
        wire_end(&many, entry);
    }
    assert_in_range(names_until_cancelled(&many), 1, N_NODES / 10);
    entry = wire_begin(&large, 1);
    node = wire_begin(&large, 2);
    for (int i = 0; i < N_NODES; i++)
        wire_bytes(&large, FIELD_INPUT, "", 0);
    wire_bytes(&large, 1, "a", 1);
    wire_end(&large, node);
    wire_end(&large, entry);
    assert_int_equal(names_until_cancelled(&large), 1);
}

static void test_device_strings(void **state)
{
    static const struct {
        const char *device;
        bool canonical;
        const char *host;
    } cases[] = {
        {"/job:a/replica:0/task:0/device:gpu:12", true, "/job:a/replica:0/task:0/device:cpu:0"},
        {"/gpu:0", true, "/cpu:0"},
        {"/cpu:3", true, "/cpu:3"},
        {"/job:a/device:sycl:2", true, "/job:a/cpu:0"},
        {"gpu:0", false, "cpu:0"},
        {"/gpu:", false, "/gpu:"},
        {"/xgpu:0", false, "/xcpu:0"},
        {"/gpu:0/stream:all", false, "/cpu:0/stream:all"},
        {"/device:xla_cpu:0", false, "/device:xla_cpu:0"},
        {"a\n/cpu:0", false, "a\n/cpu:0"},
        {"", false, ""},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct strbuf host = {0};
        size_t len = strlen(cases[i].device);

        assert_int_equal(device_is_canonical(cases[i].device, len), cases[i].canonical);
        device_host(&host, cases[i].device, len);
        assert_string_equal(sb_text(&host), cases[i].host);
        sb_done(&host);
    }
    assert_true(device_is_accelerator_stream("/gpu:0/stream:all", 17));
    assert_false(device_is_accelerator_stream("/gpu:0/stream:1", 15));
    assert_true(device_is_accelerator("/device:sycl:0", 14));
}

/* In a folder, damaged files are skipped; a file named explicitly must be valid. */
static void a_damaged_file_among_many_is_a_note(void **state)
{
    static const char step[] = "step_stats { dev_stats { device: '/cpu:0' node_stats { node_name: "
                               "'a' all_start_micros: 9 op_end_rel_micros: 9 } } }";
    static const char damaged[] = "\x0a\x20\x0a\x10\x0a\x04/cpu\x12\x7f\x0a\x01" "a";
    char *folder = strdup(fixture_path("many"));
    struct err err = {0};
    struct profile *p;

    (void)state;
    assert_int_equal(mkdir(folder, 0700), 0);
    fixture_binary("many/g.pb", FORMAT_GRAPH, "node { name: 'a' op: 'b' }");
    fixture_binary("many/step_1.pb", FORMAT_RUN_META, step);
    fixture_write("many/step_2.pb", damaged, sizeof damaged - 1);
    fixture_binary("many/step_3.pb", FORMAT_RUN_META, step);
    p = load_with(SETTINGS(NULL), folder, &err);
    if (!p)
        fail_msg("%s", err_text(&err));
    assert_int_equal(p->n_steps, 2);
    assert_int_equal(p->n_nodes, 1);
    assert_true(fixture_has_note(p, "step_2.pb"));
    profile_free(p);
    assert_null(load_with(SETTINGS(NULL), fixture_path("many/step_2.pb"), &err));
    assert_int_equal(err.kind, ERR_INPUT);
    err_done(&err);
    for (const char *const *name =
             (const char *const[]){"g.pb", "step_1.pb", "step_2.pb", "step_3.pb", NULL};
         *name; name++) {
        struct strbuf path = {0};

        sb_addf(&path, "%s/%s", folder, *name);
        unlink(sb_text(&path));
        sb_done(&path);
    }
    assert_int_equal(rmdir(folder), 0);
    free(folder);
}

/* No limit, a limit equal to the size, and one byte less. */
static void test_most_bytes(void **state)
{
    static const char graph[] = "node { name: 'a' op: 'NoOp' }";
    const size_t len = sizeof graph - 1;
    struct options options;

    (void)state;
    options_init(&options);
    fixture_write("most.pbtxt", graph, len);
    for (size_t i = 0; i < 3; i++) {
        const char *const path = fixture_path("most.pbtxt");
        struct err err = {0};
        struct profile *p =
            load_profile(&(struct load_request){.options = &options, .files = &path, .n_files = 1,
                                                .max_file_bytes = (const size_t[]){0, len, len - 1}[i]},
                         NULL, never, &err);

        assert_int_equal(p != NULL, i < 2);
        assert_true(p || strstr(err_text(&err), "most.pbtxt: the files hold more than 28 bytes"));
        profile_free(p);
        err_done(&err);
    }
    options_done(&options);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_records_of_formats),
        cmocka_unit_test(formats_of_equal_order_are_all_tried),
        cmocka_unit_test(test_formats),           cmocka_unit_test(test_capture_without_planes),
        cmocka_unit_test(test_endless_stream),
        cmocka_unit_test(test_growing_file),
        cmocka_unit_test(test_long_first_name),
        cmocka_unit_test(test_head_of_small_file), cmocka_unit_test(test_unknown),
        cmocka_unit_test(test_unknown_of_other_profilers),
        cmocka_unit_test(test_most_bytes), cmocka_unit_test(test_named), cmocka_unit_test(test_contradictions),
        cmocka_unit_test(test_folder),            cmocka_unit_test(test_gzip),
        cmocka_unit_test(test_gzip_bomb),         cmocka_unit_test(test_devices_and_pipes),
        cmocka_unit_test(test_steps_of_events),   cmocka_unit_test(test_graph_of_a_later_release),
        cmocka_unit_test(test_graphs_of_pieces_of_events),
        cmocka_unit_test(test_cancel),            cmocka_unit_test(test_cancel_within_a_node),
        cmocka_unit_test(test_cancel_within_a_profile),
        cmocka_unit_test(test_device_strings),
        cmocka_unit_test(a_damaged_file_among_many_is_a_note),
    };

    return cmocka_run_group_tests(tests, fixture_setup, fixture_teardown);
}
