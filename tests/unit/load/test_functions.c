/* test_functions.c: function bodies, as graphs and below their calls. */
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/strbuf.h"
#include "model/function.h"
#include "fixtures/text_graph.h"

/* y = f(x) = twice(x) + 1; the function twice(x) = x + x. */
static const char library[] =
    "library { function { signature { name: 'f' input_arg { name: 'x' } output_arg { name: 'y' } }"
    "  arg_attr { key: 0 value { attr { key: '_output_shapes' value { list {"
    "    shape { dim { size: 2 } } } } } } }"
    "  node_def { name: 'inner' op: 'PartitionedCall' input: 'x:0'"
    "    attr { key: 'f' value { func { name: 'twice' } } } }"
    "  node_def { name: 'one' op: 'Const' }"
    "  node_def { name: 'sum' op: 'AddV2' input: 'inner:output:0' input: 'one:output:0'"
    "    input: '^one' }"
    "  ret { key: 'y' value: 'sum:z:0' } }"
    "function { signature { name: 'twice' input_arg { name: 'a' } output_arg { name: 'b' } }"
    "  node_def { name: 'norm' op: 'FusedBatchNorm' input: 'a' }"
    "  node_def { name: 'add' op: 'AddV2' input: 'a' input: 'norm:batch_variance:0' }"
    "  ret { key: 'b' value: 'add:z:0' } } }";

/* Enough for any function body. */
static struct budget plenty = {.bytes_left = UINT64_MAX, .steps_left = UINT64_MAX};

static struct profile *load(const char *graph, enum functions_mode mode)
{
    const char *const texts[] = {graph, library, NULL};

    return text_graph(texts, mode);
}

/* Checks that input I of NODE is output INDEX of SOURCE. */
static void check_input(const struct profile *p, const char *node, uint32_t i, const char *source,
                        int32_t index)
{
    const uint32_t at = p->input_begin[text_graph_node(p, node)] + i;
    const struct node_input *in = &p->inputs[at];

    assert_string_equal(profile_text(p, profile_input_name(p, at)), source);
    assert_int_equal(in->own_index, index);
    assert_int_equal(in->source, profile_find(p, source, strlen(source)));
}

static void a_body_is_a_graph(void **state)
{
    struct profile *p = load("", FUNCTIONS_OFF);
    const struct function_body *f, *again;

    (void)state;
    assert_int_equal(p->n_nodes, 0);
    f = p->functions.find(p->functions.context, "f", 1, &plenty);
    assert_non_null(f);
    assert_int_equal(f->n_args, 1);
    assert_int_equal(f->graph->n_nodes, 4);
    assert_string_equal(profile_text(f->graph, f->graph->op[0]), "_Arg");
    assert_int_equal(profile_output_shape(f->graph, 0, 0),
                     f->graph->outputs[f->graph->output_begin[0]].shape);
    assert_int_equal(f->graph->shapes[profile_output_shape(f->graph, 0, 0)].dims[0], 2);
    check_input(f->graph, "inner", 0, "x", 0);
    check_input(f->graph, "sum", 0, "inner", 0);
    check_input(f->graph, "sum", 2, "one", INPUT_CONTROL);
    assert_int_equal(f->n_results, 1);
    assert_int_equal(f->results[0].node, text_graph_node(f->graph, "sum"));
    again = p->functions.find(p->functions.context, "f", 1, &plenty);
    assert_ptr_equal(f, again);
    assert_null(p->functions.find(p->functions.context, "g", 1, &plenty));
    profile_free(p);
}

/* Outputs are referenced by name; the op table gives the index of batch_variance. */
static void outputs_are_counted(void **state)
{
    struct profile *p = load("", FUNCTIONS_OFF);
    const struct function_body *twice = p->functions.find(p->functions.context, "twice", 5, &plenty);

    (void)state;
    check_input(twice->graph, "add", 1, "norm", 2);
    profile_free(p);
}

