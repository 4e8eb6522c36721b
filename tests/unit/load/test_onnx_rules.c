/* test_onnx_rules.c: shapes of the outputs of single ONNX operators, and their bytes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/arena.h"
#include "base/wire_out.h"
#include "fixtures/load_fixture.h"
#include "flops/flops.h"
#include "load/graph/attrs.h"
#include "load/load.h"

/* Inputs are dimensions of constants of FLOAT, or elements of INT64: "=2,3" a vector, "#2" a scalar; "~2.5" is
 * a scalar of FLOAT, "@2" is an input of the graph, a vector of two INT64, "@-1" one without a shape, "-" is an omitted input or output.  Attributes: NAME=1 a number, NAME=1,2 numbers, NAME='text',
 * NAME={2,3} a graph whose results have these dimensions, each between braces of its own. */
static const struct example {
    const char *op, *inputs, *attributes, *outputs;
    const char *shapes;
    int64_t bytes;
} examples[] = {
    {"ReduceSum", "2,3 =1", "", "y", "2x1", 8},
    {"ReduceSum", "2,3 @1", "", "y", "unknown", 0},
    {"ReduceSum", "2,3 @-1", "", "y", "unknown", 0},
    {"ReduceSum", "2,3 -", "", "y", "1x1", 4},
    {"GridSample", "1,3,8,8 1,5,6,2", "", "y", "1x3x5x6", 360},
    {"AffineGrid", "2,2,3 =2,3,5,6", "", "y", "2x5x6x2", 480},
    {"Col2Im", "1,5,5 =5,5 =1,5", "", "y", "1x1x5x5", 100},
    {"MaxUnpool", "1,1,2,2 1,1,2,2", "kernel_shape=2,2 strides=2,2", "y", "1x1x4x4", 64},
    {"MaxUnpool", "1,1,2,2 1,1,2,2 =1,1,5,5", "kernel_shape=2,2 strides=2,2", "y", "1x1x5x5", 100},
    {"CenterCropPad", "20,8,3 =10,9", "axes=-3,1", "y", "10x9x3", 1080},
    {"DeformConv", "1,1,3,3 1,1,2,2 1,8,4,4", "kernel_shape=2,2 pads=1,1,1,1", "y", "1x1x4x4", 64},
    {"Det", "3,2,2", "", "y", "3", 12},
    {"Det", "2,2", "", "y", "", 4},
    {"DFT", "1,10,10,1 - #1", "", "y", "1x10x10x2", 800},
    {"DFT", "1,10,10,1 - #2", "onesided=1", "y", "1x10x6x2", 480},
    {"DFT", "1,6,2", "onesided=1 inverse=1", "y", "1x10x1", 40},
    {"STFT", "1,128,1 #8 16", "", "y", "1x15x9x2", 1080},
    {"HannWindow", "#10", "", "y", "10", 40},
    {"MelWeightMatrix", "#8 #16", "", "y", "9x8", 288},
    {"NegativeLogLikelihoodLoss", "3,5,6 3,6", "reduction='none'", "y", "3x6", 72},
    {"SoftmaxCrossEntropyLoss", "3,5 3", "", "y z", "|3x5", 64},
    {"Compress", "3,2 =0,1,1", "axis=0", "y", "?x2", 0},
    {"Unique", "2,3", "", "y z", "?|?", 0},
    {"OptionalHasElement", "4", "", "y", "", 1},
    {"BitCast", "3", "to=6", "y", "3", 12},
    {"Attention", "2,4,24 2,6,24 2,6,24 - 2,3,12,8 2,3,12,8", "q_num_heads=3 kv_num_heads=3", "y k v p",
     "2x4x24|2x3x18x8|2x3x18x8|2x3x4x18", 768 + 2 * 3456 + 1728},
    {"LSTM", "3,1,2 1,12,2 1,12,3", "", "- h c", "3x1x1x3|1x1x3|1x1x3", 24},
    {"LSTM", "3,1,2 1,12,2 1,12,3", "", "y", "3x1x1x3", 36},
    {"Resize", "1,1,2,4 - - =7,8", "keep_aspect_ratio_policy='not_larger' axes=2,3", "y", "1x1x4x8", 128},
    {"Resize", "1,1,2,4 - - =7,8", "keep_aspect_ratio_policy='not_smaller' axes=2,3", "y", "1x1x7x14", 392},
    {"Resize", "1,1,2,4 - - =1,1,7,8", "", "y", "1x1x7x8", 224},
    {"Range", "#2 #9 #3", "", "y", "3", 24},
    {"Range", "~1 ~2.5 ~0.5", "", "y", "3", 12},
    {"Range", "~1 #2 ~-0.5", "", "y", "0", 0},
    {"OneHot", "2,3 ~12 2", "", "y", "2x3x12", 288},
    {"Einsum", "3 3", "equation='i,i'", "y", "", 4},
    {"Einsum", "2,3,4 2,4,5", "equation='...jk,...ki'", "y", "2x5x3", 120},
    {"If", "#1", "then_branch={2,3} else_branch={1,2,3}", "y", "2x3", 24},
    {"If", "#0", "then_branch={2,3} else_branch={1,2,3}", "y", "1x2x3", 24},
    {"If", "1", "then_branch={2,3} else_branch={2,4}", "y", "2x?", 0},
    {"Scan", "2 3,2", "num_scan_inputs=1 body={2}{2}", "y z", "2|3x2", 32},
    {"Scan", "- 1,2 1,3,2", "num_scan_inputs=1 body={2}{2}", "y z", "1x2|1x3x2", 32},
};

