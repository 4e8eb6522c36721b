/* test_flops_facts.c: counts and shapes of real models compared with results of TensorFlow's own
 * profiler. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "flops/flops.h"
#include "load/graph/attrs.h"
#include "fixtures/load_with.h"

static const char *golden(const char *name)
{
    static char path[4][512];
    static unsigned next;
    const char *top = getenv("top_srcdir");
    char *at = path[next++ % 4];

    snprintf(at, sizeof path[0], "%s/tests/golden/%s", top ? top : ".", name);
    return at;
}

static struct profile *load_functions(const char *file, enum functions_mode functions)
{
    const char *const mode = option_value_name(option_find("functions"), (int)functions);
    struct err err = {0};
    struct profile *p = load_with(SETTINGS("functions", mode), golden(file), &err);

    if (!p)
        fail_msg("%s", err_text(&err));
    return p;
}

static struct profile *load(const char *graph, const char *run_meta, const char *op_log)
{
    struct err err = {0};
    struct profile *p = load_with(SETTINGS("graph_path", golden(graph), "run_meta_path",
                                           run_meta ? golden(run_meta) : NULL, "op_log_path",
                                           op_log ? golden(op_log) : NULL),
                                  NULL, &err);

    if (!p)
        fail_msg("%s", err_text(&err));
    return p;
}

static struct flops *count_entering(const struct profile *p, enum flops_rules rules,
                                    int64_t batch, bool loops)
{
    struct flops_request r = {.rules = rules, .batch = batch, .loops = loops,
                              .attrs = &attrs_source, .functions = p->functions};
    struct err err = {0};
    struct flops *f = flops_compute(p, &r, (struct cancel_mark){0}, &err);

    if (!f)
        fail_msg("%s", err_text(&err));
    return f;
}

static struct flops *count_batch(const struct profile *p, enum flops_rules rules, int64_t batch)
{
    return count_entering(p, rules, batch, false);
}

static struct flops *count(const struct profile *p, enum flops_rules rules)
{
    return count_batch(p, rules, 0);
}

/* Sum over the nodes of op type OP; NULL: all nodes. */
static int64_t total(const struct profile *p, const struct flops *f, const char *op)
{
    int64_t sum = 0;

    for (node_id i = 0; i < p->n_nodes; i++)
        if (!op || strcmp(profile_text(p, p->op[i]), op) == 0)
            sum += f->count[i];
    return sum;
}

static void states_add_up(const struct profile *p, const struct flops *f)
{
    uint32_t n = 0;

    for (int s = FLOPS_NO_COMPUTE; s <= FLOPS_NO_RULE; s++)
        n += f->n_state[s];
    assert_int_equal(n, p->n_nodes);
}

/* ---- the table */

static int64_t nodes_of(const struct profile *p, const char *op)
{
    int64_t n = 0;

    for (node_id i = 0; i < p->n_nodes; i++)
        n += strcmp(profile_text(p, p->op[i]), op) == 0;
    return n;
}

/* Number of nodes whose outputs all have a complete shape. */
static int64_t nodes_of_known_outputs(const struct profile *p, const struct flops *f)
{
    int64_t n_nodes = 0;

    for (node_id i = 0; i < p->n_nodes; i++) {
        const struct known_shape *shapes;
        struct arena arena = {0};
        size_t n = flops_shapes(f, p, i, UINT32_MAX, &arena, &shapes);
        bool known = true;

        for (size_t k = 0; k < n && k < SHAPE_OUTPUTS_MAX; k++) {
            known &= shapes[k].origin != SHAPE_NOT_KNOWN;
            for (uint32_t d = 0; d < shapes[k].n_dims; d++)
                known &= shapes[k].dims[d] >= 0;
        }
        n_nodes += known;
        arena_done(&arena);
    }
    return n_nodes;
}

static void shape_text(const struct flops *f, node_id node, char *text, size_t size)
{
    const int64_t *d;
    uint32_t n;

    text[0] = '\0';
    if (!flops_output_shape(f, node, 0, &d, &n))
        return;
    for (uint32_t i = 0; i < n; i++) {
        size_t len = strlen(text);

        snprintf(text + len, size - len, "%s%lld", i ? "x" : "", (long long)d[i]);
    }
}

