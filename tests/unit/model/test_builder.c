/* test_builder.c: packing, sets, maps and figures of a profile. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "model/builder.h"
#include "model/builder_priv.h"
#include "base/stable_sort.h"
#include "model/metric.h"

static strid str(struct builder *b, const char *text)
{
    return builder_str(b, text, strlen(text));
}

static node_id add_node(struct builder *b, const char *name)
{
    bool added;
    node_id node = builder_node(b, str(b, name), str(b, "Op"), &added);

    assert_true(added);
    return node;
}

/* ---- the parts */

struct pair {
    int key, order;
};

static int compare_keys(const void *x, const void *y)
{
    const struct pair *a = x;
    const struct pair *b = y;

    return (a->key > b->key) - (a->key < b->key);
}

static void test_last_wins(void **state)
{
    (void)state;
    for (size_t n = 0; n < 40; n++) {
        struct pair pairs[40];
        int last[8];
        size_t kept;

        memset(last, -1, sizeof last);
        for (size_t i = 0; i < n; i++) {
            pairs[i] = (struct pair){(int)(i * 5 % 8 * n % 7), (int)i};
            last[pairs[i].key] = (int)i;
        }
        kept = sort_last_wins(pairs, n, sizeof *pairs, compare_keys);
        for (size_t i = 0; i < kept; i++) {
            assert_int_equal(pairs[i].order, last[pairs[i].key]);
            last[pairs[i].key] = -1;
            assert_true(!i || pairs[i - 1].key < pairs[i].key);
        }
        for (size_t i = 0; i < 8; i++)
            assert_int_equal(last[i], -1);
    }
}

static void test_owned(void **state)
{
    static const uint32_t owners[] = {2, 0, 2, 5, 0, 2};
    struct arena arena = {0};
    struct owned o;
    uint32_t *begin;
    int *items;

    (void)state;
    owned_init(&o, sizeof(int));
    for (int i = 0; i < 6; i++)
        owned_add(&o, owners[i], &i);
    items = owned_pack(&o, 6, &arena, &arena, &begin);
    assert_memory_equal(items, ((int[]){1, 4, 0, 2, 5, 3}), 6 * sizeof(int));
    assert_memory_equal(begin, ((uint32_t[]){0, 2, 2, 5, 5, 5, 6}), 7 * sizeof *begin);
    assert_int_equal(owned_count(&o), 0);
    arena_done(&arena);
}

/* ---- profiles */

static void test_empty(void **state)
{
    struct profile *p = builder_finish(builder_new());

    (void)state;
    assert_int_equal(p->n_nodes, 0);
    assert_int_equal(p->input_begin[0], 0);
    assert_int_equal(p->exec_begin[0], 0);
    assert_int_equal(profile_find(p, "", 0), NODE_NONE);
    assert_false(profile_has_step(p, 0));
    profile_free(p);
    builder_abandon(builder_new());
}

static void test_inputs_in_any_order(void **state)
{
    struct builder *b = builder_new();
    node_id x = add_node(b, "x"), y = add_node(b, "y");
    struct profile *p;

    (void)state;
    builder_add_input(b, y, 1, str(b, "x"), 3, 3);
    builder_add_input(b, x, 0, str(b, "none"), 0, 0);
    builder_add_input(b, y, 0, str(b, "x"), 7, 7);
    builder_add_output(b, x, 9, builder_shape(b, (int64_t[]){4, 5}, 2));
    builder_add_output(b, x, 2, SHAPE_SCALAR);
    builder_add_output(b, x, 9, builder_shape(b, (int64_t[]){6}, 1));
    p = builder_finish(b);
    assert_int_equal(p->input_begin[y + 1] - p->input_begin[y], 2);
    assert_int_equal(p->inputs[p->input_begin[y]].own_index, 7);
    assert_int_equal(p->inputs[p->input_begin[y]].output_index, 7); /* the last call for x */
    assert_int_equal(p->inputs[p->input_begin[y] + 1].output_index, 7);
    assert_int_equal(p->inputs[p->input_begin[x]].source, NODE_NONE);
    assert_int_equal(p->output_begin[x + 1] - p->output_begin[x], 2);
    assert_int_equal(p->shapes[profile_output_shape(p, x, 9)].dims[0], 6);
    profile_free(p);
}

