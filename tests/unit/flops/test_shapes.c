/* test_shapes.c: shape inference: the results of TensorFlow on import, and of stronger
 * inference. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "load/graph/attrs.h"
#include "model/format.h"
#include "fixtures/small_graph.h"

/* In GRAPH, OUTPUT has the shape COMPAT, and STRONGER with stronger rules (NULL: the same). */
struct shape_case {
    const char *graph, *output, *compat, *stronger;
};

static void check(const struct shape_case *cases, size_t n)
{
    unsigned wrong = 0;

    for (size_t i = 0; i < 2 * n; i++) {
        const struct shape_case *c = &cases[i / 2];
        const char *wanted = i % 2 && c->stronger ? c->stronger : c->compat, *shape;
        struct profile *p = small_graph(c->graph);
        struct flops *f = small_flops(p, i % 2 ? FLOPS_RULES_FULL : FLOPS_RULES_COMPAT);

        shape = small_shape(p, f, c->output);
        if (strcmp(shape, wanted) != 0) {
            print_error("%s\n%s: %s is %s, not %s\n", c->graph, i % 2 ? "full" : "compat",
                        c->output, shape, wanted);
            wrong++;
        }
        flops_free(f);
        profile_free(p);
    }
    assert_int_equal(wrong, 0);
}

#define CHECK(cases) check(cases, sizeof cases / sizeof *cases)

static void convolutions_and_windows(void **state)
{
    static const struct shape_case cases[] = {
        {"x = Placeholder [8,224,224,3]\nf = Placeholder [7,7,3,64]\n"
         "y = Conv2D x f strides=(1,2,2,1) padding='SAME'",
         "y", "[8,112,112,64]", NULL},
        {"x = Placeholder [8,224,224,3]\nf = Placeholder [7,7,3,64]\n"
         "y = Conv2D x f strides=(1,2,2,1) padding='VALID'",
         "y", "[8,109,109,64]", NULL},
        {"x = Placeholder [1,3,32,32]\nf = Placeholder [3,3,3,16]\n"
         "y = Conv2D x f strides=(1,1,1,1) dilations=(1,1,2,2) padding='VALID' data_format='NCHW'",
         "y", "[1,16,28,28]", NULL},
        {"x = Placeholder [1,10,10,4]\nf = Placeholder [3,3,4,8]\n"
         "y = Conv2D x f strides=(1,2,2,1) padding='EXPLICIT' explicit_paddings=(0,0,1,2,3,4,0,0)",
         "y", "[1,6,8,8]", NULL},
        {"x = Placeholder [?,55,55,96]\n"
         "y = MaxPool x ksize=(1,3,3,1) strides=(1,2,2,1) padding='VALID'",
         "y", "[?,27,27,96]", NULL},
        {"x = Placeholder [2,8,8,6]\nf = Placeholder [3,3,6,2]\n"
         "y = DepthwiseConv2dNative x f strides=(1,1,1,1) padding='SAME'",
         "y", "[2,8,8,12]", NULL},
        {"x = Placeholder [1,9,8,7,2]\nf = Placeholder [3,3,3,2,4]\n"
         "y = Conv3D x f strides=(1,1,1,1,1) padding='VALID'",
         "y", "[1,7,6,5,4]", NULL},
        /* the batch size is that of the gradient, even when the sizes say one */
        {"s = Const (4,8,8,3)\nf = Placeholder [3,3,3,16]\ng = Placeholder [?,8,8,16]\n"
         "y = Conv2DBackpropInput s f g strides=(1,1,1,1) padding='SAME'",
         "y", "[?,8,8,3]", NULL},
        {"x = Placeholder [4,8,8,3]\ns = Const (3,3,3,16)\ng = Placeholder [4,8,8,16]\n"
         "y = Conv2DBackpropFilter x s g strides=(1,1,1,1) padding='SAME'",
         "y", "[3,3,3,16]", NULL},
        {"x = Placeholder [1,2,2,3]\nf = Placeholder [7,7,3,64]\n"
         "y = Conv2D x f strides=(1,1,1,1) padding='VALID'",
         "y", "?", NULL},
        {"x = Placeholder [2,7,7,5]\nw = Placeholder [5]\n"
         "y = FusedBatchNormV3 x w w w w\nz = Identity y:1\nu = Identity y:5",
         "z", "[5]", NULL},
    };

    (void)state;
    CHECK(cases);
}