/* The model that the facts of one file describe. */
struct checked {
    char file[128];
    struct profile *p;
    struct flops *f;
    struct flops *loops_f;  /* including loops and branches */
    struct profile *listed; /* with each function listed separately */
    struct flops *listed_f;
};

static bool ends_with(const char *text, const char *end)
{
    size_t len = strlen(text), end_len = strlen(end);

    return len >= end_len && strcmp(text + len - end_len, end) == 0 &&
           (len == end_len || text[len - end_len - 1] == '/');
}

/* The count of the node NAME, which in a model with functions is below its calls; -1 when it does
 * not exist. */
static int64_t node_count(const struct profile *p, const struct flops *f, const char *name)
{
    int64_t found = -1;

    for (node_id i = 0; i < p->n_nodes; i++)
        if (ends_with(profile_text(p, p->name[i]), name) && f->count[i] > found)
            found = f->count[i];
    return found;
}

/* Sum over the body of the function NAME. */
static int64_t function_count(const struct checked *c, const char *name)
{
    const struct profile *p = c->listed;
    int64_t sum = 0;

    for (uint32_t k = 0; k < p->n_call_sites; k++) {
        const struct call_site *site = &p->call_sites[k];

        if (strcmp(profile_text(p, site->function), name) != 0)
            continue;
        for (uint32_t i = 0; i < site->n_nodes; i++)
            sum += c->listed_f->count[site->first + i];
    }
    return sum;
}

/* The length of a function's NAME without "_frozen" and the number that tracing appends. */
static size_t stem_len(const char *name)
{
    size_t len = strlen(name);

    while (len && strchr("0123456789", name[len - 1]))
        len--;
    len -= len && name[len - 1] == '_';
    if (len > 7 && strncmp(name + len - 7, "_frozen", 7) == 0)
        len -= 7;
    return len;
}

/* Sum over the nodes of op type OP ("": all) of the function NAME, ignoring its number, including
 * loops and branches; -1 when there is no such function. */
static int64_t frozen_count(const struct checked *c, const char *name, const char *op)
{
    const struct profile *p = c->p;
    const size_t len = stem_len(name);
    int64_t sum = -1;

    for (uint32_t k = 0; k < p->n_call_sites; k++) {
        const struct call_site *site = &p->call_sites[k];
        const char *function = profile_text(p, site->function);

        if (stem_len(function) != len || memcmp(function, name, len) != 0)
            continue;
        sum = sum < 0 ? 0 : sum;
        for (node_id i = site->first; i < site->first + site->n_nodes; i++)
            if (!*op || strcmp(profile_text(p, p->op[i]), op) == 0)
                sum += c->loops_f->count[i];
    }
    return sum;
}

/* The actual value for FACT, whose bracketed words are WHAT and OP; false when FACT is unknown. */
static bool worth(const struct checked *c, const char *fact, const char *what, const char *op,
                  char *text, size_t size)
{
    const struct profile *p = c->p;
    node_id node = profile_find(p, what, strlen(what));
    int64_t n;

    if (strcmp(fact, "nodes") == 0)
        n = p->n_nodes;
    else if (strcmp(fact, "nodes.op_type") == 0)
        n = nodes_of(p, what);
    else if (strcmp(fact, "float_ops.total") == 0)
        n = total(p, c->f, NULL);
    else if (strcmp(fact, "float_ops.op_type") == 0)
        n = total(p, c->f, what);
    else if (strcmp(fact, "float_ops.node") == 0)
        n = node_count(p, c->f, what);
    else if (strcmp(fact, "float_ops.function") == 0)
        n = function_count(c, what);
    else if (strcmp(fact, "frozen.float_ops.function") == 0)
        n = frozen_count(c, what, op);
    else if (strcmp(fact, "shapes.ops_with_all_outputs_known") == 0)
        n = nodes_of_known_outputs(p, c->f);
    else if (strcmp(fact, "shape.node") == 0 && node != NODE_NONE) {
        shape_text(c->f, node, text, size);
        return true;
    } else
        return false;
    snprintf(text, size, "%lld", (long long)n);
    return true;
}

static void close_file(struct checked *c)
{
    flops_free(c->f);
    flops_free(c->loops_f);
    profile_free(c->p);
    flops_free(c->listed_f);
    profile_free(c->listed);
}

