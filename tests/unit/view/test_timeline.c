/* test_timeline.c: busy times of tracks equal those of the run metadata of three models, and
 * queries of a range equal a simple walk over the spans. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/xalloc.h"
#include "fixtures/load_with.h"
#include "fixtures/random_options.h"
#include "fixtures/run_executions.h"
#include "model/events.h"
#include "view/pictures/timeline_text.h"
#include "view/pictures/timeline_top.h"

/* ---- reference implementation */

enum { THREADS_MAX = 200 };

/* The busy time of each thread of DEVICE if each execution is assigned to the first free thread. */
static size_t busy_of_threads(const execution_list *list, const char *device, int64_t *busy_us)
{
    int64_t ends[THREADS_MAX] = {0};
    size_t n = 0;

    for (size_t i = 0; i < list->n; i++) {
        const struct execution *e = &list->data[i];
        size_t thread = 0;

        if (strcasecmp(e->device, device))
            continue;
        while (thread < n && ends[thread] > e->start_us)
            thread++;
        assert_true(thread < THREADS_MAX);
        if (thread == n)
            busy_us[n++] = 0;
        ends[thread] = e->start_us + e->dur_us;
        busy_us[thread] += e->dur_us;
    }
    return n;
}

/* ---- the tracks */

static struct timeline *make_timeline(const struct profile *p, enum timeline_group_by by)
{
    struct options options;
    struct timeline *l;

    options_init(&options);
    l = timeline_new(p, &options, by, NULL, (struct cancel_mark){0});
    options_done(&options);
    assert_non_null(l);
    return l;
}

static void busy_times_equal_the_run_metadata(void **state)
{
    static const char *const models[] = {"resnet32", "mobilenet", "seq2seq"};

    (void)state;
    for (size_t i = 0; i < sizeof models / sizeof *models; i++) {
        struct strbuf run = {0};
        struct profile *p = load_model(models[i], &run);
        struct timeline *l = make_timeline(p, TIMELINE_BY_TYPE);
        execution_list executions = {0};
        size_t n_spans = 0;

        read_executions(&executions, sb_text(&run));
        for (size_t at = 0; at < l->tracks.n;) {
            int64_t busy_us[THREADS_MAX];
            const size_t n = busy_of_threads(
                &executions, profile_text(p, l->tracks.data[at].device), busy_us);

            assert_true(n > 0);
            for (size_t k = 0; k < n; k++, at++) {
                assert_int_equal(l->tracks.data[at].thread, k);
                assert_int_equal(l->tracks.data[at].busy_ticks, busy_us[k]);
                n_spans += l->tracks.data[at].n;
            }
        }
        assert_int_equal(n_spans, executions.n);
        assert_int_equal(l->begin_ticks, executions.data[0].start_us);
        vec_done(&executions);
        timeline_free(l);
        profile_free(p);
        sb_done(&run);
    }
}

/* ---- time ranges */

static void assert_stretch(const struct timeline *l, size_t at, int64_t from, int64_t to)
{
    const struct timeline_track *track = &l->tracks.data[at];
    const struct timeline_stretch s = timeline_stretch_of(l, at, from, to);
    int64_t busy = 0, of_groups[TIMELINE_GROUPS] = {0};

    for (uint32_t i = track->first; i < track->first + track->n; i++) {
        const struct timeline_span *span = &l->spans.data[i];
        const int64_t begin = span->start_ticks > from ? span->start_ticks : from;
        const int64_t end = span->end_ticks < to ? span->end_ticks : to;

        assert_int_equal(end > begin, i >= s.first && i < s.end);
        if (end > begin) {
            busy += end - begin;
            of_groups[span->group] += end - begin;
        }
    }
    assert_int_equal(s.busy_ticks, busy);
    for (int g = 0; g < TIMELINE_GROUPS; g++)
        assert_int_equal(s.groups_ticks[g], of_groups[g]);
    for (int g = 0; g < TIMELINE_GROUPS; g++)
        assert_true(of_groups[g] <= of_groups[s.group]);
}

