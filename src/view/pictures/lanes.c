/* lanes.c: running sums and a pyramid of gaps over spans, and what is asked of them. */
#include "view/pictures/lanes.h"

#include <stdlib.h>
#include <string.h>

#include "base/lower_bound.h"
#include "base/workers.h"
#include "base/xalloc.h"
#include "view/cut.h"
#include "view/pictures/lanes_filter.h"
#include "view/pictures/passing_nodes.h"
#include "view/pictures/lanes_priv.h"

bool lanes_exist(const struct profile *p)
{
    bool has_works = false;

    for (uint32_t i = 0; i < p->n_recordings; i++)
        has_works |= p->recordings[i].n_works > 0;
    return p->capture || p->n_recordings ? p->n_lanes || has_works : p->n_steps > 0;
}

int64_t lanes_step(const struct profile *p, int64_t step)
{
    if (step >= 0 || step == STEP_OUTSIDE)
        return step;
    if (p->capture || p->n_recordings)
        return STEP_ALL;
    return p->n_steps ? p->steps[p->n_steps / 2] : 0;
}

/* ---- making */

static void make_sums(struct lanes *l)
{
    for (size_t i = 0; i < l->lanes.n && !cancel_asked(l->cancel); i++) {
        struct span_lane *lane = &l->lanes.data[i];
        lane_sums sums = {0};

        lane->first_sum = l->sums.n;
        for (uint32_t k = 0; k < lane->n; k++) {
            const struct lane_span *s = &l->spans.data[lane->first + k];

            if (k % LANES_FANOUT == 0) {
                vec_reserve(&l->sums, l->sums.n + 1);
                memcpy(l->sums.data[l->sums.n++], sums, sizeof sums);
            }
            sums[s->group] += s->end_ticks - s->start_ticks;
        }
    }
}

/* Ticks between span K and the next one, which is in the same lane: 0 or more.  What stands between
 * lanes is no gap: nobody asks for it. */
static int64_t gap_behind(const struct lanes *l, size_t k)
{
    return k + 1 < l->spans.n ? l->spans.data[k + 1].start_ticks - l->spans.data[k].end_ticks : 0;
}

/* Element I of level LEVEL: level 0 are the gaps themselves. */
static int64_t longest_gap(const struct lanes *l, size_t level, size_t i)
{
    return level ? l->gaps.data[level - 1].data[i] : gap_behind(l, i);
}

static void make_gaps(struct lanes *l)
{
    size_t n = l->spans.n;

    for (size_t level = 0; n > 1; level++) {
        const size_t n_above = (n + LANES_FANOUT - 1) / LANES_FANOUT;

        vec_resize_zero(&l->gaps, level + 1);
        vec_resize_zero(&l->gaps.data[level], n_above);
        for (size_t i = 0; i < n; i++) {
            int64_t *longest = &l->gaps.data[level].data[i / LANES_FANOUT];
            const int64_t gap = longest_gap(l, level, i);

            if (gap > *longest)
                *longest = gap;
        }
        n = n_above;
    }
}

static void index_nodes(struct lanes *l)
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
    /* at[node] is where the list of node begins, and once it is full where that of the next does. */
    for (size_t i = 0; i < l->spans.n && !cancel_asked(l->cancel); i++)
        l->spans_of_nodes[at[l->spans.data[i].node]++] = (uint32_t)i;
}

static void group_and_sum(struct lanes *l)
{
    lanes_group(l);
    make_sums(l);
}

/* What is made of the spans, each independently; of the spans themselves the first changes the group
 * alone, which the others do not read. */
static void (*const parts[])(struct lanes *l) = {group_and_sum, lanes_find_alone, index_nodes,
                                                 make_gaps};

static void make_parts(void *arg, size_t from, size_t to)
{
    for (size_t i = from; i < to; i++)
        parts[i](arg);
}

/* Of runs executions are what is drawn. */
static int64_t find_origin(const struct lanes *l, struct workers *workers)
{
    struct origins origins;
    int64_t origin = INT64_MAX;

    if (!steps_share_clock(l->profile))
        return l->begin_ticks;
    if (origins_find(&origins, l->profile, l->step, workers, l->cancel))
        origin = origins.ticks[0];
    origins_done(&origins);
    return origin == INT64_MAX ? l->begin_ticks : origin;
}

