/* gen.c: generates models and profiles of any size that resemble real ones.
 *
 *     gen graph|text|run|records|log|profile NODES [STEP] > FILE
 *
 * graph and text are the same GraphDef in both forms, run is the RunMetadata of step STEP, records
 * the same with its allocation records, log an OpLogProto, profile a ProfileProto with one step.
 * Everything is a function of the node's number, so the files are consistent and equal on every
 * machine.  A node takes 250 to 430 bytes in a graph, as in real files: scopes 6 to 12 deep, 80
 * operation types, shapes, devices, attributes, chains as long as the graph, call stacks of 12 to
 * 20 frames. */
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/wire_out.h"

enum { FLUSH_BYTES = 1 << 20, N_FILES = 40, N_FUNCTIONS = 400, FIRST_TEXT_ID = 1,
       DISTINCT_STACKS = 20000 };

static const char *const ops[80] = {
    "Const", "Identity", "Conv2D", "BiasAdd", "Relu", "MatMul", "Add", "AddV2", "Mul", "Sub",
    "RealDiv", "Sum", "Mean", "Max", "Min", "Reshape", "Transpose", "ConcatV2", "Split", "Pack",
    "Unpack", "Slice", "StridedSlice", "ExpandDims", "Squeeze", "Shape", "Cast", "Fill", "Tile",
    "Pad", "MaxPool", "AvgPool", "FusedBatchNorm", "FusedBatchNormGrad", "Softmax", "LogSoftmax",
    "Sigmoid", "Tanh", "Exp", "Log", "Sqrt", "Rsqrt", "Square", "Neg", "Abs", "Maximum", "Minimum",
    "Greater", "Less", "Equal", "LogicalAnd", "Select", "Gather", "GatherV2", "ScatterNd",
    "Assign", "AssignAdd", "VariableV2", "ApplyMomentum", "ApplyAdam", "Conv2DBackpropFilter",
    "Conv2DBackpropInput", "MaxPoolGrad", "ReluGrad", "BiasAddGrad", "TanhGrad", "SigmoidGrad",
    "SoftmaxCrossEntropyWithLogits", "L2Loss", "AddN", "NoOp", "Enter", "Exit", "Merge", "Switch",
    "NextIteration", "LoopCond", "RandomUniform", "TruncatedNormal", "ZerosLike"};

static const char *const layers[] = {"conv", "bn", "attn", "fc", "pool", "norm", "drop", "emb"};