/* Events of a step are sorted, do not overlap within a track, and sum to its executions. */
static void events_of_a_step_are_its_executions(void **state)
{
    struct strbuf run = {0};
    struct profile *p = load_model("resnet32", &run);
    const int64_t step = p->steps[p->n_steps / 2];
    struct event_store *s = step_events_new(p, step, (struct cancel_mark){0});
    int64_t *work_ps = xcalloc(p->n_nodes, sizeof *work_ps), *host_ps = xcalloc(p->n_nodes, sizeof *host_ps);

    (void)state;
    for (uint32_t t = 0; t < s->tracks.n; t++) {
        struct event_reader r = event_reader_of(s, t);
        int64_t last_end_ps = INT64_MIN;
        uint32_t n = 0;

        for (; event_next(&r); n++) {
            const struct event_kind *kind = &s->kinds[r.event.kind];

            assert_true(r.event.start_ps >= last_end_ps);
            last_end_ps = event_end_ps(&r.event);
            assert_int_equal(r.event.position, n);
            assert_int_equal(s->steps.data[r.event.step].number, step);
            (kind->is_work ? work_ps : host_ps)[kind->id] += r.event.self_ps;
        }
        assert_int_equal(n, s->tracks.data[t].n_events);
    }
    for (node_id node = 0; node < p->n_nodes; node++) {
        struct exec e;

        if (p->device[node] == STRID_EMPTY || !profile_exec(p, node, step, &e) || e.start_ticks <= 0)
            continue;
        assert_true(work_ps[node] == e.accelerator_ps);
        assert_true(host_ps[node] == e.cpu_ps);
    }
    free(host_ps);
    free(work_ps);
    event_store_free(s);
    profile_free(p);
    sb_done(&run);
}

static void time_ranges_equal_those_of_the_spans(void **state)
{
    struct strbuf run = {0};
    struct profile *p = load_model("resnet32", &run);
    uint64_t random = 7;

    (void)state;
    for (int by = 0; by < TIMELINE_BY_COUNT; by++) {
        struct timeline *l = make_timeline(p, (enum timeline_group_by)by);
        const uint32_t length = (uint32_t)(l->end_ticks - l->begin_ticks);
        int64_t in_groups = 0, in_tracks = 0;

        for (int i = 0; i < 3000; i++) {
            const int64_t from = l->begin_ticks + (int64_t)random_below(&random, length);
            const int64_t to = from + 1 + (int64_t)random_below(&random, i % 2 ? length : 1000);

            assert_stretch(l, random_below(&random, (uint32_t)l->tracks.n), from, to);
        }
        for (size_t at = 0; at < l->tracks.n; at++) {
            assert_stretch(l, at, l->begin_ticks, l->end_ticks);
            in_tracks += l->tracks.data[at].busy_ticks;
        }
        for (int g = 0; g < TIMELINE_GROUPS; g++)
            in_groups += l->groups[g].busy_ticks;
        assert_int_equal(in_groups, in_tracks);
        timeline_free(l);
    }
    profile_free(p);
    sb_done(&run);
}

static uint32_t plain_gap(const struct timeline *l, size_t at, int64_t from, int direction,
                          int64_t min)
{
    const struct timeline_track *track = &l->tracks.data[at];
    uint32_t found = SPAN_NONE;

    for (uint32_t i = track->first; i + 1 < track->first + track->n; i++) {
        const struct timeline_span *s = &l->spans.data[i];

        if (s[1].start_ticks - s->end_ticks < min || (s->end_ticks >= from) != (direction > 0))
            continue;
        found = i;
        if (direction > 0)
            break;
    }
    return found;
}

