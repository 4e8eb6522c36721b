/* test_metric_fill.c: figures computed for all nodes at once equal those computed for each node. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/xalloc.h"
#include "fixtures/random_options.h"
#include "model/builder.h"
#include "model/metric.h"

enum { N_NODES = 300, MAX_STEPS = 40, MAX_RECORDS = 60 };

/* Parameters of a random profile. */
struct kind {
    uint32_t n_steps;
    uint32_t below; /* of figures */
    bool by_step;   /* records sorted by step, as in files */
    bool each;      /* for most nodes, one record in each step */
    int64_t tick_ps;
    enum { ON_BOTH, ON_CPU, ON_ACCELERATOR } on;
};

static void add_record(struct builder *b, uint64_t *random, const struct kind *k, node_id node,
                       int64_t step)
{
    const uint32_t n_times = random_below(random, 4);
    struct exec_time times[4];
    struct exec_memory memory = {.requested_bytes = random_below(random, k->below),
                                 .peak_bytes = random_below(random, k->below),
                                 .residual_bytes = (int64_t)random_below(random, 999) - 500,
                                 .output_bytes = random_below(random, k->below)};
    const strid device = builder_str(b, "/gpu:0", 6);
    struct exec_record r = {.step = step,
                            .run_count = 1 + random_below(random, 3),
                            .start_ticks = 1000,
                            .latest_end_ticks = 1000,
                            .times = times,
                            .memories = &memory,
                            .devices = &device,
                            .n_times = n_times,
                            .n_memories = random_below(random, 2),
                            .n_devices = 1};

    for (uint32_t i = 0; i < n_times; i++) {
        const bool accelerator = k->on == ON_BOTH ? random_below(random, 2) : k->on == ON_ACCELERATOR;

        times[i] = (struct exec_time){.device = device,
                                       .accelerator = accelerator,
                                       .wait = !accelerator && random_below(random, 2),
                                       .start_ticks = 1000,
                                       .dur_ticks = random_below(random, k->below)};
        if (1000 + times[i].dur_ticks > r.latest_end_ticks)
            r.latest_end_ticks = 1000 + times[i].dur_ticks;
    }
    builder_add_record(b, node, &r);
}

static int64_t draw_step(uint64_t *random, const struct kind *k)
{
    return random_below(random, 20) ? 3 * (int64_t)random_below(random, k->n_steps) : STEP_OUTSIDE;
}

static struct profile *draw(uint64_t *random, const struct kind *k)
{
    struct builder *b = builder_new();
    char name[16];
    bool added;

    builder_profile(b)->clock.tick_ps = k->tick_ps;
    for (uint32_t i = 0; i < N_NODES; i++) {
        const size_t len = (size_t)snprintf(name, sizeof name, "node_%u", i);

        builder_node(b, builder_str(b, name, len), builder_str(b, "Op", 2), &added);
        builder_set_static_float_ops(b, i, random_below(random, 3));
    }
    for (uint32_t s = 0; s < k->n_steps; s++) {
        builder_add_step(b, 3 * s);
        for (node_id node = 0; node < N_NODES && k->by_step; node++)
            if (k->each ? node % 50 : random_below(random, 2))
                add_record(b, random, k, node, 3 * s);
    }
    for (node_id node = 0; node < N_NODES && !k->by_step; node++)
        for (uint32_t n = node % 3 ? random_below(random, MAX_RECORDS) : 0; n-- > 0;)
            add_record(b, random, k, node, draw_step(random, k));
    return builder_finish(b);
}

/* What METRIC reports without visiting nodes holds for all nodes. */
static void assert_shortcuts(const struct profile *p, int64_t *const values[METRIC_COUNT],
                             enum metric_id metric)
{
    const enum metric_id other = metric_equivalent(p, metric);

