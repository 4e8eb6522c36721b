/* test_shape_hints.c: stronger inference of a node's shape from its consumers, and from consumers
 * linked by name (section 7 of shapes.md). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/strbuf.h"
#include "fixtures/small_graph.h"

/* The expected shape of node y in GRAPH: COMPAT, and STRONGER with stronger rules. */
struct hint_case {
    const char *graph, *compat, *stronger;
};

static void check(const struct hint_case *cases, size_t n)
{
    unsigned wrong = 0;

    for (size_t i = 0; i < 2 * n; i++) {
        const struct hint_case *c = &cases[i / 2];
        const char *wanted = i % 2 ? c->stronger : c->compat, *shape;
        struct profile *p = small_graph(c->graph);
        struct flops *f = small_flops(p, i % 2 ? FLOPS_RULES_FULL : FLOPS_RULES_COMPAT);

        shape = small_shape(p, f, "y");
        if (strcmp(shape, wanted) != 0) {
            print_error("%s\n%s: y is %s, not %s\n", c->graph, i % 2 ? "full" : "compat", shape,
                        wanted);
            wrong++;
        }
        flops_free(f);
        profile_free(p);
    }
    assert_int_equal(wrong, 0);
}

#define CHECK(cases) check(cases, sizeof cases / sizeof *cases)

static void shapes_are_inferred_from_consumers(void **state)
{
    static const struct hint_case cases[] = {
        /* the single unknown size of a reshaped input */
        {"y = Placeholder [?,6]\ns = Const (4,3)\nr = Reshape y s", "[?,6]", "[2,6]"},
        {"y = Placeholder [?,?]\ns = Const (4,3)\nr = Reshape y s", "[?,?]", "[?,?]"},
        {"y = Placeholder [?,5]\ns = Const (4,3)\nr = Reshape y s", "[?,5]", "[?,5]"},
        /* inner sizes of matrix products */
        {"y = Placeholder [7,?]\nw = Placeholder [16,9]\nm = MatMul y w", "[7,?]", "[7,16]"},
        {"y = Placeholder [?,7]\nw = Placeholder [9,16]\nm = MatMul y w transpose_a=true "
         "transpose_b=true",
         "[?,7]", "[16,7]"},
        {"y = Placeholder ?\nw = Placeholder [16,9]\nm = MatMul y w", "?", "[?,16]"},
        {"x = Placeholder [7,16]\ny = Placeholder [?,9]\nm = MatMul x y", "[?,9]", "[16,9]"},
        {"y = Placeholder [2,7,?]\nw = Placeholder [2,16,9]\nm = BatchMatMulV2 y w", "[2,7,?]",
         "[2,7,16]"},
        {"y = Placeholder [2,?,7]\nw = Placeholder [2,16,9]\nm = BatchMatMulV2 y w adj_x=true",
         "[2,?,7]", "[2,16,7]"},
        /* channels */
        {"y = Placeholder [1,8,8,?]\nf = Placeholder [3,3,5,4]\n"
         "c = Conv2D y f strides=(1,1,1,1) padding='SAME'",
         "[1,8,8,?]", "[1,8,8,5]"},
        {"y = Placeholder [1,?,8,8]\nf = Placeholder [3,3,5,4]\n"
         "c = Conv2D y f strides=(1,1,1,1) padding='SAME' data_format='NCHW'",
         "[1,?,8,8]", "[1,5,8,8]"},
        {"x = Placeholder [1,8,8,5]\ny = Placeholder [3,3,?,2]\n"
         "c = DepthwiseConv2dNative x y strides=(1,1,1,1) padding='SAME'",
         "[3,3,?,2]", "[3,3,5,2]"},
        {"x = Placeholder [4,5]\ny = Placeholder ?\nb = BiasAdd x y", "?", "[5]"},
        {"x = Placeholder [1,5,8,8]\nw = Placeholder [?]\ny = Placeholder ?\n"
         "b = FusedBatchNormV3 x w y w w data_format='NCHW'",
         "?", "[5]"},
        /* shapes that must be equal */
        {"y = Placeholder [?,3]\nx = Placeholder [2,?]\na = AddN x y", "[?,3]", "[2,3]"},
        {"c = Placeholder [?]\ny = Placeholder [?,3]\nx = Placeholder [2,?]\ns = Select c y x",
         "[?,3]", "[2,3]"},
        {"y = Placeholder [?,?]\nx = Relu y\nw = Placeholder [16,9]\nm = MatMul x w", "[?,?]",
         "[?,16]"},
        /* and forward propagation of the inferred size */
        {"x = Placeholder [?,6]\ns = Const (4,3)\nr = Reshape x s\nd = Shape x\nv = Const 0\n"
         "y = Fill d v",
         "[?,6]", "[2,6]"},
    };

    (void)state;
    CHECK(cases);
}

