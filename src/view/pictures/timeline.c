/* timeline.c: prefix sums and a max tree of gaps over spans, and queries on them. */
#include "view/pictures/timeline.h"

#include <stdlib.h>
#include <string.h>

#include "base/lower_bound.h"
#include "base/system/workers.h"
#include "base/xalloc.h"
#include "model/events.h"
#include "view/pictures/matching_nodes.h"
#include "view/pictures/timeline_group.h"
#include "view/pictures/timeline_priv.h"

bool timeline_exists(const struct profile *p)
{
    return p->events ? p->events->tracks.n > 0
                     : p->n_steps > 0 && !metric_unknown(p, METRIC_MICROS);
}

/* Returns the displayed step for -step STEP. An average displays all steps of a capture or trace,
 * and the middle step of runs, whose clocks differ. */
static int64_t timeline_step(const struct profile *p, int64_t step)
{
    if (step >= 0 || step == STEP_OUTSIDE)
        return step;
    if (p->events)
        return STEP_ALL;
    return p->n_steps ? p->steps[p->n_steps / 2] : 0;
}

/* ---- making */

static void make_sums(struct timeline *l)
{
    for (size_t i = 0; i < l->tracks.n && !cancel_asked(l->cancel); i++) {
        struct timeline_track *track = &l->tracks.data[i];
        timeline_sums sums = {0};

        track->first_sum = l->sums.n;
        for (uint32_t k = 0; k < track->n; k++) {
            const struct timeline_span *s = &l->spans.data[track->first + k];

            if (k % TIMELINE_FANOUT == 0) {
                vec_reserve(&l->sums, l->sums.n + 1);
                memcpy(l->sums.data[l->sums.n++], sums, sizeof sums);
            }
            sums[s->group] += s->end_ticks - s->start_ticks;
        }
    }
}

/* Ticks between span K and the next span of the same track, at least 0. The value at the last span
 * of a track is never used. */
static int64_t gap_after(const struct timeline *l, size_t k)
{
    return k + 1 < l->spans.n ? l->spans.data[k + 1].start_ticks - l->spans.data[k].end_ticks : 0;
}

/* Element I of LEVEL; level 0 are the gaps themselves. */
static int64_t longest_gap(const struct timeline *l, size_t level, size_t i)
{
    return level ? l->gaps.data[level - 1].data[i] : gap_after(l, i);
}

static void make_gaps(struct timeline *l)
{
    size_t n = l->spans.n;

    for (size_t level = 0; n > 1; level++) {
        const size_t n_above = (n + TIMELINE_FANOUT - 1) / TIMELINE_FANOUT;

        vec_resize_zero(&l->gaps, level + 1);
        vec_resize_zero(&l->gaps.data[level], n_above);
        for (size_t i = 0; i < n; i++) {
            int64_t *longest = &l->gaps.data[level].data[i / TIMELINE_FANOUT];
            const int64_t gap = longest_gap(l, level, i);

            KEEP_MAX(*longest, gap);
        }
        n = n_above;
    }
}

static void index_nodes(struct timeline *l)
{
    const uint32_t n_nodes = l->profile->n_nodes;
    uint32_t *at;

    l->span_begin = xcalloc((size_t)n_nodes + 2, sizeof *l->span_begin);
    l->spans_of_nodes = xreallocarray(NULL, l->spans.n + 1, sizeof *l->spans_of_nodes);
    at = l->span_begin + 1;
    for (size_t i = 0; i < l->spans.n && !cancel_asked(l->cancel); i++)
        at[l->spans.data[i].node + 1]++;
    for (uint32_t node = 0; node < n_nodes; node++)
        at[node + 1] += at[node];
    /* at[node] is the write position in the list of the node; when the list is full, it is the
     * start of the next list */
    for (size_t i = 0; i < l->spans.n && !cancel_asked(l->cancel); i++)
        l->spans_of_nodes[at[l->spans.data[i].node]++] = (uint32_t)i;
}

static void group_and_sum(struct timeline *l)
{
    timeline_make_groups(l);
    make_sums(l);
}

