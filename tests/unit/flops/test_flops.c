/* test_flops.c: counting rules, their text, and uncounted nodes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "load/graph/attrs.h"
#include "fixtures/small_graph.h"

/* States without a count. */
enum { UNKNOWN = -1000, RULELESS, NOTHING };

/* The expected count of node y of GRAPH. */
struct count_case {
    const char *graph;
    int64_t compat, full;
};

static int64_t outcome(const struct profile *p, const struct flops *f, const char *name)
{
    node_id node = profile_find(p, name, strlen(name));

    assert_int_not_equal(node, NODE_NONE);
    switch (f->state[node]) {
    case FLOPS_COUNTED: return f->count[node];
    case FLOPS_UNKNOWN_SHAPE: return UNKNOWN;
    case FLOPS_NO_RULE: return RULELESS;
    default: return NOTHING;
    }
}

static void check(const struct count_case *cases, size_t n_cases)
{
    unsigned wrong = 0;

    for (size_t i = 0; i < 2 * n_cases; i++) {
        const struct count_case *c = &cases[i / 2];
        int64_t wanted = i % 2 ? c->full : c->compat, is;
        uint32_t n = 0;
        struct profile *p = small_graph(c->graph);
        struct flops *f = small_flops(p, i % 2 ? FLOPS_RULES_FULL : FLOPS_RULES_COMPAT);

        is = outcome(p, f, "y");
        if (is != wanted) {
            print_error("%s\n%s: %lld, not %lld\n", c->graph, i % 2 ? "full" : "compat",
                        (long long)is, (long long)wanted);
            wrong++;
        }
        for (int state = FLOPS_NO_COMPUTE; state <= FLOPS_NO_RULE; state++)
            n += f->n_state[state];
        assert_int_equal(n, p->n_nodes);
        flops_free(f);
        profile_free(p);
    }
    assert_int_equal(wrong, 0);
}

#define CHECK(cases) check(cases, sizeof cases / sizeof *cases)

static void counts_of_tensorflow(void **state)
{
    static const struct count_case cases[] = {
        {"a = Placeholder [25,16]\nb = Placeholder [16,9]\ny = MatMul a b", 7200, 7200},
        {"a = Placeholder [16,25]\nb = Placeholder [16,9]\ny = MatMul a b transpose_a=true", 7200,
         7200},
        /* with adj_x the statistic reads in[-1] instead of in[-2] */
        {"a = Placeholder [2,5,3]\nb = Placeholder [2,5,4]\ny = BatchMatMulV2 a b adj_x=true",
         2 * 3 * 2 * 3 * 4, 2 * 5 * 2 * 3 * 4},
        {"x = Placeholder [1,224,224,3]\nf = Placeholder [7,7,3,64]\n"
         "y = Conv2D x f strides=(1,2,2,1) padding='SAME'",
         236027904, 236027904},
        {"x = Placeholder [1,112,112,64]\n"
         "y = MaxPool x ksize=(1,3,3,1) strides=(1,2,2,1) padding='SAME'",
         1806336, 1806336},
        {"x = Placeholder [1,64,112,112]\n"
         "y = MaxPool x ksize=(1,1,3,3) strides=(1,1,2,2) padding='SAME' data_format='NCHW'",
         UNKNOWN, 1806336},
        {"x = Placeholder [1,1000]\ny = Softmax x", 5000, 5000},
        {"x = Placeholder [10]\ny = L2Loss x", 29, 29},
        {"x = Placeholder [0]\ny = L2Loss x", -1, 0},
        {"x = Placeholder [4,5]\na = Const 1\ny = Sum x a", 16, 16},
        {"x = Placeholder [4,5]\na = Const 1\ny = Mean x a", 20, 20},
        {"x = Placeholder [4,5]\ny = AddN x x x ^x N=3", 60, 40},
        {"x = Placeholder [4,5]\ny = Rsqrt x", 40, 40},
        {"x = Placeholder [4,5]\nz = Placeholder [5]\ny = SquaredDifference x z", 40, 40},
        {"x = Placeholder [4,5]\ny = BiasAddGrad x", 15, 15},
        /* the formula of the gradient divides by the strides, rounding down */
        {"s = Const (1,5,5,3)\nf = Placeholder [3,3,3,4]\ng = Placeholder [1,3,3,4]\n"
         "y = Conv2DBackpropInput s f g strides=(1,2,2,1) padding='SAME'",
         2 * 75 * 108 / (3 * 4), 2 * 36 * 27},
        {"x = Placeholder [?,5]\ny = Neg x", UNKNOWN, UNKNOWN},
        {"x = Placeholder [4,5]\ny = Relu x", RULELESS, 20},
        {"x = Placeholder [4,5]\ny = Identity x", NOTHING, NOTHING},
        {"x = Placeholder [4,5]\ny = SomethingOfMine x", RULELESS, RULELESS},
        {"x = Placeholder [4294967296,4294967296]\ny = Neg x", INT64_MAX, INT64_MAX},
        {"y = MatMul", RULELESS, RULELESS},
    };

    (void)state;
    CHECK(cases);
}

