/* test_calls.c: counts of calls, branches and loops: each body is counted once per set of
 * arguments, whatever the number of calls. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/strbuf.h"
#include "flops/flops.h"
#include "load/graph/attrs.h"
#include "fixtures/text_graph.h"

#define INT_CONST(name, number)                                                    \
    "node { name: '" name "' op: 'Const' attr { key: 'value' value { tensor {"     \
    "  dtype: DT_INT32 tensor_shape { } int_val: " number " } } } }"
#define CALLS(attr, function) " attr { key: '" attr "' value { func { name: '" function "' } } }"
#define OUT " attr { key: 'Tout' value { list { type: DT_FLOAT } } }"

/* x is 4x8: each Square or Mul of it is 32 operations. */
static const char inputs[] =
    "node { name: 'x' op: 'Placeholder' attr { key: 'shape' value { shape {"
    "  dim { size: 4 } dim { size: 8 } } } } }"
    "node { name: 'open' op: 'Placeholder' attr { key: 'shape' value { shape { } } } }"
    INT_CONST("zero", "0") INT_CONST("two", "2") INT_CONST("ten", "10");

static const char library[] =
    "library {"
    "function { signature { name: 'sq' input_arg { name: 'a' } output_arg { name: 'b' } }"
    "  node_def { name: 'm' op: 'Square' input: 'a' } ret { key: 'b' value: 'm:y:0' } }"
    "function { signature { name: 'twice' input_arg { name: 'a' } output_arg { name: 'b' } }"
    "  node_def { name: 'one' op: 'sq' input: 'a' }"
    "  node_def { name: 'two' op: 'sq' input: 'one:b:0' } ret { key: 'b' value: 'two:b:0' } }"
    "function { signature { name: 'same' input_arg { name: 'a' } output_arg { name: 'b' } }"
    "  ret { key: 'b' value: 'a' } }"
    "function { signature { name: 'below' input_arg { name: 'i' } input_arg { name: 'n' }"
    "    input_arg { name: 'v' } output_arg { name: 'c' } }"
    "  node_def { name: 'less' op: 'Less' input: 'i' input: 'n' } ret { key: 'c' value: 'less:z:0' } }"
    "function { signature { name: 'step' input_arg { name: 'i' } input_arg { name: 'n' }"
    "    input_arg { name: 'v' } output_arg { name: 'i1' } output_arg { name: 'n1' }"
    "    output_arg { name: 'v1' } }"
    "  node_def { name: 'by' op: 'Const' attr { key: 'value' value { tensor {"
    "    dtype: DT_INT32 tensor_shape { } int_val: 3 } } } }"
    "  node_def { name: 'next' op: 'AddV2' input: 'i' input: 'by:output:0' }"
    "  node_def { name: 'mul' op: 'Mul' input: 'v' input: 'v' }"
    "  ret { key: 'i1' value: 'next:z:0' } ret { key: 'n1' value: 'n' }"
    "  ret { key: 'v1' value: 'mul:z:0' } }"
    "function { signature { name: 'both' input_arg { name: 'i' } input_arg { name: 'n' }"
    "    input_arg { name: 'v' } output_arg { name: 'c' } }"
    "  node_def { name: 'six' op: 'Const' attr { key: 'value' value { tensor {"
    "    dtype: DT_INT32 tensor_shape { } int_val: 6 } } } }"
    "  node_def { name: 'less' op: 'Less' input: 'i' input: 'n' }"
    "  node_def { name: 'more' op: 'GreaterEqual' input: 'six:output:0' input: 'i' }"
    "  node_def { name: 'and' op: 'LogicalAnd' input: 'less:z:0' input: 'more:z:0' }"
    "  ret { key: 'c' value: 'and:z:0' } }"
    "function { signature { name: 'each' input_arg { name: 'i' } input_arg { name: 'v' }"
    "    output_arg { name: 'v1' } }"
    "  node_def { name: 'mul' op: 'Mul' input: 'v' input: 'v' } ret { key: 'v1' value: 'mul:z:0' } }"
    "}";

static struct profile *load(const char *nodes, const char *functions, enum functions_mode mode)
{
    const char *const texts[] = {inputs, nodes, functions, NULL};