/* What spans of nodes are to look like. */
static void take_result(struct lanes *l, const struct options *options, struct result *r)
{
    struct strbuf filters = {0};

    l->figure = options_compared_metric(options);
    if (r) {
        lanes_filter_text(&filters, r->view_id, options, l->by);
        l->passing = passing_nodes(r);
        if (l->by == LANES_BY_FIGURE)
            l->figure_groups = lanes_figure_groups(r, l->figure);
    }
    l->filters = xstrdup(sb_text(&filters));
    sb_done(&filters);
}

static void free_nodes(struct lanes *l)
{
    free(l->passing);
    free(l->figure_groups);
    l->passing = l->figure_groups = NULL;
}

struct lanes *lanes_new(const struct profile *p, const struct options *options,
                        enum lane_group_by by, struct result *r, struct cancel_mark cancel)
{
    enum { SPANS_FOR_THREADS = 20000 };
    struct lanes *l = xcalloc(1, sizeof *l);
    struct workers *workers;

    l->profile = p;
    l->step = lanes_step(p, options->step);
    l->rank = options->rank;
    l->devices = xstrdup(options->device_regexes);
    l->by = by;
    take_result(l, options, r);
    l->cancel = cancel;
    if (!lanes_collect(l, options, cancel)) {
        lanes_free(l);
        return NULL;
    }
    vec_fit(&l->spans);
    workers = l->spans.n > SPANS_FOR_THREADS ? workers_new(0) : NULL;
    l->origin_ticks = find_origin(l, workers);
    workers_run(workers, sizeof parts / sizeof *parts, 1, make_parts, l);
    workers_free(workers);
    free_nodes(l);
    if (!cancel_asked(cancel))
        return l;
    lanes_free(l);
    return NULL;
}

bool lanes_need_result(enum view_id view, const struct options *options, enum lane_group_by by)
{
    struct strbuf filters = {0};
    bool need;

    lanes_filter_text(&filters, view, options, by);
    need = filters.len > 0;
    sb_done(&filters);
    return need;
}

bool lanes_are_of(const struct lanes *l, const struct profile *p, enum view_id view,
                  const struct options *options, enum lane_group_by by)
{
    struct strbuf filters = {0};
    bool same;

    lanes_filter_text(&filters, view, options, by);
    same = l->profile == p && l->step == lanes_step(p, options->step) && l->by == by &&
           l->rank == options->rank && !strcmp(l->devices, options->device_regexes) &&
           !strcmp(l->filters, sb_text(&filters));
    sb_done(&filters);
    return same;
}

void lanes_free(struct lanes *l)
{
    if (!l)
        return;
    for (size_t i = 0; i < l->gaps.n; i++)
        vec_done(&l->gaps.data[i]);
    vec_done(&l->gaps);
    vec_done(&l->sums);
    vec_done(&l->lanes);
    vec_done(&l->spans);
    free(l->devices);
    free(l->filters);
    free_nodes(l);
    free(l->span_begin);
    free(l->spans_of_nodes);
    free(l);
}

/* ---- stretches of time */

/* What groups took in the first N spans of LANE. */
static void sums_before(const struct lanes *l, const struct span_lane *lane, uint32_t n, lane_sums sums)
{
    const uint32_t block = n / LANES_FANOUT;
    uint32_t k = block * LANES_FANOUT;

    if (k == n && k) /* the last block has none behind it */
        k = (block - 1) * LANES_FANOUT;
    if (!n) {
        memset(sums, 0, sizeof(lane_sums));
        return;
    }
    memcpy(sums, l->sums.data[lane->first_sum + k / LANES_FANOUT], sizeof(lane_sums));
    for (; k < n; k++) {
        const struct lane_span *s = &l->spans.data[lane->first + k];

        sums[s->group] += s->end_ticks - s->start_ticks;
    }
}

