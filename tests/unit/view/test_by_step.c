/* test_by_step.c: times of steps, and the worst and the median step, compared with simple
 * computations. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>

#include "fixtures/answer.h"
#include "fixtures/random_profile.h"
#include "load/load.h"
#include "view/query.h"
#include "view/step_times.h"

enum { PROFILES = 300, MAX_NODES = 40 };

static const struct cancel_mark never = {NULL, 0};

/* The time of the root of the scope view at STEP. */
static int64_t root_ps(struct query *q, int64_t step, int64_t rank)
{
    struct options o;
    struct result *r;
    int64_t time_ps;

    options_init(&o);
    o.step = step;
    o.rank = rank;
    o.select = FIELD_BIT(METRIC_MICROS);
    r = answer(q, VIEW_SCOPE, &o);
    assert_int_equal(r->options.step, step);
    time_ps = r->total[METRIC_MICROS][0];
    result_free(r);
    options_done(&o);
    return time_ps;
}

static int64_t chosen_step(struct query *q, enum view_id view, int64_t choice)
{
    struct options o;
    struct result *r;
    int64_t step;

    options_init(&o);
    o.step = choice;
    r = answer(q, view, &o);
    assert_int_equal(r->asked_step, choice);
    assert_int_equal(r->notes.n > 0, true);
    step = r->options.step;
    result_free(r);
    options_done(&o);
    return step;
}

/* The worst step: no step takes longer, and no earlier step as long.  The median: fewer than half
 * of the others are shorter, and at most half longer. */
static void assert_choices(struct query *q, const struct profile *p, const int64_t *times_ps)
{
    const int64_t worst = chosen_step(q, VIEW_SCOPE, STEP_WORST);
    const int64_t median = chosen_step(q, VIEW_OP, STEP_MEDIAN);
    uint32_t n_shorter = 0, n_longer = 0;

    for (uint32_t i = 0; i < p->n_steps; i++) {
        assert_true(times_ps[worst] >= times_ps[i]);
        assert_true((int64_t)i >= worst || times_ps[i] < times_ps[worst]);
        assert_true((int64_t)i >= median || times_ps[i] != times_ps[median]);
        n_shorter += times_ps[i] < times_ps[median];
        n_longer += times_ps[i] > times_ps[median];
    }
    assert_true(n_shorter <= (p->n_steps - 1) / 2 && n_longer <= p->n_steps / 2);
}

static void steps_are_chosen_by_the_totals_of_the_root(void **state)
{
    uint64_t seed = 7;

    (void)state;
    for (int i = 0; i < PROFILES; i++) {
        struct profile *p = random_profile(&seed, MAX_NODES);
        struct query *q = query_new(p);
        struct step_times t = {.profile = NULL};
        int64_t times_ps[3];

        assert_int_equal(p->n_steps, 3);
        assert_true(step_times_update(&t, p, RANK_AVERAGE, never));
        for (int64_t step = 0; step < 3; step++) {
            times_ps[step] = root_ps(q, step, RANK_AVERAGE);
            assert_int_equal(t.times_ps[step], times_ps[step]);
        }
        assert_choices(q, p, times_ps);
        step_times_done(&t);
        query_free(q);
        profile_free(p);
    }
}

/* Loads the ranks of tests/traces. */
static struct profile *load_ranks(void)
{
    struct strbuf paths[2] = {{0}};
    const char *files[2];
    struct options o;
    struct load_request request = {.options = &o, .files = files, .n_files = 2};
    struct err err = {0};
    struct profile *p;

    options_init(&o);
    for (int i = 0; i < 2; i++) {
        sb_addf(&paths[i], "%s/tests/traces/rank_%d.json", getenv("top_srcdir"), i);
        files[i] = sb_text(&paths[i]);
    }
    p = load_profile(&request, NULL, never, &err);
    if (!p)
        fail_msg("%s", err_text(&err));
    for (int i = 0; i < 2; i++)
        sb_done(&paths[i]);
    options_done(&o);
    return p;
}