static void counts_of_full_rules(void **state)
{
    static const struct count_case cases[] = {
        {"a = Placeholder [2,3,4]\nb = Placeholder [4,5]\ny = Einsum a b equation='abc,cd->abd'",
         RULELESS, 2 * 2 * 3 * 4 * 5},
        /* nothing is contracted: one product each */
        {"a = Placeholder [3]\nb = Placeholder [4]\ny = Einsum a b equation='i,j->ij'", RULELESS,
         12},
        /* k is summed first: 3 * 4 - 3, then 3 products */
        {"a = Placeholder [3,4]\nb = Placeholder [3]\ny = Einsum a b equation='ik,i->i'", RULELESS,
         9 + 3},
        {"a = Placeholder [3,4]\ny = Einsum a equation='ij->i'", RULELESS, 9},
        {"x = Placeholder [2,7,7,5]\nw = Placeholder [5]\ny = FusedBatchNormV3 x w w w w", RULELESS,
         4 * 490 + 8 * 5},
        {"x = Placeholder [2,7,7,5]\nw = Placeholder [5]\n"
         "y = FusedBatchNormV3 x w w w w is_training=false",
         RULELESS, 2 * 490},
        {"x = Placeholder [1,4,8,8,3]\nf = Placeholder [3,3,3,3,2]\n"
         "y = Conv3D x f strides=(1,1,1,1,1) padding='SAME'",
         2 * 512 * 81, 2 * 512 * 81},
        {"x = Placeholder [1,8,8,3]\nf = Placeholder [3,3,3,2]\nb = Placeholder [2]\n"
         "y = _FusedConv2D x f b strides=(1,1,1,1) padding='SAME' fused_ops={'BiasAdd';'Relu'}",
         RULELESS, 2 * 128 * 27 + 128 + 128},
        {"x = Placeholder [2,3,4,4]\ny = Cholesky x", RULELESS, 6 * 64 / 3},
        {"x = Placeholder [3,8]\ny = FFT x", RULELESS, 5 * 24 * 3},
        {"x = Placeholder [3,8]\nl = Const (8)\na = Const (1)\ny = FFTND x l a", RULELESS,
         5 * 24 * 3},
        {"x = Placeholder [3,9]\nl = Const (16)\na = Const (1)\ny = IRFFTND x l a", RULELESS,
         5 * 48 * 4 / 2},
        /* a complex multiply-add is four real ones */
        {"x = Placeholder [2,3,4,4]\ny = Cholesky x T=#8", RULELESS, 4 * 6 * 64 / 3},
        {"i = Placeholder [7,2]\nv = Placeholder [7]\ns = Const (3,3)\nb = Placeholder [3,3]\n"
         "y = SparseTensorDenseAdd i v s b",
         RULELESS, 7},
        {"p = Placeholder [10]\na = Placeholder []\ny = ResourceApplyGradientDescent a a p", RULELESS,
         20},
        {"x = Placeholder [5,3,7]\nh = Placeholder [1,3,4]\nw = Placeholder [300]\n"
         "y = CudnnRNN x h h w rnn_mode='lstm'",
         RULELESS, 2 * 5 * 3 * 16 * 7 + 2 * 5 * 3 * 16 * 4 + (8 + 9) * 5 * 3 * 4},
    };

    (void)state;
    CHECK(cases);
}

