/* find_collectives.c: slow ranks, exposed communication and small collectives. */
#include <inttypes.h>
#include <stdlib.h>

#include "base/lower_bound.h"
#include "base/xalloc.h"
#include "model/format.h"
#include "view/findings/findings_priv.h"

enum { MANY_COLLECTIVES = 32 };
#define SMALL_BYTES (INT64_C(1) << 20)

/* ---- exposed communication */

/* Part of the rank in the matched collective W; NULL: not matched. */
static const struct collective_part *part_of(const struct find_device *d, const struct work *w)
{
    const struct stragglers *s = &d->run->stragglers;
    size_t at = 0;

    LOWER_BOUND(at, s->parts.n, i,
                s->parts.data[i].ref.track < w->ref.track ||
                    (s->parts.data[i].ref.track == w->ref.track &&
                     s->parts.data[i].ref.position < w->ref.position));
    return at < s->parts.n && s->parts.data[at].ref.track == w->ref.track &&
                   s->parts.data[at].ref.position == w->ref.position
               ? &s->parts.data[at]
               : NULL;
}

/* Time when the last rank arrived at the collective W; W's start if unknown. */
static int64_t arrival_of(const struct find_device *d, const struct work *w)
{
    const struct collective_part *part = part_of(d, w);

    return part && part->last_start_ps > w->start_ps ? part->last_start_ps : w->start_ps;
}

/* Time of W after the last arrival during which the device computes nothing. */
static int64_t exposed_of(const struct find_device *d, const struct work *w)
{
    const int64_t from_ps = arrival_of(d, w);

    return from_ps >= w->end_ps
               ? 0
               : w->end_ps - from_ps - interval_set_within(&d->computing, from_ps, w->end_ps);
}

static bool is_collective(const struct find_device *d, const struct work *w)
{
    return d->s->kinds[w->kind].event_class == EVENT_COMMUNICATION;
}

/* Exposed time of SMALL collectives, or of the others. */
struct exposure {
    int64_t exposed_ps;
    uint64_t n;
    struct node_times *nodes;
};

static void measure(const struct find_device *d, bool small, struct exposure *e)
{
    uint32_t *n_in_step = xcalloc(d->s->steps.n + 1, sizeof *n_in_step);

    *e = (struct exposure){.nodes = node_times_new()};
    for (size_t i = 0; i < d->works.n; i++)
        n_in_step[d->works.data[i].step] += is_collective(d, &d->works.data[i]);
    vec_each(const struct work, w, &d->works) {
        const struct event_kind *kind = &d->s->kinds[w->kind];
        const bool is_small = n_in_step[w->step] >= MANY_COLLECTIVES && kind->input_bytes > 0 &&
                              kind->input_bytes <= SMALL_BYTES;

        if (!is_collective(d, w) || is_small != small)
            continue;
        e->n++;
        e->exposed_ps = clamp_add(e->exposed_ps, exposed_of(d, w));
        if (kind->id != NODE_NONE)
            node_times_add(e->nodes, kind->id, exposed_of(d, w));
    }
    free(n_in_step);
}

/* Reports COUNT of WHAT, whose measured exposure is E. */
static void report_exposure(struct find_device *d, const struct finding_rule *rule,
                            const struct exposure *e, uint64_t count, const char *what)
{
    struct finding f = finding_new(d, rule, e->exposed_ps);
    struct strbuf claim = {0};

    f.count = count;
    finding_set_row(d, &f, node_times_heaviest(e->nodes, d->run->p, false));
    sb_addf(&claim, "%" PRIu64 " %s take ", count, what);
    format_time_apart(&claim, e->exposed_ps);
    sb_adds(&claim, " without overlapping computation");
    finding_add(d, f, &claim);
}

static void find_exposed(struct find_device *d, const struct finding_rule *rule)
{
    struct exposure e;

    measure(d, false, &e);
    if (is_share(e.exposed_ps, d->total_ps, 10))
        report_exposure(d, rule, &e, e.n, "collectives");
    node_times_free(e.nodes);
}

const struct finding_rule finding_exposed_communication = {
    .id = "exposed-communication",
    .checker = "CommunicationChecker",
    .condition = "exposed communication takes at least 10 % of the step time",
    .fix = "start collectives earlier, so that they overlap with the backward pass",
    .command = "breakdown",
    .find = find_exposed,
};

