/* hostile_graph.c: hostile graphs: inputs, attributes, shapes, names, calls. */
#include "hostile.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/wire_out.h"

/* Fields of GraphDef, NodeDef, FunctionDef, OpDef and AttrValue. */
enum { GRAPH_NODE = 1, GRAPH_LIBRARY = 2, NODE_INPUT = 3, NODE_ATTR = 5 };
enum { BODY_NODE = 3, BODY_RET = 4, OP_INPUT = 2, OP_OUTPUT = 3 };
enum { VALUE_LIST = 1, VALUE_INT = 3, VALUE_TYPE = 6, VALUE_SHAPE = 7, VALUE_TENSOR = 8 };
enum { VALUE_FUNC = 10, LIST_SHAPE = 7, LIST_TYPE = 6 };
enum { DT_FLOAT = 1, DT_INT32 = 3 };

void hostile_text(struct strbuf *sb, uint32_t field, const char *format, ...)
{
    char text[256];
    va_list args;

    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    wire_bytes(sb, field, text, strlen(text));
}

size_t hostile_node(struct strbuf *sb, uint32_t field, const char *op, const char *input,
                    const char *format, ...)
{
    const size_t mark = wire_begin(sb, field);
    char name[256];
    va_list args;

    va_start(args, format);
    vsnprintf(name, sizeof name, format, args);
    va_end(args);
    wire_bytes(sb, 1, name, strlen(name));
    wire_bytes(sb, 2, op, strlen(op));
    if (*input)
        wire_bytes(sb, NODE_INPUT, input, strlen(input));
    return mark;
}

/* ---- attributes */

struct attr_marks {
    size_t attr, value;
};

static struct attr_marks attr_begin(struct strbuf *sb, const char *key)
{
    struct attr_marks m;

    m.attr = wire_begin(sb, NODE_ATTR);
    wire_bytes(sb, 1, key, strlen(key));
    m.value = wire_begin(sb, 2);
    return m;
}

static void attr_end(struct strbuf *sb, struct attr_marks m)
{
    wire_end(sb, m.value);
    wire_end(sb, m.attr);
}

static void attr_int(struct strbuf *sb, const char *key, uint32_t kind, int64_t value)
{
    const struct attr_marks m = attr_begin(sb, key);

    wire_int_always(sb, kind, value);
    attr_end(sb, m);
}

static void attr_func(struct strbuf *sb, const char *key, const char *function)
{
    const struct attr_marks m = attr_begin(sb, key);
    const size_t func = wire_begin(sb, VALUE_FUNC);

    wire_bytes(sb, 1, function, strlen(function));
    wire_end(sb, func);
    attr_end(sb, m);
}

/* Appends a list of N types. */
static void attr_types(struct strbuf *sb, const char *key, unsigned n)
{
    const struct attr_marks m = attr_begin(sb, key);
    const size_t list = wire_begin(sb, VALUE_LIST), types = wire_begin(sb, LIST_TYPE);

    for (unsigned i = 0; i < n; i++)
        wire_varint(sb, DT_FLOAT);
    wire_end(sb, types);
    wire_end(sb, list);
    attr_end(sb, m);
}

static void dims(struct strbuf *sb, uint32_t field, unsigned rank, int64_t size)
{
    const size_t shape = wire_begin(sb, field);

    for (unsigned i = 0; i < rank; i++) {
        const size_t dim = wire_begin(sb, 2);

        wire_int(sb, 1, size);
        wire_end(sb, dim);
    }
    wire_end(sb, shape);
}

/* Appends a Const of N integers. */
static void constant(struct strbuf *sb, uint32_t field, const char *name, unsigned n)
{
    const size_t node = hostile_node(sb, field, "Const", "", "%s", name);
    struct attr_marks m = attr_begin(sb, "value");
    const size_t tensor = wire_begin(sb, VALUE_TENSOR);
    size_t values;

    wire_int(sb, 1, DT_INT32);
    dims(sb, 2, 1, n);
    values = wire_begin(sb, 7);
    for (unsigned i = 0; i < n; i++)
        wire_varint(sb, 1 + i % 3);
    wire_end(sb, values);
    wire_end(sb, tensor);
    attr_end(sb, m);
    attr_int(sb, "dtype", VALUE_TYPE, DT_INT32);
    wire_end(sb, node);
}