/* One step of an LSTM: B = 2, input I = 3, state H = 4.  The fused op multiplies [x, h] by w [I +
 * H, 4 H]; then per unit: bias 4, forget bias 1, four gates 4, the state ci * i + cs * f 3, its
 * tanh 1, the output 1; clipping 2. */
static void an_lstm_step(void **state)
{
    enum { B = 2, I = 3, H = 4 };
    static const struct count_case cases[] = {
        {"x = Placeholder [2,3]\nc = Placeholder [2,4]\nh = Placeholder [2,4]\n"
         "w = Placeholder [7,16]\np = Placeholder [4]\nb = Placeholder [16]\n"
         "y = LSTMBlockCell x c h w p p p b cell_clip=0.0",
         RULELESS, 2 * B * (I + H) * 4 * H + 14 * B * H},
        {"x = Placeholder [2,3]\nc = Placeholder [2,4]\nh = Placeholder [2,4]\n"
         "w = Placeholder [7,16]\np = Placeholder [4]\nb = Placeholder [16]\n"
         "y = LSTMBlockCell x c h w p p p b",
         RULELESS, 2 * B * (I + H) * 4 * H + 16 * B * H},
    };

    (void)state;
    CHECK(cases);
}

static int64_t total(const struct flops *f, const struct profile *p)
{
    int64_t sum = 0;

    for (node_id i = 0; i < p->n_nodes; i++)
        sum += f->count[i];
    return sum;
}

/* The same cell from separate ops: a product, a bias, three sigmoid gates and two tanh (1 each),
 * three products and one sum. */
static void an_lstm_step_of_plain_ops(void **state)
{
    enum { B = 2, I = 3, H = 4 };
    struct profile *p = small_graph(
        "x = Placeholder [2,3]\nh = Placeholder [2,4]\nc = Placeholder [2,4]\none = Const 1\n"
        "w = Placeholder [7,16]\nb = Placeholder [16]\nxh = ConcatV2 x h one\n"
        "m = MatMul xh w\ng = BiasAdd m b\ns = Split one g num_split=4\n"
        "i = Sigmoid s:0\nf = Sigmoid s:1\no = Sigmoid s:2\nu = Tanh s:3\n"
        "fc = Mul f c\niu = Mul i u\nc2 = AddV2 fc iu\nt = Tanh c2\nh2 = Mul o t\n");
    struct flops *f = small_flops(p, FLOPS_RULES_FULL);

    (void)state;
    assert_int_equal(total(f, p), 2 * B * (I + H) * 4 * H + B * 4 * H + 5 * B * H + 4 * B * H);
    assert_int_equal(f->n_state[FLOPS_UNKNOWN_SHAPE] + f->n_state[FLOPS_NO_RULE], 0);
    flops_free(f);
    profile_free(p);
}

/* One encoder layer of a transformer as Keras writes it: batch B, T steps, width D, N heads of size
 * K, inner width F. */