static void reshapes_and_reductions(void **state)
{
    static const struct shape_case cases[] = {
        {"x = Placeholder [?,7,7,512]\ns = Const (-1,25088)\ny = Reshape x s", "y", "[?,25088]",
         NULL},
        {"x = Placeholder [4,6]\ns = Const (-1,8)\ny = Reshape x s", "y", "[3,8]", NULL},
        {"x = Placeholder [4,?]\ns = Const (-1)\ny = Reshape x s", "y", "[?]", NULL},
        {"x = Placeholder [4,6]\ns = Const (5,5)\ny = Reshape x s", "y", "?", NULL},
        {"x = Placeholder [1]\ns = Const ()\ny = Reshape x s", "y", "[]", NULL},
        {"x = Placeholder [2,3,4]\na = Const (0,-1)\ny = Sum x a keep_dims=true", "y", "[1,3,1]",
         NULL},
        {"x = Placeholder [2,3,4]\na = Placeholder [2]\ny = Sum x a", "y", "?", "[?]"},
        {"x = Placeholder [2,3,4]\na = Placeholder [2]\ny = Sum x a keep_dims=true", "y", "[?,?,?]",
         NULL},
        {"x = Placeholder [2,3,4]\na = Const 1\ny = ArgMax x a", "y", "[2,4]", NULL},
        {"x = Placeholder [8,100]\nk = Const 5\ny = TopKV2 x k\nz = Identity y:1", "z", "[8,5]",
         NULL},
        {"a = Placeholder [?,4]\nb = Placeholder [3,?]\ny = Pack a b axis=1", "y", "[3,2,4]", NULL},
        {"x = Placeholder [9,2]\ns = Const (2,-1,3)\na = Const 0\n"
         "y = SplitV x s a num_split=3\nz = Identity y:1",
         "z", "[4,2]", NULL},
        {"x = Placeholder [2,3]\na = Const 1\ny = ExpandDims x a", "y", "[2,1,3]", NULL},
        {"x = Placeholder [2,3]\na = Placeholder []\ny = ExpandDims x a", "y", "?", "[?,?,?]"},
        {"x = Placeholder [2,3,5]\np = Const (2,0,1)\ny = Transpose x p", "y", "[5,2,3]", NULL},
        {"x = Placeholder [2,1,1]\ny = Squeeze x squeeze_dims=(-1)", "y", "[2,1]", NULL},
        {"x = Placeholder [?,1]\ny = Squeeze x", "y", "?", NULL},
        {"x = Placeholder [2,3]\np = Const 2x2(1,2,0,4)\ny = Pad x p", "y", "[5,7]", NULL},
        {"x = Placeholder [1,4,4,1]\nb = Const (2,2)\np = Const 2x2(0,0,0,0)\n"
         "y = SpaceToBatchND x b p",
         "y", "[4,2,2,1]", NULL},
        {"a = Placeholder [2,3]\nb = Placeholder [?,3]\nx = Const 0\ny = ConcatV2 a b x", "y",
         "[?,3]", NULL},
        {"x = Placeholder [2,3]\nm = Const (2,1)\ny = Tile x m", "y", "[4,3]", NULL},
    };

    (void)state;
    CHECK(cases);
}

static void slices_and_gathers(void **state)
{
    static const struct shape_case cases[] = {
        {"x = Placeholder [10,20]\nb = Const (0)\ne = Const (1)\ns = Const (1)\n"
         "y = StridedSlice x b e s shrink_axis_mask=1",
         "y", "[20]", NULL},
        {"x = Placeholder [10,20,30]\nb = Const (0,3)\ne = Const (0,9)\ns = Const (1,2)\n"
         "y = StridedSlice x b e s ellipsis_mask=1",
         "y", "[10,20,3]", NULL},
        {"x = Placeholder [7]\nb = Const (-2)\ne = Const (0)\ns = Const (-2)\n"
         "y = StridedSlice x b e s end_mask=1",
         "y", "[3]", NULL},
        {"x = Placeholder [5,6]\nb = Const (0,1)\ne = Const (0,0)\ns = Const (1,1)\n"
         "y = StridedSlice x b e s new_axis_mask=1 end_mask=2",
         "y", "[1,4,6]", NULL},
        {"x = Placeholder [100,16]\ni = Placeholder [8,5]\na = Const 0\ny = GatherV2 x i a", "y",
         "[8,5,16]", NULL},
        {"x = Placeholder [2,3]\nd = Const 10\ny = OneHot x d axis=-1", "y", "[2,3,10]", NULL},
        {"a = Const 1\nb = Const 10\nc = Const 4\ny = Range a b c", "y", "[3]", NULL},
        {"x = Placeholder [1,?,?,3]\ns = Const (224,224)\ny = ResizeBilinear x s", "y",
         "[1,224,224,3]", NULL},
        {"x = Placeholder [7,?]\nb = Const (2,0)\ns = Const (-1,3)\ny = Slice x b s", "y", "[5,3]",
         NULL},
    };

    (void)state;
    CHECK(cases);
}