/* Independent parts that run in parallel. The first one changes only the group of the spans, which
 * the others do not read. */
static void (*const parts[])(struct timeline *l) = {group_and_sum, timeline_find_alone, index_nodes,
                                                 make_gaps, timeline_make_order, timeline_find_idle};

static void make_parts(void *arg, size_t from, size_t to)
{
    for (size_t i = from; i < to; i++)
        parts[i](arg);
}

/* Finds the ORIGINS of the displayed step; none for runs, whose spans are executions. False when
 * cancelled. */
static bool find_origins(struct origins *origins, const struct timeline *l, struct workers *workers)
{
    *origins = (struct origins){.n = 0};
    return !steps_share_clock(l->source) ||
           origins_find(origins, l->source, l->step, workers, l->cancel);
}

/* Adds the tracks of the baseline; false when cancelled. */
static bool add_base(struct timeline *l, const struct options *options, struct workers *workers)
{
    struct timeline *base = xcalloc(1, sizeof *base);
    struct origins origins;
    bool ok;

    *base = (struct timeline){.profile = l->base, .source = l->base, .step = l->base_step,
                              .rank = l->rank, .devices = xstrdup(l->devices), .cancel = l->cancel,
                              .origins = &origins};
    intern_init(&base->names);
    ok = find_origins(&origins, base, workers) &&
         timeline_collect(base, &origins, options, l->cancel);
    if (ok) {
        timeline_find_idle(base);
        timeline_append_base(l, base);
    }
    origins_done(&origins);
    timeline_free(base);
    return ok;
}

static void free_made(struct timeline *l)
{
    event_store_free(l->made);
    l->made = NULL;
}

/* Fills L; false when cancelled. */
static bool collect(struct timeline *l, const struct options *options, struct workers *workers)
{
    struct origins origins;
    bool ok = find_origins(&origins, l, workers) &&
              timeline_collect(l, &origins, options, l->cancel);
    const int64_t origin = origins_first(&origins);

    l->origin_ticks = origin == INT64_MAX ? l->begin_ticks : origin;
    l->origins = &origins;
    l->now_ticks = l->end_ticks - l->begin_ticks;
    if (ok && (!l->base || add_base(l, options, workers))) {
        vec_fit(&l->spans);
        workers_run(workers, sizeof parts / sizeof *parts, 1, make_parts, l);
    }
    l->origins = NULL;
    origins_done(&origins);
    free_made(l);
    return ok;
}

/* Reads the inputs that determine colours of spans: filters and figures of nodes. */
static void read_result(struct timeline *l, const struct options *options, struct result *r)
{
    struct strbuf filters = {0};

    l->figure = options_compared_metric(options);
    if (r) {
        timeline_filter_text(&filters, r->view_id, options, l->by);
        l->passing = matching_nodes(r);
        if (l->by == TIMELINE_BY_FIGURE)
            l->figure_groups = timeline_figure_groups(r, l->figure);
    }
    l->filters = xstrdup(sb_text(&filters));
    sb_done(&filters);
}

static void free_nodes(struct timeline *l)
{
    EACH(free, l->passing, l->figure_groups);
    l->passing = l->figure_groups = NULL;
}

/* The source of the baseline; NULL: no comparison. */
static const struct profile *base_of(const struct profile *p, const struct comparison *c,
                                     const struct options *options)
{
    return c ? c->pairs.base : options_compare_steps(options) ? p : NULL;
}

static int64_t base_step_of(const struct profile *base, const struct options *options)
{
    return timeline_step(base, options_compare_steps(options) ? options->diff_step : options->step);
}

/* Makes L, whose sources are set. */
static struct timeline *make(struct timeline *l, const struct options *options,
                             enum timeline_group_by by, struct result *r, struct cancel_mark cancel)
{
    enum { EXECUTIONS_FOR_THREADS = 20000 };
    const struct profile *p = l->profile;
    struct workers *workers;
    bool ok;