static void a_transformer_layer(void **state)
{
    enum { B = 2, T = 5, D = 12, N = 3, K = 4, F = 24 };
    struct profile *p = small_graph(
        "x = Placeholder [2,5,12]\n"
        "wq = Placeholder [12,3,4]\nwk = Placeholder [12,3,4]\nwv = Placeholder [12,3,4]\n"
        "wo = Placeholder [3,4,12]\nw1 = Placeholder [12,24]\nw2 = Placeholder [24,12]\n"
        "b1 = Placeholder [24]\nb2 = Placeholder [12]\nscale = Placeholder []\n"
        "q = Einsum x wq equation='abc,cde->abde'\n"
        "k = Einsum x wk equation='abc,cde->abde'\n"
        "v = Einsum x wv equation='abc,cde->abde'\n"
        "qs = Mul q scale\n"
        "scores = Einsum k qs equation='aecd,abcd->acbe'\n"
        "weights = Softmax scores\n"
        "context = Einsum weights v equation='acbe,aecd->abcd'\n"
        "out = Einsum context wo equation='abcd,cde->abe'\n"
        "r1 = AddV2 x out\n"
        "h1 = Einsum r1 w1 equation='abc,cd->abd'\nh2 = AddV2 h1 b1\nh3 = Relu h2\n"
        "h4 = Einsum h3 w2 equation='abc,cd->abd'\nh5 = AddV2 h4 b2\nr2 = AddV2 r1 h5\n");
    struct flops *f = small_flops(p, FLOPS_RULES_FULL);
    const int64_t projections = 3 * 2 * B * T * D * N * K, scale = B * T * N * K,
                  scores = 2 * B * T * T * N * K, softmax = 5 * B * N * T * T, context = scores,
                  out = 2 * B * T * N * K * D, residual = B * T * D,
                  feed_forward = 2 * B * T * D * F + B * T * F + B * T * F + 2 * B * T * F * D +
                                 B * T * D;

    (void)state;
    assert_int_equal(total(f, p), projections + scale + scores + softmax + context + out +
                                      2 * residual + feed_forward);
    assert_int_equal(f->n_state[FLOPS_UNKNOWN_SHAPE] + f->n_state[FLOPS_NO_RULE], 0);
    flops_free(f);
    profile_free(p);
}

static struct flops *compute_counts(const struct profile *p, struct flops_request r, struct err *err)
{
    r.attrs = &attrs_source;
    return flops_compute(p, &r, (struct cancel_mark){0}, err);
}

static void multiply_adds_count_one_when_asked(void **state)
{
    struct profile *p = small_graph("a = Placeholder [25,16]\nb = Placeholder [16,9]\n"
                                    "m = MatMul a b\ny = Neg m");
    struct err err = {0};
    struct flops *f = compute_counts(p, (struct flops_request){.rules = FLOPS_RULES_COMPAT, .macs = true},
                            &err);

    (void)state;
    assert_int_equal(outcome(p, f, "m"), 3600);
    assert_int_equal(outcome(p, f, "y"), 225);
    flops_free(f);
    profile_free(p);
}

static int64_t weighed(const char *graph, int64_t transcendental, int64_t division)
{
    struct profile *p = small_graph(graph);
    struct err err = {0};
    struct flops *f = compute_counts(p, (struct flops_request){.rules = FLOPS_RULES_FULL,
                                                      .transcendental = transcendental,
                                                      .division = division}, &err);
    int64_t n = outcome(p, f, "y");

    flops_free(f);
    profile_free(p);
    return n;
}

/* T = 10 and D = 4 for 20 values. */
static void functions_and_divisions_have_weights(void **state)
{
#define X20 "x = Placeholder [4,5]\n"
    (void)state;
    assert_int_equal(weighed(X20 "y = Tanh x", 0, 0), 20);
    assert_int_equal(weighed(X20 "y = Tanh x", 10, 4), 10 * 20);
    assert_int_equal(weighed(X20 "y = Log x", 10, 4), 10 * 20);
    assert_int_equal(weighed(X20 "y = Pow x x", 10, 4), 10 * 20);
    assert_int_equal(weighed(X20 "y = RealDiv x x", 10, 4), 4 * 20);
    assert_int_equal(weighed(X20 "y = Rsqrt x", 10, 4), 14 * 20);
    assert_int_equal(weighed(X20 "y = Softsign x", 10, 4), 5 * 20);
    assert_int_equal(weighed(X20 "y = CumulativeLogsumexp x x", 10, 4), 22 * 20);
    assert_int_equal(weighed(X20 "a = Const 1\ny = EuclideanNorm x a", 10, 4), 2 * 20 + 9 * 4);
    assert_int_equal(weighed("x = Placeholder [2,7,7,5]\nw = Placeholder [5]\n"
                             "y = FusedBatchNormV3 x w w w w", 10, 4),
                     4 * 490 + (6 + 14) * 5);
    assert_int_equal(weighed("x = Placeholder [1,2,2,5]\ny = LRN x depth_radius=2", 10, 4),
                     20 * (4 + 3 + 14));
    assert_int_equal(weighed("a = Placeholder [4,3]\nb = Placeholder [3,5]\n"
                             "y = _FusedMatMul a b fused_ops={'GeluExact';'Mish'}", 10, 4),
                     2 * 3 * 20 + 14 * 20 + 21 * 20);
}