/* ---- nodes */

static void input(struct strbuf *sb, const char *format, unsigned i)
{
    char text[64];

    snprintf(text, sizeof text, format, i);
    wire_bytes(sb, NODE_INPUT, text, strlen(text));
}

static void plain_nodes(struct strbuf *sb, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        wire_end(sb, hostile_node(sb, GRAPH_NODE, "X", "", "n%u", i));
}

/* Half of the inputs come from one node, half from distinct nodes. */
static void inputs(struct hostile_files *f, unsigned n)
{
    struct strbuf *sb = &f->file[0];
    size_t node;

    plain_nodes(sb, n / 2);
    node = hostile_node(sb, GRAPH_NODE, "X", "", "sum");
    for (unsigned i = 0; i < n; i++)
        input(sb, i % 2 ? "n0:%u" : "n%u", i / 2);
    wire_end(sb, node);
}

static void high_outputs(struct hostile_files *f, unsigned n)
{
    struct strbuf *sb = &f->file[0];
    size_t node;

    plain_nodes(sb, n);
    node = hostile_node(sb, GRAPH_NODE, "X", "", "sum");
    for (unsigned i = 0; i < n; i++)
        input(sb, "n%u:65535", i);
    wire_end(sb, node);
}

static void attributes(struct hostile_files *f, unsigned n)
{
    struct strbuf *sb = &f->file[0];
    const size_t node = hostile_node(sb, GRAPH_NODE, "X", "", "n");

    for (unsigned i = 0; i < n; i++) {
        char key[32];

        snprintf(key, sizeof key, "k%u", i);
        attr_int(sb, key, VALUE_INT, i);
    }
    wire_end(sb, node);
}

/* A constant of N numbers, and N nodes that read it. */
static void readers(struct hostile_files *f, unsigned n)
{
    struct strbuf *sb = &f->file[0];

    constant(sb, GRAPH_NODE, "c", n);
    for (unsigned i = 0; i < n; i++) {
        const size_t node = hostile_node(sb, GRAPH_NODE, "Pad", "c", "n%u", i);

        wire_bytes(sb, NODE_INPUT, "c", 1);
        wire_end(sb, node);
    }
}

/* One node with N shapes, and a shape of N dimensions that N nodes read. */
static void shapes(struct hostile_files *f, unsigned n)
{
    struct strbuf *sb = &f->file[0];
    size_t node = hostile_node(sb, GRAPH_NODE, "X", "", "many"), list;
    struct attr_marks m = attr_begin(sb, "_output_shapes");

    list = wire_begin(sb, VALUE_LIST);
    for (unsigned i = 0; i < n; i++)
        dims(sb, LIST_SHAPE, 2, 1 + i);
    wire_end(sb, list);
    attr_end(sb, m);
    wire_end(sb, node);
    node = hostile_node(sb, GRAPH_NODE, "Placeholder", "", "p");
    m = attr_begin(sb, "shape");
    dims(sb, VALUE_SHAPE, n, 1);
    attr_end(sb, m);
    wire_end(sb, node);
    for (unsigned i = 0; i < n; i++)
        wire_end(sb, hostile_node(sb, GRAPH_NODE, "Relu", "p", "r%u", i));
}

/* Three names of more than N components, each a child of the previous one. */
static void names(struct hostile_files *f, unsigned n)
{
    struct strbuf *sb = &f->file[0], name = {0};
    size_t node;

    for (unsigned i = 0; i < n; i++)
        sb_adds(&name, "a/");
    for (unsigned i = 0; i < 3; i++) {
        sb_addf(&name, "%u", i);
        node = wire_begin(sb, GRAPH_NODE);
        wire_bytes(sb, 1, sb_text(&name), name.len);
        wire_bytes(sb, 2, "X", 1);
        wire_end(sb, node);
    }
    sb_done(&name);
}

/* ---- functions */