    intern_init(&l->names);
    l->step = timeline_step(l->source, options->step);
    l->rank = options->rank;
    l->devices = xstrdup(options->device_regexes);
    l->by = by;
    read_result(l, options, r);
    l->cancel = cancel;
    workers = p->exec_begin[p->n_nodes] > EXECUTIONS_FOR_THREADS ? workers_new(0) : NULL;
    ok = collect(l, options, workers);
    workers_free(workers);
    free_nodes(l);
    if (ok && !cancel_asked(cancel))
        return l;
    timeline_free(l);
    return NULL;
}

struct timeline *timeline_new(const struct profile *p, const struct options *options,
                        enum timeline_group_by by, struct result *r, struct cancel_mark cancel)
{
    struct timeline *l = xcalloc(1, sizeof *l);

    l->profile = l->source = p;
    return make(l, options, by, r, cancel);
}

struct timeline *timeline_new_compared(const struct profile *p, const struct comparison *c,
                        const struct options *options, enum timeline_group_by by,
                        struct result *r, struct cancel_mark cancel)
{
    struct timeline *l = xcalloc(1, sizeof *l);

    l->profile = p;
    l->source = c ? c->pairs.now : p;
    l->comparison = c;
    l->base = base_of(p, c, options);
    l->base_step = l->base ? base_step_of(l->base, options) : 0;
    return make(l, options, by, r, cancel);
}

bool timeline_needs_result(enum view_id view, const struct options *options, enum timeline_group_by by)
{
    struct strbuf filters = {0};
    bool need;

    timeline_filter_text(&filters, view, options, by);
    need = filters.len > 0;
    sb_done(&filters);
    return need;
}

bool timeline_matches(const struct timeline *l, const struct profile *p, enum view_id view,
                  const struct options *options, enum timeline_group_by by)
{
    struct strbuf filters = {0};
    const struct profile *base;
    bool same;

    if (l->profile != p)
        return false;
    base = base_of(p, l->comparison, options);
    timeline_filter_text(&filters, view, options, by);
    same = l->step == timeline_step(l->source, options->step) && l->by == by &&
           l->base == base && (!base || l->base_step == base_step_of(base, options)) &&
           l->rank == options->rank && !strcmp(l->devices, options->device_regexes) &&
           !strcmp(l->filters, sb_text(&filters));
    sb_done(&filters);
    return same;
}

void timeline_free(struct timeline *l)
{
    if (!l)
        return;
    for (size_t i = 0; i < l->gaps.n; i++)
        vec_done(&l->gaps.data[i]);
    EACH(vec_done, &l->gaps, &l->sums, &l->tracks, &l->spans, &l->sections, &l->idle, &l->marks,
         &l->annotations, &l->order);
    intern_done(&l->names);
    EACH(free, l->devices, l->filters);
    free_nodes(l);
    event_store_free(l->made);
    EACH(free, l->span_begin, l->spans_of_nodes, l);
}

/* ---- stretches of time */

/* Time of each group in the first N spans of TRACK. */
static void sums_before(const struct timeline *l, const struct timeline_track *track, uint32_t n, timeline_sums sums)
{
    const uint32_t block = n / TIMELINE_FANOUT;
    uint32_t k = block * TIMELINE_FANOUT;

    if (k == n && k) /* no block follows the last one */
        k = (block - 1) * TIMELINE_FANOUT;
    if (!n) {
        memset(sums, 0, sizeof(timeline_sums));
        return;
    }
    memcpy(sums, l->sums.data[track->first_sum + k / TIMELINE_FANOUT], sizeof(timeline_sums));
    for (; k < n; k++) {
        const struct timeline_span *s = &l->spans.data[track->first + k];

        sums[s->group] += s->end_ticks - s->start_ticks;
    }
}