static void test_types_are_shared_sets(void **state)
{
    struct builder *b = builder_new();
    node_id x = add_node(b, "x"), y = add_node(b, "y"), z = add_node(b, "z");
    strid types[] = {str(b, "Op"), str(b, "t")};
    struct profile *p;

    (void)state;
    builder_add_type(b, x, str(b, "t"));
    builder_add_type(b, x, str(b, "t"));
    builder_set_types(b, y, types, 2);
    builder_set_types(b, z, NULL, 0);
    p = builder_finish(b);
    assert_int_equal(p->typeset[x], p->typeset[y]);
    assert_int_equal(p->typeset_begin[p->typeset[x] + 1] - p->typeset_begin[p->typeset[x]], 2);
    assert_int_equal(p->typeset_begin[p->typeset[z] + 1] - p->typeset_begin[p->typeset[z]], 0);
    profile_free(p);
}

static void test_traces(void **state)
{
    struct builder *b = builder_new();
    node_id x = add_node(b, "x"), y = add_node(b, "y"), z = add_node(b, "z");
    struct frame frame = {.file = str(b, "f.py"), .lineno = 3};
    struct profile *p;

    (void)state;
    builder_set_stack(b, x, builder_stack(b, &frame, 1));
    builder_set_stack(b, x, builder_stack(b, NULL, 0));
    builder_set_stack(b, y, builder_stack(b, NULL, 0));
    p = builder_finish(b);
    assert_int_equal(profile_stack(p, p->stack[x])->n_frames, 1);
    assert_int_equal(stack_frame(&p->call_stacks, profile_stack(p, p->stack[x])->leaf)->lineno, 3);
    assert_int_not_equal(p->stack[y], STACK_NONE);
    assert_int_equal(profile_stack(p, p->stack[y])->n_frames, 0);
    assert_int_equal(p->stack[z], STACK_NONE);
    profile_free(p);
}

/* Compares the executions of NODE with CPU_US, the sums of N_STEPS steps. */
static void check_execs(const struct profile *p, node_id node, const int64_t *cpu_us, int n_steps)
{
    struct exec_walk walk = profile_execs(p, node);
    struct exec_lists lists = {0};
    struct exec e, found;
    int64_t last = -1;
    int n = 0;

    for (int step = 0; step < n_steps; step++) {
        assert_int_equal(profile_exec(p, node, step, &found), cpu_us[step] != 0);
        n += cpu_us[step] != 0;
    }
    assert_false(profile_exec(p, node, n_steps, &found));
    assert_false(profile_exec(p, node, -1, &found));
    while (exec_next(&walk, &e)) {
        assert_true(last < e.step);
        last = e.step;
        n--;
        assert_int_equal(e.cpu_ps, cpu_us[e.step] * PS_PER_US);
        assert_int_equal(e.n_records, e.run_count);
        assert_true(profile_exec(p, node, e.step, &found));
        assert_memory_equal(&found, &e, sizeof e);
        profile_exec_lists(p, &e, &lists);
        assert_int_equal(lists.times.n, e.run_count);
        for (size_t t = 1; t < lists.times.n; t++)
            assert_true(lists.times.data[t - 1].dur_ticks < lists.times.data[t].dur_ticks);
        assert_true(lists.devices.n >= 1 && lists.devices.n <= 2);
        if (lists.devices.n == 2) /* devices are sorted by byte order */
            assert_string_equal(profile_text(p, lists.devices.data[0]), "c");
    }
    assert_int_equal(n, 0);
    exec_lists_done(&lists);
}

/* Random records in mixed order, compared with straightforward sums. */
static void test_execs(void **state)
{
    enum { NODES = 50, STEPS = 40 };
    int64_t cpu[NODES][STEPS] = {{0}};
    struct builder *b = builder_new();
    struct profile *p;
    char name[16];

    (void)state;
    for (int i = 0; i < NODES; i++) {
        snprintf(name, sizeof name, "n%d", i);
        add_node(b, name);
    }
    for (uint32_t i = 0; i < 20000; i++) {
        node_id node = i * 7919u % NODES;
        int64_t step = i * 104729u % 991 % STEPS;
        struct exec_time time = {.device = str(b, "d"), .start_ticks = 1, .dur_ticks = i};
        strid device = i % 3 ? str(b, "d") : str(b, "c");

        cpu[node][step] += i;
        builder_add_record(b, node,
                           &(struct exec_record){.step = step,
                                                 .run_count = 1,
                                                 .times = &time,
                                                 .n_times = 1,
                                                 .devices = &device,
                                                 .n_devices = 1});
        builder_add_step(b, step);
    }
    p = builder_finish(b);
    assert_int_equal(p->n_steps, STEPS);
    for (node_id node = 0; node < NODES; node++)
        check_execs(p, node, cpu[node], STEPS);
    profile_free(p);
}

