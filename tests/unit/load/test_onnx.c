/* test_onnx.c: ONNX models: rows, paths, shapes, counts, bodies and refused files. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/wire_out.h"
#include "fixtures/load_fixture.h"
#include "flops/flops.h"
#include "load/graph/attrs.h"
#include "load/load.h"

/* ---- messages */

static void text(struct strbuf *sb, uint32_t field, const char *value)
{
    wire_bytes(sb, field, value, strlen(value));
}

/* A TensorProto in field FIELD; the dimensions end with -1. */
static void tensor(struct strbuf *sb, uint32_t field, const char *name, int64_t type,
                   const int64_t *dims)
{
    const size_t at = wire_begin(sb, field);

    for (; *dims >= 0; dims++)
        wire_int_always(sb, 1, *dims);
    wire_int(sb, 2, type);
    text(sb, 8, name);
    wire_end(sb, at);
}

/* The input or output NAME with dimensions BATCH and SIZE. */
static void info(struct strbuf *sb, uint32_t field, const char *name, int64_t size)
{
    const size_t value = wire_begin(sb, field);
    size_t type, tensor_type, shape, dim;

    text(sb, 1, name);
    type = wire_begin(sb, 2);
    tensor_type = wire_begin(sb, 1);
    wire_int(sb, 1, 1);
    shape = wire_begin(sb, 2);
    dim = wire_begin(sb, 1);
    text(sb, 2, "batch");
    wire_end(sb, dim);
    dim = wire_begin(sb, 1);
    wire_int(sb, 1, size);
    wire_end(sb, dim);
    wire_end(sb, shape);
    wire_end(sb, tensor_type);
    wire_end(sb, type);
    wire_end(sb, value);
}

/* A node with inputs A and B (NULL: none) and output OUT. */
static void node(struct strbuf *sb, uint32_t field, const char *name, const char *op,
                 const char *domain, const char *a, const char *b, const char *out)
{
    const size_t at = wire_begin(sb, field);

    text(sb, 1, a);
    if (b)
        text(sb, 1, b);
    text(sb, 2, out);
    text(sb, 3, name);
    text(sb, 4, op);
    if (domain)
        text(sb, 7, domain);
    wire_end(sb, at);
}

enum { GRAPH_NODE = 1, GRAPH_INITIALIZER = 5, GRAPH_INPUT = 11, FUNCTION_NODE = 7 };

/* Function my.Twice; its second node calls CALLEE. */
static void function(struct strbuf *sb, const char *callee)
{
    const size_t at = wire_begin(sb, 25);

    text(sb, 1, "Twice");
    text(sb, 4, "X");
    text(sb, 5, "Y");
    node(sb, FUNCTION_NODE, "first", "Relu", NULL, "X", NULL, "T");
    node(sb, FUNCTION_NODE, "second", callee, strcmp(callee, "Relu") == 0 ? NULL : "my", "T", NULL, "Y");
    text(sb, 10, "my");
    wire_end(sb, at);
}

static void model(struct strbuf *sb, const char *callee)
{
    size_t graph, split;

    wire_int(sb, 1, 8);
    text(sb, 2, "maker");
    graph = wire_begin(sb, 7);
    node(sb, GRAPH_NODE, "/enc/MatMul", "MatMul", NULL, "x", "enc.weight", "y");
    node(sb, GRAPH_NODE, "/enc/MatMul;and more", "MatMul", NULL, "y", "back", "z");
    node(sb, GRAPH_NODE, "call", "Twice", "my", "z", NULL, "t");
    node(sb, GRAPH_NODE, "", "Sigmoid", NULL, "t", "", "out");
    split = wire_begin(sb, GRAPH_NODE);
    text(sb, 1, "out");
    text(sb, 2, "left");
    text(sb, 2, "right");
    text(sb, 3, "split");
    text(sb, 4, "Split");
    wire_end(sb, split);
    node(sb, GRAPH_NODE, "taken", "Neg", NULL, "right", NULL, "end");
    tensor(sb, GRAPH_INITIALIZER, "enc.weight", 1, (const int64_t[]){4, 6, -1});
    tensor(sb, GRAPH_INITIALIZER, "back", 21, (const int64_t[]){6, 3, -1});
    tensor(sb, GRAPH_INITIALIZER, "axes", 7, (const int64_t[]){2, -1});
    info(sb, GRAPH_INPUT, "x", 4);
    wire_end(sb, graph);
    function(sb, callee);
}