static void find_small(struct find_device *d, const struct finding_rule *rule)
{
    struct exposure e;

    measure(d, true, &e);
    if (e.n && is_share(e.exposed_ps, d->total_ps, 3))
        report_exposure(d, rule, &e, e.n / (d->steps.n ? d->steps.n : 1),
                        "small collectives a step");
    node_times_free(e.nodes);
}

const struct finding_rule finding_small_collectives = {
    .id = "small-collectives",
    .checker = "CommunicationChecker",
    .condition = "collectives of at most 1 MiB, at least 32 in a step, cost at least 3 % of the step time",
    .fix = "combine tensors in larger buckets before they are reduced",
    .command = "collectives",
    .find = find_small,
};

/* ---- slow ranks */

void rank_measure(struct find_device *d)
{
    struct rank_sums *sums = &d->run->ranks[d->rank], *of_last;

    sums->sums_ps[RANK_KERNELS] =
        clamp_add(sums->sums_ps[RANK_KERNELS],
                  interval_set_within(&d->computing, -EVENT_FARTHEST_PS, EVENT_FARTHEST_PS));
    sums->sums_ps[RANK_INPUT] = interval_set_within(&d->host->input, -EVENT_FARTHEST_PS, EVENT_FARTHEST_PS);
    sums->sums_ps[RANK_HOST] = clamp_add(sums->sums_ps[RANK_HOST], d->host_ps);
    for (size_t i = 0; i < d->works.n; i++) {
        const struct work *w = &d->works.data[i];
        const struct collective_part *part = part_of(d, w);
        int64_t ps;

        if (!part || part->last_start_ps <= part->start_ps)
            continue;
        ps = part->last_start_ps - part->start_ps -
             interval_set_within(&d->computing, part->start_ps, part->last_start_ps);
        sums->waited_ps = clamp_add(sums->waited_ps, ps);
        d->run->wait_ps = clamp_add(d->run->wait_ps, ps);
        of_last = &d->run->ranks[d->run->rank_of_row[part->last]];
        of_last->made_wait_ps = clamp_add(of_last->made_wait_ps, ps);
    }
}

/* Category of time in which D's rank exceeds the median of the others most. */
static const char *difference_of(const struct find_device *d)
{
    static const char *const words[RANK_SUMS] = {
        [RANK_KERNELS] = "kernels take", [RANK_INPUT] = "input takes", [RANK_HOST] = "host time is"};
    int64_t *others = xcalloc(d->s->ranks.n, sizeof *others), most_ps = 0;
    const char *most = words[RANK_KERNELS];

    for (int sum = 0; sum < RANK_SUMS; sum++) {
        size_t n = 0;
        int64_t ps;

        for (uint32_t rank = 0; rank < d->s->ranks.n; rank++)
            if (rank != d->rank)
                others[n++] = d->run->ranks[rank].sums_ps[sum];
        ps = d->run->ranks[d->rank].sums_ps[sum] - lower_median(others, n);
        if (ps > most_ps) {
            most_ps = ps;
            most = words[sum];
        }
    }
    free(others);
    return most;
}

static void find_rank(struct find_device *d, const struct finding_rule *rule)
{
    const struct rank_sums *sums = &d->run->ranks[d->rank];
    const int64_t n_others = (int64_t)d->s->ranks.n - 1;
    struct strbuf claim = {0};
    struct finding f;
    int64_t mean_ps;

    if (!d->is_first_of_rank || n_others < 1 || !d->run->wait_ps ||
        !is_share(sums->made_wait_ps, d->run->wait_ps, 50))
        return;
    mean_ps = (d->run->wait_ps - sums->waited_ps) / n_others;
    if (!is_share(mean_ps, d->total_ps, 3))
        return;
    f = finding_new(d, rule, mean_ps);
    sb_addf(&claim, "the other ranks wait for rank %" PRId64 " for ", f.rank);
    format_time_apart(&claim, mean_ps);
    sb_addf(&claim, " each: its %s longer than theirs", difference_of(d));
    finding_add(d, f, &claim);
}

const struct finding_rule finding_slow_rank = {
    .id = "slow-rank",
    .checker = "RankChecker",
    .condition = "one rank is the last to arrive for at least half of all exposed waiting, and the others "
                 "wait for at least 3 % of the step time",
    .fix = "compare this rank with the others: its machine, its input and its share of the work",
    .command = "ranks",
    .find = find_rank,
};
