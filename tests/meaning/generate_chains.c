/* generate_chains.c: groups of nodes that belong together: loops of TensorFlow 1, computations of
 * sizes. */
#include <string.h>

#include "meaning/generate.h"

/* Opens a node with INPUTS, separated by single blanks. */
static void open_node(struct draw *d, const char *name, const char *op, const char *inputs)
{
    put_open(d->tree, "node");
    put_text(d->tree, "name", name);
    put_text(d->tree, "op", op);
    while (*inputs) {
        const size_t len = strcspn(inputs, " ");

        put_bytes(d->tree, "input", inputs, len);
        inputs += len + (inputs[len] == ' ');
    }
}

/* A constant vector of N integers, or a scalar; sometimes without elements. */
static void put_ints(struct draw *d, const char *name, uint32_t n, bool scalar)
{
    if (draw_rarely(d, d->contradicts ? 3 : 20)) {
        n = 0;
        scalar = draw_rarely(d, 4);
    }
    open_node(d, name, "Const", "");
    draw_attr_type(d, "dtype", 3);
    draw_attr_open(d, "value");
    draw_int_tensor(d, "tensor", n, scalar);
    draw_attr_close(d);
    case_tree_close(d->tree);
}

/* ---- loops */

static void put_loop_node(struct draw *d, const char *name, const char *op, const char *inputs)
{
    open_node(d, name, op, inputs);
    draw_attr_type(d, "T", 3);
    if (strcmp(op, "Enter") == 0) {
        draw_attr_text(d, "frame_name", draw_rarely(d, 10) ? "" : "w");
        draw_attr_open(d, "is_constant");
        put_int(d->tree, "b", draw_rarely(d, 10));
        draw_attr_close(d);
    }
    case_tree_close(d->tree);
}

void draw_loop(struct draw *d)
{
    put_ints(d, "w/c", 1, true);
    put_loop_node(d, "w/e", "Enter", "w/c");
    put_loop_node(d, "w/m", "Merge", "w/e w/n");
    put_ints(d, "w/lim", 1, true);
    put_loop_node(d, "w/l", draw_rarely(d, 4) ? "Greater" : "Less", "w/m w/lim");
    put_loop_node(d, "w/lc", "LoopCond", "w/l");
    put_loop_node(d, "w/s", "Switch", "w/m w/lc");
    put_loop_node(d, "w/i", "Identity", "w/s:1");
    put_ints(d, "w/one", 1, true);
    put_loop_node(d, "w/a", draw_rarely(d, 5) ? "Sub" : "Add", "w/i w/one");
    put_loop_node(d, "w/n", "NextIteration", "w/a");
    put_loop_node(d, "w/x", "Exit", "w/s");
}

/* ---- sizes */

static void put_mask(struct draw *d, const char *name)
{
    draw_attr_int(d, name, draw_rarely(d, 8) ? draw_int(d) : draw_below(d, 4));
}

static void put_slice(struct draw *d, const char *name, const char *inputs)
{
    open_node(d, name, "StridedSlice", inputs);
    put_mask(d, "shrink_axis_mask");
    put_mask(d, "begin_mask");
    put_mask(d, "end_mask");
    if (draw_rarely(d, 4))
        put_mask(d, "new_axis_mask");
    if (draw_rarely(d, 4))
        put_mask(d, "ellipsis_mask");
    case_tree_close(d->tree);
}

void draw_recorded_sizes(struct draw *d)
{
    const int64_t dims[] = {draw_rarely(d, 3) ? draw_size(d) : draw_below(d, 4), draw_below(d, 3)};

    draw_attr_open(d, "_output_shapes");
    put_open(d->tree, "list");
    draw_shape_of(d, "shape", dims, draw_rarely(d, 8) ? 2 : draw_below(d, 2));
    case_tree_close(d->tree);
    draw_attr_close(d);
}

