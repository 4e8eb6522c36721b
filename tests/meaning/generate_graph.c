/* generate_graph.c: GraphDefs: constants and variables, operations with shape rules on inputs of
 * the expected kinds or others, loops, calls. */
#include <stdio.h>
#include <string.h>

#include "fixtures/random_options.h"
#include "shapes/op_table.h"
#include "meaning/generators.h"
#include "proto/graph.pb-c.h"

/* Kinds of sources; node I < sources(d) has kind I % SOURCE_KINDS. */
enum { SOURCE_IMAGE, SOURCE_FILTER, SOURCE_MATRIX, SOURCE_VECTOR, SOURCE_INTS, SOURCE_INT,
       SOURCE_HANDLE, SOURCE_ANY, SOURCE_KINDS };

static const char source_letters[] = "ifmvVsr";

/* Inputs of common operations: letters of source_letters; a: anything. */
struct op_row {
    const char *ops; /* separated by single blanks */
    const char *inputs;
};

static const struct op_row op_rows[] = {
    {"Conv2D DepthwiseConv2dNative Conv3D _FusedConv2D QuantizedConv2D Conv", "ifv"},
    {"Conv2DBackpropInput DepthwiseConv2dNativeBackpropInput Conv3DBackpropInputV2", "Vfi"},
    {"Conv2DBackpropFilter DepthwiseConv2dNativeBackpropFilter Conv3DBackpropFilterV2", "iVi"},
    {"MatMul BatchMatMul BatchMatMulV2 SparseMatMul Einsum XlaDot _FusedMatMul QuantizedMatMul", "mm"},
    {"MaxPool AvgPool MaxPool3D LRN Relu FractionalMaxPool BatchNorm SpaceToDepth DepthToSpace", "i"},
    {"MaxPoolGrad AvgPoolGrad ReluGrad BiasAdd FusedBatchNormV3 FusedBatchNorm", "ivvvv"},
    {"Reshape Tile BroadcastTo Transpose Sum Mean Max Min Prod ArgMax ExpandDims Squeeze Fill", "iV"},
    {"StridedSlice", "iVVV"},
    {"Slice Pad PadV2 MirrorPad SpaceToBatchND BatchToSpaceND Roll ResizeBilinear", "iVVs"},
    {"Concat ConcatV2 Pack ParallelConcat", "iis"},
    {"Split", "si"},
    {"SplitV UnsortedSegmentSum", "iVs"},
    {"Range LinSpace", "sss"},
    {"Gather GatherV2 GatherNd OneHot TopKV2 ScatterNd", "iVs"},
    {"Shape Size Rank ShapeN Unpack Where Unique", "i"},
    {"ReadVariableOp AssignVariableOp ResourceGather ResourceApplyGradientDescent ResourceApplyAdam", "rivvvv"},
    {"LSTMBlockCell BlockLSTM CudnnRNN GRUBlockCell BlockLSTMV2", "mmmmvvvm"},
    {"TensorListReserve TensorListFromTensor TensorListStack TensorListGetItem TensorArrayV3", "rVs"},
    {"Add AddV2 Sub Mul RealDiv FloorDiv FloorMod Maximum Minimum Less Equal Select SelectV2", "VsV"},
    {"Cast Neg Abs Floor Ceil Sqrt Exp Tanh Identity StopGradient Softmax", "V"},
};

enum { N_OP_ROWS = sizeof op_rows / sizeof *op_rows };

static uint32_t sources(const struct draw *d)
{
    const uint32_t half = d->n_nodes / 2;

    return half < 2 * SOURCE_KINDS ? half : 2 * SOURCE_KINDS;
}

/* ---- inputs */

/* A source of the kind of LETTER; any node before I if there is none. */
static uint32_t node_for(struct draw *d, char letter, uint32_t i)
{
    const char *at = strchr(source_letters, letter);
    const uint32_t kind = at ? (uint32_t)(at - source_letters) : SOURCE_ANY;
    const uint32_t n = sources(d);

    if (letter == 'a' || kind >= n)
        return draw_below(d, i + 1);
    return kind + SOURCE_KINDS < n && draw_rarely(d, 2) ? kind + SOURCE_KINDS : kind;
}

static void put_input(struct draw *d, uint32_t node)
{
    static const char *const ends[] = {":1", ":0", ":2", ":1", ":0", ":7", ":65536", ":2147483647"};
    char text[96];

    draw_node_name(d, node);
    snprintf(text, sizeof text, "%s%s%s", draw_rarely(d, 30) ? "^" : "", d->text,
             draw_rarely(d, 8) ? DRAW_ONE(d, ends) : "");
    put_text(d->tree, "input", text);
}

static void put_inputs(struct draw *d, const char *letters, uint32_t i)
{
    for (; *letters; letters++) {
        if (draw_rarely(d, 40))
            continue;
        if (draw_rarely(d, 60))
            put_text(d->tree, "input", draw_any_node(d));
        else
            put_input(d, draw_rarely(d, 6) ? draw_below(d, i + 2) : node_for(d, *letters, i));
    }
    if (draw_rarely(d, 300)) /* thousands of equal inputs */
        for (uint32_t n = 2000, node = draw_below(d, i + 1); n > 0; n--)
            put_input(d, node);
}