static void products_and_broadcasts(void **state)
{
    static const struct shape_case cases[] = {
        {"a = Placeholder [5,1,3]\nb = Placeholder [?,3]\ny = AddV2 a b", "y", "[5,?,3]", NULL},
        {"a = Placeholder [?,3]\nb = Placeholder [4,1]\ny = Mul a b", "y", "[4,3]", NULL},
        {"a = Placeholder [?]\nb = Placeholder [0]\ny = Mul a b", "y", "[?]", "[0]"},
        {"a = Placeholder [2]\nb = Placeholder [3]\ny = Mul a b", "y", "?", NULL},
        {"a = Placeholder [5,1,2,3]\nb = Placeholder [7,3,4]\ny = BatchMatMulV2 a b", "y",
         "[5,7,2,4]", NULL},
        {"a = Placeholder [16,25]\nb = Placeholder [16,9]\ny = MatMul a b transpose_a=true", "y",
         "[25,9]", NULL},
        {"a = Placeholder [2,3,4]\nb = Placeholder [4,5,6]\ny = Einsum a b equation='abc,cde->abde'",
         "y", "[2,3,5,6]", NULL},
        {"a = Placeholder [9,2,3]\nb = Placeholder [3,4]\ny = Einsum a b equation='...ij,jk->...ik'",
         "y", "[9,2,4]", NULL},
        {"a = Placeholder [2,3]\nb = Placeholder [4,5]\ny = Einsum a b equation='ab,bc->ac'", "y",
         "?", NULL},
    };

    (void)state;
    CHECK(cases);
}

/* The table of section 3 of shapes.md: the shape of Fill with dimensions computed from s =
 * Shape(x), x [?,24,7]. */
#define X "x = Placeholder [?,24,7]\ns = Shape x\nv = Const 0\n"
#define F "x = Placeholder [2,24,7]\ns = Shape x\nv = Const 0\n"
#define INDEX(n, at, end) \
    "b" n " = Const (" at ")\ne" n " = Const (" end ")\nt" n " = Const (1)\n"
#define TAKE(n, from) n " = StridedSlice " from " b" n " e" n " t" n " shrink_axis_mask=1\n"

static void values_that_tensorflow_tracks(void **state)
{
    static const struct shape_case cases[] = {
        {X "y = Fill s v", "y", "[?,24,7]", NULL},
        {X "c = Cast s DstT=#9\ny = Fill c v", "y", "[?,24,7]", NULL},
        {X "c = Identity s\ny = Fill c v", "y", "[?,?,?]", "[?,24,7]"},
        {X "o = Const (1,1,2)\nc = Mul s o\ny = Fill c v", "y", "[?,?,?]", "[?,24,14]"},
        {X INDEX("w", "1", "3") "w = StridedSlice s bw ew tw\ny = Fill w v", "y", "[24,7]", NULL},
        {X INDEX("w", "0", "2") "w = StridedSlice s bw ew tw\ny = Fill w v", "y", "[?,24]", NULL},
        {X "b = Const (1)\nn = Const (2)\nc = Slice s b n\ny = Fill c v", "y", "[?,?]", "[24,7]"},
        {X "i = Const (1,2)\na = Const 0\nc = GatherV2 s i a\ny = Fill c v", "y", "[?,?]",
         "[24,7]"},
        {X INDEX("w", "1", "2") TAKE("w", "s") "o = Const 3\nc = Pack w o\ny = Fill c v", "y",
         "[24,3]", NULL},
        {X INDEX("w", "0", "1") TAKE("w", "s") "o = Const 3\nc = Pack w o\ny = Fill c v", "y",
         "[?,3]", NULL},
        {X INDEX("w", "-1", "0") TAKE("w", "s") "o = Const 3\nc = Pack w o\ny = Fill c v", "y",
         "[7,3]", NULL},
        {X INDEX("w", "1", "2") TAKE("w", "s")
         "o = Const 2\nm = Mul w o\nq = Const 3\nc = Pack m q\ny = Fill c v",
         "y", "[48,3]", NULL},
        {X INDEX("w", "1", "2") TAKE("w", "s") "i = Identity w\nc = Pack i\ny = Fill c v", "y",
         "[24]", NULL},
        {X "k = Cast s DstT=#9\n" INDEX("w", "1", "2") TAKE("w", "k") "c = Pack w\ny = Fill c v",
         "y", "[?]", "[24]"},
        {X INDEX("w", "1", "3") "w = StridedSlice s bw ew tw\na = Const 0\np = Prod w a\n"
         "o = Const 3\nc = Pack p o\ny = Fill c v",
         "y", "[?,3]", "[168,3]"},
        /* masks need fully known values; in stronger inference, partly known ones */
        {"n = Const 5\n" INDEX("w", "0", "0") "w = StridedSlice n bw ew tw new_axis_mask=1\n"
         "v = Const 0\ny = Fill w v",
         "y", "[5]", NULL},
        {"n = Const (5,6,7)\nb = Const (0,-1)\ne = Const (0,0)\nt = Const (1,1)\n"
         "w = StridedSlice n b e t ellipsis_mask=1 shrink_axis_mask=2\nc = Pack w\nv = Const 0\n"
         "y = Fill c v",
         "y", "[7]", NULL},
        {"n = Const (5,6,7)\nb = Const (1,0)\ne = Const (2,0)\nt = Const (1,1)\n"
         "w = StridedSlice n b e t shrink_axis_mask=1 new_axis_mask=2\nv = Const 0\ny = Fill w v",
         "y", "[6]", NULL},
        {X "b = Const (0,1)\ne = Const (0,3)\nt = Const (1,1)\n"
         "w = StridedSlice s b e t ellipsis_mask=1\ny = Fill w v",
         "y", "[?,?]", "[24,7]"},
        {X INDEX("w", "0", "2") "w = StridedSlice s bw ew tw\no = Const (5)\na = Const 0\n"
         "c = ConcatV2 w o a\ny = Fill c v",
         "y", "[?,24,5]", NULL},
        {X "b = Const (1)\nn = Const (2)\nw = Slice s b n\no = Const (5)\na = Const 0\n"
         "c = ConcatV2 w o a\ny = Fill c v",
         "y", "[?,?,5]", "[24,7,5]"},
        /* TensorFlow folds Shape, Size and Rank of a known shape, and no other op */
        {F "c = Identity s\ny = Fill c v", "y", "[2,24,7]", NULL},
        {F "n = ShapeN x x\ny = Fill n:1 v", "y", "[2,24,7]", NULL},
        {F "n = ShapeN x x\nc = Identity n:1\ny = Fill c v", "y", "[?,?,?]", "[2,24,7]"},
        {F "n = ShapeN x x\n" INDEX("w", "1", "2") TAKE("w", "n") "c = Pack w\ny = Fill c v", "y",
         "[?]", "[24]"},
        {F "n = ShapeN s s\nc = Identity n:1\ny = Fill c v", "y", "[3]", NULL},
        {"h = VarHandleOp shape=[3,4]\nn = VariableShape h\nv = Const 0\ny = Fill n v", "y",
         "[3,4]", NULL},
        {"h = VarHandleOp shape=[3,4]\nn = VariableShape h\nv = Const 0\nc = Identity n\n"
         "y = Fill c v",
         "y", "[?,?]", "[3,4]"},
        {F "n = Size x\nr = Rank x\nc = Pack n r\ny = Fill c v", "y", "[336,3]", NULL},
    };

    (void)state;
    CHECK(cases);
}

