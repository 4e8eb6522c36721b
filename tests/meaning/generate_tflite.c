/* generate_tflite.c: TFLite models: operators whose tensors, codes and subgraphs are not listed, tensors
 * that several operators make, shapes that contradict what is computed, buffers that are shared or longer
 * than the file; and operator profiles of other models. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "meaning/generators.h"
#include "tests/meaning/tflite.pb-c.h"

enum { MAX_TENSORS = 20, MAX_OPERATORS = 15, MAX_CODES = 8, MAX_BUFFERS = 8, MAX_DIMS = 5 };

/* Convolutions, pools, products, loops, and what is counted by other rules. */
static const int codes[] = {0, 1, 2, 3, 4, 9, 12, 14, 17, 19, 21, 22, 25, 32, 40, 44, 67, 74, 103, 106, 114, 117,
                            118, 119, 123, 126, 128, 129, 132, 140, 6, 7, 36, 39, 50, 54, 99, 127, 208, 250};

static const char *const names[] = {"model/conv/Relu;model/bn/add", "a", "a/b", "", "/", ";", "w.0.weight", "x\ny",
                                    "\xff\xfe", "StatefulPartitionedCall:0", "a/b", "x y"};

/* ---- models */

/* The number of one of N elements; rarely none or any number. */
static int64_t draw_index(struct draw *d, uint32_t n)
{
    return draw_rarely(d, 12) ? -1 : draw_rarely(d, 60) ? draw_int(d) : draw_below(d, n);
}

static void put_indices(struct draw *d, const char *field, uint32_t most, uint32_t n)
{
    for (uint32_t i = draw_below(d, most + 1); i > 0; i--)
        put_int(d->tree, field, draw_index(d, n));
}

static void put_quantization(struct draw *d)
{
    put_open(d->tree, "quantization");
    for (uint32_t n = draw_below(d, 12); n > 0; n--) {
        put_real(d->tree, "scale", draw_rarely(d, 6) ? 1e300 * 1e300 : 0.5);
        if (!draw_rarely(d, 4))
            put_int(d->tree, "zero_point", draw_int(d));
    }
    put_int(d->tree, "quantized_dimension", draw_int(d));
    case_tree_close(d->tree);
}

static void put_tensor(struct draw *d)
{
    const uint32_t rank = draw_below(d, MAX_DIMS);

    put_open(d->tree, "tensors");
    for (uint32_t i = 0; i < rank; i++)
        put_int(d->tree, "shape", draw_size(d));
    put_int(d->tree, "type", draw_rarely(d, 2) ? 0 : draw_rarely(d, 10) ? draw_int(d) : draw_below(d, 20));
    put_int(d->tree, "buffer", draw_rarely(d, 100) ? draw_int(d) : draw_below(d, MAX_BUFFERS));
    put_text(d->tree, "name", draw_rarely(d, 3) ? DRAW_ONE(d, names) : draw_node_name(d, draw_below(d, MAX_TENSORS)));
    if (draw_rarely(d, 3))
        put_quantization(d);
    for (uint32_t i = 0; i < rank && draw_rarely(d, 2); i++)
        put_int(d->tree, "shape_signature", draw_rarely(d, 2) ? -1 : draw_size(d));
    case_tree_close(d->tree);
}

static void put_operator(struct draw *d)
{
    put_open(d->tree, "operators");
    put_int(d->tree, "opcode_index", draw_below(d, MAX_CODES));
    put_indices(d, "inputs", draw_rarely(d, 8) ? 24 : 4, MAX_TENSORS);
    put_indices(d, "outputs", 2, MAX_TENSORS);
    if (!draw_rarely(d, 3)) {
        static const char *const options[] = {"option1", "option2", "option3", "option4", "option5"};

        put_open(d->tree, "builtin_options");
        for (size_t i = 0; i < sizeof options / sizeof *options; i++)
            put_int(d->tree, options[i], draw_rarely(d, 10) ? draw_int(d) : draw_below(d, 4));
        case_tree_close(d->tree);
    }
    case_tree_close(d->tree);
}