/* ---- sources */

static void put_variable(struct draw *d)
{
    static const char *const ops[] = {"VarHandleOp", "VariableV2", "Variable", "VarHandleOp", "TensorListReserve"};

    put_text(d->tree, "op", DRAW_ONE(d, ops));
    draw_attr_type(d, "dtype", draw_dtype(d));
    draw_attr_open(d, "shape");
    draw_shape(d, "shape");
    draw_attr_close(d);
    if (draw_rarely(d, 2))
        draw_attr_text(d, "shared_name", draw_any_node(d));
}

static void put_placeholder(struct draw *d, const int64_t *dims, uint32_t rank)
{
    put_text(d->tree, "op", draw_rarely(d, 3) ? "PlaceholderWithDefault" : "Placeholder");
    draw_attr_type(d, "dtype", 1);
    draw_attr_open(d, "shape");
    draw_shape_of(d, "shape", dims, rank);
    draw_attr_close(d);
}

static void put_constant(struct draw *d, uint32_t kind)
{
    put_text(d->tree, "op", "Const");
    draw_attr_type(d, "dtype", draw_rarely(d, 10) ? draw_dtype(d) : 3);
    draw_attr_open(d, "value");
    if (kind == SOURCE_ANY)
        draw_tensor(d, "tensor");
    else
        draw_int_tensor(d, "tensor", kind == SOURCE_INT ? 1 : 1 + draw_below(d, 5), kind == SOURCE_INT);
    draw_attr_close(d);
}

static void put_source(struct draw *d, uint32_t kind)
{
    static const uint32_t ranks[] = {[SOURCE_IMAGE] = 4, [SOURCE_FILTER] = 4, [SOURCE_MATRIX] = 2, [SOURCE_VECTOR] = 1};
    int64_t dims[4];

    for (int i = 0; i < 4; i++)
        dims[i] = draw_rarely(d, 4) ? draw_size(d) : (int64_t[]){2, 8, 8, 3}[i];
    if (kind == SOURCE_FILTER)
        for (int i = 0; i < 4; i++)
            dims[i] = draw_rarely(d, 4) ? draw_size(d) : 3;
    if (kind <= SOURCE_VECTOR)
        put_placeholder(d, dims, ranks[kind]);
    else if (kind == SOURCE_HANDLE)
        put_variable(d);
    else
        put_constant(d, kind);
}

/* ---- operations */

const char *draw_ruled_op(uint64_t *random)
{
    static struct op_table table; /* made from constant tables: the same for every case */

    if (!table.entries)
        op_table_init(&table);
    return intern_text(&table.names, random_below(random, (uint32_t)table.names.n));
}

static void put_operation(struct draw *d, uint32_t i)
{
    const struct op_row *row = &op_rows[draw_below(d, N_OP_ROWS)];
    char op[64], letters[5] = "";

    if (draw_rarely(d, 2)) {
        draw_word(d, row->ops, op, sizeof op);
        put_text(d->tree, "op", op);
        put_inputs(d, row->inputs, i);
        draw_attrs(d, 7);
        return;
    }
    put_text(d->tree, "op", draw_ruled_op(&d->random));
    for (uint32_t n = draw_below(d, sizeof letters), k = 0; k < n; k++)
        letters[k] = "ifmvVsra"[draw_below(d, 8)];
    put_inputs(d, letters, i);
    draw_attrs(d, 5);
}

static void put_output_shapes(struct draw *d)
{
    draw_attr_open(d, "_output_shapes");
    put_open(d->tree, "list");
    for (uint32_t n = draw_below(d, 4); n > 0; n--)
        draw_shape(d, "shape");
    case_tree_close(d->tree);
    draw_attr_close(d);
}

/* Node I with inputs mostly among nodes 0 to I - 1. */
static void draw_node(struct draw *d, uint32_t i)
{
    put_open(d->tree, "node");
    put_text(d->tree, "name", draw_rarely(d, 60) ? draw_any_node(d) : draw_node_name(d, i));
    if (i < sources(d))
        put_source(d, i % SOURCE_KINDS);
    else if (d->n_functions && draw_rarely(d, 3))
        draw_call(d, i);
    else
        put_operation(d, i);
    if (draw_rarely(d, 4))
        put_text(d->tree, "device", draw_device(d));
    if (draw_rarely(d, 6))
        put_output_shapes(d);
    case_tree_close(d->tree);
}

/* ---- graphs */

void draw_graph(struct draw *d)
{
    for (uint32_t i = 0; i < d->n_nodes; i++)
        draw_node(d, i);
    if (draw_rarely(d, 4))
        draw_loop(d);
    if (draw_rarely(d, 3))
        draw_sizes(d);
    if (d->n_functions)
        draw_library(d);
    put_open(d->tree, "versions");
    put_int(d->tree, "producer", draw_rarely(d, 10) ? draw_int(d) : 1087);
    case_tree_close(d->tree);
}

void generate_graph(struct draw *d)
{
    put_file(d->tree, "graph.pb", &tfp__graph_def__descriptor);
    draw_graph(d);
    case_tree_close(d->tree);
    put_option(d->tree, "@/graph.pb");
}