/* 7 / 2 as a floating point number, and values computed from it. */
#define HALVES "n = Const 7\nf = Cast n DstT=#1\nm = Const 2\ng = Cast m DstT=#1\n" \
               "d = RealDiv f g\nv = Const 0\n"

static void sizes_of_floating_point(void **state)
{
    static const struct shape_case cases[] = {
        {HALVES "c = Ceil d\ni = Cast c DstT=#3\np = Pack i\ny = Fill p v", "y", "[4]", NULL},
        {HALVES "i = Cast d DstT=#3\np = Pack i\ny = Fill p v", "y", "[3]", NULL},
        {HALVES "c = Floor d\nk = Add c f\ni = Cast k DstT=#9\np = Pack i\ny = Fill p v", "y",
         "[10]", NULL},
        /* halves round to even */
        {HALVES "c = Round d\ni = Cast c DstT=#3\np = Pack i\ny = Fill p v", "y", "[4]", NULL},
        {HALVES "q = Pack f d\ne = Mul q g\ni = Cast e DstT=#3\ny = Fill i v", "y", "[14,7]", NULL},
        {HALVES "y = Range g f d", "y", "[2]", NULL},
        /* from one size of a partly known shape */
        {X INDEX("w", "1", "2") TAKE("w", "s")
         "h = Const 3\na = Cast w DstT=#1\nb = Cast h DstT=#1\nd = Mul a b\ni = Cast d DstT=#3\n"
         "c = Pack i\ny = Fill c v",
         "y", "[72]", NULL},
        {X INDEX("w", "0", "1") TAKE("w", "s")
         "h = Const 3\na = Cast w DstT=#1\nb = Cast h DstT=#1\nd = Mul a b\ni = Cast d DstT=#3\n"
         "c = Pack i\ny = Fill c v",
         "y", "[?]", NULL},
        /* values that are not integers */
        {"n = Const 7\nf = Cast n DstT=#1\nz = Const 0\ng = Cast z DstT=#1\nd = RealDiv f g\n"
         "i = Cast d DstT=#3\np = Pack i\ny = Fill p z",
         "y", "[?]", NULL},
    };

    (void)state;
    CHECK(cases);
}

/* RestoreV2 of one tensor with the slice SPEC; OUTPUT has its shape. */
#define RESTORE(spec) \
    "p = Const 'm'\nn = Const 'a;b'\ns = Const '" spec "'\n" \
    "r = RestoreV2 p n s dtypes={#1;#1}\ny = Identity r:1"