static void gaps_lie_between_spans(void **state)
{
    struct strbuf run = {0};
    struct profile *p = load_model("resnet32", &run);
    struct timeline *l = make_timeline(p, TIMELINE_BY_TYPE);
    const uint32_t length = (uint32_t)(l->end_ticks - l->begin_ticks);
    uint64_t random = 8;
    int n_found = 0;

    (void)state;
    for (int i = 0; i < 5000; i++) {
        const size_t at = random_below(&random, (uint32_t)l->tracks.n);
        const int64_t from = l->begin_ticks + (int64_t)random_below(&random, length);
        const int64_t min = 1 + (int64_t)random_below(&random, i % 2 ? 100 : 100000);
        const int direction = i % 3 ? 1 : -1;
        const uint32_t gap = timeline_gap(l, at, from, direction, min);

        assert_int_equal(gap, plain_gap(l, at, from, direction, min));
        n_found += gap != SPAN_NONE;
    }
    assert_true(n_found > 1000);
    timeline_free(l);
    profile_free(p);
    sb_done(&run);
}

static void nodes_have_their_spans(void **state)
{
    struct strbuf run = {0};
    struct profile *p = load_model("resnet32", &run);
    struct timeline *l = make_timeline(p, TIMELINE_BY_TYPE);
    uint32_t n_of_nodes = 0;

    (void)state;
    for (node_id node = 0; node < p->n_nodes; node++) {
        uint32_t n;
        const uint32_t *spans = timeline_spans_of(l, node, &n);

        for (uint32_t i = 0; i < n; i++) {
            const struct timeline_track *track = &l->tracks.data[timeline_track_of(l, spans[i])];

            assert_int_equal(l->spans.data[spans[i]].node, node);
            assert_true(spans[i] >= track->first && spans[i] < track->first + track->n);
            assert_true(timeline_has_node(l, node, spans[i], spans[i] + 1));
            assert_false(timeline_has_node(l, node, spans[i], spans[i]));
        }
        n_of_nodes += n;
    }
    assert_int_equal(n_of_nodes, l->spans.n);
    timeline_free(l);
    profile_free(p);
    sb_done(&run);
}

static int64_t plain_alone(const struct timeline *l, strid type, const int8_t *n_running)
{
    int64_t alone = 0;

    for (size_t i = 0; i < l->spans.n; i++)
        for (int64_t at = l->spans.data[i].start_ticks; at < l->spans.data[i].end_ticks; at++)
            alone += l->profile->op[l->spans.data[i].node] == type &&
                     n_running[at - l->begin_ticks] == 1;
    return alone;
}

/* A step of ResNet-32 begins with a wait for its input queue while nothing else runs. */
static void resnet_waits_for_its_input(void **state)
{
    struct strbuf run = {0};
    struct profile *p = load_model("resnet32", &run);
    struct timeline *l = make_timeline(p, TIMELINE_BY_TYPE);
    VEC(int8_t) n_running = {0}; /* in each microsecond, at most 2 */
    int64_t idle = 0;

    (void)state;
    vec_resize_zero(&n_running, (size_t)(l->end_ticks - l->begin_ticks));
    for (size_t i = 0; i < l->spans.n; i++)
        for (int64_t at = l->spans.data[i].start_ticks; at < l->spans.data[i].end_ticks; at++)
            if (n_running.data[at - l->begin_ticks] < 2)
                n_running.data[at - l->begin_ticks]++;
    for (size_t i = 0; i < n_running.n; i++)
        idle += !n_running.data[i];
    assert_int_equal(l->alone.idle_ticks, idle);
    assert_int_equal(l->alone.alone_ticks, plain_alone(l, l->alone.type, n_running.data));
    assert_string_equal(profile_text(p, l->alone.input_type), "QueueDequeueManyV2");
    assert_int_equal(l->alone.before_ticks, plain_alone(l, l->alone.input_type, n_running.data));
    assert_string_equal(profile_text(p, l->alone.compute_type), "Conv2D");
    vec_done(&n_running);
    timeline_free(l);
    profile_free(p);
    sb_done(&run);
}

