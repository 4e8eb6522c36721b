/* test_by_step.c: what steps take and which one is the worst or the median, against plain
 * recomputations. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>

#include "fixtures/random_profile.h"
#include "load/load.h"
#include "view/by_step/step_times.h"
#include "view/query.h"

enum { PROFILES = 300, MAX_NODES = 40 };

static const struct cancel_mark never = {NULL, 0};

static struct result *run(struct query *q, enum view_id view, const struct options *o)
{
    struct err err = {0};
    struct result *r = query_run(q, view, o, never, &err);

    if (!r)
        fail_msg("%s", err_text(&err));
    return r;
}

/* What the root of the scope view has at a step. */
static int64_t root_ps(struct query *q, int64_t step, int64_t rank)
{
    struct options o;
    struct result *r;
    int64_t time_ps;

    options_init(&o);
    o.step = step;
    o.rank = rank;
    o.select = FIELD_BIT(METRIC_MICROS);
    r = run(q, VIEW_SCOPE, &o);
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
    r = run(q, view, &o);
    assert_int_equal(r->asked_step, choice);
    assert_int_equal(r->notes.n > 0, true);
    step = r->options.step;
    result_free(r);
    options_done(&o);
    return step;
}

/* The worst step: none takes longer, none before it as long.  The median: fewer than half of the
 * others are shorter, and no more than half longer. */
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

static void steps_of_ranks_are_as_rank_says(void **state)
{
    static const int64_t ranks[] = {RANK_AVERAGE, RANK_ALL, 0, 1};
    struct profile *p = load_ranks();
    struct query *q = query_new(p);
    struct step_times t = {.profile = NULL};

    (void)state;
    assert_int_equal(p->n_recordings, 2);
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
        struct exec_time time = {device, false, 1, times_us[i]};
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

/* A number below zero is the average: such a step has no name. */
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps_are_chosen_by_the_totals_of_the_root),
        cmocka_unit_test(steps_of_ranks_are_as_rank_says),
        cmocka_unit_test(ties_go_to_the_lowest_number),
        cmocka_unit_test(steps_below_zero_are_not_chosen),
        cmocka_unit_test(no_step_is_an_error),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