static void variables_have_the_assigned_shape(void **state)
{
    static const struct hint_case cases[] = {
        {"v = VariableV2 [3,4]\np = Const 0\ny = RestoreV2 p p p dtypes={#1}\na = Assign v y", "?",
         "[3,4]"},
        {"v = VariableV2 [3,4]\np = Const 0\ny = RestoreV2 p p p dtypes={#1}\n"
         "a = Assign v y validate_shape=false",
         "?", "?"},
        {"v = VarHandleOp shape=?\nx = Placeholder [3,4]\na = AssignVariableOp v x\n"
         "y = ReadVariableOp v",
         "?", "[3,4]"},
        {"v = VarHandleOp shape=?\ni = Identity v\nx = Placeholder [3,4]\n"
         "a = AssignVariableOp i x\ny = ReadVariableOp v",
         "?", "[3,4]"},
        {"v = VarHandleOp shape=?\nx = Placeholder [3,?]\na = AssignVariableOp v x\n"
         "y = ReadVariableOp v",
         "?", "?"},
    };

    (void)state;
    CHECK(cases);
}

/* The gradient of a loop pops what the loop pushed. */
static void a_stack_pops_pushed_shapes(void **state)
{
    static const struct hint_case cases[] = {
        {"n = Const 5\ns = StackV2 n\ne = Enter s\nx = Placeholder [2,3]\n"
         "p = StackPushV2 e x\nf = Enter s\ny = StackPopV2 f",
         "?", "[2,3]"},
        {"n = Const 5\ns = StackV2 n\nt = StackV2 n\nx = Placeholder [2,3]\n"
         "p = StackPushV2 s x\ny = StackPopV2 t",
         "?", "?"},
    };

    (void)state;
    CHECK(cases);
}

static void values_passed_by_name_arrive(void **state)
{
    static const struct hint_case cases[] = {
        {"x = Placeholder [3,4]\ns = _Send x tensor_name='edge_1'\ny = _Recv tensor_name='edge_1'",
         "?", "[3,4]"},
        {"x = Placeholder [3,4]\ns = _Send x tensor_name='edge_1'\ny = _Recv tensor_name='edge_2'",
         "?", "?"},
        {"a = Placeholder [3,4]\nb = Placeholder [5]\ns = Stage a b shared_name='s'\n"
         "u = Unstage dtypes={#1;#1} shared_name='s'\ny = Identity u:1",
         "?", "[5]"},
        /* two Stage ops: the common part of their shapes */
        {"a = Placeholder [3,4]\nb = Placeholder [3,5]\ns = Stage a shared_name='s'\n"
         "t = Stage b shared_name='s'\ny = Unstage dtypes={#1} shared_name='s'",
         "?", "[3,?]"},
        {"k = Const 0\ni = Const (1,0)\na = Placeholder [3,4]\nb = Placeholder [5]\n"
         "s = MapStage k i a b shared_name='s'\n"
         "u = MapUnstage k i dtypes={#1;#1} shared_name='s'\ny = Identity u:1",
         "?", "[3,4]"},
        {"x = Placeholder [3,4]\ns = Stage x\ny = Unstage dtypes={#1}", "?", "?"},
    };

    (void)state;
    CHECK(cases);
}

/* A contradicting hint is ignored. */
static void hints_never_contradict(void **state)
{
    static const struct hint_case cases[] = {
        {"y = Placeholder [?,6]\ns = Const (4,3)\nr = Reshape y s\nt = Const (6,6)\nq = Reshape y t",
         "[?,6]", "[?,6]"},
        /* two hints that contradict each other are ignored, in any order */
        {"y = Placeholder [?,6]\nt = Const (6,6)\nq = Reshape y t\ns = Const (4,3)\nr = Reshape y s",
         "[?,6]", "[?,6]"},
        {"y = Placeholder [7,3]\nw = Placeholder [16,9]\nm = MatMul y w", "[7,3]", "[7,3]"},
    };

    (void)state;
    CHECK(cases);
}

/* 1100 staged values and 1000 consumers: more than a million hints. */
static void hints_by_name_are_limited_with_a_note(void **state)
{
    struct strbuf text = {0};
    struct profile *p;
    struct flops *f;
    bool said = false;

    (void)state;
    sb_adds(&text, "x = Placeholder [3,4]\ns = Stage");
    for (int i = 0; i < 1100; i++)
        sb_adds(&text, " x");
    sb_adds(&text, " shared_name='s'\n");
    for (int i = 0; i < 1000; i++)
        sb_addf(&text, "u%d = Unstage dtypes={#1} shared_name='s'\n", i);
    p = small_graph(sb_text(&text));
    f = small_flops(p, FLOPS_RULES_FULL);
    for (size_t i = 0; i < f->notes.n; i++)
        said |= strstr(f->notes.data[i].text, "would take more than 64 times the input") != NULL;
    assert_true(said);
    flops_free(f);
    profile_free(p);
    sb_done(&text);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(shapes_are_inferred_from_consumers),
        cmocka_unit_test(variables_have_the_assigned_shape),
        cmocka_unit_test(a_stack_pops_pushed_shapes),
        cmocka_unit_test(values_passed_by_name_arrive),
        cmocka_unit_test(hints_never_contradict),
        cmocka_unit_test(hints_by_name_are_limited_with_a_note),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