/* The builder and a linear search find the same next free step, for closely spaced steps. */
static int64_t runs_of(const struct profile *p, node_id id)
{
    int64_t runs, time_ps;

    profile_exec_total(p, id, NULL, &runs, &time_ps);
    return runs;
}

/* Node 0 has one part, node 1 two, and the part of node 2 has runs that the node has not. */
static void only_parts_share_the_list_of_their_node(void **state)
{
    static const struct {
        uint32_t node, values;
        int64_t step, runs, part_runs;
    } records[] = {{0, 1, 1, 5, 0}, {1, 1, 0, 3, 0}, {1, 2, 0, 4, 0}, {2, 1, 0, 7, 2}, {0, 1, 0, 6, 0}};
    static const int64_t runs[] = {11, 7, 7, 11, 3, 4, 9};
    struct builder *b = builder_new();
    struct profile *p;

    (void)state;
    builder_add_step(b, 0);
    builder_add_step(b, 1);
    for (uint32_t i = 0; i < 3; i++)
        add_node(b, (const char *[]){"a", "b", "c"}[i]);
    array_each(const __typeof__(*records), r, records, sizeof records / sizeof *records) {
        const struct part_def def = {.node = r->node, .op = str(b, "Op"), .call_values = r->values};
        const struct exec_record record = {.step = r->step, .run_count = r->runs};
        const uint32_t part = builder_part(b, &def);

        builder_add_part_record(b, part, r->node, &record);
        if (r->part_runs)
            builder_add_part_runs(b, part, r->step, r->part_runs);
    }
    p = builder_finish(b);
    assert_int_equal(p->n_parts, 4);
    for (uint32_t id = 0; id < 7; id++)
        assert_int_equal(runs_of(p, id), runs[id]);
    assert_int_equal(p->part_execs[0].begin, p->exec_begin[0]);
    assert_int_equal(profile_record_step(p, p->exec_positions[p->exec_begin[0]]), 0);
    assert_true(p->part_execs[3].begin >= p->exec_begin[p->n_nodes]);
    profile_free(p);
}

static void free_steps_are_found(void **state)
{
    enum { STEPS = 300 };
    struct builder *b = builder_new();
    bool taken[STEPS + 1] = {false};
    uint32_t random = 1;

    (void)state;
    for (int i = 0; i < STEPS; i++) {
        int64_t from, expected;

        random = random * 1103515245u + 12345u;
        from = expected = (random >> 16) % 100;
        while (taken[expected])
            expected++;
        assert_int_equal(builder_free_step(b, from), expected);
        builder_add_step(b, expected);
        taken[expected] = true;
        builder_add_step(b, from); /* a duplicate call has no effect */
    }
    assert_int_equal(builder_free_step(b, -5), -5);
    builder_add_step(b, INT64_MAX - 1);
    assert_true(builder_free_step(b, INT64_MAX - 1) == INT64_MAX);
    builder_add_step(b, INT64_MAX);
    assert_true(builder_free_step(b, INT64_MAX - 1) == INT64_MAX);
    builder_abandon(b);
}

/* ---- figures (semantics.md section 2) */

static int64_t figure(const struct profile *p, enum metric_id metric, node_id node, int64_t step,
                      bool *saturated)
{
    struct figures f = {.profile = p,
                        .static_float_ops = p->static_float_ops,
                        .rank = RANK_AVERAGE,
                        .step = step};

    return metric_self(&f, metric, node, saturated);
}