/* Begins function NAME with N arguments and N results; its nodes follow. */
static size_t function_begin(struct strbuf *sb, const char *name, unsigned n)
{
    const size_t function = wire_begin(sb, 1), signature = wire_begin(sb, 1);

    wire_bytes(sb, 1, name, strlen(name));
    for (unsigned i = 0; i < 2 * n; i++) {
        const size_t arg = wire_begin(sb, i < n ? OP_INPUT : OP_OUTPUT);

        hostile_text(sb, 1, i < n ? "a%u" : "r%u", i % n);
        wire_int(sb, 3, DT_FLOAT);
        wire_end(sb, arg);
    }
    wire_end(sb, signature);
    return function;
}

static void result(struct strbuf *sb, unsigned i, const char *value)
{
    const size_t ret = wire_begin(sb, BODY_RET);

    hostile_text(sb, 1, "r%u", i);
    wire_bytes(sb, 2, value, strlen(value));
    wire_end(sb, ret);
}

/* Appends node NAME I, a call of FUNCTION with input FROM. */
static void call(struct strbuf *sb, uint32_t field, const char *function, const char *from,
                 unsigned i)
{
    const size_t node = hostile_node(sb, field, "PartitionedCall", from, "c%u", i);

    attr_func(sb, "f", function);
    attr_types(sb, "Tin", 1);
    attr_types(sb, "Tout", 1);
    wire_end(sb, node);
}

static void placeholder(struct strbuf *sb)
{
    const size_t node = hostile_node(sb, GRAPH_NODE, "Placeholder", "", "x");
    const struct attr_marks m = attr_begin(sb, "shape");

    dims(sb, VALUE_SHAPE, 2, 8);
    attr_end(sb, m);
    wire_end(sb, node);
}

/* A function that passes N arguments through, called once; all its results are read. */
static void results(struct hostile_files *f, unsigned n)
{
    struct strbuf *sb = &f->file[0];
    size_t node, library, function;

    placeholder(sb);
    node = hostile_node(sb, GRAPH_NODE, "PartitionedCall", "", "c");
    for (unsigned i = 0; i < n; i++)
        wire_bytes(sb, NODE_INPUT, "x", 1);
    attr_func(sb, "f", "F");
    attr_types(sb, "Tin", n);
    attr_types(sb, "Tout", n);
    wire_end(sb, node);
    node = hostile_node(sb, GRAPH_NODE, "AddN", "", "sum");
    for (unsigned i = 0; i < n; i++)
        input(sb, "c:%u", i);
    wire_end(sb, node);
    library = wire_begin(sb, GRAPH_LIBRARY);
    function = function_begin(sb, "F", n);
    for (unsigned i = 0; i < n; i++) {
        char argument[32];

        snprintf(argument, sizeof argument, "a%u", n - 1 - i);
        result(sb, i, argument);
    }
    wire_end(sb, function);
    wire_end(sb, library);
}

/* A chain of N calls of a function of N nodes. */
static void calls(struct hostile_files *f, unsigned n)
{
    struct strbuf *sb = &f->file[0];
    size_t library, function;
    char from[64];

    placeholder(sb);
    for (unsigned i = 0; i < n; i++) {
        snprintf(from, sizeof from, i ? "c%u" : "x", i - 1);
        call(sb, GRAPH_NODE, "F", from, i);
    }
    library = wire_begin(sb, GRAPH_LIBRARY);
    function = function_begin(sb, "F", 1);
    for (unsigned i = 0; i < n; i++) {
        snprintf(from, sizeof from, i ? "m%u:z:0" : "a0", i - 1);
        wire_end(sb, hostile_node(sb, BODY_NODE, "Neg", from, "m%u", i));
    }
    snprintf(from, sizeof from, "m%u:y:0", n - 1);
    result(sb, 0, from);
    wire_end(sb, function);
    wire_end(sb, library);
}

/* N functions, each of which calls the next one TIMES times. */
static void nest(struct strbuf *sb, unsigned n, unsigned times)
{
    const size_t library = wire_begin(sb, GRAPH_LIBRARY);

    for (unsigned i = 0; i < n; i++) {
        char name[32], next[32], from[32];
        size_t function;

        snprintf(name, sizeof name, "F%u", i);
        snprintf(next, sizeof next, "F%u", i + 1);
        function = function_begin(sb, name, 1);
        for (unsigned k = 0; k < times; k++) {
            snprintf(from, sizeof from, k ? "c%u:output:0" : "a0", k - 1);
            if (i + 1 < n)
                call(sb, BODY_NODE, next, from, k);
            else
                wire_end(sb, hostile_node(sb, BODY_NODE, "Neg", "a0", "c%u", k));
        }
        snprintf(from, sizeof from, i + 1 < n ? "c%u:output:0" : "c%u:y:0", times - 1);
        result(sb, 0, from);
        wire_end(sb, function);
    }
    wire_end(sb, library);
}