static void restored_slices(void **state)
{
    static const struct shape_case cases[] = {
        {RESTORE(";11_5_0,4:0,5"), "y", "[4,5]", NULL},
        {RESTORE(";11_5_-:0,5"), "y", "[11,5]", NULL},
        {RESTORE(";11_5_7,4:-"), "y", "[4,5]", NULL},
        {RESTORE(";11_-"), "y", "[11]", NULL},
        {RESTORE("11_-;"), "y", "?", NULL},
        /* out of range, of other ranks, and malformed slices */
        {RESTORE(";11_5_8,4:-"), "y", "?", NULL},
        {RESTORE(";11_5_-"), "y", "?", NULL},
        {RESTORE(";11_-:-"), "y", "?", NULL},
        {RESTORE(";11_5_-:0,5_"), "y", "?", NULL},
        {RESTORE(";_"), "y", "?", NULL},
        {RESTORE(";11_5"), "y", "?", NULL},
    };

    (void)state;
    CHECK(cases);
}

static void variables_loops_and_lists(void **state)
{
    static const struct shape_case cases[] = {
        {"h = VarHandleOp shape=[3,4]\ni = Identity h\ny = ReadVariableOp i", "y", "[3,4]", NULL},
        {"h = VarHandleOp shape=[3,4]\ni = Placeholder [2,5]\ny = ResourceGather h i", "y",
         "[2,5,4]", NULL},
        /* a loop: TensorFlow infers nothing after Enter; stronger inference weakens the shape to
         * the common part of all iterations */
        {"x = Placeholder [4,8]\na = Const 0\ne = Enter x frame_name='l'\nm = Merge e n\n"
         "w = ConcatV2 m m a\nn = NextIteration w\ny = Exit m",
         "y", "?", "[?,8]"},
        {"x = Placeholder [4,8]\ne = Enter x frame_name='l' is_constant=true\ny = Neg e", "y",
         "[4,8]", NULL},
        {"s = Const (-1,48)\nn = Const 7\nl = TensorListReserve s n\ni = Const 0\n"
         "x = Placeholder [1,48]\nq = TensorListSetItem l i x\ny = TensorListStack q s",
         "y", "[?,?,48]", "[7,1,48]"},
        {"q = FIFOQueueV2 component_types={#1;#1} shapes={[3];[4,5]}\nn = Const 6\n"
         "d = QueueDequeueManyV2 q n component_types={#1;#1}\ny = Identity d:1",
         "y", "[6,4,5]", NULL},
        {"a = TensorArrayV3 n element_shape=[2,3]\nn = Const 5\ni = Placeholder [9]\n"
         "y = TensorArrayGatherV3 a i a:1",
         "y", "[9,2,3]", NULL},
        /* the handle decides, even when its shape is unknown; then the attribute */
        {"n = Const 5\na = TensorArrayV3 n identical_element_shapes=true\ni = Placeholder [9]\n"
         "y = TensorArrayGatherV3 a i a:1 element_shape=[3,4]",
         "y", "?", "[9,3,4]"},
        {"n = Const 5\na = TensorArrayV3 n\ni = Placeholder [9]\n"
         "y = TensorArrayGatherV3 a i a:1 element_shape=[3,4]",
         "y", "[9,3,4]", NULL},
        {"n = Const 5\na = TensorArrayV3 n element_shape=[2,3]\ni = Placeholder [9]\n"
         "y = TensorArrayGatherV3 a i a:1 element_shape=[2,?]",
         "y", "[9,2,3]", NULL},
        {"n = Const 5\na = TensorArrayV3 n element_shape=[?,3] identical_element_shapes=true\n"
         "g = TensorArrayGradV3 a a:1\ni = Placeholder [9]\n"
         "y = TensorArrayGatherV3 g i g:1 element_shape=[4,3]",
         "y", "[9,?,3]", "[9,4,3]"},
        {"n = Const 5\na = TensorArrayV3 n element_shape=[2,3]\n"
         "y = TensorArrayConcatV3 a a:1 element_shape_except0=[3]",
         "y", "?", "[?,3]"},
        {"s = Const -1\nn = Const 7\nl = TensorListReserve s n\ne = Const (4,5)\n"
         "q = TensorListPopBack l e\ny = Identity q:1",
         "y", "?", "[4,5]"},
        /* elements written to an array give the shape of elements read, also around a loop */
        {"n = Const 5\na = TensorArrayV3 n\nx = Placeholder [5,2,3]\ni = Placeholder [5]\n"
         "s = TensorArrayScatterV3 a i x a:1\ny = TensorArrayReadV3 a n s",
         "y", "?", "[2,3]"},
        {"n = Const 5\na = TensorArrayV3 n element_shape=[?,3]\ne = Enter a:1\nm = Merge e q\n"
         "x = Placeholder [2,3]\nw = TensorArrayWriteV3 a n x m\nq = NextIteration w\n"
         "o = Exit m\ni = Placeholder [5]\ny = TensorArrayGatherV3 a i o",
         "y", "?", "[5,2,3]"},
        {"n = Const 5\na = TensorArrayV3 n\nx = Placeholder [2,3]\nz = Placeholder [4,3]\n"
         "w = TensorArrayWriteV3 a n x a:1\nv = TensorArrayWriteV3 a n z a:1\nm = Merge w v\n"
         "i = Placeholder [5]\ny = TensorArrayGatherV3 a i m",
         "y", "?", "[5,?,3]"},
        {"n = Const 5\na = TensorArrayV3 n\nz = TensorArraySizeV3 a a:1\nf = Const 0\n"
         "d = Const 1\ny = Range f z d",
         "y", "[?]", "[5]"},
        {"n = Const 5\na = TensorArrayV3 n dynamic_size=true\nz = TensorArraySizeV3 a a:1\n"
         "f = Const 0\nd = Const 1\ny = Range f z d",
         "y", "[?]", "[?]"},
        {"x = Placeholder [2,3]\ny = SomethingOfMine x", "y", "?", NULL},
        {"y = MapDatasetV2", "y", "[]", NULL},
    };

    (void)state;
    CHECK(cases);
}