static void test_figures(void **state)
{
    static const struct exec_time times[] = {
        {.dur_ticks = 3}, {.dur_ticks = 3, .accelerator = true}, {.dur_ticks = -13}};
    struct builder *b = builder_new();
    node_id x = add_node(b, "x"), y = add_node(b, "y");
    bool saturated = false;
    struct profile *p;

    (void)state;
    builder_set_static_float_ops(b, x, 10);
    builder_set_static_float_ops(b, y, 10);
    builder_add_record(b, x, &(struct exec_record){7, 5, .times = &times[1], .n_times = 2});
    builder_add_record(b, x, &(struct exec_record){4, 2, .times = &times[0], .n_times = 1});
    p = builder_finish(b);
    assert_int_equal(figure(p, METRIC_OCCURRENCE, x, -1, &saturated), 3);
    assert_int_equal(figure(p, METRIC_CPU_MICROS, x, -1, &saturated), -5 * PS_PER_US); /* truncated */
    assert_int_equal(figure(p, METRIC_ACCELERATOR_MICROS, x, -1, &saturated), PS_PER_US);
    /* summed, then divided: -7 / 2, not -5 + 1 */
    assert_int_equal(figure(p, METRIC_MICROS, x, -1, &saturated), -3 * PS_PER_US);
    assert_int_equal(figure(p, METRIC_MICROS, x, 7, &saturated), -10 * PS_PER_US);
    assert_int_equal(figure(p, METRIC_MICROS, x, 5, &saturated), 0);
    assert_int_equal(figure(p, METRIC_FLOAT_OPS, x, 7, &saturated), 50);
    assert_int_equal(figure(p, METRIC_FLOAT_OPS, x, -1, &saturated), 30);
    assert_int_equal(figure(p, METRIC_FLOAT_OPS, x, 9, &saturated), 0);
    assert_int_equal(figure(p, METRIC_FLOAT_OPS, y, 9, &saturated), 10);
    assert_false(saturated);
    profile_free(p);
}

static void test_params(void **state)
{
    static const struct {
        int64_t dims[3];
        size_t n_dims;
        int64_t params;
        bool saturated;
    } cases[] = {
        {{0}, 0, 0, false},
        {{2, 3, 4}, 3, 24, false},
        {{2, -1, 4}, 3, 0, false},
        {{INT64_MAX, INT64_MAX, 0}, 3, 0, false},
        {{INT64_MAX, 2}, 2, INT64_MAX, true},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct builder *b = builder_new();
        node_id x = add_node(b, "x");
        bool saturated = false;
        node_id first[METRIC_COUNT];
        int64_t value;
        int64_t *columns[METRIC_COUNT] = {[METRIC_PARAMS] = &value};
        struct profile *p;

        builder_set_shape(b, x, builder_shape(b, cases[i].dims, cases[i].n_dims));
        p = builder_finish(b);
        assert_int_equal(figure(p, METRIC_PARAMS, x, 0, &saturated), cases[i].params);
        assert_int_equal(saturated, cases[i].saturated);
        first[METRIC_PARAMS] = NODE_NONE;
        metric_fill(&(struct figures){.profile = p,
                                        .static_float_ops = p->static_float_ops,
                                        .rank = RANK_AVERAGE,
                                        .step = STEP_AVERAGE}, columns, 0, 1, first);
        assert_int_equal(value, cases[i].params);
        assert_int_equal(first[METRIC_PARAMS], cases[i].saturated ? x : NODE_NONE);
        profile_free(p);
    }
}

static void test_metric_table(void **state)
{
    (void)state;
    for (enum metric_id m = 0; m < METRIC_COUNT; m++) {
        assert_non_null(metrics[m].name);
        assert_true(metric_is_ratio((int)m) == !metrics[m].self);
        assert_non_null(metrics[m].legend);
        assert_non_null(metrics[m].help);
        assert_int_not_equal(metrics[m].place.single, 0);
        assert_int_not_equal(metrics[m].place.multi, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_last_wins),
        cmocka_unit_test(test_owned),
        cmocka_unit_test(test_empty),
        cmocka_unit_test(test_inputs_in_any_order),
        cmocka_unit_test(test_types_are_shared_sets),
        cmocka_unit_test(test_traces),
        cmocka_unit_test(test_execs),
        cmocka_unit_test(only_parts_share_the_list_of_their_node),
        cmocka_unit_test(free_steps_are_found),
        cmocka_unit_test(test_figures),
        cmocka_unit_test(test_params),
        cmocka_unit_test(test_metric_table),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
