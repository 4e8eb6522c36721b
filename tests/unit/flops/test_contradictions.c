/* test_contradictions.c: graphs with well-formed but contradicting parts: inference stays within
 * its allocations and takes time proportional to the graph. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/strbuf.h"
#include "fixtures/small_graph.h"
#include "fixtures/text_graph.h"

static const enum flops_rules degrees[] = {FLOPS_RULES_COMPAT, FLOPS_RULES_FULL};

/* Checks the shape of OUTPUT in GRAPH with RULES. */
static void check_by(enum flops_rules rules, const char *graph, const char *output,
                     const char *wanted)
{
    struct profile *p = small_graph(graph);
    struct flops *f = small_flops(p, rules);

    assert_string_equal(small_shape(p, f, output), wanted);
    flops_free(f);
    profile_free(p);
}

static void check_shape(const char *graph, const char *output, const char *wanted)
{
    for (size_t i = 0; i < 2; i++)
        check_by(degrees[i], graph, output, wanted);
}

/* Adds "NAME = Const (0,1,2,...)", a vector of N numbers, then REST. */
static void add_const(struct strbuf *sb, const char *name, int n, const char *rest)
{
    sb_addf(sb, "%s = Const (", name);
    for (int i = 0; i < n; i++)
        sb_addf(sb, i ? ",%d" : "%d", i);
    sb_addf(sb, ")%s\n", rest);
}

/* The recorded shape is used for the output; the contents fit the literal's own shape. */
static void constants_of_two_shapes(void **state)
{
    struct strbuf graph = {0};

    (void)state;
    add_const(&graph, "c", 300, " _output_shapes={[1]}");
    sb_adds(&graph, "x = Placeholder [8]\ny = Reshape x c\n");
    check_shape(sb_text(&graph), "y", "[8]");
    sb_clear(&graph);
    add_const(&graph, "c", 2, " _output_shapes={[3]}");
    sb_adds(&graph, "x = Placeholder [8]\ny = Fill c x\n");
    check_shape(sb_text(&graph), "y", "[?,?,?]");
    sb_clear(&graph);
    add_const(&graph, "c", 700, " _output_shapes={[]}");
    sb_adds(&graph, "y = Fill c c\n");
    check_shape(sb_text(&graph), "y", "?");
    sb_done(&graph);
}

/* The same for floating point numbers, of which fewer are tracked. */
static void reals_of_two_shapes(void **state)
{
    static const char *const graph[] = {
        "node{name:'c' op:'Const' attr{key:'dtype' value{type:DT_FLOAT}}"
        "  attr{key:'_output_shapes' value{list{shape{dim{size:1}}}}}"
        "  attr{key:'value' value{tensor{dtype:DT_FLOAT tensor_shape{dim{size:4096}} float_val:2}}}}"
        "node{name:'d' op:'Cast' input:'c' attr{key:'SrcT' value{type:DT_FLOAT}}"
        "  attr{key:'DstT' value{type:DT_INT32}}}"
        "node{name:'x' op:'Placeholder' attr{key:'shape' value{shape{dim{size:8}}}}}"
        "node{name:'y' op:'Reshape' input:'x' input:'d'}",
        NULL};

    (void)state;
    for (size_t i = 0; i < 2; i++) {
        struct profile *p = text_graph(graph, FUNCTIONS_INLINE);
        struct flops *f = small_flops(p, degrees[i]);

        assert_string_equal(small_shape(p, f, "y"), "[8]");
        flops_free(f);
        profile_free(p);
    }
}

/* The recorded shape is a scalar, and the literal has none or several elements: the shape is used,
 * the elements are unknown. */
