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
#include "model/last_wins.h"
#include "model/metric.h"
#include "model/owned.h"

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
    builder_set_trace(b, x, builder_trace(b, &frame, 1));
    builder_set_trace(b, x, builder_trace(b, NULL, 0));
    builder_set_trace(b, y, builder_trace(b, NULL, 0));
    p = builder_finish(b);
    assert_int_equal(p->traces[p->trace[x]].n_frames, 1);
    assert_int_equal(p->traces[p->trace[x]].frames[0].lineno, 3);
    assert_int_not_equal(p->trace[y], TRACE_NONE);
    assert_int_equal(p->traces[p->trace[y]].n_frames, 0);
    assert_int_equal(p->trace[z], TRACE_NONE);
    profile_free(p);
}

/* Many records in mixed order against plain sums. */
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
        struct exec_time time = {.device = str(b, "d"), .start_us = 1, .dur_us = i};

        cpu[node][step] += i;
        builder_exec(b, node, step)->run_count++;
        builder_add_time(b, node, step, time);
        builder_add_exec_device(b, node, step, i % 3 ? str(b, "d") : str(b, "c"));
        builder_add_step(b, step);
    }
    p = builder_finish(b);
    assert_int_equal(p->n_steps, STEPS);
    assert_int_equal(p->n_times, 20000);
    for (node_id node = 0; node < NODES; node++) {
        for (uint32_t i = p->exec_begin[node]; i < p->exec_begin[node + 1]; i++) {
            const struct exec *e = &p->execs[i];

            assert_true(i == p->exec_begin[node] || p->execs[i - 1].step < e->step);
            assert_int_equal(e->cpu_us, cpu[node][e->step]);
            assert_int_equal(e->n_times, e->run_count);
            for (uint32_t t = e->first_time + 1; t < e->first_time + e->n_times; t++)
                assert_true(p->times[t - 1].dur_us < p->times[t].dur_us); /* as recorded */
            assert_true(e->n_devices >= 1 && e->n_devices <= 2);
            assert_ptr_equal(profile_exec(p, node, e->step), e);
            cpu[node][e->step] = 0;
        }
        for (int s = 0; s < STEPS; s++)
            assert_int_equal(cpu[node][s], 0);
    }
    profile_free(p);
}

static void test_output_buffers_are_a_map(void **state)
{
    static const struct output_buffer buffers[] = {{3, 30, 1}, {1, 10, 2}, {3, 31, 3}};
    struct builder *b = builder_new();
    node_id x = add_node(b, "x");
    struct exec_memory memory = {.requested_bytes = 5};
    struct profile *p;

    (void)state;
    builder_add_memory(b, x, 0, memory, buffers, 3);
    p = builder_finish(b);
    assert_int_equal(p->memories[0].n_outputs, 2);
    assert_int_equal(p->output_buffers[0].slot, 1);
    assert_int_equal(p->output_buffers[1].bytes, 31);
    profile_free(p);
}

/* ---- figures (semantics.md section 2) */

static int64_t figure(const struct profile *p, enum metric_id metric, node_id node, int64_t step,
                      bool *saturated)
{
    struct figures f = {p, p->static_float_ops, step};

    return metrics[metric].self(&f, node, saturated);
}

static void test_figures(void **state)
{
    struct builder *b = builder_new();
    node_id x = add_node(b, "x"), y = add_node(b, "y");
    bool saturated = false;
    struct profile *p;

    (void)state;
    builder_set_float_ops(b, x, 10);
    builder_set_float_ops(b, y, 10);
    builder_exec(b, x, 4)->run_count = 2;
    builder_exec(b, x, 7)->run_count = 5;
    builder_add_time(b, x, 4, (struct exec_time){.dur_us = 3});
    builder_add_time(b, x, 7, (struct exec_time){.dur_us = 3, .accelerator = true});
    builder_add_time(b, x, 7, (struct exec_time){.dur_us = -13});
    p = builder_finish(b);
    assert_int_equal(figure(p, METRIC_OCCURRENCE, x, -1, &saturated), 3);
    assert_int_equal(figure(p, METRIC_CPU_MICROS, x, -1, &saturated), -5); /* toward zero */
    assert_int_equal(figure(p, METRIC_ACCELERATOR_MICROS, x, -1, &saturated), 1);
    /* one sum, then divided: -7 / 2, not -5 + 1 */
    assert_int_equal(figure(p, METRIC_MICROS, x, -1, &saturated), -3);
    assert_int_equal(figure(p, METRIC_MICROS, x, 7, &saturated), -10);
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
        node_id first = NODE_NONE;
        int64_t value;
        struct profile *p;

        builder_set_shape(b, x, builder_shape(b, cases[i].dims, cases[i].n_dims));
        p = builder_finish(b);
        assert_int_equal(figure(p, METRIC_PARAMS, x, 0, &saturated), cases[i].params);
        assert_int_equal(saturated, cases[i].saturated);
        metric_fill(&(struct figures){p, p->static_float_ops, -1}, METRIC_PARAMS, &value, &first);
        assert_int_equal(value, cases[i].params);
        assert_int_equal(first, cases[i].saturated ? x : NODE_NONE);
        profile_free(p);
    }
}

static void test_metric_table(void **state)
{
    (void)state;
    for (enum metric_id m = 0; m < METRIC_COUNT; m++) {
        assert_non_null(metrics[m].name);
        assert_non_null(metrics[m].self);
        assert_non_null(metrics[m].suffix);
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
        cmocka_unit_test(test_output_buffers_are_a_map),
        cmocka_unit_test(test_figures),
        cmocka_unit_test(test_params),
        cmocka_unit_test(test_metric_table),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
