/* generate_onnx.c: models of ONNX: values that nothing makes or several nodes do, shapes that
 * contradict what is computed, weights with fewer elements than their shape, bodies of branches and
 * loops, functions that call each other. */
#include <stdio.h>
#include <string.h>

#include "meaning/generators.h"
#include "tests/meaning/onnx.pb-c.h"

enum { MAX_NODES = 25, MAX_VALUES = 30, MAX_DIMS = 5, MAX_DEPTH = 2 };

static const char operators[] =
    "Conv ConvTranspose MatMul Gemm LSTM GRU BatchNormalization LayerNormalization Softmax MaxPool AveragePool "
    "GlobalAveragePool ReduceSum ReduceMean ArgMax Add Mul Div Where Relu Clip Cast Shape Size Reshape Transpose "
    "Slice Gather Concat Split Squeeze Unsqueeze Expand Tile Pad Range Constant ConstantOfShape NonZero TopK "
    "Resize Upsample Einsum QuantizeLinear DequantizeLinear QLinearConv MatMulNBits Attention GroupQueryAttention "
    "If Loop Scan Identity Dropout Flatten OneHot CumSum LRN DepthToSpace SpaceToDepth GridSample "
    "AffineGrid Col2Im MaxUnpool CenterCropPad Det DFT STFT HannWindow MelWeightMatrix SoftmaxCrossEntropyLoss "
    "Compress Unique f0 f1 Unknown";

static const char attributes[] =
    "axis axes perm to kernel_shape strides pads dilations group auto_pad output_padding output_shape keepdims "
    "transA transB alpha value value_int value_ints num_heads kv_num_heads hidden_size direction equation K N bits "
    "block_size blocksize split num_outputs mode size start end allowzero epsilon noop_with_empty_axes "
    "onesided inverse reduction keep_aspect_ratio_policy q_num_heads num_scan_inputs";

static const char *value_name(struct draw *d)
{
    static const char *const odd[] = {"", "v0", "v1:0", "/", "a/b", "x\ny", "\xff", "nobody"};

    if (draw_rarely(d, 20))
        snprintf(d->text, sizeof d->text, "%s", DRAW_ONE(d, odd));
    else
        snprintf(d->text, sizeof d->text, "v%u", draw_below(d, MAX_VALUES));
    return d->text;
}

static void put_type(struct draw *d, const char *field)
{
    static const char *const names[] = {"batch", "seq", "", "N", "batch_size + 1"};

    put_open(d->tree, field);
    put_open(d->tree, "tensor_type");
    put_int(d->tree, "elem_type", draw_rarely(d, 10) ? draw_int(d) : 1 + draw_below(d, 16));
    put_open(d->tree, "shape");
    for (uint32_t n = draw_below(d, MAX_DIMS); n > 0; n--) {
        put_open(d->tree, "dim");
        if (draw_rarely(d, 4))
            put_text(d->tree, "dim_param", DRAW_ONE(d, names));
        else
            put_int(d->tree, "dim_value", draw_size(d));
        case_tree_close(d->tree);
    }
    case_tree_close(d->tree);
    case_tree_close(d->tree);
    case_tree_close(d->tree);
}

static void put_value(struct draw *d, const char *field)
{
    put_open(d->tree, field);
    put_text(d->tree, "name", value_name(d));
    if (!draw_rarely(d, 10))
        put_type(d, "type");
    case_tree_close(d->tree);
}

/* A tensor, mostly of small integers: sizes, axes, pads. */
static void put_tensor(struct draw *d, const char *field)
{
    static const int types[] = {1, 7, 7, 7, 6, 10, 11, 3, 9, 8, 16};
    const uint32_t n = draw_below(d, 9);

    put_open(d->tree, field);
    put_text(d->tree, "name", value_name(d));
    put_int(d->tree, "data_type", draw_rarely(d, 20) ? draw_int(d) : DRAW_ONE(d, types));
    if (draw_rarely(d, 3))
        for (uint32_t rank = draw_below(d, MAX_DIMS); rank > 0; rank--)
            put_int(d->tree, "dims", draw_size(d));
    else if (n)
        put_int(d->tree, "dims", draw_rarely(d, 10) ? draw_size(d) : n);
    for (uint32_t i = 0; i < n; i++)
        put_int(d->tree, draw_rarely(d, 6) ? "int32_data" : "int64_data", draw_int(d));
    if (draw_rarely(d, 5))
        put_bytes(d->tree, "raw_data", (const uint8_t *)"\x01\0\0\0\0\0\0\0\x02\0\0\0\0\0\0\0\x03", draw_below(d, 18));
    if (draw_rarely(d, 15)) {
        put_int(d->tree, "data_location", draw_below(d, 3));
        put_open(d->tree, "external_data");
        put_text(d->tree, "key", draw_rarely(d, 2) ? "location" : "offset");
        put_text(d->tree, "value", draw_rarely(d, 2) ? "weights.bin" : "-1");
        case_tree_close(d->tree);
    }
    case_tree_close(d->tree);
}