static void rank_selects_the_steps_of_ranks(void **state)
{
    static const int64_t ranks[] = {RANK_AVERAGE, RANK_ALL, 0, 1};
    struct profile *p = load_ranks();
    struct query *q = query_new(p);
    struct step_times t = {.profile = NULL};

    (void)state;
    assert_int_equal(p->n_recorders, 2);
    assert_true(p->n_steps > 1);
    for (size_t i = 0; i < sizeof ranks / sizeof *ranks; i++) {
        assert_true(step_times_update(&t, p, ranks[i], never));
        for (uint32_t k = 0; k < p->n_steps; k++)
            assert_int_equal(t.times_ps[k], root_ps(q, p->steps[k], ranks[i]));
    }
    step_times_done(&t);
    query_free(q);
    profile_free(p);
}

static struct profile *profile_of_times(const int64_t *times_us, const int64_t *steps, size_t n)
{
    struct builder *b = builder_new();
    const strid device = builder_str(b, "/cpu:0", 6);
    bool added;
    const node_id node = builder_node(b, builder_str(b, "a", 1), builder_str(b, "A", 1), &added);

    for (size_t i = 0; i < n; i++) {
        struct exec_time time = {.device = device, .start_ticks = 1, .dur_ticks = times_us[i]};
        struct exec_record record = {.step = steps[i], .times = &time, .n_times = 1, .run_count = 1};

        builder_add_step(b, steps[i]);
        builder_add_record(b, node, &record);
    }
    return builder_finish(b);
}

static int64_t chosen_of(const int64_t *times_us, const int64_t *steps, size_t n, int64_t choice)
{
    struct profile *p = profile_of_times(times_us, steps, n);
    struct query *q = query_new(p);
    const int64_t step = chosen_step(q, VIEW_SCOPE, choice);

    query_free(q);
    profile_free(p);
    return step;
}

static void ties_go_to_the_lowest_number(void **state)
{
    static const int64_t steps[] = {2, 3, 5, 8, 13};

    (void)state;
    assert_int_equal(chosen_of((int64_t[]){1, 9, 9, 4, 4}, steps, 5, STEP_WORST), 3);
    assert_int_equal(chosen_of((int64_t[]){1, 9, 9, 4, 4}, steps, 5, STEP_MEDIAN), 8);
    assert_int_equal(chosen_of((int64_t[]){7, 7, 7, 7, 7}, steps, 5, STEP_MEDIAN), 2);
    assert_int_equal(chosen_of((int64_t[]){1, 2, 3, 4}, steps, 4, STEP_MEDIAN), 3);
    assert_int_equal(chosen_of((int64_t[]){5}, steps, 1, STEP_MEDIAN), 2);
    assert_int_equal(chosen_of((int64_t[]){5}, steps, 1, STEP_WORST), 2);
}

/* Negative numbers select the average, so such a step cannot be chosen. */
static void steps_below_zero_are_not_chosen(void **state)
{
    static const int64_t steps[] = {-4, 0, 6};

    (void)state;
    assert_int_equal(chosen_of((int64_t[]){90, 2, 3}, steps, 3, STEP_WORST), 6);
    assert_int_equal(chosen_of((int64_t[]){90, 2, 3}, steps, 3, STEP_MEDIAN), 0);
}

static void no_step_is_an_error(void **state)
{
    struct profile *p = profile_of_times(NULL, NULL, 0);
    struct query *q = query_new(p);
    struct options o;
    struct err err = {0};

    (void)state;
    options_init(&o);
    o.step = STEP_MEDIAN;
    assert_null(query_run(q, VIEW_SCOPE, &o, never, &err));
    assert_int_equal(err.kind, ERR_INPUT);
    assert_string_equal(err_text(&err), "-step=median not found; the profile has no steps");
    err_done(&err);
    options_done(&o);
    query_free(q);
    profile_free(p);
}

/* ---- figures of rows by step */

/* Figures of rows by step equal those of a query for that step. */
static void assert_by_step(struct query *q, const struct profile *p, struct options *o,
                           enum view_id view)
{
    struct err err = {0};
    struct result *all = query_run_all_figures(q, view, o, never, &err);
    const struct by_step *b = &all->by_step;