static void open_file(struct checked *c, const char *file, int64_t batch)
{
    char path[256];

    if (strcmp(c->file, file) == 0)
        return;
    close_file(c);
    snprintf(c->file, sizeof c->file, "%s", file);
    snprintf(path, sizeof path, "modern/%s.gz", file);
    c->p = load_functions(path, FUNCTIONS_INLINE);
    c->f = count_batch(c->p, FLOPS_RULES_COMPAT, batch);
    states_add_up(c->p, c->f);
    c->loops_f = count_entering(c->p, FLOPS_RULES_COMPAT, batch, true);
    c->listed = load_functions(path, FUNCTIONS_LIST);
    c->listed_f = count(c->listed, FLOPS_RULES_COMPAT);
    states_add_up(c->listed, c->listed_f);
}

static void every_fact_of_the_table_holds(void **state)
{
    FILE *table = fopen(golden("modern/facts.tsv"), "r");
    struct checked c = {0};
    char line[1024], text[256];
    unsigned n = 0, n_wrong = 0;
    int64_t batch = 0;

    (void)state;
    assert_non_null(table);
    assert_non_null(fgets(line, sizeof line, table)); /* the table header */
    while (fgets(line, sizeof line, table)) {
        char *file = strtok(line, "\t"), *fact = strtok(NULL, "\t"), *value = strtok(NULL, "\t\n");
        char *open = strchr(fact, '['), *what = "", *op = strstr(fact, "].op_type["), none[] = "";

        op = op ? op + strlen("].op_type[") : none;
        if (open) {
            *open = '\0';
            what = open + 1;
            what[strcspn(what, "]")] = '\0';
            op[strcspn(op, "]")] = '\0';
        }
        if (strcmp(fact, "frozen.input_shape") == 0) {
            batch = atoll(value);
            continue;
        }
        open_file(&c, file, batch);
        if (!worth(&c, fact, what, op, text, sizeof text) || strcmp(text, value) != 0) {
            print_error("%s: %s[%s] is %s, not %s\n", file, fact, what, value, text);
            n_wrong++;
        }
        n++;
    }
    fclose(table);
    close_file(&c);
    assert_int_equal(n_wrong, 0);
    assert_true(n > 260);
}

/* The body of the loop for a batch of one sequence: TensorFlow's profiler counts 14114 for one
 * iteration, and omits it from the graph's total. */
static void loops_count_when_asked(void **state)
{
    static const char body[] = "StatefulPartitionedCall/StatefulPartitionedCall/model/lstm/"
                               "PartitionedCall/while/body/";
    struct profile *p = load_functions("modern/lstm_text.saved_model.pb.gz", FUNCTIONS_INLINE);

    (void)state;
    for (int loops = 0; loops < 2; loops++) {
        struct flops *f = count_entering(p, FLOPS_RULES_COMPAT, 1, loops != 0);
        int64_t sum = 0;

        for (node_id i = 0; i < p->n_nodes; i++)
            if (strncmp(profile_text(p, p->name[i]), body, strlen(body)) == 0)
                sum += f->count[i];
        assert_int_equal(sum, loops ? 14114 : 0);
        states_add_up(p, f);
        flops_free(f);
    }
    profile_free(p);
}

/* With all rules no op of these networks is uncounted. */
static void full_rules_count_every_op_of_the_networks(void **state)
{
    static const char *const nets[] = {"DenseNet121", "EfficientNetB0", "InceptionV3", "MobileNet",
                                       "ResNet50"};

    (void)state;
    for (size_t i = 0; i < sizeof nets / sizeof *nets; i++) {
        char path[128];
        struct profile *p;
        struct flops *f;

        snprintf(path, sizeof path, "modern/%s.stripped.pb.gz", nets[i]);
        p = load(path, NULL, NULL);
        f = count(p, FLOPS_RULES_FULL);
        states_add_up(p, f);
        assert_int_equal(f->n_state[FLOPS_NO_RULE], 0);
        assert_int_equal(f->n_state[FLOPS_UNKNOWN_SHAPE], 0);
        flops_free(f);
        profile_free(p);
    }
}

/* A batch of 8 passes through loops and arrays, and through stacks to the gradients: the product of
 * [input 16 and state 24] with four gates of 24, forward and backward. */