static void text(struct strbuf *sb, uint32_t field, const char *value, size_t len)
{
    wire_bytes(sb, field, value, len);
}

/* A tensor NAME in FIELD, of dimensions such as "2,3", "=2,3", "#2" or "~2.5". */
static void tensor(struct strbuf *sb, uint32_t field, const char *name, const char *spec, size_t len)
{
    const bool is_integer = *spec == '=' || *spec == '#', is_real = *spec == '~';
    const char *p = spec + (is_integer || is_real), *end = spec + len;
    const float real = is_real ? strtof(p, NULL) : 0;
    const size_t at = wire_begin(sb, field);
    struct strbuf values = {0};
    int64_t n = 0;
    char *next;

    if (is_real)
        wire_bytes(&values, 9, &real, sizeof real);
    for (; !is_real && p < end; p = next + 1, n++) {
        const int64_t number = strtoll(p, &next, 10);

        if (is_integer)
            wire_int_always(&values, 7, number);
        else
            wire_int_always(sb, 1, number);
    }
    if (*spec == '=')
        wire_int_always(sb, 1, n);
    wire_int(sb, 2, is_integer ? 7 : 1);
    sb_add(sb, sb_text(&values), values.len);
    text(sb, 8, name, strlen(name));
    sb_done(&values);
    wire_end(sb, at);
}

/* An input NAME of the graph: N integers; without a shape if N is negative. */
static void graph_input(struct strbuf *sb, const char *name, int64_t n)
{
    const size_t input = wire_begin(sb, 11);
    size_t type, tensor_type;

    text(sb, 1, name, strlen(name));
    type = wire_begin(sb, 2);
    tensor_type = wire_begin(sb, 1);
    wire_int(sb, 1, 7);
    if (n >= 0) {
        const size_t shape = wire_begin(sb, 2), dim = wire_begin(sb, 1);

        wire_int_always(sb, 1, n);
        wire_end(sb, dim);
        wire_end(sb, shape);
    }
    wire_end(sb, tensor_type);
    wire_end(sb, type);
    wire_end(sb, input);
}

/* A graph whose results have dimensions such as "{2,3}{4}". */
static void body(struct strbuf *sb, const char *spec, const char *end)
{
    const size_t graph = wire_begin(sb, 6);

    for (int i = 0; spec < end; i++) {
        const char *close = memchr(spec, '}', (size_t)(end - spec));
        char name[20];
        size_t at;

        snprintf(name, sizeof name, "result%d", i);
        tensor(sb, 5, name, spec + 1, (size_t)(close - spec) - 1);
        at = wire_begin(sb, 12);
        text(sb, 1, name, strlen(name));
        wire_end(sb, at);
        spec = close + 1;
    }
    wire_end(sb, graph);
}