/* Op arguments that produce several tensors: the node's attributes give their number. */
static void arguments_of_several_outputs_are_counted(void **state)
{
    static const char many[] =
        "library { function { signature { name: 'many' output_arg { name: 'a' }"
        "  output_arg { name: 'b' number_attr: 'N' } output_arg { name: 'c' type_list_attr: 'T' }"
        "  output_arg { name: 'd' number_attr: 'none' } output_arg { name: 'e' } } }"
        "function { signature { name: 'g' output_arg { name: 'first' }"
        "    output_arg { name: 'second' } output_arg { name: 'third' } }"
        "  node_def { name: 'm' op: 'many' attr { key: 'N' value { i: 3 } }"
        "    attr { key: 'T' value { list { type: 1 type: 1 } } } }"
        "  node_def { name: 'r' op: 'X' input: 'm:a:0' input: 'm:b:2' input: 'm:c:0'"
        "    input: 'm:d:0' input: 'm:e:1' input: 'm:f:0' }"
        "  ret { key: 'third' value: 'm:c:1' } ret { key: 'first' value: 'm:e:0' }"
        "  ret { key: 'first' value: 'm:a:0' } } }";
    static const int32_t outputs[] = {0, 3, 4, 6, 8, 0};
    const char *const texts[] = {many, NULL};
    struct profile *p = text_graph(texts, FUNCTIONS_OFF);
    const struct function_body *g = p->functions.find(p->functions.context, "g", 1, &plenty);

    (void)state;
    for (uint32_t i = 0; i < sizeof outputs / sizeof *outputs; i++)
        check_input(g->graph, "r", i, "m", outputs[i]);
    assert_int_equal(g->n_results, 3);
    assert_int_equal(g->results[0].output, 7);
    assert_int_equal(g->results[1].node, NODE_NONE);
    assert_int_equal(g->results[2].output, 5);
    profile_free(p);
}

static void bodies_are_below_calls(void **state)
{
    struct profile *p = load("node { name: 'in' op: 'Split' }"
                             "node { name: 'call' op: 'f' input: 'in:1' }",
                             FUNCTIONS_INLINE);
    const struct call_site *outer, *inner;

    (void)state;
    assert_int_equal(p->n_nodes, 2 + 3 + 2);
    check_input(p, "call/inner", 0, "in", 1);
    check_input(p, "call/inner/add", 0, "in", 1);
    check_input(p, "call/inner/add", 1, "call/inner/norm", 2);
    check_input(p, "call/sum", 0, "call/inner", 0);
    assert_int_equal(p->n_call_sites, 2);
    outer = profile_call_site_of(p, text_graph_node(p, "call/sum"));
    inner = profile_call_site_of(p, text_graph_node(p, "call/inner/add"));
    assert_int_equal(outer->call, text_graph_node(p, "call"));
    assert_int_equal(inner->call, text_graph_node(p, "call/inner"));
    assert_string_equal(profile_text(p, inner->function), "twice");
    assert_null(profile_call_site_of(p, text_graph_node(p, "call")));
    profile_free(p);
}

static void functions_can_be_listed_or_left_out(void **state)
{
    static const char graph[] = "node { name: 'call' op: 'f' }";
    struct profile *p = load(graph, FUNCTIONS_LIST);

    (void)state;
    assert_int_equal(p->n_nodes, 1 + 3 + 2);
    text_graph_node(p, "f/sum");
    check_input(p, "twice/add", 0, "twice/a", 0);
    assert_int_equal(profile_call_site_of(p, text_graph_node(p, "f/sum"))->call, NODE_NONE);
    profile_free(p);
    p = load(graph, FUNCTIONS_OFF);
    assert_int_equal(p->n_nodes, 1);
    assert_int_equal(p->n_call_sites, 0);
    profile_free(p);
}

/* Branches receive all inputs except the first, which selects the branch. */
static void several_bodies_of_one_node(void **state)
{
    struct profile *p = load("node { name: 'c' op: 'Const' } node { name: 'v' op: 'Const' }"
                             "node { name: 'if' op: 'If' input: 'c' input: 'v' input: '^c'"
                             "  attr { key: 'then_branch' value { func { name: 'twice' } } }"
                             "  attr { key: 'else_branch' value { func { name: 'twice' } } } }"
                             "node { name: 'case' op: 'Case' input: 'c' input: 'v'"
                             "  attr { key: 'branches' value { list {"
                             "    func { name: 'twice' } func { name: 'none' } } } } }",
                             FUNCTIONS_INLINE);

    (void)state;
    check_input(p, "if/then_branch/add", 0, "v", 0);
    check_input(p, "if/else_branch/add", 0, "v", 0);
    check_input(p, "case/add", 0, "v", 0);
    profile_free(p);
}

static void a_duplicate_capture_name_is_not_joined(void **state)
{
    struct profile *p = load("node { name: 'call/add' op: 'Mine' }"
                             "node { name: 'call' op: 'twice' input: 'call/add' }",
                             FUNCTIONS_INLINE);

    (void)state;
    assert_string_equal(profile_text(p, p->op[text_graph_node(p, "call/add")]), "Mine");
    check_input(p, "call/add_inlined", 0, "call/add", 0);
    profile_free(p);
}

static bool has_note(const struct profile *p, const char *text)
{
    for (size_t i = 0; i < p->notes.n; i++)
        if (strstr(p->notes.data[i].text, text))
            return true;
    return false;
}

