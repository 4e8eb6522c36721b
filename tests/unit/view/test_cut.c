/* test_cut.c: figures of a time range equal those of a simple walk over the run metadata of three
 * models and the busy times of tracks; figures of adjacent ranges sum to the total. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "fixtures/load_with.h"
#include "fixtures/random_options.h"
#include "fixtures/run_executions.h"
#include "view/pictures/timeline.h"
#include "view/query.h"

static const char *const models[] = {"resnet32", "mobilenet", "seq2seq"};

/* A result of VIEW of P for a time range. */
static struct result *run_range(struct query *q, enum view_id view, struct time_range range)
{
    struct options options;
    struct err err = {0};
    struct result *r;

    options_init(&options);
    options.step = 0;
    options.time_range = range;
    options.select |= FIELD_BIT(METRIC_OCCURRENCE) | FIELD_BIT(METRIC_BYTES) |
                      FIELD_BIT(METRIC_FLOAT_OPS);
    r = query_run(q, view, &options, (struct cancel_mark){0}, &err);
    if (!r)
        fail_msg("%s", err_text(&err));
    options_done(&options);
    return r;
}

static struct time_range random_range(uint64_t *random, int64_t whole_us)
{
    const int64_t from = (int64_t)random_below(random, (uint32_t)whole_us);
    const int64_t to = from + 1 + (int64_t)random_below(random, (uint32_t)whole_us);

    return (struct time_range){from * PS_PER_US, to * PS_PER_US};
}

static int64_t overlap_us(const struct execution *e, int64_t from_us, int64_t to_us)
{
    const int64_t from = e->start_us > from_us ? e->start_us : from_us;
    const int64_t end = e->start_us + e->dur_us;
    const int64_t to = end < to_us ? end : to_us;

    return to > from ? to - from : 0;
}

/* Sums time and runs of each node of P from the list of its executions. */
static void sum_plainly(const struct profile *p, const execution_list *list,
                        struct time_range range, int64_t *time_ps, int64_t *runs)
{
    const int64_t begin_us = list->data[0].start_us; /* the earliest execution */
    const int64_t from_us = begin_us + range.from_ps / PS_PER_US;
    const int64_t to_us = begin_us + range.to_ps / PS_PER_US;

    memset(time_ps, 0, p->n_nodes * sizeof *time_ps);
    memset(runs, 0, p->n_nodes * sizeof *runs);
    for (size_t i = 0; i < list->n; i++) {
        const struct execution *e = &list->data[i];
        const node_id node = profile_find(p, e->name, strlen(e->name));

        if (node == NODE_NONE)
            continue;
        time_ps[node] += overlap_us(e, from_us, to_us) * PS_PER_US;
        runs[node] += e->start_us >= from_us && e->start_us < to_us;
    }
}

static void figures_equal_the_run_metadata(void **state)
{
    uint64_t random = 11;

    (void)state;
    for (size_t i = 0; i < sizeof models / sizeof *models; i++) {
        struct strbuf run = {0};
        struct profile *p = load_model(models[i], &run);
        struct query *q = query_new(p);
        int64_t *time_ps = calloc(p->n_nodes, sizeof *time_ps);
        int64_t *runs = calloc(p->n_nodes, sizeof *runs);
        execution_list list = {0};
        int64_t n_cut = 0;

        read_executions(&list, sb_text(&run));
        for (int k = 0; k < 20; k++) {
            const int64_t whole_us = list.data[list.n - 1].start_us - list.data[0].start_us;
            const struct time_range range = random_range(&random, whole_us);
            struct result *r = run_range(q, VIEW_GRAPH, range);
            const int64_t *micros = result_node_figures(r, METRIC_MICROS);
            const int64_t *occurrence = result_node_figures(r, METRIC_OCCURRENCE);

            sum_plainly(p, &list, range, time_ps, runs);
            for (node_id node = 0; node < p->n_nodes; node++) {
                assert_int_equal(micros[node], time_ps[node]);
                assert_int_equal(occurrence[node], runs[node]);
                n_cut += runs[node] == 0 && time_ps[node] > 0;
            }
            result_free(r);
        }
        assert_true(n_cut > 0); /* some began earlier */
        vec_done(&list);
        free(time_ps);
        free(runs);
        query_free(q);
        profile_free(p);
        sb_done(&run);
    }
}

static int64_t total_of(struct query *q, enum view_id view, struct time_range range,
                        enum metric_id metric)
{
    struct result *r = run_range(q, view, range);
    const int64_t total = r->total[metric][0];

    result_free(r);
    return total;
}