static void attribute(struct strbuf *sb, const char *spec, size_t len)
{
    const char *value = (const char *)memchr(spec, '=', len) + 1, *end = spec + len;
    const bool is_list = memchr(value, ',', (size_t)(end - value)) != NULL;
    const size_t at = wire_begin(sb, 5);
    char *next;

    text(sb, 1, spec, (size_t)(value - spec) - 1);
    if (*value == '\'')
        text(sb, 4, value + 1, (size_t)(end - value) - 2);
    else if (*value == '{')
        body(sb, value, end);
    else
        for (; value < end; value = next + 1)
            wire_int_always(sb, is_list ? 8 : 3, strtoll(value, &next, 10));
    wire_end(sb, at);
}

/* The part of *P up to a blank; advances *P behind it. */
static size_t word(const char **p, const char **begin)
{
    const size_t len = strcspn(*p, " ");

    *begin = *p;
    *p += len + ((*p)[len] == ' ');
    return len;
}

static void model(struct strbuf *sb, const struct example *e)
{
    const char *p, *spec;
    size_t graph, at, len;
    char name[16];

    wire_int(sb, 1, 8);
    text(sb, 2, "maker", 5);
    graph = wire_begin(sb, 7);
    at = wire_begin(sb, 1);
    p = e->inputs;
    for (int i = 0; *p; i++) {
        len = word(&p, &spec);
        snprintf(name, sizeof name, "in%d", i);
        text(sb, 1, name, *spec == '-' ? 0 : strlen(name));
    }
    for (p = e->outputs; *p;) {
        len = word(&p, &spec);
        text(sb, 2, spec, *spec == '-' ? 0 : len);
    }
    text(sb, 3, "node", 4);
    text(sb, 4, e->op, strlen(e->op));
    for (p = e->attributes; *p;) {
        len = word(&p, &spec);
        attribute(sb, spec, len);
    }
    wire_end(sb, at);
    p = e->inputs;
    for (int i = 0; *p; i++) {
        len = word(&p, &spec);
        snprintf(name, sizeof name, "in%d", i);
        if (*spec == '@')
            graph_input(sb, name, strtoll(spec + 1, NULL, 10));
        else if (*spec != '-')
            tensor(sb, 5, name, spec, len);
    }
    wire_end(sb, graph);
}

static void put_shapes(struct strbuf *sb, const struct known_shape *shapes, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        sb_adds(sb, i ? "|" : "");
        if (shapes[i].origin == SHAPE_NOT_KNOWN)
            sb_adds(sb, "unknown");
        for (uint32_t k = 0; k < shapes[i].n_dims; k++) {
            sb_adds(sb, k ? "x" : "");
            if (shapes[i].dims[k] < 0)
                sb_addc(sb, '?');
            else
                sb_add_int(sb, shapes[i].dims[k]);
        }
    }
}

static void outputs_have_the_shapes_of_the_rule(void **state)
{
    const struct flops_request request = {.rules = FLOPS_RULES_FULL, .attrs = &attrs_source};
    const char *const paths[] = {fixture_path("model.onnx")};
    struct options options;
    const struct load_request load = {.options = &options, .files = paths, .n_files = 1};

    (void)state;
    options_init(&options);
    for (size_t i = 0; i < sizeof examples / sizeof *examples; i++) {
        const struct example *e = &examples[i];
        const struct known_shape *shapes;
        struct strbuf sb = {0}, got = {0};
        struct arena arena = {0};
        struct err err = {0};
        struct profile *p;
        struct flops *f;
        size_t n;

        model(&sb, e);
        fixture_write("model.onnx", sb_text(&sb), sb.len);
        p = load_profile(&load, NULL, (struct cancel_mark){NULL, 0}, &err);
        assert_non_null(p);
        f = flops_compute(p, &request, (struct cancel_mark){NULL, 0}, &err);
        assert_non_null(f);
        n = flops_shapes(f, p, fixture_node(p, "node"), 8, &arena, &shapes);
        put_shapes(&got, shapes, n);
        if (strcmp(sb_text(&got), e->shapes) != 0 || f->output_bytes[fixture_node(p, "node")] != e->bytes)
            fail_msg("%s(%s): %s with %lld bytes, not %s with %lld", e->op, e->inputs, sb_text(&got),
                     (long long)f->output_bytes[fixture_node(p, "node")], e->shapes, (long long)e->bytes);
        flops_free(f);
        profile_free(p);
        arena_done(&arena);
        sb_done(&sb);
        sb_done(&got);
    }
    options_done(&options);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(outputs_have_the_shapes_of_the_rule)};

    return cmocka_run_group_tests(tests, fixture_setup, fixture_teardown);
}