struct timeline_stretch timeline_stretch_of(const struct timeline *l, size_t at, int64_t from_ticks,
                                  int64_t to_ticks)
{
    const struct timeline_track *track = &l->tracks.data[at];
    const struct timeline_span *spans = vec_from(&l->spans, track->first);
    struct timeline_stretch s = {.busy_ticks = 0};
    timeline_sums before, until;
    size_t first = 0, end;

    LOWER_BOUND(first, track->n, i, spans[i].end_ticks <= from_ticks);
    end = first;
    LOWER_BOUND(end, track->n, i, spans[i].start_ticks < to_ticks);
    s.first = track->first + (uint32_t)first;
    s.end = track->first + (uint32_t)end;
    if (first == end)
        return s;
    sums_before(l, track, (uint32_t)first, before);
    sums_before(l, track, (uint32_t)end, until);
    if (spans[first].start_ticks < from_ticks)
        before[spans[first].group] += from_ticks - spans[first].start_ticks;
    if (spans[end - 1].end_ticks > to_ticks)
        until[spans[end - 1].group] -= spans[end - 1].end_ticks - to_ticks;
    for (uint32_t g = 0; g < TIMELINE_GROUPS; g++) {
        s.groups_ticks[g] = until[g] - before[g];
        s.busy_ticks += s.groups_ticks[g];
        if (s.groups_ticks[g] > s.groups_ticks[s.group])
            s.group = g;
    }
    return s;
}

const uint32_t *timeline_spans_of(const struct timeline *l, node_id node, uint32_t *n)
{
    *n = 0;
    if (node >= l->profile->n_nodes)
        return NULL;
    *n = l->span_begin[node + 1] - l->span_begin[node];
    return l->spans_of_nodes + l->span_begin[node];
}

bool timeline_has_node(const struct timeline *l, node_id node, uint32_t first, uint32_t end)
{
    uint32_t n;
    const uint32_t *spans = timeline_spans_of(l, node, &n);
    size_t at = 0;

    LOWER_BOUND(at, n, i, spans[i] < first);
    return at < n && spans[at] < end;
}

size_t timeline_track_of(const struct timeline *l, uint32_t span)
{
    size_t at = 0;

    LOWER_BOUND(at, l->tracks.n, i, l->tracks.data[i].first + l->tracks.data[i].n <= span);
    return at;
}

/* ---- gaps */

/* First span of [FROM, END) followed by a gap of at least MIN_TICKS; END: none. Skips blocks
 * without such a gap, with growing block sizes. */
static size_t gap_from(const struct timeline *l, size_t from, size_t end, int64_t min_ticks)
{
    size_t level = 0, width = 1, at = from;

    while (at < end) {
        if (longest_gap(l, level, at / width) >= min_ticks) {
            if (!level)
                return at;
            width /= TIMELINE_FANOUT;
            level--;
            continue;
        }
        at = (at / width + 1) * width;
        while (level < l->gaps.n && at % (width * TIMELINE_FANOUT) == 0) {
            width *= TIMELINE_FANOUT;
            level++;
        }
    }
    return end;
}

/* Last such span of [FROM, END); END: none. */
static size_t gap_before(const struct timeline *l, size_t from, size_t end, int64_t min_ticks)
{
    size_t level = 0, width = 1, behind = end;

    while (behind > from) {
        if (longest_gap(l, level, (behind - 1) / width) >= min_ticks) {
            if (!level)
                return behind - 1;
            width /= TIMELINE_FANOUT;
            level--;
            continue;
        }
        behind = (behind - 1) / width * width;
        while (level < l->gaps.n && behind % (width * TIMELINE_FANOUT) == 0) {
            width *= TIMELINE_FANOUT;
            level++;
        }
    }
    return end;
}

uint32_t timeline_gap(const struct timeline *l, size_t at, int64_t from_ticks, int direction,
                   int64_t min_ticks)
{
    const struct timeline_track *track = &l->tracks.data[at];
    const struct timeline_span *spans = vec_from(&l->spans, track->first);
    const size_t last = track->n ? track->first + track->n - 1 : track->first;
    size_t begin = 0, found;

    LOWER_BOUND(begin, track->n, i, spans[i].end_ticks < from_ticks);
    begin += track->first;
    KEEP_MIN(begin, last);
    if (direction > 0) {
        found = gap_from(l, begin, last, min_ticks);
        return found == last ? SPAN_NONE : (uint32_t)found;
    }
    found = gap_before(l, track->first, begin, min_ticks);
    return found == begin ? SPAN_NONE : (uint32_t)found;
}