    assert_non_null(b->values);
    assert_int_equal(b->metric, by_step_metric(o));
    assert_int_equal(b->n_points, p->n_steps);
    for (uint32_t i = 0; i < p->n_steps; i++) {
        struct query *fresh = query_new_threads(p, 1);
        struct result *r;

        o->step = p->steps[i];
        r = answer(fresh, view, o);
        result_need(r, FIELD_BIT(b->metric));
        assert_int_equal(by_step_first(b, i), i);
        assert_int_equal(r->tree->n_rows, b->n_rows);
        for (row_id row = 0; row < b->n_rows; row++)
            if (all->why[row] == WHY_SHOWN && r->why[row] == WHY_SHOWN)
                assert_int_equal(by_step_value(b, i, row), r->view->is_list && row
                                                               ? r->self[b->metric][row]
                                                               : r->total[b->metric][row]);
        result_free(r);
        query_free(fresh);
    }
    result_free(all);
}

/* A sequence of options on one query, so that cached figures are tested; no option hides rows in
 * some steps only. */
static void rows_have_the_figures_of_each_step(void **state)
{
    uint64_t seed = 11;

    (void)state;
    for (int i = 0; i < PROFILES / 3; i++) {
        struct profile *p = random_profile(&seed, MAX_NODES);
        struct query *q = query_new(p);

        for (int k = 0; k < 6; k++) {
            struct options o;

            options_init(&o);
            random_query_options(&o, &seed);
            for (int m = 0; m < METRIC_COUNT; m++)
                o.min[m] = -1000; /* no threshold that hides different rows in different steps */
            o.hide_unaccounted = false;
            o.order_by = ORDER_NAME;
            o.max_depth = 100;
            assert_by_step(q, p, &o, (enum view_id)(k % VIEW_ADVISE));
            options_done(&o);
        }
        query_free(q);
        profile_free(p);
    }
}

/* Selecting another step does not recompute them; another metric does. */
static void figures_by_step_are_cached(void **state)
{
    struct profile *p = profile_of_times((int64_t[]){5, 9, 2}, (int64_t[]){0, 1, 2}, 3);
    struct query *q = query_new(p);
    struct options o;
    struct err err = {0};
    struct result *first, *other, *whole, *counted;

    (void)state;
    options_init(&o);
    first = query_run_all_figures(q, VIEW_SCOPE, &o, never, &err);
    o.step = 1;
    other = answer(q, VIEW_SCOPE, &o);
    assert_ptr_equal(first->by_step.values, other->by_step.values);
    whole = query_run_all_figures(q, VIEW_SCOPE, &o, never, &err);
    o.select = FIELD_BIT(METRIC_OCCURRENCE) | FIELD_BIT(METRIC_PARAMS);
    counted = answer(q, VIEW_SCOPE, &o);
    assert_null(counted->by_step.values);
    assert_int_equal(by_step_metric(&o), METRIC_OCCURRENCE);
    result_copy_figures(counted, whole);
    assert_ptr_equal(first->by_step.values, counted->by_step.values);
    result_free(first);
    result_free(other);
    result_free(whole);
    result_free(counted);
    options_done(&o);
    query_free(q);
    profile_free(p);
}

/* Points of merged steps include their times. */
static void assert_times_are_joined(const struct result *r, const struct profile *p,
                                    const int64_t *times_us)
{
    const struct step_times_seen *t = &r->step_times;
    uint32_t end = 0;

    assert_true(t->n_points > 1000 && t->n_points < p->n_steps);
    assert_int_equal(t->spread.n, p->n_steps);
    for (uint32_t i = 0; i < t->n_points; i++) {
        int64_t largest = 0;

        assert_int_equal(step_times_first(t, p, i), end);
        end = step_times_first(t, p, i + 1);
        for (uint32_t k = step_times_first(t, p, i); k < end; k++)
            largest = times_us[k] > largest ? times_us[k] : largest;
        assert_int_equal(t->times_ps[i], largest * PS_PER_US);
    }
    assert_int_equal(end, p->n_steps);
}