/* Loads MODEL together with RUN, a profile of ONNX Runtime; RUN may be NULL. */
static struct profile *load_files(const struct strbuf *text_of_model, const char *run)
{
    struct options options;
    char first[256];
    const char *paths[2] = {first, NULL};
    struct load_request request = {.options = &options, .files = paths, .n_files = run ? 2 : 1};
    struct err err = {0};
    struct profile *p;

    fixture_write("model.onnx", sb_text(text_of_model), text_of_model->len);
    snprintf(first, sizeof first, "%s", fixture_path("model.onnx"));
    if (run)
        fixture_write("run.json", run, strlen(run));
    paths[1] = fixture_path("run.json");
    options_init(&options);
    p = load_profile(&request, NULL, (struct cancel_mark){NULL, 0}, &err);
    options_done(&options);
    if (!p)
        fail_msg("%s", err_text(&err));
    return p;
}

static struct profile *load_model(void)
{
    struct strbuf sb = {0};
    struct profile *p;

    model(&sb, "Relu");
    p = load_files(&sb, NULL);
    sb_done(&sb);
    return p;
}

static struct flops *count(const struct profile *p, int64_t batch)
{
    const struct flops_request request = {
        .rules = FLOPS_RULES_COMPAT, .attrs = &attrs_source, .batch = batch};
    struct err err = {0};
    struct flops *f = flops_compute(p, &request, (struct cancel_mark){NULL, 0}, &err);

    assert_non_null(f);
    return f;
}

/* ---- cases */

static void rows_have_paths_and_types(void **state)
{
    struct profile *p = load_model();

    (void)state;
    assert_string_equal(profile_text(p, p->op[fixture_node(p, "enc/MatMul")]), "MatMul");
    fixture_node(p, "enc/MatMul:2");
    fixture_node(p, "Sigmoid_3");
    assert_string_equal(profile_text(p, p->op[fixture_node(p, "enc/weight")]), "Parameter");
    assert_string_equal(profile_text(p, p->op[fixture_node(p, "axes")]), "Constant");
    assert_string_equal(profile_text(p, p->op[fixture_node(p, "call")]), "my.Twice");
    assert_string_equal(fixture_types(p, "back"), "Parameter|_u4");
    assert_int_equal(p->element_bits[fixture_node(p, "back")], 4);
    assert_int_equal(p->shape[fixture_node(p, "axes")], SHAPE_UNKNOWN);
    assert_int_equal(p->n_nodes, 11);
    profile_free(p);
}

static int64_t count_of(const struct profile *p, const struct flops *f, const char *name)
{
    return f->count[fixture_node(p, name)];
}

static void shapes_propagate_through_calls(void **state)
{
    struct profile *p = load_model();
    struct flops *f = count(p, 5);

    (void)state;
    assert_int_equal(count_of(p, f, "enc/MatMul"), 2 * 5 * 6 * 4);
    assert_int_equal(count_of(p, f, "enc/MatMul:2"), 2 * 5 * 3 * 6);
    assert_int_equal(count_of(p, f, "call/second"), 15);
    assert_int_equal(count_of(p, f, "Sigmoid_3"), 15);
    assert_int_equal(count_of(p, f, "call"), 0);
    assert_int_equal(count_of(p, f, "taken"), 2 * 3); /* the smaller part of 5 rows */
    assert_int_equal(f->output_bytes[fixture_node(p, "enc/MatMul")], 5 * 6 * 4);
    assert_int_equal(f->output_bytes[fixture_node(p, "call")], 5 * 3 * 4);
    assert_int_equal(f->output_bytes[fixture_node(p, "split")], 5 * 3 * 4);
    assert_int_equal(f->output_bytes[fixture_node(p, "back")], 0);
    flops_free(f);
    profile_free(p);
}

static void without_a_batch_counts_are_unknown(void **state)
{
    struct profile *p = load_model();
    const struct flops_request request = {.rules = FLOPS_RULES_FULL, .attrs = &attrs_source};
    struct err err = {0};
    struct flops *f = flops_compute(p, &request, (struct cancel_mark){NULL, 0}, &err);

    (void)state;
    assert_int_equal(f->state[fixture_node(p, "enc/MatMul")], FLOPS_UNKNOWN_SHAPE);
    assert_int_equal(f->state[fixture_node(p, "call")], FLOPS_NO_COMPUTE);
    flops_free(f);
    profile_free(p);
}