static void rules_for_old_graphs(void **state)
{
    static const struct shape_case cases[] = {
        /* a rank of 0 used to mean any rank */
        {"y = Placeholder []", "y", "[]", NULL},
        {"producer 22\ny = Placeholder []", "y", "[]", NULL},
        {"producer 21\ny = Placeholder []", "y", "?", NULL},
        {"producer 21\ny = Placeholder [3]", "y", "[3]", NULL},
        /* axes as a matrix */
        {"x = Placeholder [2,3,4]\na = Const 1x2(0,-1)\ny = Sum x a", "y", "[3]", NULL},
        /* queues of the first version do not declare their components */
        {"q = FIFOQueue component_types={#1} shapes={[3]}\ny = QueueDequeue q component_types={#1}",
         "y", "?", "[3]"},
        {"q = FIFOQueueV2 component_types={#1} shapes={[3]}\n"
         "y = QueueDequeueV2 q component_types={#1}",
         "y", "[3]", NULL},
    };

    (void)state;
    CHECK(cases);
}

#define EXAMPLE                                                                                 \
    "s = Placeholder []\n"                                                                      \
    "e = ParseSingleSequenceExample s Ncontext_sparse=1 context_dense_shapes={[4];[5,6]} "      \
    "Nfeature_list_sparse=1 feature_list_dense_shapes={[7]}\n"

#define NHWC_HWIO "\\030\\002\\040\\003\\062\\002\\000\\001\\070\\000\\100\\003\\110\\000\\120\\003\\132\\002\\001\\002\\142\\002\\001\\002"
#define XLA_CONV                                                                     \
    "x = Placeholder [2,8,9,3]\nk = Placeholder [3,3,3,16]\ns = Const (2,1)\n"       \
    "p = Const 2x2(0,1,1,1)\nd = Const (1,1)\ng = Const 1\n"