static void no_step_has_no_tracks_and_no_verdict(void **state)
{
    struct strbuf run = {0};
    struct profile *p = load_model("resnet32", &run);
    struct verdict verdict;
    struct options options;
    struct timeline *l;

    (void)state;
    options_init(&options);
    options.step = 77;
    l = timeline_new(p, &options, TIMELINE_BY_TYPE, NULL, (struct cancel_mark){0});
    assert_int_equal(l->tracks.n, 0);
    assert_int_equal(l->spans.n, 0);
    timeline_free(l);
    assert_true(verdict_make_of_run(&verdict, p, &options, (struct cancel_mark){0}, NULL));
    assert_null(verdict.text);
    verdict_done(&verdict);
    options_done(&options);
    profile_free(p);
    sb_done(&run);
}

/* The tracks after filtering VIEW with OPTION set to VALUE. */
static struct timeline *filtered_timeline(struct query *q, const struct profile *p, enum view_id view,
                                    const char *option, const char *value, enum timeline_group_by by)
{
    struct options options;
    struct err err = {0};
    struct result *r;
    struct timeline *l;

    options_init(&options);
    options.max_depth = INT64_MAX;
    assert_true(option_set(&options, option_find(option), value, &err));
    assert_true(timeline_needs_result(view, &options, by));
    r = query_run(q, view, &options, (struct cancel_mark){0}, &err);
    assert_non_null(r);
    l = timeline_new(p, &options, by, r, (struct cancel_mark){0});
    assert_true(timeline_matches(l, p, view, &options, by));
    assert_false(timeline_matches(l, p, view, &options, TIMELINE_BY_SCOPE));
    options_done(&options);
    options_init(&options);
    assert_false(timeline_matches(l, p, view, &options, TIMELINE_BY_TYPE));
    options_done(&options);
    result_free(r);
    return l;
}

/* Only spans of op type Conv2D, filtered by type or by rows of the op view, have a group; busy
 * times do not change. */
static void only_spans_that_pass_have_a_group(void **state)
{
    static const struct {
        enum view_id view;
        const char *option;
    } ways[] = {{VIEW_OP, "show_name_regexes"}, {VIEW_SCOPE, "account_type_regexes"}};
    struct strbuf run = {0};
    struct profile *p = load_model("resnet32", &run);
    struct query *q = query_new(p);
    struct timeline *all = make_timeline(p, TIMELINE_BY_TYPE);

    (void)state;
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        struct timeline *l =
            filtered_timeline(q, p, ways[i].view, ways[i].option, "Conv2D", TIMELINE_BY_TYPE);
        int64_t busy_ticks = 0;

        for (size_t k = 0; k < l->spans.n; k++) {
            const struct timeline_span *s = &l->spans.data[k];
            const bool is_conv = !strcmp(profile_text(p, p->op[s->node]), "Conv2D");

            assert_int_equal(s->group, is_conv);
            busy_ticks += is_conv ? s->end_ticks - s->start_ticks : 0;
        }
        assert_true(busy_ticks > 0);
        assert_int_equal(l->groups[1].busy_ticks, busy_ticks);
        for (size_t at = 0; at < l->tracks.n; at++)
            assert_int_equal(l->tracks.data[at].busy_ticks, all->tracks.data[at].busy_ticks);
        timeline_free(l);
    }
    timeline_free(all);
    query_free(q);
    profile_free(p);
    sb_done(&run);
}

/* For the metric time, the groups are relative to the longest node. */
static void groups_by_a_figure_are_sizes(void **state)
{
    static const double least[] = {0, 0.5, 0.25, 0.1, 0.01, 0};
    struct strbuf run = {0};
    struct profile *p = load_model("resnet32", &run);
    struct query *q = query_new(p);
    struct timeline *l = filtered_timeline(q, p, VIEW_SCOPE, "select", "micros", TIMELINE_BY_FIGURE);
    int64_t longest = 0;

    (void)state;
    assert_int_equal(l->figure, METRIC_MICROS);
    for (size_t i = 0; i < l->spans.n; i++) {
        const int64_t ticks = l->spans.data[i].end_ticks - l->spans.data[i].start_ticks;

        longest = ticks > longest ? ticks : longest;
    }
    for (size_t i = 0; i < l->spans.n; i++) { /* each node ran once */
        const struct timeline_span *s = &l->spans.data[i];
        const double part = (double)(s->end_ticks - s->start_ticks) / (double)longest;

        assert_true(s->group >= 1 && s->group <= 5);
        assert_true(part >= least[s->group]);
        assert_true(s->group == 1 || part < least[s->group - 1]);
    }
    timeline_free(l);
    query_free(q);
    profile_free(p);
    sb_done(&run);
}