/* An op is counted from the first release that has its statistic. */
static void releases_count_their_own_statistics(void **state)
{
    static const struct {
        const char *line;
        enum flops_release since;
    } ops[] = {
        {"y = MatMul a a", FLOPS_SINCE_0_7},      {"y = Neg a", FLOPS_SINCE_1_4},
        {"y = BatchMatMul a a", FLOPS_SINCE_1_15}, {"y = BatchMatMulV2 a a", FLOPS_SINCE_2_1},
        {"y = BatchMatMulV3 a a", FLOPS_SINCE_2_6}, {"y = AddV2 a a", FLOPS_NEWEST},
    };

    (void)state;
    for (size_t i = 0; i < sizeof ops / sizeof *ops; i++) {
        struct strbuf sb = {0};
        struct profile *p;

        sb_addf(&sb, "a = Placeholder [4,4]\n%s", ops[i].line);
        p = small_graph(sb_text(&sb));
        for (int r = FLOPS_NEWEST; r <= FLOPS_SINCE_0_7; r++) {
            struct err err = {0};
            struct flops *f = compute_counts(p, (struct flops_request){.rules = FLOPS_RULES_COMPAT,
                                                              .release = (enum flops_release)r},
                                    &err);

            assert_int_equal(outcome(p, f, "y") == RULELESS, r > (int)ops[i].since);
            flops_free(f);
        }
        profile_free(p);
        sb_done(&sb);
    }
}

static void a_step_without_a_name_is_noted(void **state)
{
    struct profile *p = small_graph("a = Placeholder [4,3]\nb = Placeholder [3,5]\n"
                                    "y = _FusedMatMul a b fused_ops={'BiasAdd';'Frob'}\n"
                                    "z = _FusedMatMul a b fused_ops={'Frob'}");
    struct flops *f = small_flops(p, FLOPS_RULES_FULL);

    (void)state;
    assert_int_equal(outcome(p, f, "y"), 2 * 3 * 20 + 20);
    assert_int_equal(f->notes.n, 1);
    assert_string_equal(f->notes.data[0].text, "node 'y': 'Frob' of a fused operation counts 0");
    flops_free(f);
    profile_free(p);
}

#define OPEN                                                                  \
    "x = Placeholder [?,16]\nz = Placeholder ?\nw = Placeholder [16,9]\n" \
    "m = MatMul x w\ny = Neg m\nn = Neg z\nr = Relu m\nc = Custom m\n"