static void rarer_rules(void **state)
{
    static const struct shape_case cases[] = {
        /* context: sparse 0 to 2, dense 3 and 4; lists: sparse 5 to 7, dense 8 */
        {EXAMPLE "y = Identity e", "y", "[?,1]", NULL},
        {EXAMPLE "y = Identity e:2", "y", "[1]", NULL},
        {EXAMPLE "y = Identity e:4", "y", "[5,6]", NULL},
        {EXAMPLE "y = Identity e:5", "y", "[?,2]", NULL},
        {EXAMPLE "y = Identity e:6", "y", "[?]", NULL},
        {EXAMPLE "y = Identity e:8", "y", "[?,7]", NULL},
        {EXAMPLE "y = Identity e:9", "y", "?", NULL},
        {"s = Placeholder [8]\ne = ParseExampleV2 s num_sparse=1 dense_shapes={[4]} "
         "ragged_value_types={#1}\ny = Identity e:3",
         "y", "[8,4]", NULL},
        {"s = Placeholder []\ne = ParseExampleV2 s num_sparse=1 dense_shapes={[4]} "
         "ragged_value_types={#1}\ny = Identity e",
         "y", "[?,1]", NULL},
        {"s = Placeholder []\ne = ParseExampleV2 s num_sparse=1 dense_shapes={[4]} "
         "ragged_value_types={#1}\ny = Identity e:5",
         "y", "[?]", NULL},
        /* statistics that are inputs have the channels */
        {"x = Placeholder [2,7,7,?]\nw = Placeholder [?]\nm = Placeholder [5]\n"
         "y = FusedBatchNormV3 x w w m m",
         "y", "[2,7,7,?]", NULL},
        {"x = Placeholder [2,7,7,?]\nw = Placeholder [?]\nm = Placeholder [5]\n"
         "y = FusedBatchNormV3 x w w m m is_training=false",
         "y", "[2,7,7,5]", NULL},
        {"x = Placeholder [2,7,7,?]\nw = Placeholder [?]\nm = Placeholder [5]\n"
         "y = FusedBatchNormV3 x w w m m exponential_avg_factor=0.5",
         "y", "[2,7,7,5]", NULL},
        {"x = Placeholder [2,7,7,?]\nw = Placeholder [?]\nm = Placeholder [5]\n"
         "y = FusedBatchNormV3 x w w m m exponential_avg_factor=1.0",
         "y", "[2,7,7,?]", NULL},
        {"x = Placeholder [?,4,5]\nd = Placeholder [3,4]\ny = MatrixSetDiag x d", "y", "[3,4,5]",
         NULL},
        {"x = Placeholder [?,4,5]\nd = Placeholder [3,2,4]\nk = Const (0,1)\n"
         "y = MatrixSetDiagV3 x d k",
         "y", "[3,4,5]", NULL},
        {"x = Placeholder [1,9,9,3]\na = Const 224\nb = Placeholder []\ns = Pack a b\n"
         "y = ResizeBilinear x s",
         "y", "[1,?,?,3]", "[1,224,?,3]"},
        {"s = Placeholder [9]\nv = Placeholder [7]\ny = RaggedTensorToVariant s v "
         "batched_input=true",
         "y", "[8]", NULL},
        {"s = Placeholder []\nk = StatelessRandomGetKeyCounter s\ny = Identity k:1", "y", "[2]",
         NULL},
        /* handles pass through slices */
        {"h = VarHandleOp shape=[3,4]\np = Pack h h\nu = Unpack p num=2\n"
         "y = ReadVariableOp u:1",
         "y", "[3,4]", NULL},
        /* an array with elements of different shapes has no element shape */
        {"n = Const 5\na = TensorArrayV3 n element_shape=[?,3]\ny = TensorArrayReadV3 a n", "y",
         "?", "[?,3]"},
        {"n = Const 5\na = TensorArrayV3 n element_shape=[?,3] identical_element_shapes=true\n"
         "y = TensorArrayReadV3 a n",
         "y", "[?,3]", NULL},
        /* gradients of quantised values, and of the limits */
        {"x = Placeholder [2,?,5]\ng = Placeholder [2,3,?]\nl = Placeholder []\n"
         "y = QuantizeAndDequantizeV4Grad g x l l\nz = Identity y:1",
         "y", "[2,3,5]", NULL},
        {"x = Placeholder [2,?,5]\ng = Placeholder [2,3,?]\nl = Placeholder [5]\n"
         "y = QuantizeAndDequantizeV4Grad g x l l axis=2\nz = Identity y:1",
         "z", "[5]", NULL},
        /* convolutions with explicit dimension numbers: image NHWC, kernel HWIO */
        {XLA_CONV "y = XlaConv x k s p d d g dimension_numbers='" NHWC_HWIO "'", "y", "[?,?,?,?]",
         "[2,4,9,16]"},
        {"x = Placeholder [2,3,8,9]\nk = Placeholder [16,3,3,3]\nq = Placeholder []\n"
         "y = UniformQuantizedConvolutionHybrid x k q q padding='SAME' window_strides=(2,1)",
         "y", "[2,16,4,9]", NULL},
        {"x = Placeholder [2,3,8,9]\nk = Placeholder [16,3,3,3]\nq = Placeholder []\n"
         "y = UniformQuantizedConvolutionHybrid x k q q padding='EXPLICIT' "
         "explicit_padding=(0,1,2,3) lhs_dilation=(2,1)",
         "y", "[2,16,14,12]", NULL},
        {"x = Placeholder [1,10,10,3]\nk = Placeholder [3,3,3,4]\np = Const 4x2(0,0,1,1,2,2,0,0)\n"
         "b = Placeholder [4]\n"
         "y = _MklPadWithFusedConv2D x k b p num_args=1 strides=(1,1,1,1) padding='VALID'",
         "y", "[1,10,12,4]", NULL},
        {"i = Placeholder [5,2]\nv = Placeholder [5]\ns = Const (3,4)\nn = Const 6\n"
         "y = SparseBincount i v s n v",
         "y", "[3,6]", NULL},
        /* an unknown op that declares its output shapes */
        {"y = SomethingOfMine output_shapes={[3];[4]} Tout={#1;#1}\nz = Identity y:1", "z", "[4]",
         NULL},
        {"y = SomethingOfMine output_shapes={[3]} Tout={#1;#1}", "y", "?", NULL},
    };

    (void)state;
    CHECK(cases);
}

/* A variable of unknown shape has the shape of its values. */
static void variables_have_shapes_of_the_checkpoint(void **state)
{
    const char *top = getenv("top_srcdir");
    char path[512];
    struct profile *p;

    (void)state;
    snprintf(path, sizeof path, "%s/tests/golden/models/towers/model.ckpt", top ? top : ".");
    p = small_graph_with("v = VarHandleOp shape=? shared_name='Conv2d_1a_3x3/weights'\n"
                         "y = ReadVariableOp v\n"
                         "w = VarHandleOp shape=? shared_name='nowhere'\nz = ReadVariableOp w",
                         path);
    for (int full = 0; full < 2; full++) {
        struct flops *f = small_flops(p, full ? FLOPS_RULES_FULL : FLOPS_RULES_COMPAT);

        assert_string_equal(small_shape(p, f, "y"), full ? "[3,3,3,16]" : "?");
        assert_string_equal(small_shape(p, f, "z"), "?");
        flops_free(f);
    }
    profile_free(p);
}