    for (node_id node = 0; node < N_NODES && metric_is_zero(p, metric); node++)
        assert_int_equal(values[metric][node], 0);
    for (node_id node = 0; node < N_NODES; node++)
        assert_int_equal(values[metric][node], values[other][node]);
}

static void assert_filled(const struct profile *p, int64_t step)
{
    const struct figures f = {.profile = p,
                              .static_float_ops = p->static_float_ops,
                              .rank = RANK_AVERAGE,
                              .step = step};
    int64_t *values[METRIC_COUNT] = {NULL};
    node_id saturated[METRIC_COUNT];

    for (int m = 0; m < METRIC_COUNT; m++) {
        values[m] = xcalloc(N_NODES, sizeof **values);
        saturated[m] = NODE_NONE;
    }
    metric_fill(&f, values, 0, 7, saturated);
    metric_fill(&f, values, 7, N_NODES, saturated);
    for (int m = 0; m < METRIC_COUNT; m++) {
        node_id first = NODE_NONE;

        for (node_id node = 0; node < N_NODES; node++) {
            bool met_limit = false;

            assert_int_equal(values[m][node], metric_self(&f, (enum metric_id)m, node, &met_limit));
            first = met_limit && node < first ? node : first;
        }
        assert_int_equal(saturated[m], first);
    }
    for (int m = 0; m < METRIC_COUNT; m++)
        assert_shortcuts(p, values, (enum metric_id)m);
    for (int m = 0; m < METRIC_COUNT; m++)
        free(values[m]);
}

static void figures_equal_those_of_single_nodes(void **state)
{
    static const struct kind kinds[] = {
        {3, 300, true, true, PS_PER_US, ON_BOTH},
        {3, 300, false, false, PS_PER_US, ON_BOTH},
        {1, 300, true, false, 1000, ON_BOTH},
        {MAX_STEPS, 1 << 20, false, false, 1, ON_BOTH},
        {MAX_STEPS, 40, true, true, 1, ON_BOTH},
        {3, UINT32_MAX, false, false, INT64_MAX >> 40, ON_BOTH},
        {3, UINT32_MAX, true, true, INT64_MAX >> 31, ON_BOTH}};
    uint64_t random = 26;

    (void)state;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        struct profile *p = draw(&random, &kinds[i]);
        static const int64_t steps[] = {STEP_AVERAGE, STEP_ALL, STEP_OUTSIDE, 0, 3, 4, 6, 1000};

        assert_int_equal(p->exec_sums_fit, i < 5);
        for (size_t k = 0; k < sizeof steps / sizeof *steps; k++)
            assert_filled(p, steps[k]);
        profile_free(p);
    }
}

static void metrics_without_executions_are_known(void **state)
{
    static const struct {
        struct kind kind;
        enum metric_id zero, alike;
    } cases[] = {
        {{3, 300, true, true, 1, ON_CPU}, METRIC_ACCELERATOR_MICROS, METRIC_CPU_MICROS},
        {{3, 300, true, true, 1, ON_ACCELERATOR}, METRIC_CPU_MICROS, METRIC_ACCELERATOR_MICROS},
        {{3, 300, true, true, 1, ON_BOTH}, METRIC_COUNT, METRIC_MICROS},
        {{3, 1, true, true, 1, ON_BOTH}, METRIC_MICROS, METRIC_CPU_MICROS},
    };
    uint64_t random = 26;

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct profile *p = draw(&random, &cases[i].kind);

        for (int m = METRIC_MICROS; m <= METRIC_CPU_MICROS; m++)
            assert_int_equal(metric_is_zero(p, (enum metric_id)m),
                             (int)cases[i].zero == m || cases[i].kind.below == 1);
        assert_int_equal(metric_equivalent(p, METRIC_MICROS), cases[i].alike);
        assert_filled(p, STEP_AVERAGE);
        assert_filled(p, 3);
        profile_free(p);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(figures_equal_those_of_single_nodes),
        cmocka_unit_test(metrics_without_executions_are_known),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