static void a_batch_binds_unknown_dimensions(void **state)
{
    struct profile *p = small_graph(OPEN);
    struct err err = {0};
    struct strbuf sb = {0};
    struct flops *f = compute_counts(p, (struct flops_request){.rules = FLOPS_RULES_COMPAT}, &err);

    (void)state;
    assert_int_equal(outcome(p, f, "y"), UNKNOWN);
    flops_coverage(f, &sb);
    assert_string_equal(sb_text(&sb), "counted 0 of 5 compute ops; 3 unknown shape: -batch binds "
                                      "2 of them; 2 without a rule: Custom, Relu (-flops full has "
                                      "rules for 1)");
    flops_free(f);
    f = compute_counts(p, (struct flops_request){.rules = FLOPS_RULES_COMPAT, .batch = 25}, &err);
    assert_int_equal(outcome(p, f, "m"), 7200);
    assert_int_equal(outcome(p, f, "y"), 225);
    assert_int_equal(outcome(p, f, "n"), UNKNOWN);
    assert_int_equal(f->notes.n, 0);
    flops_free(f);
    profile_free(p);
    /* without an unknown dimension a batch has no effect, and a note says so */
    p = small_graph("x = Placeholder [4,16]\ny = Neg x");
    f = compute_counts(p, (struct flops_request){.rules = FLOPS_RULES_COMPAT, .batch = 25}, &err);
    assert_int_equal(outcome(p, f, "y"), 64);
    assert_int_equal(f->notes.n, 1);
    assert_non_null(strstr(f->notes.data[0].text, "-batch: no input has an unknown first dimension"));
    flops_free(f);
    profile_free(p);
    sb_done(&sb);
}

static void shapes_can_be_given_to_nodes(void **state)
{
    struct profile *p = small_graph(OPEN);
    struct err err = {0};
    struct flops *f = compute_counts(
        p, (struct flops_request){.rules = FLOPS_RULES_COMPAT, .bind = "x=25x16,z=3x?"}, &err);

    (void)state;
    assert_int_equal(outcome(p, f, "m"), 7200);
    assert_string_equal(small_shape(p, f, "n"), "[3,?]");
    flops_free(f);
    assert_null(compute_counts(p, (struct flops_request){.rules = FLOPS_RULES_COMPAT, .bind = "x=2y"}, &err));
    assert_string_equal(err_text(&err), "-bind: 'x=2y' is not NODE=2x3x?");
    err_done(&err);
    assert_null(compute_counts(p, (struct flops_request){.rules = FLOPS_RULES_COMPAT, .bind = "q=2"}, &err));
    assert_string_equal(err_text(&err), "-bind: there is no node 'q'");
    err_done(&err);
    profile_free(p);
}

static void explained(const char *graph, const char *wanted)
{
    struct profile *p = small_graph(graph);
    struct flops *f = small_flops(p, FLOPS_RULES_FULL);
    struct strbuf sb = {0};

    flops_explain(f, profile_find(p, "y", 1), &sb);
    assert_string_equal(sb_text(&sb), wanted);
    sb_done(&sb);
    flops_free(f);
    profile_free(p);
}

static void formulas_come_with_their_numbers(void **state)
{
    (void)state;
    explained("x = Placeholder [4,5]\na = Const 1\ny = Sum x a", "N(in) - N(out) = 4x5 - 4 = 16");
    explained("x = Placeholder [?,16]\nw = Placeholder [16,9]\ny = MatMul x w",
              "2 * k * N(out) = 2 * 16 * ?x9: a shape is unknown");
    explained("x = Placeholder [4,5]\ny = Tanh x", "T * N(in) = 4x5 = 20; T = 1");
    explained("x = Placeholder [4,5]\ny = Identity x", "computes nothing");
    explained("x = Placeholder [4,5]\ny = Custom x", "no rule");
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_of_tensorflow),
        cmocka_unit_test(counts_of_full_rules),
        cmocka_unit_test(an_lstm_step),
        cmocka_unit_test(an_lstm_step_of_plain_ops),
        cmocka_unit_test(a_transformer_layer),
        cmocka_unit_test(functions_and_divisions_have_weights),
        cmocka_unit_test(releases_count_their_own_statistics),
        cmocka_unit_test(a_step_without_a_name_is_noted),
        cmocka_unit_test(multiply_adds_count_one_when_asked),
        cmocka_unit_test(a_batch_binds_unknown_dimensions),
        cmocka_unit_test(shapes_can_be_given_to_nodes),
        cmocka_unit_test(formulas_come_with_their_numbers),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