    return text_graph(texts, mode);
}

static struct flops *count(const struct profile *p, enum flops_rules rules, bool loops,
                           const struct attr_source *attrs)
{
    struct err err = {0};
    struct flops *f = flops_compute(p,
                                    &(struct flops_request){.rules = rules, .loops = loops,
                                                            .attrs = attrs,
                                                            .functions = p->functions},
                                    (struct cancel_mark){0}, &err);

    if (!f)
        fail_msg("%s", err_text(&err));
    return f;
}

static int64_t total(const struct profile *p, const struct flops *f)
{
    int64_t sum = 0;

    for (node_id i = 0; i < p->n_nodes; i++)
        sum += f->count[i];
    return sum;
}

/* The operations of one node including its callees, with three rule sets; the result does not
 * depend on whether the bodies have rows. */
struct call_case {
    const char *node;
    int64_t compat, entered, full;
};

static void check(const struct call_case *c)
{
    const int64_t wanted[] = {c->compat, c->entered, c->full};

    for (int way = 0; way < 3; way++) {
        const enum flops_rules rules = way == 2 ? FLOPS_RULES_FULL : FLOPS_RULES_COMPAT;
        struct profile *p = load(c->node, library, FUNCTIONS_INLINE);
        struct flops *f = count(p, rules, way == 1, &attrs_source);

        if (total(p, f) != wanted[way])
            fail_msg("%s: way %d: %lld, not %lld", c->node, way, (long long)total(p, f),
                     (long long)wanted[way]);
        flops_free(f);
        profile_free(p);
    }
    if (c->full > 0) {
        struct profile *p = load(c->node, library, FUNCTIONS_OFF);
        struct flops *f = count(p, FLOPS_RULES_FULL, false, &attrs_source);

        assert_int_equal(f->count[text_graph_node(p, "call")], c->full);
        flops_free(f);
        profile_free(p);
    }
}