/* ---- rows of the screen */

/* Sums of names in columns are those of the spans in the columns. */
static void assert_top(const struct timeline *l, size_t track, int64_t from_ticks, int64_t len_ticks)
{
    enum { COLUMNS = 13, ROWS = 4 };
    struct timeline_top top = {.timeline = NULL};

    assert_true(timeline_top_make(&top, l, track, from_ticks, len_ticks, COLUMNS, ROWS));
    assert_in_range(top.n_rows, 0, ROWS);
    for (int col = 0; col < COLUMNS; col++) {
        const struct timeline_stretch s = timeline_stretch_of(
            l, track, timeline_column_ticks(from_ticks, len_ticks, COLUMNS, col),
            timeline_column_ticks(from_ticks, len_ticks, COLUMNS, col + 1));
        int64_t sum = 0;

        for (int i = 0; i < top.n_rows; i++)
            sum += top.rows[i].column_ticks[col];
        assert_int_equal(sum, s.busy_ticks);
    }
    for (int i = 1; i < top.n_rows; i++)
        assert_true(top.rows[i].name == STRID_NONE ||
                    top.rows[i].busy_ticks <= top.rows[i - 1].busy_ticks);
    timeline_top_done(&top);
}

static void names_are_those_of_the_spans(void **state)
{
    struct strbuf run = {0};
    struct profile *p = load_model("resnet32", &run);
    struct timeline *l = make_timeline(p, TIMELINE_BY_TYPE);
    const int64_t len = l->end_ticks - l->begin_ticks;

    (void)state;
    for (size_t at = 0; at < l->tracks.n; at++)
        for (int64_t part = 1; part < 9; part++)
            assert_top(l, at, l->begin_ticks + len / 10 * (part - 1), len / part / 2);
    timeline_free(l);
    profile_free(p);
    sb_done(&run);
}

/* Each track is in exactly one section, and its name is unique in it. */
static void sections_have_all_tracks(void **state)
{
    struct strbuf run = {0};
    struct profile *p = load_model("seq2seq", &run);
    struct timeline *l = make_timeline(p, TIMELINE_BY_TYPE);
    size_t n = 0;

    (void)state;
    assert_int_equal(l->order.n, l->tracks.n);
    for (size_t s = 0; s < l->sections.n; s++) {
        const struct timeline_section *section = &l->sections.data[s];

        assert_int_equal(section->first, n);
        n += section->n;
        for (uint32_t i = section->first; i < n; i++)
            for (uint32_t k = section->first; k < i; k++)
                assert_int_not_equal(l->tracks.data[l->order.data[i]].short_name,
                                     l->tracks.data[l->order.data[k]].short_name);
    }
    assert_int_equal(n, l->tracks.n);
    timeline_free(l);
    profile_free(p);
    sb_done(&run);
}

/* ---- comparisons */