/* With more steps than points, neighboring steps are merged and the maximum is displayed. */
static void many_steps_are_joined(void **state)
{
    enum { STEPS = 40000 };
    int64_t *times_us = malloc(STEPS * sizeof *times_us), *steps = malloc(STEPS * sizeof *steps);
    struct profile *p;
    struct query *q;
    struct options o;
    struct err err = {0};
    struct result *r;
    uint32_t end = 0;

    (void)state;
    for (int64_t i = 0; i < STEPS; i++) {
        steps[i] = 3 * i;
        times_us[i] = 1 + i * 7919 % 10007;
    }
    p = profile_of_times(times_us, steps, STEPS);
    q = query_new(p);
    options_init(&o);
    r = query_run_all_figures(q, VIEW_SCOPE, &o, never, &err);
    assert_int_equal(r->by_step.n_read, STEPS);
    assert_true(r->by_step.n_points > 1000 && r->by_step.n_points < STEPS);
    for (uint32_t i = 0; i < r->by_step.n_points; i++) {
        int64_t largest = 0;

        assert_int_equal(by_step_first(&r->by_step, i), end);
        end = by_step_first(&r->by_step, i + 1);
        for (uint32_t k = by_step_first(&r->by_step, i); k < end; k++)
            largest = times_us[k] > largest ? times_us[k] : largest;
        assert_int_equal(by_step_value(&r->by_step, i, 0), largest * PS_PER_US);
    }
    assert_int_equal(end, STEPS);
    assert_times_are_joined(r, p, times_us);
    result_free(r);
    options_done(&o);
    query_free(q);
    profile_free(p);
    free(times_us);
    free(steps);
}

/* The number of VALUES that are at most X. */
static uint32_t count_up_to(const double *values, uint32_t n, double x)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < n; i++)
        count += values[i] <= x;
    return count;
}

/* The median by counting, without sorting; the mean of the two middle values. */
static double plain_median(const double *values, uint32_t n)
{
    double low = 1e300, high = 1e300;

    for (uint32_t i = 0; i < n; i++) {
        if (count_up_to(values, n, values[i]) >= (n + 1) / 2 && values[i] < low)
            low = values[i];
        if (count_up_to(values, n, values[i]) >= n / 2 + 1 && values[i] < high)
            high = values[i];
    }
    return (low + high) / 2;
}

static void spreads_are_as_defined(void **state)
{
    enum { MOST = 12, ROUNDS = 2000 };
    uint64_t seed = 3;

    (void)state;
    for (int round = 0; round < ROUNDS; round++) {
        const uint32_t n = 1 + random_below(&seed, MOST);
        int64_t values[MOST];
        double plain[MOST], scratch[MOST], median, deviation;
        struct step_spread s;

        for (uint32_t i = 0; i < n; i++) {
            values[i] = random_below(&seed, 20) + (random_below(&seed, 6) ? 0 : 90);
            plain[i] = (double)values[i];
        }
        s = step_spread_of(values, n, scratch);
        median = plain_median(plain, n);
        for (uint32_t i = 0; i < n; i++)
            plain[i] = plain[i] > median ? plain[i] - median : median - plain[i];
        deviation = plain_median(plain, n);
        assert_true(s.median == median && s.deviation == deviation);
        for (uint32_t i = 0; i < n; i++) {
            assert_true(values[i] < values[s.worst] || (values[i] == values[s.worst] && i >= s.worst));
            assert_int_equal(step_spread_is_outlier(&s, values[i]),
                             n >= 5 && plain[i] > 3 * 1.4826 * deviation);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps_are_chosen_by_the_totals_of_the_root),
        cmocka_unit_test(rank_selects_the_steps_of_ranks),
        cmocka_unit_test(ties_go_to_the_lowest_number),
        cmocka_unit_test(steps_below_zero_are_not_chosen),
        cmocka_unit_test(no_step_is_an_error),
        cmocka_unit_test(rows_have_the_figures_of_each_step),
        cmocka_unit_test(figures_by_step_are_cached),
        cmocka_unit_test(many_steps_are_joined),
        cmocka_unit_test(spreads_are_as_defined),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
