/* test_cancelled.c: a query that is cancelled within a stage leaves nothing incomplete for later queries.  Functions
 * that stages call are replaced by ones that cancel the query. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "fixtures/answer.h"
#include "match/comparison.h"
#include "model/builder.h"
#include "view/query.h"
#include "view/stages.h"
#include "view/step_times.h"

enum { N_STEPS = 5 };

static struct cancel token;
static int calls_until_cancelled; /* 0: never */

static void count_call(void)
{
    if (calls_until_cancelled && --calls_until_cancelled == 0)
        cancel_ask(&token);
}

bool __real_step_times_update(struct step_times *t, const struct profile *p, int64_t rank,
                              struct cancel_mark cancel);
bool __wrap_step_times_update(struct step_times *t, const struct profile *p, int64_t rank,
                              struct cancel_mark cancel);
bool __wrap_step_times_update(struct step_times *t, const struct profile *p, int64_t rank,
                              struct cancel_mark cancel)
{
    count_call();
    return __real_step_times_update(t, p, rank, cancel);
}

void __real_rows_at_step(const struct query_run *run, const struct options *o, enum metric_id metric,
                         bool displayed, int64_t *now, int64_t *base);
void __wrap_rows_at_step(const struct query_run *run, const struct options *o, enum metric_id metric,
                         bool displayed, int64_t *now, int64_t *base);
void __wrap_rows_at_step(const struct query_run *run, const struct options *o, enum metric_id metric,
                         bool displayed, int64_t *now, int64_t *base)
{
    count_call();
    __real_rows_at_step(run, o, metric, displayed, now, base);
}

/* A node that takes FIRST_US in the first step, and one more in each later one. */
static struct profile *profile_of_steps(int64_t first_us)
{
    struct builder *b = builder_new();
    const strid device = builder_str(b, "/cpu:0", 6);
    bool added;
    const node_id node = builder_node(b, builder_str(b, "a", 1), builder_str(b, "A", 1), &added);

    for (int64_t i = 0; i < N_STEPS; i++) {
        struct exec_time time = {.device = device, .start_ticks = 1, .dur_ticks = first_us + i};
        struct exec_record record = {.step = i, .times = &time, .n_times = 1, .run_count = 1};

        builder_add_step(b, i);
        builder_add_record(b, node, &record);
    }
    return builder_finish(b);
}

/* Runs Q, which is cancelled at the N-th call. */
static void run_cancelled(struct query *q, const struct options *o, int n)
{
    struct err err = {0};

    calls_until_cancelled = n;
    assert_null(query_run_all_figures(q, VIEW_SCOPE, o, cancel_mark_now(&token), &err));
    assert_int_equal(calls_until_cancelled, 0);
    assert_int_equal(err.kind, ERR_CANCELLED);
    err_done(&err);
}

static struct result *run_whole(struct query *q, const struct options *o)
{
    struct err err = {0};
    struct result *r = query_run_all_figures(q, VIEW_SCOPE, o, (struct cancel_mark){NULL, 0}, &err);

    assert_non_null(r);
    return r;
}

static void times_of_steps_are_computed_again(void **state)
{
    struct profile *p = profile_of_steps(10);
    struct query *q = query_new(p);
    struct options o;
    struct result *r;

    (void)state;
    options_init(&o);
    run_cancelled(q, &o, 1);
    r = run_whole(q, &o);
    assert_int_equal(r->step_times.n_points, N_STEPS);
    for (uint32_t i = 0; i < N_STEPS; i++)
        assert_int_equal(r->step_times.times_ps[i], (10 + i) * PS_PER_US);
    result_free(r);
    options_done(&o);
    query_free(q);
    profile_free(p);
}

static void verdicts_are_computed_again(void **state)
{
    struct err err = {0};
    struct profile *base = profile_of_steps(10), *now = profile_of_steps(1000);
    struct comparison *c = comparison_new(base, now, NULL, NULL, &err);
    struct query *q;
    struct options o;
    struct result *r;

    (void)state;
    assert_non_null(c);
    q = query_new_comparison(c);
    options_init(&o);
    o.significant = true;
    for (int n = 1; n <= N_STEPS; n++)
        run_cancelled(q, &o, n);
    r = run_whole(q, &o);
    assert_int_equal(noise_of_row(&r->noise, 1).verdict, SAMPLES_SIGNIFICANT);
    assert_int_equal(r->noise.n_tested, 1);
    result_free(r);
    options_done(&o);
    query_free(q);
    comparison_free(c);
    profile_free(base);
    profile_free(now);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(times_of_steps_are_computed_again),
        cmocka_unit_test(verdicts_are_computed_again),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