static void a_batch_goes_through_loops_and_their_gradients(void **state)
{
    static const char loop[] = "seq2seq/decoder/rnn/while/lstm_cell/MatMul";
    static const char gradient[] =
        "train/gradients/seq2seq/decoder/rnn/while/lstm_cell/MatMul_grad/MatMul_1";
    struct profile *p = load("models/seq2seq/graph.pbtxt.gz", NULL, NULL);
    struct flops *f = count_batch(p, FLOPS_RULES_FULL, 8);

    (void)state;
    assert_int_equal(f->count[profile_find(p, loop, strlen(loop))], 2 * 8 * 40 * 96);
    assert_int_equal(f->count[profile_find(p, gradient, strlen(gradient))], 2 * 8 * 40 * 96);
    assert_in_range(f->n_state[FLOPS_UNKNOWN_SHAPE], 0, 30); /* of 309 nodes that compute */
    states_add_up(p, f);
    flops_free(f);
    profile_free(p);
}

/* Every node is counted, has an unknown shape, has no rule (then its op is in the list by name), is
 * left out, or computes nothing. */
static void every_node_has_a_state(const struct profile *p, enum flops_rules rules)
{
    struct flops *f = count(p, rules);
    size_t n;
    struct flops_type_without_rule *list = flops_types_without_rule(f, &n);
    uint32_t n_listed = 0, n_of_runs = 0;

    states_add_up(p, f);
    for (size_t i = 0; i < n; i++)
        n_listed += list[i].n_nodes;
    free(list);
    /* A node that only a run names has no op. */
    for (node_id i = 0; i < p->n_nodes; i++)
        n_of_runs += profile_is_of_run(p, i) && f->state[i] == FLOPS_NO_RULE;
    assert_int_equal(n_listed + n_of_runs, f->n_state[FLOPS_NO_RULE]);
    for (node_id i = 0; i < p->n_nodes; i++)
        if (f->count[i] != 0 && f->state[i] != FLOPS_COUNTED && f->state[i] != FLOPS_PER_TRIP &&
            f->state[i] != FLOPS_NO_COMPUTE)
            fail_msg("%s counts and does not", profile_text(p, p->name[i]));
    flops_free(f);
}

static void every_op_is_counted_or_named(void **state)
{
    static const char *const files[] = {
        "modern/DenseNet121.stripped.pb.gz", "modern/EfficientNetB0.stripped.pb.gz",
        "modern/InceptionV3.stripped.pb.gz", "modern/MobileNet.stripped.pb.gz",
        "modern/ResNet50.stripped.pb.gz",    "modern/cnn.meta.gz",
        "modern/cnn_session.tfevents.gz",    "modern/tf2_trace.tfevents.gz",
        "modern/lstm_text.saved_model.pb.gz", "modern/mobilenet_v2_035_96.saved_model.pb.gz",
        "modern/nested_module.saved_model.pb.gz", "modern/while_if_module.saved_model.pb.gz",
        "modern/v1_cnn_text.pbtxt.gz",       "models/resnet32/graph.pb.gz",
        "models/seq2seq/graph.pb.gz",        "models/towers/graph.pb.gz",
        "models/mobilenet/graph.pb.gz",
    };

    (void)state;
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        for (int mode = FUNCTIONS_INLINE; mode <= FUNCTIONS_LIST; mode++) {
            struct profile *p = load_functions(files[i], (enum functions_mode)mode);

            every_node_has_a_state(p, FLOPS_RULES_COMPAT);
            every_node_has_a_state(p, FLOPS_RULES_FULL);
            profile_free(p);
        }
}

/* ---- models with an op log, compared node by node */

static void check_log(const char *graph, const char *run_meta, const char *op_log, int64_t wanted)
{
    struct profile *p = load(graph, run_meta, op_log);
    struct flops *f = count(p, FLOPS_RULES_COMPAT);

    states_add_up(p, f);
    for (node_id i = 0; i < p->n_nodes; i++)
        if (f->count[i] != p->static_float_ops[i])
            fail_msg("%s: %s: %lld, recorded %lld", graph, profile_text(p, p->name[i]),
                     (long long)f->count[i], (long long)p->static_float_ops[i]);
    assert_int_equal(total(p, f, NULL), wanted);
    flops_free(f);
    profile_free(p);
}