/* The second half of the tracks repeats the first half, for the baseline. */
static void baseline_is_equal(const struct timeline *l)
{
    const size_t n = l->tracks.n / 2;

    assert_true(n > 0);
    assert_int_equal(l->tracks.n, 2 * n);
    assert_int_equal(l->base_ticks, l->now_ticks);
    assert_int_equal(l->sections.n, 2);
    assert_memory_equal(intern_text(&l->names, l->sections.data[0].name), "baseline  /job:", 15);
    assert_memory_equal(intern_text(&l->names, l->sections.data[1].name), "now  /job:", 10);
    for (size_t i = 0; i < n; i++) {
        const struct timeline_track *now = &l->tracks.data[i], *base = &l->tracks.data[n + i];

        assert_true(base->is_base && !now->is_base);
        assert_int_equal(base->device, now->device);
        assert_int_equal(base->n, now->n);
        assert_int_equal(base->busy_ticks, now->busy_ticks);
        for (uint32_t k = 0; k < now->n; k++) {
            const struct timeline_span *a = &l->spans.data[now->first + k];
            const struct timeline_span *b = &l->spans.data[base->first + k];

            assert_int_equal(a->start_ticks, b->start_ticks);
            assert_int_equal(a->end_ticks, b->end_ticks);
            assert_int_equal(a->node, b->node);
            assert_int_equal(a->name, b->name);
            assert_int_equal(a->group, b->group);
        }
    }
}

static void a_baseline_has_separate_tracks(void **state)
{
    struct strbuf runs[2] = {{0}, {0}};
    struct profile *base = load_model("resnet32", &runs[0]), *now = load_model("resnet32", &runs[1]);
    struct timeline *alone = make_timeline(now, TIMELINE_BY_TYPE), *l;
    struct options options;
    struct err err = {0};
    struct comparison *c = comparison_new(base, now, NULL, NULL, &err);

    (void)state;
    options_init(&options);
    options.max_depth = INT64_MAX;
    l = timeline_new_compared(c->merged, c, &options, TIMELINE_BY_TYPE, NULL, (struct cancel_mark){0});
    baseline_is_equal(l);
    assert_int_equal(l->tracks.n, 2 * alone->tracks.n);
    assert_memory_equal(&l->alone, &alone->alone, sizeof l->alone);
    assert_true(timeline_matches(l, c->merged, VIEW_SCOPE, &options, TIMELINE_BY_TYPE));
    options.diff_step = 77;
    assert_false(timeline_matches(l, c->merged, VIEW_SCOPE, &options, TIMELINE_BY_TYPE));
    EACH(timeline_free, l, alone);
    comparison_free(c);
    EACH(profile_free, base, now);
    EACH(sb_done, &runs[0], &runs[1]);
    options_done(&options);
}

static void steps_are_compared(void **state)
{
    const char *top = getenv("top_srcdir");
    struct strbuf path = {0};
    struct options options;
    struct err err = {0};
    struct timeline *l;
    struct profile *p;

    (void)state;
    sb_addf(&path, "%s/data/resnet32.pb.gz", top ? top : ".");
    p = load_with(SETTINGS(NULL), sb_text(&path), &err);
    assert_non_null(p);
    options_init(&options);
    options.step = options.diff_step = 1;
    l = timeline_new_compared(p, NULL, &options, TIMELINE_BY_TYPE, NULL, (struct cancel_mark){0});
    baseline_is_equal(l);
    timeline_free(l);
    options.diff_step = 2;
    l = timeline_new_compared(p, NULL, &options, TIMELINE_BY_TYPE, NULL, (struct cancel_mark){0});
    assert_int_not_equal(l->base_ticks, l->now_ticks);
    assert_int_equal(l->base_step, 2);
    timeline_free(l);
    profile_free(p);
    sb_done(&path);
    options_done(&options);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(busy_times_equal_the_run_metadata),
        cmocka_unit_test(events_of_a_step_are_its_executions),
        cmocka_unit_test(time_ranges_equal_those_of_the_spans),
        cmocka_unit_test(gaps_lie_between_spans),
        cmocka_unit_test(nodes_have_their_spans),
        cmocka_unit_test(only_spans_that_pass_have_a_group),
        cmocka_unit_test(groups_by_a_figure_are_sizes),
        cmocka_unit_test(resnet_waits_for_its_input),
        cmocka_unit_test(no_step_has_no_tracks_and_no_verdict),
        cmocka_unit_test(names_are_those_of_the_spans),
        cmocka_unit_test(sections_have_all_tracks),
        cmocka_unit_test(a_baseline_has_separate_tracks),
        cmocka_unit_test(steps_are_compared),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