static void every_kind_of_call(void **state)
{
    static const struct call_case cases[] = {
        {"node { name: 'call' op: 'sq' input: 'x' }", 32, 32, 32},
        {"node { name: 'call' op: 'PartitionedCall' input: 'x'" CALLS("f", "sq") OUT "}",
         32, 32, 32},
        {"node { name: 'call' op: 'StatefulPartitionedCall' input: 'x'" CALLS("f", "twice") OUT "}",
         64, 64, 64},
        {"node { name: 'call' op: 'TPUPartitionedCall' input: 'x' input: 'zero'" CALLS("f", "sq") OUT
         "}", 0, 32, 32},
        {"node { name: 'call' op: 'RemoteCall' input: 'open' input: 'x'" CALLS("f", "sq") OUT "}",
         0, 32, 32},
        /* the count of a gradient is not that of the function */
        {"node { name: 'call' op: 'SymbolicGradient' input: 'x'" CALLS("f", "sq") OUT "}", 0, 0, 0},
        /* once for each of the 8 rows */
        {"node { name: 'call' op: 'MapDefun' input: 'x'" CALLS("f", "sq")
         " attr { key: 'Targuments' value { list { type: DT_FLOAT } } } }", 0, 8, 32},
        /* 0, 2, 4, 6, 8 */
        {"node { name: 'call' op: 'For' input: 'zero' input: 'ten' input: 'two' input: 'x'"
         CALLS("body", "each") "}", 0, 32, 160},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        check(&cases[i]);
}

/* TensorFlow counts all branches of Case and none of If; only one branch is executed. */
static void the_costliest_branch_counts(void **state)
{
    static const struct call_case cases[] = {
        {"node { name: 'call' op: 'If' input: 'open' input: 'x'" CALLS("then_branch", "sq")
         CALLS("else_branch", "twice") OUT "}", 0, 96, 64},
        {"node { name: 'call' op: 'StatelessIf' input: 'open' input: 'x'"
         CALLS("then_branch", "twice") CALLS("else_branch", "same") OUT "}", 0, 64, 64},
        {"node { name: 'call' op: 'Case' input: 'open' input: 'x' attr { key: 'branches' value {"
         "  list { func { name: 'same' } func { name: 'twice' } func { name: 'sq' } } } }" OUT "}",
         96, 96, 64},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        check(&cases[i]);
}

/* Consumers of a Case with a hundred branches, all alike except the last one. */
static void the_last_of_many_branches_is_inferred(void **state)
{
    static const struct {
        const char *last;
        int64_t wanted;
    } cases[] = {{"same", 32}, {"no_such_function", 0}};

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct strbuf nodes = {0};
        struct profile *p;
        struct flops *f;

        sb_adds(&nodes, "node { name: 'after' op: 'Square' input: 'call' }"
                        "node { name: 'call' op: 'Case' input: 'open' input: 'x'" OUT
                        " attr { key: 'branches' value { list {");
        for (int k = 1; k < 100; k++)
            sb_adds(&nodes, " func { name: 'same' }");
        sb_addf(&nodes, " func { name: '%s' } } } } }", cases[i].last);
        p = load(sb_text(&nodes), library, FUNCTIONS_INLINE);
        f = count(p, FLOPS_RULES_FULL, false, &attrs_source);
        assert_int_equal(total(p, f), cases[i].wanted);
        flops_free(f);
        profile_free(p);
        sb_done(&nodes);
    }
}

/* The last of a hundred branches may be the costliest. */
static void the_costliest_of_many_branches_counts(void **state)
{
    struct call_case many = {NULL, 99 * 32 + 64, 99 * 32 + 64, 64};
    struct strbuf node = {0};

    (void)state;
    sb_adds(&node, "node { name: 'call' op: 'Case' input: 'open' input: 'x'" OUT
                   " attr { key: 'branches' value { list {");
    for (int k = 1; k < 100; k++)
        sb_adds(&node, " func { name: 'sq' }");
    sb_adds(&node, " func { name: 'twice' } } } } }");
    many.node = sb_text(&node);
    check(&many);
    sb_done(&node);
}

/* Attribute names may have any length. */
static void attribute_names_may_have_any_length(void **state)
{
    struct strbuf node = {0}, row = {0};
    char name[101];
    struct profile *p;

    (void)state;
    memset(name, 'n', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    sb_addf(&node, "node { name: 'call' op: 'FilterDataset' input: 'x'"
                   " attr { key: '%s' value { func { name: 'sq' } } }"
                   " attr { key: 'f' value { func { name: 'sq' } } } }", name);
    sb_addf(&row, "call/%s/m", name);
    p = load(sb_text(&node), library, FUNCTIONS_INLINE);
    assert_true(text_graph_node(p, sb_text(&row)) < p->n_nodes);
    profile_free(p);
    sb_done(&node);
    sb_done(&row);
}

static void other_branches_give_the_reason(void **state)
{
    struct profile *p = load("node { name: 'call' op: 'If' input: 'open' input: 'x'"
                             CALLS("then_branch", "sq") CALLS("else_branch", "twice") OUT "}",
                             library, FUNCTIONS_INLINE);
    struct flops *f = count(p, FLOPS_RULES_FULL, false, &attrs_source);
    struct strbuf sb = {0};

    (void)state;
    assert_int_equal(f->state[text_graph_node(p, "call/then_branch/m")], FLOPS_LEFT_OUT);
    assert_int_equal(f->count[text_graph_node(p, "call/then_branch/m")], 0);
    assert_int_equal(f->state[text_graph_node(p, "call/else_branch/two/m")], FLOPS_COUNTED);
    flops_explain(f, text_graph_node(p, "call/then_branch/m"), &sb);
    assert_string_equal(sb_text(&sb), "N(in) = 4x8 = 32, not counted: another branch costs more");
    sb_clear(&sb);
    flops_explain(f, text_graph_node(p, "call"), &sb);
    assert_string_equal(sb_text(&sb),
                        "calls then_branch sq: 32, not counted: another branch costs more; "
                        "else_branch twice: 64 (its rows are below)");
    sb_clear(&sb);
    flops_limits(f, &sb);
    assert_string_equal(sb_text(&sb), " (branches: the costliest)");
    sb_clear(&sb);
    flops_coverage(f, &sb);
    assert_string_equal(sb_text(&sb),
                        "counted 2 of 3 compute ops; 1 in branches that cost less than others");
    sb_done(&sb);
    flops_free(f);
    profile_free(p);
}

#define WHILE(cond, start, bound)                                                     \
    "node { name: 'call' op: 'While' input: '" start "' input: '" bound "' input: 'x'" \
    CALLS("cond", cond) CALLS("body", "step")                                          \
    " attr { key: 'T' value { list { type: DT_INT32 type: DT_INT32 type: DT_FLOAT } } } }"

/* The body is 33 operations: a product of 32, plus 1 for the counter, which is 0, 3, 6, 9. */
static void trip_counts_from_constants_multiply(void **state)
{
    static const struct call_case cases[] = {
        {WHILE("below", "zero", "ten"), 0, 34, 4 * 33 + 5},
        {WHILE("below", "two", "ten"), 0, 34, 3 * 33 + 4},
        {WHILE("below", "ten", "two"), 0, 34, 1},
        /* and 6 >= i: the first false condition ends the loop */
        {WHILE("both", "zero", "ten"), 0, 35 + 1, 3 * 33 + 4 * 3},
        {WHILE("both", "zero", "two"), 0, 35 + 1, 1 * 33 + 2 * 3},
        /* unknown */
        {WHILE("below", "zero", "open"), 0, 34, 34},
        {WHILE("below", "open", "ten"), 0, 34, 34},
        {WHILE("both", "zero", "open"), 0, 35 + 1, 36},
    };

    (void)state;
    /* Only the stronger rules have LogicalAnd. */
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct call_case c = cases[i];

        if (strstr(c.node, "'both'"))
            c.entered--;
        check(&c);
    }
}

/* The last of 200 conditions ends the loop first. */
static void all_conditions_of_a_loop_count(void **state)
{
    enum { N = 200 };
    struct strbuf functions = {0};
    struct profile *p;
    struct flops *f;

    (void)state;
    sb_addf(&functions,
            "%s library { function { signature { name: 'many' input_arg { name: 'i' } input_arg {"
            " name: 'n' } input_arg { name: 'v' } output_arg { name: 'c' } }"
            " node_def { name: 'a0' op: 'Less' input: 'i' input: 'n' }", library);
    for (int i = 1; i < N; i++)
        sb_addf(&functions,
                " node_def { name: 'k%d' op: 'Const' attr { key: 'value' value { tensor {"
                "   dtype: DT_INT32 tensor_shape { } int_val: %d } } } }"
                " node_def { name: 'l%d' op: 'Less' input: 'i' input: 'k%d:output:0' }"
                " node_def { name: 'a%d' op: 'LogicalAnd' input: 'l%d:z:0' input: 'a%d:z:0' }",
                i, i == 1 ? 6 : 9, i, i, i, i, i - 1);
    sb_addf(&functions, " ret { key: 'c' value: 'a%d:z:0' } } }", N - 1);
    p = load(WHILE("many", "zero", "ten"), sb_text(&functions), FUNCTIONS_INLINE);
    f = count(p, FLOPS_RULES_FULL, true, &attrs_source);
    /* The body at i = 0 and 3; the condition once more, with N Less and N - 1 LogicalAnd. */
    assert_int_equal(total(p, f), 2 * 33 + 3 * (2 * N - 1));
    flops_free(f);
    profile_free(p);
    sb_done(&functions);
}

/* A shape entering the first loop variable reaches the last one after N iterations. */
static void a_slowly_converging_loop_has_no_shapes(void **state)
{
    enum { N = 20 };
    struct strbuf nodes = {0}, functions = {0};
    struct profile *p;
    struct flops *f;

    (void)state;
    sb_adds(&nodes, "node { name: 'call' op: 'While'");
    for (int i = 0; i <= N; i++)
        sb_adds(&nodes, " input: 'x'");
    sb_adds(&nodes, CALLS("body", "shift") CALLS("cond", "any")
                    " attr { key: 'output_shapes' value { list {");
    for (int i = 0; i <= N; i++)
        sb_adds(&nodes, " shape { unknown_rank: true }");
    sb_adds(&nodes, " } } } attr { key: 'T' value { list {");
    for (int i = 0; i <= N; i++)
        sb_adds(&nodes, " type: DT_FLOAT");
    sb_adds(&nodes, " } } } }"
                    "node { name: 'last' op: 'Square' input: 'call:19' }"
                    "node { name: 'stays' op: 'Square' input: 'call:20' }");
    sb_adds(&functions, "library { function { signature { name: 'any' output_arg { name: 'b' } }"
                        "  node_def { name: 'any' op: 'Custom' } ret { key: 'b' value: 'any:y:0' } }"
                        "function { signature { name: 'shift'");
    for (int i = 0; i <= N; i++)
        sb_addf(&functions, " input_arg { name: 'i%d' } output_arg { name: 'o%d' }", i, i);
    sb_adds(&functions, " } node_def { name: 'new' op: 'Custom' } ret { key: 'o0' value: 'new:y:0' }"
                        " ret { key: 'o20' value: 'i20' }");
    for (int i = 1; i < N; i++)
        sb_addf(&functions, " ret { key: 'o%d' value: 'i%d' }", i, i - 1);
    sb_adds(&functions, " } }");
    p = load(sb_text(&nodes), sb_text(&functions), FUNCTIONS_INLINE);
    f = count(p, FLOPS_RULES_FULL, false, &attrs_source);
    assert_int_equal(f->state[text_graph_node(p, "last")], FLOPS_UNKNOWN_SHAPE);
    assert_int_equal(f->count[text_graph_node(p, "stays")], 32);
    flops_free(f);
    profile_free(p);
    sb_done(&nodes);
    sb_done(&functions);
}

static void one_iteration_is_marked(void **state)
{
    struct profile *p = load(WHILE("below", "zero", "open"), library, FUNCTIONS_INLINE);
    struct flops *f = count(p, FLOPS_RULES_FULL, false, &attrs_source);
    struct strbuf sb = {0};

    (void)state;
    assert_int_equal(f->state[text_graph_node(p, "call/body/mul")], FLOPS_PER_TRIP);
    flops_explain(f, text_graph_node(p, "call/body/mul"), &sb);
    assert_string_equal(sb_text(&sb), "N(out) = 4x8 = 32 per iteration: the number of iterations "
                                      "is not known");
    sb_clear(&sb);
    flops_limits(f, &sb);
    assert_string_equal(sb_text(&sb), " (loops: one iteration)");
    flops_free(f);
    profile_free(p);

    p = load(WHILE("below", "zero", "ten"), library, FUNCTIONS_INLINE);
    f = count(p, FLOPS_RULES_FULL, false, &attrs_source);
    assert_int_equal(f->state[text_graph_node(p, "call/body/mul")], FLOPS_COUNTED);
    sb_clear(&sb);
    flops_explain(f, text_graph_node(p, "call/body/mul"), &sb);
    assert_string_equal(sb_text(&sb), "N(out) = 4x8 = 32, 4 times: 128");
    sb_clear(&sb);
    flops_limits(f, &sb);
    assert_string_equal(sb_text(&sb), "");
    sb_done(&sb);
    flops_free(f);
    profile_free(p);
}

/* Nodes between Enter and Exit are in a loop; nodes after Exit are not. */
static void loops_of_the_graph_are_marked(void **state)
{
    struct profile *p = load("node { name: 'enter' op: 'Enter' input: 'x'"
                             "  attr { key: 'is_constant' value { b: true } } }"
                             "node { name: 'in' op: 'Square' input: 'enter' }"
                             "node { name: 'exit' op: 'Exit' input: 'in' }"
                             "node { name: 'out' op: 'Square' input: 'exit' }",
                             "", FUNCTIONS_INLINE);
    struct flops *f = count(p, FLOPS_RULES_COMPAT, false, &attrs_source);

    (void)state;
    assert_int_equal(f->state[text_graph_node(p, "in")], FLOPS_PER_TRIP);
    assert_int_equal(f->state[text_graph_node(p, "out")], FLOPS_COUNTED);
    assert_int_equal(total(p, f), 64);
    flops_free(f);
    profile_free(p);
}

/* ---- counted once for all calls */

/* Counts decoded nodes and forwards to the real source. */
static size_t n_decoded;

static const struct attr *counting(const struct profile *p, node_id node, struct arena *arena,
                                   size_t *n)
{
    n_decoded++;
    return attrs_source.decode(p, node, arena, n);
}

/* A chain of 2000 calls of a body with 500 nodes. */
static void a_body_is_inferred_once(void **state)
{
    struct attr_source source = attrs_source;
    struct strbuf nodes = {0}, body = {0}, text = {0};
    struct profile *p;
    struct flops *f;

    (void)state;
    source.decode = counting;
    for (int i = 0; i < 2000; i++)
        sb_addf(&nodes, "node { name: 'c%d' op: 'big' input: '%s%d' }", i, i ? "c" : "x:",
                i ? i - 1 : 0);
    sb_adds(&body, "library { function { signature { name: 'big' input_arg { name: 'a' }"
                   " output_arg { name: 'b' } }");
    for (int i = 0; i < 500; i++)
        sb_addf(&body, "node_def { name: 'n%d' op: 'Mul' input: '%s%d%s' input: 'a' }", i,
                i ? "n" : "a:", i ? i - 1 : 0, i ? ":z:0" : "");
    sb_adds(&body, "ret { key: 'b' value: 'n499:z:0' } } }");
    p = load(sb_text(&nodes), sb_text(&body), FUNCTIONS_INLINE);
    /* Fewer than 2000 * 500 nodes: 64 bytes per byte of the file plus a few MB limit them. */
    assert_true(p->n_nodes > 39000 && p->n_nodes < 100000);
    n_decoded = 0;
    f = count(p, FLOPS_RULES_FULL, false, &source);
    assert_int_equal(total(p, f), INT64_C(2000) * 500 * 32);
    /* At most twice per node, for its shape and for its count. */
    assert_true(n_decoded <= 2 * (2000 + 500 + 5));
    assert_int_equal(f->count[text_graph_node(p, "c0")], 0);
    assert_int_equal(f->count[text_graph_node(p, "c1999")], 500 * 32);
    flops_explain(f, text_graph_node(p, "c0"), &text);
    assert_string_equal(sb_text(&text), "calls big: 16000 (its rows are below)");
    sb_clear(&text);
    flops_explain(f, text_graph_node(p, "c1999"), &text);
    assert_string_equal(sb_text(&text), "calls big: 16000 (open it for its rows, see -open_calls)");
    sb_done(&text);
    flops_free(f);
    profile_free(p);
    sb_done(&nodes);
    sb_done(&body);
}

/* Each of 40 functions calls the previous one twice: 2^40 squares of 32. */
static void shared_calls_do_not_explode(void **state)
{
    struct strbuf functions = {0};
    struct profile *p;
    struct flops *f;

    (void)state;
    sb_adds(&functions, "library { function { signature { name: 'f0' input_arg { name: 'a' }"
                        "   output_arg { name: 'b' } } node_def { name: 'm' op: 'Square' input: 'a' }"
                        " ret { key: 'b' value: 'm:y:0' } }");
    for (int i = 1; i <= 40; i++)
        sb_addf(&functions, "function { signature { name: 'f%d' input_arg { name: 'a' }"
                            "   output_arg { name: 'b' } }"
                            " node_def { name: 'l' op: 'f%d' input: 'a' }"
                            " node_def { name: 'r' op: 'f%d' input: 'l:b:0' }"
                            " ret { key: 'b' value: 'r:b:0' } }", i, i - 1, i - 1);
    sb_adds(&functions, "}");
    for (int full = 0; full < 2; full++) {
        p = load("node { name: 'call' op: 'f40' input: 'x' }", sb_text(&functions),
                 FUNCTIONS_INLINE);
        assert_true(p->n_nodes < 140000);
        f = count(p, full ? FLOPS_RULES_FULL : FLOPS_RULES_COMPAT, false, &attrs_source);
        assert_int_equal(total(p, f), INT64_C(32) << 40);
        flops_free(f);
        profile_free(p);
    }
    sb_done(&functions);
}

/* Calls of a listed function are counted in its own rows. */
static void listed_functions_count_once(void **state)
{
    struct profile *p = load("node { name: 'call' op: 'twice' input: 'x' }", library,
                             FUNCTIONS_LIST);
    struct flops *f = count(p, FLOPS_RULES_FULL, false, &attrs_source);

    (void)state;
    assert_int_equal(f->state[text_graph_node(p, "twice/one")], FLOPS_NO_COMPUTE);
    assert_int_equal(f->state[text_graph_node(p, "call")], FLOPS_NO_COMPUTE);
    assert_int_equal(f->state[text_graph_node(p, "sq/m")], FLOPS_UNKNOWN_SHAPE);
    flops_free(f);
    profile_free(p);
}

static void functions_without_rows_are_reported(void **state)
{
    struct profile *p = load("node { name: 'call' op: 'twice' input: 'x' }", library,
                             FUNCTIONS_OFF);
    struct flops *f = count(p, FLOPS_RULES_COMPAT, false, &attrs_source);
    struct strbuf sb = {0};

    (void)state;
    assert_int_equal(f->state[text_graph_node(p, "call")], FLOPS_LEFT_OUT);
    assert_int_equal(total(p, f), 0);
    flops_coverage(f, &sb);
    assert_string_equal(sb_text(&sb), "counted 0 of 1 compute ops; 1 calls of functions, which are "
                                      "not entered");
    sb_done(&sb);
    flops_free(f);
    profile_free(p);
}

/* The batch size of a batched op depends on the requests at run time. */
static void batches_are_of_unknown_size(void **state)
{
    struct profile *p = load("node { name: 'call' op: 'BatchFunction' input: 'x'" CALLS("f", "sq")
                             OUT "}", library, FUNCTIONS_INLINE);
    struct flops *f = count(p, FLOPS_RULES_FULL, false, &attrs_source);
    const int64_t *dims;
    uint32_t n;

    (void)state;
    assert_true(flops_output_shape(f, text_graph_node(p, "call"), 0, &dims, &n));
    assert_int_equal(n, 2);
    assert_int_equal(dims[0], -1);
    assert_int_equal(dims[1], 8);
    assert_int_equal(total(p, f), 32);
    flops_free(f);
    profile_free(p);
}

/* The outer body counts; the recursive call does not. */
static void recursive_calls_count_once(void **state)
{
    struct profile *p = load("node { name: 'call' op: 'again' input: 'x' }",
                             "library { function { signature { name: 'again' input_arg { name: 'a' }"
                             "  output_arg { name: 'b' } } node_def { name: 'm' op: 'Square' input: 'a' }"
                             "  node_def { name: 'deeper' op: 'again' input: 'm:y:0' }"
                             "  ret { key: 'b' value: 'deeper:b:0' } } }",
                             FUNCTIONS_INLINE);
    struct flops *f = count(p, FLOPS_RULES_FULL, false, &attrs_source);

    (void)state;
    assert_int_equal(total(p, f), 32);
    assert_int_equal(f->state[text_graph_node(p, "call/deeper")], FLOPS_NO_RULE);
    flops_free(f);
    profile_free(p);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kind_of_call),
        cmocka_unit_test(the_costliest_branch_counts),
        cmocka_unit_test(the_last_of_many_branches_is_inferred),
        cmocka_unit_test(the_costliest_of_many_branches_counts),
        cmocka_unit_test(attribute_names_may_have_any_length),
        cmocka_unit_test(other_branches_give_the_reason),
        cmocka_unit_test(trip_counts_from_constants_multiply),
        cmocka_unit_test(all_conditions_of_a_loop_count),
        cmocka_unit_test(a_slowly_converging_loop_has_no_shapes),
        cmocka_unit_test(one_iteration_is_marked),
        cmocka_unit_test(loops_of_the_graph_are_marked),
        cmocka_unit_test(a_body_is_inferred_once),
        cmocka_unit_test(shared_calls_do_not_explode),
        cmocka_unit_test(listed_functions_count_once),
        cmocka_unit_test(functions_without_rows_are_reported),
        cmocka_unit_test(batches_are_of_unknown_size),
        cmocka_unit_test(recursive_calls_count_once),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