static void every_view_sums_to_the_busy_time(void **state)
{
    struct strbuf run = {0};
    struct profile *p = load_model("resnet32", &run);
    struct query *q = query_new(p);
    struct options options;
    struct timeline *l;
    uint64_t random = 12;

    (void)state;
    options_init(&options);
    l = timeline_new(p, &options, TIMELINE_BY_TYPE, NULL, (struct cancel_mark){0});
    for (int i = 0; i < 50; i++) {
        const struct time_range range = random_range(&random, l->end_ticks - l->begin_ticks);
        const int64_t from = l->begin_ticks + range.from_ps / PS_PER_US;
        int64_t busy = 0;

        for (size_t at = 0; at < l->tracks.n; at++)
            busy += timeline_stretch_of(l, at, from, from + (range.to_ps - range.from_ps) / PS_PER_US)
                        .busy_ticks;
        for (enum view_id view = VIEW_SCOPE; view < VIEW_CODE; view++)
            assert_int_equal(total_of(q, view, range, METRIC_MICROS), busy * PS_PER_US);
    }
    timeline_free(l);
    options_done(&options);
    query_free(q);
    profile_free(p);
    sb_done(&run);
}

static void two_parts_make_the_whole(void **state)
{
    static const enum metric_id sums[] = {METRIC_MICROS, METRIC_OCCURRENCE, METRIC_BYTES,
                                          METRIC_FLOAT_OPS /* not a figure of runs: comes last */};
    const struct time_range all = {0, TIME_RANGE_OPEN}, whole = {0, TIME_RANGE_OPEN - 1};

    (void)state;
    for (size_t i = 0; i < sizeof models / sizeof *models; i++) {
        struct strbuf run = {0};
        struct profile *p = load_model(models[i], &run);
        struct query *q = query_new(p);

        for (size_t m = 0; metrics[sums[m]].of_runs; m++)
            assert_int_equal(total_of(q, VIEW_SCOPE, whole, sums[m]),
                             total_of(q, VIEW_SCOPE, all, sums[m]));
        for (int64_t at_us = 1; at_us < 10000000; at_us = at_us * 7 + 1) {
            const struct time_range before = {0, at_us * PS_PER_US};
            const struct time_range after = {at_us * PS_PER_US, TIME_RANGE_OPEN};

            for (size_t m = 0; m < sizeof sums / sizeof *sums; m++)
                for (enum view_id view = VIEW_SCOPE; view < VIEW_ADVISE; view++)
                    assert_int_equal(total_of(q, view, before, sums[m]) +
                                         total_of(q, view, after, sums[m]),
                                     total_of(q, view, whole, sums[m]));
        }
        query_free(q);
        profile_free(p);
        sb_done(&run);
    }
}

/* ---- text form */

static void assert_read(const char *text, int64_t from_ps, int64_t to_ps, const char *printed)
{
    struct time_range range = {-1, -1};
    struct strbuf sb = {0};
    struct err err = {0};

    if (!time_range_read("time_range", text, &range, &err))
        fail_msg("%s", err_text(&err));
    assert_int_equal(range.from_ps, from_ps);
    assert_int_equal(range.to_ps, to_ps);
    time_range_print(&sb, range);
    assert_string_equal(sb_text(&sb), printed);
    sb_done(&sb);
}

static void assert_refused(const char *text)
{
    struct time_range range = {-1, -1};
    struct err err = {0};

    assert_false(time_range_read("time_range", text, &range, &err));
    assert_int_equal(range.from_ps, -1);
    err_done(&err);
}

static void times_are_read_and_printed(void **state)
{
    (void)state;
    assert_read("all", 0, TIME_RANGE_OPEN, "all");
    assert_read(":", 0, TIME_RANGE_OPEN, "all");
    assert_read("1500:2ms", 1500 * PS_PER_US, 2000 * PS_PER_US, "1.5ms:2ms");
    assert_read("0.61s:1.72sec", 610000 * PS_PER_US, 1720000 * PS_PER_US, "610ms:1.72s");
    assert_read(":10ns", 0, 10000, "0:10ns");
    assert_read("3ps:", 3, TIME_RANGE_OPEN, "3ps:");
    assert_read(".5:1.0000019", 500000, 1000001, "500ns:1.000001us");
    assert_read("1:99999999999999999999s", PS_PER_US, TIME_RANGE_OPEN, "1us:");
    assert_refused("");
    assert_refused("1s");
    assert_refused("2s:1s");
    assert_refused("1s:1s");
    assert_refused("-1:5");
    assert_refused("1m:5m");
    assert_refused(".:5");
    assert_refused("1:2:3");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(figures_equal_the_run_metadata),
        cmocka_unit_test(every_view_sums_to_the_busy_time),
        cmocka_unit_test(two_parts_make_the_whole),
        cmocka_unit_test(times_are_read_and_printed),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