static void recorded_shapes_win_and_contradictions_are_noted(void **state)
{
    struct profile *p = small_graph("x = Placeholder [2,3]\n"
                                    "y = Neg x _output_shapes={[2,4]}\n"
                                    "z = Neg y _output_shapes={[?,4]}\n");
    struct flops *f = small_flops(p, FLOPS_RULES_COMPAT);

    (void)state;
    assert_string_equal(small_shape(p, f, "y"), "[2,4]");
    assert_string_equal(small_shape(p, f, "z"), "[2,4]");
    assert_int_equal(f->notes.n, 1);
    assert_non_null(strstr(f->notes.data[0].text, "node 'y' (Neg)"));
    flops_free(f);
    profile_free(p);
}

static void is_from(const struct profile *p, const struct flops *f, const char *name, int32_t index,
                    enum shape_origin wanted, const char *dims)
{
    struct arena arena = {0};
    struct known_shape s = flops_shape(f, p, profile_find(p, name, strlen(name)), index, &arena);
    struct strbuf sb = {0};

    assert_string_equal(shape_origin_name(s.origin), shape_origin_name(wanted));
    if (wanted != SHAPE_NOT_KNOWN)
        format_dims(&sb, s.dims, s.n_dims);
    assert_string_equal(sb_text(&sb), dims);
    sb_done(&sb);
    arena_done(&arena);
}

static void shapes_have_an_origin(void **state)
{
    struct profile *p = small_graph("x = Placeholder [?,3]\nz = Placeholder [?,5]\n"
                                    "y = Neg x _output_shapes={[?,3]}\n"
                                    "w = Neg x _output_shapes={[7,3]}\nu = Neg z\n"
                                    "b = FusedBatchNormV3 v v v v v\nv = Placeholder [4]\n"
                                    "n = NoOp");
    struct flops_request r = {.rules = FLOPS_RULES_COMPAT, .attrs = &attrs_source, .bind = "z=2x5",
                              .batch = 7};
    struct err err = {0};
    struct arena arena = {0};
    const struct known_shape *shapes;
    struct flops *f = flops_compute(p, &r, (struct cancel_mark){0}, &err);

    (void)state;
    is_from(p, f, "x", 0, SHAPE_BOUND, "7x3");
    is_from(p, f, "z", 0, SHAPE_BOUND, "2x5");
    is_from(p, f, "y", 0, SHAPE_INFERRED, "7x3");
    is_from(p, f, "w", 0, SHAPE_RECORDED, "7x3");
    is_from(p, f, "u", 0, SHAPE_INFERRED, "2x5");
    is_from(p, f, "u", 1, SHAPE_NOT_KNOWN, "");
    /* unused outputs, and outputs that do not exist */
    assert_int_equal(flops_shapes(f, p, profile_find(p, "b", 1), UINT32_MAX, &arena, &shapes), 6);
    assert_int_equal(flops_shapes(f, p, profile_find(p, "n", 1), UINT32_MAX, &arena, &shapes), 0);
    /* without inference: the recorded shape */
    is_from(p, NULL, "y", 0, SHAPE_RECORDED, "?x3");
    is_from(p, NULL, "u", 0, SHAPE_NOT_KNOWN, "");
    flops_free(f);
    arena_done(&arena);
    profile_free(p);
}

/* A cycle without a loop op, a node that is its own input, and inputs that do not exist. */
static void broken_graphs_end(void **state)
{
    static const struct shape_case cases[] = {
        {"a = Add c x\nb = Neg a\nc = Neg b\nx = Placeholder [2]", "b", "?", NULL},
        {"a = Add a gone\ny = Neg a:7", "y", "?", NULL},
        {"m = Merge n\nn = NextIteration m", "m", "?", NULL},
        {"x = Placeholder [9223372036854775807,9223372036854775807]\ns = Const (-1)\ny = Reshape x s",
         "y", "?", NULL},
    };

    (void)state;
    CHECK(cases);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(convolutions_and_windows),
        cmocka_unit_test(reshapes_and_reductions),
        cmocka_unit_test(slices_and_gathers),
        cmocka_unit_test(products_and_broadcasts),
        cmocka_unit_test(values_that_tensorflow_tracks),
        cmocka_unit_test(sizes_of_floating_point),
        cmocka_unit_test(restored_slices),
        cmocka_unit_test(variables_loops_and_lists),
        cmocka_unit_test(rules_for_old_graphs),
        cmocka_unit_test(rarer_rules),
        cmocka_unit_test(variables_have_shapes_of_the_checkpoint),
        cmocka_unit_test(recorded_shapes_win_and_contradictions_are_noted),
        cmocka_unit_test(shapes_have_an_origin),
        cmocka_unit_test(broken_graphs_end),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