/* A function named like an operator, with the result shape of its second input. */
static void calls_of_functions_follow_no_rule(void **state)
{
    struct strbuf sb = {0};
    struct profile *p;
    struct flops *f;
    size_t at;

    (void)state;
    at = wire_begin(&sb, 7);
    node(&sb, GRAPH_NODE, "act", "Gelu", "my", "x", "weight", "y");
    node(&sb, GRAPH_NODE, "after", "Neg", NULL, "y", NULL, "z");
    tensor(&sb, GRAPH_INITIALIZER, "weight", 1, (const int64_t[]){4, 6, -1});
    info(&sb, GRAPH_INPUT, "x", 4);
    wire_end(&sb, at);
    at = wire_begin(&sb, 25);
    text(&sb, 1, "Gelu");
    text(&sb, 4, "X");
    text(&sb, 4, "W");
    text(&sb, 5, "Y");
    node(&sb, FUNCTION_NODE, "erf", "Erf", NULL, "W", NULL, "Y");
    text(&sb, 10, "my");
    wire_end(&sb, at);
    p = load_files(&sb, NULL);
    f = count(p, 5);
    assert_int_equal(count_of(p, f, "act"), 0);
    assert_int_equal(count_of(p, f, "act/erf"), 24);
    assert_int_equal(count_of(p, f, "after"), 24);
    flops_free(f);
    profile_free(p);
    sb_done(&sb);
}

static void nodes_have_the_call_stacks_of_their_metadata(void **state)
{
    static const char lines[] = "  File \"/m.py\", line 3, in forward\n    y = a(x)\nFile \"/n.py\", line 7, in a";
    struct strbuf sb = {0};
    frame_list frames = {0};
    struct profile *p;
    size_t graph, at, entry;

    (void)state;
    graph = wire_begin(&sb, 7);
    at = wire_begin(&sb, GRAPH_NODE);
    text(&sb, 3, "act");
    text(&sb, 4, "Relu");
    entry = wire_begin(&sb, 9);
    text(&sb, 1, "pkg.torch.onnx.stack_trace");
    text(&sb, 2, lines);
    wire_end(&sb, entry);
    wire_end(&sb, at);
    wire_end(&sb, graph);
    p = load_files(&sb, NULL);
    assert_true(p->has_stacks);
    stack_frames(&p->call_stacks, &p->call_stacks.stacks[p->stack[fixture_node(p, "act")]], &frames);
    assert_int_equal(frames.n, 2);
    assert_string_equal(profile_text(p, frames.data[0]->file), "/m.py");
    assert_int_equal(frames.data[0]->lineno, 3);
    assert_string_equal(profile_text(p, frames.data[0]->function), "forward");
    assert_string_equal(profile_text(p, frames.data[0]->text), "y = a(x)");
    assert_int_equal(frames.data[1]->lineno, 7);
    vec_done(&frames);
    profile_free(p);
    sb_done(&sb);
}

/* The graph has no shapes; the operator is not in the domain of its rule. */
static void counts_follow_from_shapes_of_runs(void **state)
{
    static const char run[] =
        "[{\"cat\":\"Session\",\"pid\":1,\"tid\":1,\"dur\":50,\"ts\":5,\"ph\":\"X\",\"name\":\"model_run\",\"args\":{}},"
        "{\"cat\":\"Node\",\"pid\":1,\"tid\":1,\"dur\":20,\"ts\":11,\"ph\":\"X\",\"name\":\"mm_kernel_time\",\"args\":{"
        "\"op_name\":\"FusedMatMul\",\"input_type_shape\":[{\"float\":[2,4]},{\"float\":[4,6]}],"
        "\"output_type_shape\":[{\"float\":[2,6]}]}}]";
    struct strbuf sb = {0};
    struct profile *p;
    struct flops *f;
    size_t graph;

    (void)state;
    graph = wire_begin(&sb, 7);
    node(&sb, GRAPH_NODE, "mm", "FusedMatMul", "com.microsoft", "x", "w", "y");
    wire_end(&sb, graph);
    p = load_files(&sb, run);
    f = count(p, 0);
    assert_int_equal(f->count[p->n_nodes + p->part_begin[fixture_node(p, "mm")]], 2 * 2 * 6 * 4);
    flops_free(f);
    profile_free(p);
    sb_done(&sb);
}