static void resnet32_counts_as_recorded(void **state)
{
    (void)state;
    check_log("models/resnet32/graph.pb.gz", NULL, "models/resnet32/tfprof_log.pb.gz", 53908627680);
    /* the same graph without recorded shapes */
    check_log("models/resnet32/graph.pbtxt.gz", NULL, "models/resnet32/tfprof_log.pb.gz",
              53908627680);
}

static void resnet32_has_the_tutorials_figure(void **state)
{
    struct profile *p = load("models/resnet32/graph.pbtxt.gz", NULL, NULL);
    struct flops *f = count(p, FLOPS_RULES_COMPAT);
    struct strbuf sb = {0};
    const char *init = "init/init_conv/Conv2D";

    (void)state;
    assert_int_equal(total(p, f, "Conv2D") + total(p, f, "MatMul") + total(p, f, "BiasAdd"),
                     17629152512); /* 17.63b */
    flops_explain(f, profile_find(p, init, strlen(init)), &sb);
    assert_string_equal(sb_text(&sb), "2 * N(out) * kh * kw * Cin = "
                                      "2 * 128x32x32x16 * 3 * 3 * 3 = 113246208");
    sb_done(&sb);
    flops_free(f);
    profile_free(p);
}

static void other_models_count_as_recorded(void **state)
{
    (void)state;
    check_log("models/towers/graph.pb.gz", NULL, "models/towers/tfprof_log.pb.gz", 46661412);
    check_log("models/mobilenet/graph.pb.gz", NULL, "models/mobilenet/tfprof_log.pb.gz", 19929388);
    check_log("models/seq2seq/graph.pb.gz", NULL, "models/seq2seq/tfprof_log_static.pb.gz", 124338);
}

/* A run completes shapes that the graph leaves open. */
static void a_run_fills_in_shapes(void **state)
{
    (void)state;
    check_log("models/seq2seq/graph.pb.gz", "models/seq2seq/run_meta_0.pb.gz",
              "models/seq2seq/tfprof_log.pb.gz", 543625);
}

/* A node in a loop counts for one iteration until a run gives the number of iterations. */
static void loops_are_marked_until_they_run(void **state)
{
    for (int run = 0; run < 2; run++) {
        struct profile *p = load("models/seq2seq/graph.pb.gz",
                                 run ? "models/seq2seq/run_meta_0.pb.gz" : NULL, NULL);
        struct flops *f = count(p, FLOPS_RULES_COMPAT);
        uint32_t n = 0, n_ran = 0;

        (void)state;
        for (node_id i = 0; i < p->n_nodes; i++) {
            n += f->state[i] == FLOPS_PER_TRIP;
            n_ran += f->state[i] == FLOPS_PER_TRIP && p->exec_begin[i] < p->exec_begin[i + 1];
        }
        assert_true(n > 0 && (run ? n < 10 : n > 20));
        assert_int_equal(n_ran, 0);
        flops_free(f);
        profile_free(p);
    }
}

static void recorded_counts_are_unchanged(void **state)
{
    struct profile *p = load("models/towers/graph.pb.gz", NULL, "models/towers/tfprof_log.pb.gz");
    struct flops *f = count(p, FLOPS_RULES_LOG);

    (void)state;
    states_add_up(p, f);
    assert_memory_equal(f->count, p->static_float_ops, p->n_nodes * sizeof *f->count);
    flops_free(f);
    profile_free(p);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_fact_of_the_table_holds),
        cmocka_unit_test(loops_count_when_asked),
        cmocka_unit_test(full_rules_count_every_op_of_the_networks),
        cmocka_unit_test(a_batch_goes_through_loops_and_their_gradients),
        cmocka_unit_test(every_op_is_counted_or_named),
        cmocka_unit_test(resnet32_counts_as_recorded),
        cmocka_unit_test(resnet32_has_the_tutorials_figure),
        cmocka_unit_test(other_models_count_as_recorded),
        cmocka_unit_test(a_run_fills_in_shapes),
        cmocka_unit_test(loops_are_marked_until_they_run),
        cmocka_unit_test(recorded_counts_are_unchanged),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
