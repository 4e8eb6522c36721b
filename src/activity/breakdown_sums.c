/* breakdown_sums.c: sums the work of a device by class, and its gaps. */
#include "activity/breakdown_sums.h"

const char *idle_cause_name(enum idle_cause cause)
{
    static const char *const names[IDLE_CAUSES] = {
        [IDLE_HOST] = "host",
        [IDLE_LAUNCH] = "launch",
        [IDLE_OTHER] = "other",
        [IDLE_UNKNOWN] = "unknown",
    };

    return names[cause];
}

const char *idle_cause_help(enum idle_cause cause)
{
    static const char *const helps[IDLE_CAUSES] = {
        [IDLE_HOST] = "launch queue empty: CPU-bound",
        [IDLE_LAUNCH] = "launch latency",
        [IDLE_OTHER] = "dependency or resource stall: another stream, a rank, or memory",
        [IDLE_UNKNOWN] = "the launch is not recorded",
    };

    return helps[cause];
}

/* ---- sets of instants */

static void union_add(struct interval_union *c, const struct work *w)
{
    const int64_t from_ps = w->start_ps > c->end_ps ? w->start_ps : c->end_ps;

    if (w->end_ps <= c->end_ps)
        return;
    c->len_ps += w->end_ps - from_ps;
    c->end_ps = w->end_ps;
}

/* ---- gaps */

static enum idle_cause cause_of(const struct work *w, int64_t idle_since_ps, int64_t idle_gap_ps)
{
    if (w->launch_ps == INSTANT_UNKNOWN)
        return IDLE_UNKNOWN;
    if (w->launch_ps > idle_since_ps)
        return IDLE_HOST;
    return w->start_ps - idle_since_ps < (idle_gap_ps ? idle_gap_ps : IDLE_GAP_PS) ? IDLE_LAUNCH
                                                                                   : IDLE_OTHER;
}

/* Adds W (of several with equal starts the longest first); true if GAP precedes it. */
static bool progress_add(struct work_progress *p, const struct work *w, int64_t idle_gap_ps,
                         struct idle_gap *gap)
{
    const bool is_idle = p->has_begun && w->start_ps > p->last.end_ps;

    if (is_idle)
        *gap = (struct idle_gap){.before = p->last, .after = *w, .start_ps = p->last.end_ps,
                                 .dur_ps = w->start_ps - p->last.end_ps,
                                 .cause = cause_of(w, p->last.end_ps, idle_gap_ps)};
    if (!p->has_begun || w->end_ps > p->last.end_ps)
        p->last = *w;
    p->has_begun = true;
    return is_idle;
}

void breakdown_gaps(const struct selection *sel, uint32_t device, int64_t idle_gap_ps,
                    void (*found)(void *context, const struct idle_gap *gap), void *context)
{
    struct work_progress progress = {.has_begun = false};
    struct work_reader r;
    struct idle_gap gap;

    work_begin(&r, sel, device);
    while (work_next(&r))
        if (progress_add(&progress, &r.work, idle_gap_ps, &gap))
            found(context, &gap);
    work_end(&r);
}

/* ---- sums */

static const struct interval_union empty_union = {.end_ps = INT64_MIN};

void sums_init(struct sums *s)
{
    *s = (struct sums){.all = empty_union,
                       .compute = empty_union,
                       .communication = empty_union,
                       .memory = empty_union,
                       .both = empty_union,
                       .start_ps = INT64_MAX,
                       .row = {.step = STEP_ALL, .wall_ps = INT64_MIN, .rank = INT64_MIN}};
}

void sums_add(struct sums *s, const struct work *w, enum event_class event_class,
              bool is_short, int64_t idle_gap_ps)
{
    const bool computes = event_class == EVENT_COMPUTE;
    const bool communicates = event_class == EVENT_COMMUNICATION;
    struct breakdown_row *row = &s->row;
    struct idle_gap gap;

    if (progress_add(&s->progress, w, idle_gap_ps, &gap))
        row->idle_by_cause_ps[gap.cause] += gap.dur_ps;
    if (!row->n_works++)
        row->span_ps = w->start_ps; /* holds the first start until sums_end() */
    row->n_kernels += computes;
    row->n_short += is_short;
    union_add(&s->all, w);
    union_add(computes ? &s->compute : communicates ? &s->communication : &s->memory, w);
    if (computes || communicates)
        union_add(&s->both, w);
}

void sums_end(struct sums *s)
{
    struct breakdown_row *row = &s->row;

    row->span_ps = row->n_works ? s->all.end_ps - row->span_ps : 0;
    row->busy_ps = s->all.len_ps;
    row->compute_ps = s->compute.len_ps;
    row->communication_ps = s->communication.len_ps;
    row->exposed_communication_ps = s->both.len_ps - s->compute.len_ps;
    row->memory_ps = s->memory.len_ps;
    row->exposed_memory_ps = s->all.len_ps - s->both.len_ps;
    row->overlap_ps =
        clamp_sub(clamp_add(s->compute.len_ps, s->communication.len_ps), s->both.len_ps);
    row->idle_ps = row->span_ps - row->busy_ps;
}

bool work_is_short(const struct selection *sel, const struct launch_counts *launches,
                   const struct work *w)
{
    return sel->s->kinds[w->kind].event_class == EVENT_COMPUTE &&
           w->end_ps - w->start_ps < w->launch_dur_ps && launch_is_of_one(launches, w->launch);
}