struct lane_stretch lanes_stretch(const struct lanes *l, size_t at, int64_t from_ticks,
                                  int64_t to_ticks)
{
    const struct span_lane *lane = &l->lanes.data[at];
    const struct lane_span *spans = vec_from(&l->spans, lane->first);
    struct lane_stretch s = {.busy_ticks = 0};
    lane_sums before, until;
    size_t first = 0, end;

    LOWER_BOUND(first, lane->n, i, spans[i].end_ticks <= from_ticks);
    end = first;
    LOWER_BOUND(end, lane->n, i, spans[i].start_ticks < to_ticks);
    s.first = lane->first + (uint32_t)first;
    s.end = lane->first + (uint32_t)end;
    if (first == end)
        return s;
    sums_before(l, lane, (uint32_t)first, before);
    sums_before(l, lane, (uint32_t)end, until);
    if (spans[first].start_ticks < from_ticks)
        before[spans[first].group] += from_ticks - spans[first].start_ticks;
    if (spans[end - 1].end_ticks > to_ticks)
        until[spans[end - 1].group] -= spans[end - 1].end_ticks - to_ticks;
    for (uint32_t g = 0; g < LANE_GROUPS; g++) {
        s.groups_ticks[g] = until[g] - before[g];
        s.busy_ticks += s.groups_ticks[g];
        if (s.groups_ticks[g] > s.groups_ticks[s.group])
            s.group = g;
    }
    return s;
}

const uint32_t *lanes_spans_of(const struct lanes *l, node_id node, uint32_t *n)
{
    *n = 0;
    if (node >= l->profile->n_nodes)
        return NULL;
    *n = l->span_begin[node + 1] - l->span_begin[node];
    return l->spans_of_nodes + l->span_begin[node];
}

bool lanes_has_node(const struct lanes *l, node_id node, uint32_t first, uint32_t end)
{
    uint32_t n;
    const uint32_t *spans = lanes_spans_of(l, node, &n);
    size_t at = 0;

    LOWER_BOUND(at, n, i, spans[i] < first);
    return at < n && spans[at] < end;
}

size_t lanes_lane_of(const struct lanes *l, uint32_t span)
{
    size_t at = 0;

    LOWER_BOUND(at, l->lanes.n, i, l->lanes.data[i].first + l->lanes.data[i].n <= span);
    return at;
}

/* ---- gaps */

/* The first of [FROM, END) with a gap of MIN_TICKS; END: none.  Blocks without one are stepped over,
 * the larger the farther. */
static size_t gap_from(const struct lanes *l, size_t from, size_t end, int64_t min_ticks)
{
    size_t level = 0, width = 1, at = from;

    while (at < end) {
        if (longest_gap(l, level, at / width) >= min_ticks) {
            if (!level)
                return at;
            width /= LANES_FANOUT;
            level--;
            continue;
        }
        at = (at / width + 1) * width;
        while (level < l->gaps.n && at % (width * LANES_FANOUT) == 0) {
            width *= LANES_FANOUT;
            level++;
        }
    }
    return end;
}

/* The last of [FROM, END); END: none. */
static size_t gap_before(const struct lanes *l, size_t from, size_t end, int64_t min_ticks)
{
    size_t level = 0, width = 1, behind = end;

    while (behind > from) {
        if (longest_gap(l, level, (behind - 1) / width) >= min_ticks) {
            if (!level)
                return behind - 1;
            width /= LANES_FANOUT;
            level--;
            continue;
        }
        behind = (behind - 1) / width * width;
        while (level < l->gaps.n && behind % (width * LANES_FANOUT) == 0) {
            width *= LANES_FANOUT;
            level++;
        }
    }
    return end;
}

uint32_t lanes_gap(const struct lanes *l, size_t at, int64_t from_ticks, int direction,
                   int64_t min_ticks)
{
    const struct span_lane *lane = &l->lanes.data[at];
    const struct lane_span *spans = vec_from(&l->spans, lane->first);
    const size_t last = lane->n ? lane->first + lane->n - 1 : lane->first;
    size_t begin = 0, found;

    LOWER_BOUND(begin, lane->n, i, spans[i].end_ticks < from_ticks);
    begin += lane->first;
    if (begin > last)
        begin = last;
    if (direction > 0) {
        found = gap_from(l, begin, last, min_ticks);
        return found == last ? SPAN_NONE : (uint32_t)found;
    }
    found = gap_before(l, lane->first, begin, min_ticks);
    return found == begin ? SPAN_NONE : (uint32_t)found;
}