static void nesting(struct hostile_files *f, unsigned n)
{
    placeholder(&f->file[0]);
    call(&f->file[0], GRAPH_NODE, "F0", "x", 0);
    nest(&f->file[0], n, 1);
}

/* 2^N calls in all. */
static void doubled_calls(struct hostile_files *f, unsigned n)
{
    placeholder(&f->file[0]);
    call(&f->file[0], GRAPH_NODE, "F0", "x", 0);
    nest(&f->file[0], n, 2);
}

/* N calls, each with sqrt(N) captured values. */
static void captures(struct hostile_files *f, unsigned n)
{
    struct strbuf *sb = &f->file[0];
    size_t library, function;
    unsigned width = 1;

    while (width * width < n)
        width++;
    placeholder(sb);
    for (unsigned i = 0; i < n / width; i++) {
        const size_t node = hostile_node(sb, GRAPH_NODE, "PartitionedCall", "", "c%u", i);

        for (unsigned k = 0; k < width; k++)
            if (i)
                input(sb, k % 2 ? "x" : "c%u", i - 1);
            else
                wire_bytes(sb, NODE_INPUT, "x", 1);
        attr_func(sb, "f", "F");
        wire_end(sb, node);
    }
    library = wire_begin(sb, GRAPH_LIBRARY);
    function = function_begin(sb, "F", width);
    wire_end(sb, hostile_node(sb, BODY_NODE, "Neg", "a0", "m"));
    result(sb, 0, "m:y:0");
    wire_end(sb, function);
    wire_end(sb, library);
}

/* A While of N values whose body rotates them. */
static void loops(struct hostile_files *f, unsigned n)
{
    struct strbuf *sb = &f->file[0];
    size_t node, library, function;

    placeholder(sb);
    node = hostile_node(sb, GRAPH_NODE, "While", "", "w");
    for (unsigned i = 0; i < n; i++)
        wire_bytes(sb, NODE_INPUT, "x", 1);
    attr_func(sb, "body", "B");
    attr_func(sb, "cond", "B");
    attr_types(sb, "T", n);
    wire_end(sb, node);
    library = wire_begin(sb, GRAPH_LIBRARY);
    function = function_begin(sb, "B", n);
    for (unsigned i = 0; i < n; i++) {
        char argument[32];

        snprintf(argument, sizeof argument, "a%u", (i + 1) % n);
        result(sb, i, argument);
    }
    wire_end(sb, function);
    wire_end(sb, library);
}

/* N loops with one condition, which depends on a chain of N nodes. */
static void conditions(struct hostile_files *f, unsigned n)
{
    struct strbuf *sb = &f->file[0];
    size_t node, library, function;
    char from[64];

    placeholder(sb);
    for (unsigned i = 0; i < n; i++) {
        node = hostile_node(sb, GRAPH_NODE, "While", "x", "w%u", i);
        attr_func(sb, "body", "B");
        attr_func(sb, "cond", "C");
        attr_types(sb, "T", 1);
        wire_end(sb, node);
    }
    library = wire_begin(sb, GRAPH_LIBRARY);
    function = function_begin(sb, "B", 1);
    result(sb, 0, "a0");
    wire_end(sb, function);
    function = function_begin(sb, "C", 1);
    for (unsigned i = 0; i < n; i++) {
        snprintf(from, sizeof from, i ? "m%u:output:0" : "a0", i - 1);
        wire_end(sb, hostile_node(sb, BODY_NODE, "Identity", from, "m%u", i));
    }
    snprintf(from, sizeof from, "m%u:output:0", n - 1);
    result(sb, 0, from);
    wire_end(sb, function);
    wire_end(sb, library);
}