static void put_graph(struct draw *d, const char *field, uint32_t depth);

static void put_attribute(struct draw *d, uint32_t depth)
{
    static const char *const texts[] = {"SAME_UPPER", "VALID", "NOTSET", "bidirectional", "reflect", "ij,jk->ik", "...i->i", ""};
    char name[32];

    put_open(d->tree, "attribute");
    put_text(d->tree, "name", draw_word(d, attributes, name, sizeof name));
    switch (draw_below(d, 6)) {
    case 0:
        put_int(d->tree, "i", draw_int(d));
        put_int(d->tree, "type", 2);
        break;
    case 1:
        put_text(d->tree, "s", DRAW_ONE(d, texts));
        put_int(d->tree, "type", 3);
        break;
    case 2:
        put_tensor(d, "t");
        put_int(d->tree, "type", 4);
        break;
    case 3:
        if (depth < MAX_DEPTH && draw_rarely(d, 3))
            put_graph(d, "g", depth + 1);
        put_int(d->tree, "type", 5);
        break;
    default:
        for (uint32_t n = draw_below(d, 7); n > 0; n--)
            put_int(d->tree, "ints", draw_rarely(d, 3) ? draw_int(d) : 1 + draw_below(d, 3));
        put_int(d->tree, "type", 7);
    }
    case_tree_close(d->tree);
}

static void put_node(struct draw *d, uint32_t number, uint32_t depth)
{
    static const char *const bodies[] = {"then_branch", "else_branch", "body"};
    static const char *const domains[] = {"", "", "", "ai.onnx", "com.microsoft", "mine"};
    char op[32];

    draw_word(d, operators, op, sizeof op);
    put_open(d->tree, "node");
    for (uint32_t n = draw_below(d, 5); n > 0; n--)
        put_text(d->tree, "input", value_name(d));
    for (uint32_t n = 1 + draw_below(d, draw_rarely(d, 4) ? 4 : 1); n > 0; n--)
        put_text(d->tree, "output", value_name(d));
    if (!draw_rarely(d, 4)) {
        snprintf(d->text, sizeof d->text, draw_rarely(d, 3) ? "/layer.%u/n" : "n%u", number);
        put_text(d->tree, "name", d->text);
    }
    put_text(d->tree, "op_type", op);
    put_text(d->tree, "domain", DRAW_ONE(d, domains));
    for (uint32_t n = draw_below(d, 5); n > 0; n--)
        put_attribute(d, depth);
    for (int i = 0; i < 3 && depth < MAX_DEPTH && strchr("ILS", op[0]); i++)
        if (draw_rarely(d, 2)) {
            put_open(d->tree, "attribute");
            put_text(d->tree, "name", bodies[i]);
            put_int(d->tree, "type", 5);
            put_graph(d, "g", depth + 1);
            case_tree_close(d->tree);
        }
    case_tree_close(d->tree);
}

static void put_graph(struct draw *d, const char *field, uint32_t depth)
{
    put_open(d->tree, field);
    put_text(d->tree, "name", "main");
    for (uint32_t n = draw_below(d, 4); n > 0; n--)
        put_value(d, "input");
    for (uint32_t n = draw_below(d, 8); n > 0; n--)
        put_tensor(d, "initializer");
    for (uint32_t i = 0, n = draw_below(d, depth ? 5 : MAX_NODES); i < n; i++)
        put_node(d, i, depth);
    for (uint32_t n = draw_below(d, 6); n > 0; n--)
        put_value(d, "value_info");
    for (uint32_t n = draw_below(d, 3); n > 0; n--)
        put_value(d, "output");
    case_tree_close(d->tree);
}

static void put_function(struct draw *d, uint32_t number)
{
    put_open(d->tree, "functions");
    snprintf(d->text, sizeof d->text, "f%u", number);
    put_text(d->tree, "name", d->text);
    put_text(d->tree, "domain", draw_rarely(d, 2) ? "" : "mine");
    for (uint32_t n = draw_below(d, 3); n > 0; n--)
        put_text(d->tree, "input", value_name(d));
    for (uint32_t n = draw_below(d, 3); n > 0; n--)
        put_text(d->tree, "output", value_name(d));
    for (uint32_t i = 0, n = draw_below(d, 4); i < n; i++)
        put_node(d, i, MAX_DEPTH);
    case_tree_close(d->tree);
}

void generate_onnx(struct draw *d)
{
    put_file(d->tree, "model.onnx", &tfp__onnx_model__descriptor);
    put_int(d->tree, "ir_version", draw_rarely(d, 10) ? draw_int(d) : 8);
    for (uint32_t i = 0; i < d->n_functions; i++)
        put_function(d, i);
    put_graph(d, "graph", 0);
    put_open(d->tree, "opset_import");
    put_text(d->tree, "domain", "");
    put_int(d->tree, "version", draw_rarely(d, 10) ? draw_int(d) : 7 + draw_below(d, 16));
    case_tree_close(d->tree);
    case_tree_close(d->tree);
    put_option(d->tree, "@/model.onnx");
}