/* splitmix64 of the node and a salt: the source of all random choices. */
static uint64_t draw(uint64_t node, uint64_t salt)
{
    uint64_t z = (node * 16 + salt) * 0x9e3779b97f4a7c15u + 0x1234567u;

    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

static const char *op_of(uint64_t node)
{
    return node % 29 == 0 ? "VariableV2" : ops[draw(node, 1) % 80];
}

/* Twenty nodes share a scope; scopes nest by powers of six. */
static const char *name_of(uint64_t node)
{
    static char names[4][512];
    static unsigned turn;
    char *name = names[turn++ % 4];
    uint64_t scope = node / 20;
    unsigned depth = 4 + (unsigned)(draw(scope, 2) % 6);
    int len = snprintf(name, 512, "%stower_%" PRIu64, node % 3 == 2 ? "gradients/" : "", scope % 4);

    for (unsigned level = 0; level < depth; level++) {
        scope /= level < 2 ? 1 : 6;
        len += snprintf(name + len, 512 - (size_t)len, "/%s_%" PRIu64,
                        layers[(scope + level) % 8], scope % 97);
    }
    snprintf(name + len, 512 - (size_t)len, "/%s_%" PRIu64, op_of(node), node);
    return name;
}

static const char *device_of(uint64_t node)
{
    static const char *const devices[] = {"/job:localhost/replica:0/task:0/device:GPU:0",
                                          "/job:localhost/replica:0/task:0/device:GPU:1",
                                          "/job:localhost/replica:0/task:0/device:CPU:0"};

    return devices[draw(node, 3) % 3];
}

static bool on_gpu(uint64_t node)
{
    return draw(node, 3) % 3 < 2;
}

static const char *lower_device_of(uint64_t node)
{
    static const char *const devices[] = {"/job:localhost/replica:0/task:0/device:gpu:0",
                                          "/job:localhost/replica:0/task:0/device:gpu:1",
                                          "/job:localhost/replica:0/task:0/device:cpu:0"};

    return devices[draw(node, 3) % 3];
}

static void text(struct strbuf *sb, uint32_t field, const char *s)
{
    wire_bytes(sb, field, s, strlen(s));
}

/* One to four dimensions. */
static unsigned dims_of(uint64_t node, int64_t dims[4])
{
    static const int64_t sizes[] = {-1, 1, 3, 16, 32, 64, 128, 256};
    unsigned n = 1 + (unsigned)(draw(node, 4) % 4);

    for (unsigned i = 0; i < n; i++)
        dims[i] = sizes[(draw(node, 5) >> (8 * i)) % 8];
    return n;
}

static void shape(struct strbuf *sb, uint32_t field, uint64_t node, bool known)
{
    int64_t dims[4];
    unsigned n = dims_of(node, dims);
    size_t mark = wire_begin(sb, field);

    for (unsigned i = 0; i < n; i++) {
        size_t dim = wire_begin(sb, 2);

        wire_int(sb, 1, known && dims[i] < 0 ? 128 : dims[i]);
        wire_end(sb, dim);
    }
    wire_end(sb, mark);
}

/* ---- GraphDef */

static size_t attr_begin(struct strbuf *sb, const char *key, size_t *value)
{
    size_t mark = wire_begin(sb, 5);

    text(sb, 1, key);
    *value = wire_begin(sb, 2);
    return mark;
}

static void attr_end(struct strbuf *sb, size_t mark, size_t value)
{
    wire_end(sb, value);
    wire_end(sb, mark);
}

static void attrs(struct strbuf *sb, uint64_t node)
{
    size_t value, list, mark = attr_begin(sb, "T", &value);

    wire_int(sb, 6, 1);
    attr_end(sb, mark, value);
    mark = attr_begin(sb, "_output_shapes", &value);
    list = wire_begin(sb, 1);
    shape(sb, 7, node, false);
    wire_end(sb, list);
    attr_end(sb, mark, value);
    if (strcmp(op_of(node), "VariableV2") == 0) {
        mark = attr_begin(sb, "shape", &value);
        shape(sb, 7, node, true);
        attr_end(sb, mark, value);
        mark = attr_begin(sb, "container", &value);
        text(sb, 2, "");
        attr_end(sb, mark, value);
    } else if (strcmp(op_of(node), "Conv2D") == 0) {
        static const int64_t strides[] = {1, 2, 2, 1};

        mark = attr_begin(sb, "strides", &value);
        list = wire_begin(sb, 1);
        wire_packed(sb, 3, strides, 4);
        wire_end(sb, list);
        attr_end(sb, mark, value);
        mark = attr_begin(sb, "data_format", &value);
        text(sb, 2, "NHWC");
        attr_end(sb, mark, value);
        mark = attr_begin(sb, "padding", &value);
        text(sb, 2, "SAME");
        attr_end(sb, mark, value);
    }
    if (draw(node, 6) % 4 == 0) {
        char loc[600];

        snprintf(loc, sizeof loc, "loc:@%s", name_of(node - node % 20));
        mark = attr_begin(sb, "_class", &value);
        list = wire_begin(sb, 1);
        text(sb, 2, loc);
        wire_end(sb, list);
        attr_end(sb, mark, value);
    }
    if (strcmp(op_of(node), "Const") == 0) {
        unsigned char content[256] = {0};
        size_t tensor;

        mark = attr_begin(sb, "value", &value);
        tensor = wire_begin(sb, 8);
        wire_int(sb, 1, 1);
        shape(sb, 2, node, true);
        wire_bytes(sb, 4, content, 16 + draw(node, 7) % 112);
        wire_end(sb, tensor);
        attr_end(sb, mark, value);
    }
}

static void input(struct strbuf *sb, uint64_t source, uint64_t form)
{
    char entry[600];

    snprintf(entry, sizeof entry, "%s%s%s", form % 8 == 7 ? "^" : "", name_of(source),
             form % 8 == 6 ? ":1" : "");
    text(sb, 3, entry);
}

static void node_def(struct strbuf *sb, uint64_t node)
{
    text(sb, 1, name_of(node));
    text(sb, 2, op_of(node));
    if (node)
        input(sb, node - 1, 0);
    if (node > 1000 && draw(node, 8) % 2)
        input(sb, node - 2 - draw(node, 9) % 900, draw(node, 10));
    text(sb, 4, device_of(node));
    attrs(sb, node);
}

/* ---- RunMetadata */

/* Allocations of NODE are freed some hundreds of nodes later, or never. */
static void allocation_records(struct strbuf *sb, uint64_t node, int64_t start_us, int64_t bytes)
{
    const uint64_t lives = draw(node, 14) % 1000;
    size_t mark = wire_begin(sb, 6);

    wire_int(sb, 1, start_us);
    wire_int(sb, 2, bytes);
    wire_end(sb, mark);
    if (!lives)
        return;
    mark = wire_begin(sb, 6);
    wire_int(sb, 1, start_us + 7 * (int64_t)lives);
    wire_int(sb, 2, -bytes);
    wire_end(sb, mark);
}

static void entry(struct strbuf *sb, uint64_t node, unsigned step, bool kernel, bool with_records)
{
    size_t mark = wire_begin(sb, 2), output, tensor, allocation, memory;
    int64_t start = 1500000000000000 + (int64_t)node * 7 + step * 1000000;
    char label[1200];

    snprintf(label, sizeof label, kernel ? "%s:%s" : "%s", name_of(node), op_of(node));
    text(sb, 1, label);
    wire_int(sb, 2, start);
    if (!kernel)
        wire_int(sb, 3, 1);
    wire_int(sb, 4, 2 + (int64_t)(draw(node, 11 + step) % 500));
    wire_int(sb, 5, 503);
    if (!kernel) {
        int64_t bytes = 256 * (int64_t)(1 + draw(node, 12) % 4096);

        memory = wire_begin(sb, 6);
        text(sb, 1, on_gpu(node) ? "GPU_0_bfc" : "cpu");
        wire_int(sb, 2, bytes);
        wire_int(sb, 3, bytes);
        wire_int(sb, 4, bytes);
        wire_int(sb, 5, 1000000000 + start % 1000000);
        if (with_records)
            allocation_records(sb, node, start, bytes);
        wire_end(sb, memory);
        output = wire_begin(sb, 7);
        tensor = wire_begin(sb, 3);
        wire_int(sb, 1, 1);
        shape(sb, 2, node, true);
        allocation = wire_begin(sb, 4);
        wire_int(sb, 1, bytes);
        wire_int(sb, 2, bytes);
        text(sb, 3, on_gpu(node) ? "GPU_0_bfc" : "cpu");
        wire_int(sb, 6, (int64_t)(0x7f0000000000 + node * 256));
        wire_end(sb, allocation);
        wire_end(sb, tensor);
        wire_end(sb, output);
        snprintf(label, sizeof label, "%s = %s()", op_of(node), op_of(node));
        text(sb, 8, label);
    }
    wire_int(sb, 9, start - 3);
    wire_end(sb, mark);
}

/* ---- OpLogProto */

static void string_entry(struct strbuf *sb, uint32_t field, int64_t id, const char *s)
{
    size_t mark = wire_begin(sb, field);

    wire_int_always(sb, 1, id);
    text(sb, 2, s);
    wire_end(sb, mark);
}

/* File names, then function names, then one common source line. */
static void string_table(struct strbuf *sb, uint32_t field)
{
    char s[128];

    string_entry(sb, field, 0, "none");
    for (int i = 0; i < N_FILES; i++) {
        snprintf(s, sizeof s, "models/project/library/module_%d/layers_%d.py", i % 7, i);
        string_entry(sb, field, FIRST_TEXT_ID + i, s);
    }
    for (int i = 0; i < N_FUNCTIONS; i++) {
        snprintf(s, sizeof s, i % 3 ? "call_%d" : "build_some_longer_layer_%d", i);
        string_entry(sb, field, FIRST_TEXT_ID + N_FILES + i, s);
    }
}

/* Outer frames depend on the scope, inner ones on the node.  The number of distinct stacks is
 * limited, as in real programs. */
static void code_def(struct strbuf *sb, uint32_t field, uint64_t of_node)
{
    uint64_t node = of_node % DISTINCT_STACKS;
    unsigned n = 12 + (unsigned)(draw(node / 20, 13) % 9);
    size_t mark = wire_begin(sb, field);

    for (unsigned i = 0; i < n; i++) {
        uint64_t key = i < 4 ? i : i + 2 < n ? node / 400 * 64 + i : node % 2000 * 64 + i;
        size_t frame = wire_begin(sb, 1);

        wire_int(sb, 6, FIRST_TEXT_ID + (int64_t)(draw(key, 14) % N_FILES));
        wire_int(sb, 2, 1 + (int64_t)(draw(key, 15) % 3000));
        wire_int(sb, 7, FIRST_TEXT_ID + N_FILES + (int64_t)(draw(key, 14) % N_FUNCTIONS));
        wire_int(sb, 8, FIRST_TEXT_ID);
        wire_int(sb, 5, 1 + (int64_t)(draw(key, 14) % 2000));
        wire_end(sb, frame);
    }
    wire_end(sb, mark);
}

static void log_entry(struct strbuf *sb, uint64_t node)
{
    size_t mark = wire_begin(sb, 1);

    text(sb, 1, name_of(node));
    if (node % 5 == 0)
        wire_int(sb, 2, 1000 + (int64_t)(draw(node, 12) % 1000000));
    if (strcmp(op_of(node), "VariableV2") == 0)
        text(sb, 3, "_trainable_variables");
    code_def(sb, 4, node);
    wire_end(sb, mark);
}

/* ---- ProfileProto */

static void exec_times(struct strbuf *sb, uint32_t field, const char *device, int64_t start,
                       int64_t dur)
{
    int64_t pair[2] = {start, dur};
    size_t mark = wire_begin(sb, field), value, tuple;

    text(sb, 1, device);
    value = wire_begin(sb, 2);
    tuple = wire_begin(sb, 1);
    wire_packed(sb, 1, pair, 2);
    wire_end(sb, tuple);
    wire_end(sb, value);
    wire_end(sb, mark);
}

static void exec_profile(struct strbuf *sb, uint64_t node, unsigned step)
{
    int64_t start = 1500000000000000 + (int64_t)node * 7 + step * 1000000;
    int64_t dur = 2 + (int64_t)(draw(node, 11 + step) % 500);
    int64_t bytes = 256 * (int64_t)(1 + draw(node, 12) % 4096);
    size_t mark = wire_begin(sb, 12), value, memory, buffers, buffer;

    wire_int_always(sb, 1, step);
    value = wire_begin(sb, 2);
    wire_int(sb, 1, 1);
    wire_int(sb, 2, start);
    wire_int(sb, 3, start + dur);
    if (on_gpu(node))
        exec_times(sb, 4, "/device:gpu:0/stream:all", start, dur);
    exec_times(sb, 5, lower_device_of(node), start, dur);
    text(sb, 6, lower_device_of(node));
    memory = wire_begin(sb, 7);
    wire_int(sb, 1, start + dur);
    wire_int(sb, 6, bytes);
    wire_int(sb, 7, bytes);
    wire_int(sb, 8, bytes);
    wire_int(sb, 9, bytes);
    wire_int(sb, 10, 1000000000);
    buffers = wire_begin(sb, 11);
    wire_int_always(sb, 1, 0);
    buffer = wire_begin(sb, 2);
    wire_int(sb, 1, bytes);
    wire_int(sb, 2, (int64_t)(0x7f0000000000 + node * 256));
    wire_end(sb, buffer);
    wire_end(sb, buffers);
    wire_end(sb, memory);
    wire_end(sb, value);
    wire_end(sb, mark);
}

static void number_entry(struct strbuf *sb, uint32_t field, int64_t key, int64_t value)
{
    size_t mark = wire_begin(sb, field);

    wire_int_always(sb, 1, key);
    wire_int_always(sb, 2, value);
    wire_end(sb, mark);
}

static void profile_node(struct strbuf *sb, uint64_t node)
{
    int64_t dims[4];
    unsigned n_dims = dims_of(node, dims);
    size_t mark = wire_begin(sb, 1), value, shapes, tuple;

    wire_int_always(sb, 1, (int64_t)node);
    value = wire_begin(sb, 2);
    text(sb, 1, name_of(node));
    if (node)
        number_entry(sb, 2, 0, (int64_t)node - 1);
    text(sb, 5, op_of(node));
    text(sb, 5, lower_device_of(node));
    text(sb, 6, lower_device_of(node));
    text(sb, 7, "/job:localhost/replica:0/task:0/device:cpu:0");
    wire_int(sb, 8, node % 5 ? 0 : 1000);
    text(sb, 9, op_of(node));
    code_def(sb, 10, node);
    exec_profile(sb, node, 0);
    wire_int(sb, 13, (int64_t)node);
    if (node)
        number_entry(sb, 14, (int64_t)node - 1, 0);
    shapes = wire_begin(sb, 15);
    wire_int_always(sb, 1, 0);
    tuple = wire_begin(sb, 2);
    wire_packed(sb, 1, dims, n_dims);
    wire_end(sb, tuple);
    wire_end(sb, shapes);
    wire_end(sb, value);
    wire_end(sb, mark);
}

/* ---- GraphDef in text form */

static void text_shape(struct strbuf *sb, uint64_t node, bool known)
{
    int64_t dims[4];
    unsigned n = dims_of(node, dims);

    sb_adds(sb, "shape {\n");
    for (unsigned i = 0; i < n; i++)
        sb_addf(sb, "          dim {\n            size: %" PRId64 "\n          }\n",
                known && dims[i] < 0 ? 128 : dims[i]);
    sb_adds(sb, "        }\n");
}

static void text_node(struct strbuf *sb, uint64_t node)
{
    sb_addf(sb, "node {\n  name: \"%s\"\n  op: \"%s\"\n", name_of(node), op_of(node));
    if (node)
        sb_addf(sb, "  input: \"%s\"\n", name_of(node - 1));
    if (node > 1000 && draw(node, 8) % 2) {
        uint64_t form = draw(node, 10) % 8;

        sb_addf(sb, "  input: \"%s%s%s\"\n", form == 7 ? "^" : "",
                name_of(node - 2 - draw(node, 9) % 900), form == 6 ? ":1" : "");
    }
    sb_addf(sb, "  device: \"%s\"\n", device_of(node));
    sb_adds(sb, "  attr {\n    key: \"T\"\n    value {\n      type: DT_FLOAT\n    }\n  }\n"
                "  attr {\n    key: \"_output_shapes\"\n    value {\n      list {\n        ");
    text_shape(sb, node, false);
    sb_adds(sb, "      }\n    }\n  }\n");
    if (strcmp(op_of(node), "VariableV2") == 0) {
        sb_adds(sb, "  attr {\n    key: \"shape\"\n    value {\n      ");
        text_shape(sb, node, true);
        sb_adds(sb, "    }\n  }\n");
    }
    sb_adds(sb, "}\n");
}

/* ---- files */

static void flush(struct strbuf *sb, bool all)
{
    if (!all && sb->len < FLUSH_BYTES)
        return;
    if (sb->len && fwrite(sb->data, 1, sb->len, stdout) != sb->len) {
        perror("gen");
        exit(1);
    }
    sb_clear(sb);
}

/* Builds the devices in memory, because the length of the enclosing message comes first. */
static void write_run(struct strbuf *sb, uint64_t n_nodes, unsigned step, bool with_records)
{
    static const struct {
        const char *name;
        unsigned which;
        bool kernel;
    } devices[] = {{"/job:localhost/replica:0/task:0/device:GPU:0", 0, false},
                   {"/job:localhost/replica:0/task:0/device:GPU:1", 1, false},
                   {"/job:localhost/replica:0/task:0/device:CPU:0", 2, false},
                   {"/device:GPU:0/stream:all", 0, true}};
    size_t mark = wire_begin(sb, 1);

    for (size_t d = 0; d < sizeof devices / sizeof devices[0]; d++) {
        size_t device = wire_begin(sb, 1);

        text(sb, 1, devices[d].name);
        for (uint64_t node = 0; node < n_nodes; node++)
            if (draw(node, 3) % 3 == devices[d].which)
                entry(sb, node, step, devices[d].kernel, with_records);
        wire_end(sb, device);
    }
    wire_end(sb, mark);
}

int main(int argc, char **argv)
{
    const char *kind = argc > 2 ? argv[1] : "";
    uint64_t n_nodes = argc > 2 ? strtoull(argv[2], NULL, 10) : 0;
    unsigned step = argc > 3 ? (unsigned)strtoul(argv[3], NULL, 10) : 0;
    struct strbuf sb = {0};

    if (strcmp(kind, "graph") && strcmp(kind, "text") && strcmp(kind, "run") &&
        strcmp(kind, "records") && strcmp(kind, "log") && strcmp(kind, "profile")) {
        fprintf(stderr, "usage: gen graph|text|run|records|log|profile NODES [STEP]\n");
        return 2;
    }
    if (*kind == 'r')
        write_run(&sb, n_nodes, step, strcmp(kind, "records") == 0);
    for (uint64_t node = 0; node < n_nodes && *kind != 'r'; node++) {
        size_t mark;

        switch (*kind) {
        case 'g':
            mark = wire_begin(&sb, 1);
            node_def(&sb, node);
            wire_end(&sb, mark);
            break;
        case 't':
            text_node(&sb, node);
            break;
        case 'l':
            log_entry(&sb, node);
            break;
        default:
            profile_node(&sb, node);
            break;
        }
        flush(&sb, false);
    }
    if (*kind == 'l')
        string_table(&sb, 2);
    if (*kind == 'p') {
        string_table(&sb, 4);
        wire_int(&sb, 2, 1);
        wire_int_always(&sb, 3, 0);
    }
    flush(&sb, true);
    sb_done(&sb);
    return 0;
}