/* Nested frames of V1 loops. */
static void frames(struct hostile_files *f, unsigned n)
{
    struct strbuf *sb = &f->file[0];
    char from[64];

    placeholder(sb);
    for (unsigned i = 0; i < n; i++) {
        const struct { const char *op, *name, *back; } part[] = {
            {"Enter", "e", NULL}, {"Merge", "m", "n%u"}, {"NextIteration", "n", NULL}};

        for (unsigned k = 0; k < 3; k++) {
            size_t node;

            if (k == 0)
                snprintf(from, sizeof from, i ? "m%u" : "x", i - 1);
            else
                snprintf(from, sizeof from, k == 1 ? "e%u" : "m%u", i);
            node = hostile_node(sb, GRAPH_NODE, part[k].op, from, "%s%u", part[k].name, i);
            if (part[k].back)
                input(sb, part[k].back, i);
            wire_end(sb, node);
        }
    }
}

/* An ONNX model whose calls have bodies of many nodes each. */
static void onnx_calls(struct hostile_files *f, unsigned n)
{
    enum { MODEL_GRAPH = 7, MODEL_FUNCTION = 25, ONNX_TYPE = 4, ONNX_DOMAIN = 7 };
    struct strbuf *sb = &f->file[0];
    size_t graph, part;

    wire_int(sb, 1, 8);
    graph = wire_begin(sb, MODEL_GRAPH);
    for (unsigned i = 0; i < n; i++) {
        part = wire_begin(sb, 1);
        hostile_text(sb, ONNX_TYPE, "F");
        hostile_text(sb, ONNX_DOMAIN, "d");
        wire_end(sb, part);
    }
    wire_end(sb, graph);
    graph = wire_begin(sb, MODEL_FUNCTION);
    hostile_text(sb, 1, "F");
    hostile_text(sb, 10, "d");
    for (unsigned i = 0; i < n; i++) {
        part = wire_begin(sb, 7);
        hostile_text(sb, ONNX_TYPE, "A");
        wire_end(sb, part);
    }
    wire_end(sb, graph);
}

#define FULL                                                                                     \
    "-flops", "full", "-max_depth", "20", "-select", "float_ops,params,input_shapes,output_shapes"

const struct hostile_shape hostile_graphs[] = {
    {"inputs of one node", inputs, 40000, {"scope", "@0", FULL}, {"g.pb"}, false},
    {"inputs, graph view", inputs, 40000, {"graph", "@0", FULL}, {"g.pb"}, false},
    {"numbers of outputs", high_outputs, 2000, {"scope", "@0", FULL}, {"g.pb"}, false},
    {"attributes", attributes, 100000, {"scope", "@0", FULL}, {"g.pb"}, false},
    {"readers of a constant", readers, 10000, {"scope", "@0", FULL}, {"g.pb"}, false},
    {"shapes and dimensions", shapes, 10000, {"scope", "@0", FULL}, {"g.pb"}, false},
    {"parts of a name", names, 40000, {"scope", "@0", FULL}, {"g.pb"}, false},
    {"results", results, 20000, {"scope", "@0", FULL}, {"g.pb"}, false},
    {"calls by nodes", calls, 10000, {"scope", "@0", FULL}, {"g.pb"}, false},
    {"nested calls", nesting, 8000, {"scope", "@0", FULL}, {"g.pb"}, false},
    {"nested calls, listed", nesting, 4000,
     {"scope", "@0", "-functions", "list", FULL}, {"g.pb"}, false},
    {"nested calls, doubled", doubled_calls, 2000, {"scope", "@0", FULL}, {"g.pb"}, false},
    {"calls by nodes of ONNX", onnx_calls, 10000, {"scope", "@0", FULL}, {"m.onnx"}, false},
    {"captures", captures, 40000, {"scope", "@0", FULL}, {"g.pb"}, false},
    {"values of a loop", loops, 20000, {"scope", "@0", FULL}, {"g.pb"}, false},
    {"loops by condition", conditions, 10000, {"scope", "@0", FULL}, {"g.pb"}, false},
    {"nested loops", frames, 10000, {"scope", "@0", FULL}, {"g.pb"}, false},
    {"gzip", inputs, 40000, {"scope", "@0", FULL}, {"g.pb.gz"}, true},
};
const unsigned n_hostile_graphs = sizeof hostile_graphs / sizeof *hostile_graphs;