static void values_that_their_shape_contradicts(void **state)
{
    static const char *const makers[] = {
        "p = Pack N=0 _output_shapes={[]}\n",
        "c = Const ()\np = Identity c _output_shapes={[]}\n",
        "c = Const ()\np = Neg c _output_shapes={[]}\n",
        "c = Const (2,3)\np = Abs c _output_shapes={[]}\n",
        "c = Const ()\nd = Const ()\np = Add c d _output_shapes={[]}\n",
        "c = Const ()\nz = Const 0\np = Slice c c c _output_shapes={[]}\n",
        "c = Const 7\np = Identity c _output_shapes={[2]}\n",
        "c = Const (1,2,3)\np = Identity c _output_shapes={[2,2]}\n",
    };
    static const char *const readers[] = {
        "x = Placeholder [2,3]\ny = Reshape x p\n", "y = Fill p p\n",
        "x = Placeholder [2,3]\nq = Pack p p N=2\ny = Reshape x q\n",
        "x = Placeholder [2,3]\nq = Max p p\ny = Reshape x q\n",
        "x = Placeholder [2,3]\nq = StridedSlice p p p p new_axis_mask=1\ny = Reshape x q\n",
        "y = TensorListReserve p p\n",
    };

    (void)state;
    for (size_t i = 0; i < sizeof makers / sizeof *makers; i++)
        for (size_t k = 0; k < sizeof readers / sizeof *readers; k++)
            for (size_t r = 0; r < 2; r++) {
                struct strbuf graph = {0};
                struct profile *p;
                struct flops *f;

                sb_adds(&graph, makers[i]);
                sb_adds(&graph, readers[k]);
                p = small_graph(sb_text(&graph));
                f = small_flops(p, degrees[r]);
                assert_non_null(small_shape(p, f, "y"));
                flops_free(f);
                profile_free(p);
                sb_done(&graph);
            }
    check_shape("c = Const 7\np = Identity c _output_shapes={[2]}\n"
                "x = Placeholder [7]\ny = Reshape x p\n", "y", "[?,?]");
}

/* Only outputs with consumers are tracked; unused outputs before them cost nothing. */
static void unused_outputs_cost_nothing(void **state)
{
    const int n = 70000; /* times 65536 overflows 32 bits */
    struct strbuf graph = {0};

    (void)state;
    for (int i = 0; i < n; i++)
        sb_addf(&graph, "a%d = Placeholder [3]\nb%d = Neg a%d:65535\n", i, i, i);
    check_shape(sb_text(&graph), "b69999", "?");
    sb_clear(&graph);
    sb_adds(&graph, "x = Placeholder [50000,7]\nzero = Const 0\n"
                    "s = Split zero x num_split=5000\ny = Neg s:4321\nz = Neg s:4999\n"
                    "u = Neg s:2147483646\n");
    check_shape(sb_text(&graph), "y", "[10,7]");
    check_shape(sb_text(&graph), "z", "[10,7]");
    check_shape(sb_text(&graph), "u", "?");
    sb_done(&graph);
}

/* The offset of a piece follows from all preceding ones, with or without consumers. */
static void pieces_after_unused_ones(void **state)
{
    static const char graph[] = "c = Const (2,3,4,5,6,7)\nzero = Const 0\nl = Const (1,2,-1,1)\n"
                                "s = SplitV c l zero num_split=4\n"
                                "t = SplitV c l zero num_split=4\n"
                                "h = Split zero c num_split=3\n"
                                "u = Unpack c num=6\n"
                                "x1 = Placeholder ?\ny1 = Reshape x1 s:3\n"
                                "x2 = Placeholder ?\ny2 = Reshape x2 t:2\n"
                                "x3 = Placeholder ?\ny3 = Reshape x3 h:2\n"
                                "y4 = Fill y5 zero\ny5 = Pack u:4 u:5\n";

    (void)state;
    check_by(FLOPS_RULES_FULL, graph, "y1", "[7]");
    check_by(FLOPS_RULES_FULL, graph, "y2", "[5,6]");
    check_by(FLOPS_RULES_FULL, graph, "y3", "[6,7]");
    check_by(FLOPS_RULES_FULL, graph, "y4", "[6,7]");
}

/* A large constant with many consumers is decoded only once. */
static void many_readers_of_one_constant(void **state)
{
    enum { NUMBERS = 200000, READERS = 4000 };
    struct strbuf graph = {0};

    (void)state;
    sb_adds(&graph, "x = Placeholder [4]\nc = Const 1x2(1,2");
    for (int i = 2; i < NUMBERS; i++) /* more elements than the shape has: they must be skipped */
        sb_adds(&graph, ",3");
    sb_adds(&graph, ")\n");
    for (int i = 0; i < READERS; i++)
        sb_addf(&graph, "y%d = Pad x c\n", i);
    check_shape(sb_text(&graph), "y0", "[7]");
    sb_done(&graph);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(constants_of_two_shapes),
        cmocka_unit_test(reals_of_two_shapes),
        cmocka_unit_test(values_that_their_shape_contradicts),
        cmocka_unit_test(unused_outputs_cost_nothing),
        cmocka_unit_test(pieces_after_unused_ones),
        cmocka_unit_test(many_readers_of_one_constant),
    };

    return cmocka_run_group_tests_name("flops/contradictions", tests, NULL, NULL);
}