static void recursion_is_cut_with_a_note(void **state)
{
    struct profile *p = load("library { function { signature { name: 'odd' }"
                             "  node_def { name: 'n' op: 'even' } }"
                             "function { signature { name: 'even' }"
                             "  node_def { name: 'n' op: 'odd' } } }"
                             "node { name: 'call' op: 'odd' }",
                             FUNCTIONS_INLINE);

    (void)state;
    assert_int_equal(p->n_nodes, 3);
    text_graph_node(p, "call/n/n");
    assert_true(has_note(p, "function 'odd' calls itself: cut (1 such call)"));
    profile_free(p);
}

/* Each of 30 functions calls the previous one twice: 2^30 nodes without a limit. */
static void growth_is_bounded(void **state)
{
    struct strbuf text = {0};
    struct profile *p;

    (void)state;
    sb_adds(&text, "node { name: 'call' op: 'f29' } library { function { signature { name: 'f0' }"
                   " node_def { name: 'x' op: 'NoOp' } }");
    for (int i = 1; i < 30; i++)
        sb_addf(&text,
                "function { signature { name: 'f%d' } node_def { name: 'a' op: 'f%d' }"
                " node_def { name: 'b' op: 'f%d' } }",
                i, i - 1, i - 1);
    sb_adds(&text, "}");
    p = load(sb_text(&text), FUNCTIONS_INLINE);
    assert_true(p->n_nodes > 1000 && p->n_nodes <= (1 << 17) + 30 * 2);
    assert_true(has_note(p, "is not shown below every call"));
    /* Each function was expanded at least once. */
    for (int i = 0; i < 30; i++) {
        char name[16];
        uint32_t n = 0;

        snprintf(name, sizeof name, "f%d", i);
        for (uint32_t k = 0; k < p->n_call_sites; k++)
            n += strcmp(profile_text(p, p->call_sites[k].function), name) == 0;
        assert_true(n > 0);
    }
    profile_free(p);
    sb_done(&text);
}

/* The functions that come first by name are expanded, wherever they are in the file. */
static void calls_without_a_body_are_known(void **state)
{
    enum { CALLS = 2000, NODES = 100 };
    struct strbuf text = {0};
    struct profile *p;
    uint32_t n_cut = 0;

    (void)state;
    sb_adds(&text, "library { function { signature { name: 'wide' }");
    for (int i = 0; i < NODES; i++)
        sb_addf(&text, " node_def { name: 'n%d' op: 'NoOp' }", i);
    sb_adds(&text, " } }");
    for (int i = CALLS; i-- > 0;)
        sb_addf(&text, "node { name: 'c%04d' op: 'wide' }", i);
    p = load(sb_text(&text), FUNCTIONS_INLINE);
    for (uint32_t i = 0; i < CALLS; i++) {
        char call[16], first[32];
        bool has_body;

        snprintf(call, sizeof call, "c%04" PRIu32, i);
        snprintf(first, sizeof first, "%s/n0", call);
        has_body = profile_find(p, first, strlen(first)) != NODE_NONE;
        assert_int_equal(profile_call_is_cut(p, text_graph_node(p, call)), !has_body);
        assert_false(has_body && n_cut > 0);
        n_cut += !has_body;
    }
    assert_int_equal(p->n_cut_calls, n_cut);
    assert_true(n_cut > 0 && n_cut < CALLS);
    profile_free(p);
    sb_done(&text);
}

/* A malformed body is skipped; the rest of the graph is loaded. */
static void a_malformed_body_is_skipped(void **state)
{
    struct profile *p = load("library { function { signature { name: 'bad' input_arg { name: 'x' }"
                             "  input_arg { name: 'x' } } node_def { name: 'n' op: 'NoOp' } } }"
                             "node { name: 'call' op: 'bad' }",
                             FUNCTIONS_INLINE);

    (void)state;
    assert_int_equal(p->n_nodes, 1);
    assert_null(p->functions.find(p->functions.context, "bad", 3, &plenty));
    profile_free(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_body_is_a_graph),
        cmocka_unit_test(outputs_are_counted),
        cmocka_unit_test(arguments_of_several_outputs_are_counted),
        cmocka_unit_test(bodies_are_below_calls),
        cmocka_unit_test(functions_can_be_listed_or_left_out),
        cmocka_unit_test(several_bodies_of_one_node),
        cmocka_unit_test(a_duplicate_capture_name_is_not_joined),
        cmocka_unit_test(recursion_is_cut_with_a_note),
        cmocka_unit_test(growth_is_bounded),
        cmocka_unit_test(calls_without_a_body_are_known),
        cmocka_unit_test(a_malformed_body_is_skipped),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