/* A node OP with a number in ATTR; NULL: no attribute. */
static void put_step(struct draw *d, const char *name, const char *op, const char *inputs, const char *attr,
                     int64_t usual)
{
    open_node(d, name, op, inputs);
    if (attr)
        draw_attr_int(d, attr, draw_rarely(d, 10) ? draw_int(d) : usual);
    draw_attr_type(d, "T", draw_rarely(d, 8) ? draw_dtype(d) : 3);
    draw_attr_type(d, "DstT", draw_rarely(d, 3) ? draw_dtype(d) : 9);
    if (draw_rarely(d, d->contradicts ? 2 : 20))
        draw_recorded_sizes(d);
    case_tree_close(d->tree);
}

void draw_sizes(struct draw *d)
{
    static const char *const math[] = {"Mul", "Add", "Sub", "FloorDiv", "FloorMod", "Maximum", "RealDiv", "Pow"};
    static const char *const unary[] = {"Neg", "Abs", "Floor", "Ceil", "Round", "Sqrt", "Identity", "ZerosLike"};

    d->contradicts = draw_rarely(d, 3);
    open_node(d, "s/x", "Placeholder", "");
    draw_attr_open(d, "shape");
    draw_shape(d, "shape");
    draw_attr_close(d);
    case_tree_close(d->tree);
    put_step(d, "s/shape", draw_rarely(d, 8) ? "ShapeN" : "Shape", "s/x", NULL, 0);
    put_ints(d, "s/b", 1, false);
    put_ints(d, "s/e", 1, false);
    put_ints(d, "s/st", 1, false);
    put_ints(d, "s/k", 1, true);
    put_ints(d, "s/perm", 1 + draw_below(d, 5), false);
    put_slice(d, "s/ss", "s/shape s/b s/e s/st");
    put_slice(d, "s/sx", "s/x s/b s/e s/st");
    put_step(d, "s/m", DRAW_ONE(d, math), "s/ss s/k", NULL, 0);
    put_step(d, "s/f", "Cast", "s/m", NULL, 0);
    put_step(d, "s/u", DRAW_ONE(d, unary), "s/f", NULL, 0);
    put_step(d, "s/p", "Pack", "s/m s/ss s/k", "N", 3);
    put_step(d, "s/r", "Reshape", "s/x s/p", NULL, 0);
    put_step(d, "s/sl", "Slice", "s/shape s/b s/e", NULL, 0);
    put_step(d, "s/cat", "ConcatV2", "s/shape s/sl s/p s/k", "N", 3);
    put_step(d, "s/fill", "Fill", "s/cat s/k", NULL, 0);
    put_step(d, "s/g", "GatherV2", "s/shape s/b s/k", "batch_dims", 0);
    put_step(d, "s/split", "Split", "s/k s/shape", "num_split", 2);
    put_step(d, "s/unpack", "Unpack", "s/shape", "num", 4);
    put_step(d, "s/inv", "InvertPermutation", "s/perm", NULL, 0);
    put_step(d, "s/t", "Transpose", "s/x s/perm", NULL, 0);
    put_step(d, "s/range", "Range", "s/k s/m s/k", NULL, 0);
    put_step(d, "s/prod", draw_rarely(d, 2) ? "Prod" : "Sum", "s/shape s/b", NULL, 0);
    put_step(d, "s/tile", "Tile", "s/x s/perm", NULL, 0);
    put_step(d, "s/sel", "SelectV2", "s/k s/shape s/cat", NULL, 0);
    put_step(d, "s/to", "BroadcastTo", "s/u s/split:1", NULL, 0);
    put_step(d, "s/same", DRAW_ONE(d, unary), "s/perm", NULL, 0);
    put_step(d, "s/rs", "Reshape", "s/x s/same", NULL, 0);
    put_step(d, "s/fs", "Fill", "s/same s/k", NULL, 0);
    put_step(d, "s/ls", "TensorListReserve", "s/same s/k", NULL, 0);
}