/* The pieces of field `graph` are one graph; a node has as many outputs as it lists. */
static void pieces_of_a_graph_are_joined(void **state)
{
    const struct known_shape *shapes;
    struct arena arena = {0};
    struct strbuf sb = {0};
    struct profile *p;
    struct flops *f;
    size_t graph, at, entry;

    (void)state;
    graph = wire_begin(&sb, 7);
    at = wire_begin(&sb, GRAPH_NODE);
    text(&sb, 1, "w");
    text(&sb, 2, "y");
    text(&sb, 3, "pool");
    text(&sb, 4, "MaxPool");
    entry = wire_begin(&sb, 5);
    text(&sb, 1, "kernel_shape");
    wire_int(&sb, 8, 2);
    wire_int(&sb, 8, 2);
    wire_end(&sb, entry);
    wire_end(&sb, at);
    wire_end(&sb, graph);
    text(&sb, 2, "maker");
    graph = wire_begin(&sb, 7);
    tensor(&sb, GRAPH_INITIALIZER, "w", 1, (const int64_t[]){1, 1, 3, 4, -1});
    wire_end(&sb, graph);
    p = load_files(&sb, NULL);
    f = count(p, 0);
    assert_int_equal(count_of(p, f, "pool"), 2 * 2 * 2 * 3);
    assert_int_equal(flops_shapes(f, p, fixture_node(p, "pool"), 4, &arena, &shapes), 1);
    assert_int_equal(shapes[0].n_dims, 4);
    arena_done(&arena);
    flops_free(f);
    profile_free(p);
    sb_done(&sb);
}

/* A shape in another file is not taken for zeros. */
static void external_values_are_unknown(void **state)
{
    const struct known_shape *shapes;
    struct arena arena = {0};
    struct strbuf sb = {0};
    struct profile *p;
    struct flops *f;
    size_t graph;

    (void)state;
    graph = wire_begin(&sb, 7);
    node(&sb, GRAPH_NODE, "flat", "Reshape", NULL, "w", "to", "y");
    tensor(&sb, GRAPH_INITIALIZER, "w", 1, (const int64_t[]){2, 3, -1});
    tensor(&sb, GRAPH_INITIALIZER, "to", 7, (const int64_t[]){2, -1});
    wire_end(&sb, graph);
    p = load_files(&sb, NULL);
    f = count(p, 0);
    assert_int_equal(flops_shapes(f, p, fixture_node(p, "flat"), 4, &arena, &shapes), 1);
    assert_int_equal(shapes[0].n_dims, 2);
    assert_int_equal(shapes[0].dims[0], -1);
    arena_done(&arena);
    flops_free(f);
    profile_free(p);
    sb_done(&sb);
}

static void damaged_models_are_refused(void **state)
{
    static const char untyped[] = "\x08\x07\x42\x02\x10\x11\x3a\x02\x0a"; /* and a NUL: an empty node */
    struct strbuf sb = {0};

    (void)state;
    model(&sb, "Twice");
    fixture_write("loop.onnx", sb_text(&sb), sb.len);
    fixture_load_file("loop.onnx", "loop.onnx: offset 316: function 'Twice' calls itself; 8 nodes read before");
    fixture_write("cut.onnx", sb_text(&sb), 60);
    fixture_load_file("cut.onnx",
                      "cut.onnx: offset 9: model: length runs past the end; 0 nodes read before");
    fixture_write("untyped.onnx", untyped, sizeof untyped);
    fixture_load_file("untyped.onnx",
                      "untyped.onnx: offset 10: node without op_type; 0 nodes read before");
    sb_done(&sb);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_have_paths_and_types),
        cmocka_unit_test(shapes_propagate_through_calls),
        cmocka_unit_test(without_a_batch_counts_are_unknown),
        cmocka_unit_test(calls_of_functions_follow_no_rule),
        cmocka_unit_test(nodes_have_the_call_stacks_of_their_metadata),
        cmocka_unit_test(counts_follow_from_shapes_of_runs),
        cmocka_unit_test(pieces_of_a_graph_are_joined),
        cmocka_unit_test(external_values_are_unknown),
        cmocka_unit_test(damaged_models_are_refused),
    };

    return cmocka_run_group_tests(tests, fixture_setup, fixture_teardown);
}