static void put_subgraph(struct draw *d)
{
    put_open(d->tree, "subgraphs");
    for (uint32_t n = draw_rarely(d, 10) ? draw_below(d, MAX_TENSORS) : MAX_TENSORS; n > 0; n--)
        put_tensor(d);
    put_indices(d, "inputs", 3, MAX_TENSORS);
    put_indices(d, "outputs", 3, MAX_TENSORS);
    for (uint32_t n = draw_below(d, MAX_OPERATORS); n > 0; n--)
        put_operator(d);
    if (draw_rarely(d, 2))
        put_text(d->tree, "name", DRAW_ONE(d, names));
    case_tree_close(d->tree);
}

static void put_code(struct draw *d)
{
    const int code = DRAW_ONE(d, codes);

    put_open(d->tree, "operator_codes");
    put_int(d->tree, "deprecated_builtin_code", code < 127 ? code : 127);
    if (code == 32 || draw_rarely(d, 10))
        put_text(d->tree, "custom_code", DRAW_ONE(d, names));
    put_int(d->tree, "builtin_code", draw_rarely(d, 20) ? draw_int(d) : code);
    case_tree_close(d->tree);
}

static void put_buffer(struct draw *d, uint32_t i)
{
    put_open(d->tree, "buffers");
    if (i && !draw_rarely(d, 3))
        put_bytes(d->tree, "data", "\1\0\0\0\2\0\0\0\3\0\0\0\4\0\0\0\5\0\0\0", draw_below(d, 21));
    if (draw_rarely(d, 10)) {
        put_int(d->tree, "offset", draw_int(d));
        put_int(d->tree, "size", draw_int(d));
    }
    case_tree_close(d->tree);
}

/* ---- operator profiles */

static void put_raw(struct draw *d, const char *text)
{
    case_tree_add(d->tree, (struct item){.kind = ITEM_RAW}, text, strlen(text));
}

static void put_profile(struct draw *d)
{
    static const char *const types[] = {"CONV_2D", "FULLY_CONNECTED", "ADD", "TfLiteXNNPackDelegate", "", "a/b", "SOFTMAX"};
    static const char *const times[] = {"0.125", "1e-3", "-1", "99999999999999999999", "1e400", "nan", "", "0", "12"};
    char line[200];

    put_file(d->tree, "profile.csv", NULL);
    put_raw(d, "Profiling Info for Regular Benchmark Runs:\n====== Run Order ======\n");
    put_raw(d, draw_rarely(d, 10) ? "node type, name\n" : "node type, first, avg_ms, %, cdf%, mem KB, times called, name\n");
    for (uint32_t n = draw_below(d, MAX_OPERATORS); n > 0; n--) {
        const char *name = draw_rarely(d, 3) ? DRAW_ONE(d, names) : draw_node_name(d, draw_below(d, MAX_TENSORS));

        snprintf(line, sizeof line, "%s, 0.1, %s, 1%%, 1%%, 0, %" PRId64 ", [%s]:%" PRId64 "\n", DRAW_ONE(d, types),
                 DRAW_ONE(d, times), draw_int(d), name, draw_index(d, MAX_OPERATORS));
        put_raw(d, line);
    }
    case_tree_close(d->tree);
    put_option(d->tree, "@/profile.csv");
}

void generate_tflite(struct draw *d)
{
    put_file_as(d->tree, ITEM_FLAT, "model.tflite", &tfp__tflite_model__descriptor);
    put_int(d->tree, "version", 3);
    for (uint32_t i = 0; i < MAX_CODES; i++)
        put_code(d);
    for (uint32_t n = draw_rarely(d, 3) ? 1 + draw_below(d, 3) : 1; n > 0; n--)
        put_subgraph(d);
    put_text(d->tree, "description", DRAW_ONE(d, names));
    for (uint32_t i = 0; i < MAX_BUFFERS; i++)
        put_buffer(d, i);
    case_tree_close(d->tree);
    put_option(d->tree, "@/model.tflite");
    if (draw_rarely(d, 3))
        put_profile(d);
}
