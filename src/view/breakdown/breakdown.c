/* breakdown.c: where the time of accelerators goes. */
#include "view/breakdown/breakdown.h"

#include <stdlib.h>
#include <string.h>

#include "base/lower_bound.h"
#include "base/xalloc.h"

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
        [IDLE_HOST] = "nothing was queued: the CPU was late",
        [IDLE_LAUNCH] = "the ordinary time between a launch and its kernel",
        [IDLE_OTHER] = "queued, but it waited: for another stream, a rank, or memory",
        [IDLE_UNKNOWN] = "its launch is not in the file",
    };

    return helps[cause];
}

/* ---- sets of instants */

/* A union of intervals that come in the order of their starts. */
struct cover {
    int64_t end_ns, len_ns;
};

static void cover_add(struct cover *c, const struct device_work *w)
{
    const int64_t end_ns = w->start_ns + w->dur_ns;
    const int64_t from_ns = w->start_ns > c->end_ns ? w->start_ns : c->end_ns;

    if (end_ns <= c->end_ns)
        return;
    c->len_ns += end_ns - from_ns;
    c->end_ns = end_ns;
}

static const struct cover empty_cover = {.end_ns = INT64_MIN};

/* ---- gaps */

static enum idle_cause cause_of(const struct device_work *w, int64_t idle_since_ns,
                                int64_t idle_gap_ns)
{
    if (w->launch_ns == INSTANT_NONE)
        return IDLE_UNKNOWN;
    if (w->launch_ns > idle_since_ns)
        return IDLE_HOST;
    return w->start_ns - idle_since_ns < idle_gap_ns ? IDLE_LAUNCH : IDLE_OTHER;
}

/* Of the works from I on that start together, the longest. */
static const struct device_work *longest_at(const struct device_work *const *works, size_t i,
                                            size_t n)
{
    const struct device_work *longest = works[i];

    for (size_t k = i + 1; k < n && works[k]->start_ns == works[i]->start_ns; k++)
        if (works[k]->dur_ns > longest->dur_ns)
            longest = works[k];
    return longest;
}

void breakdown_gaps(const struct device_work *const *works, size_t n, int64_t idle_gap_ns,
                  void (*found)(void *context, const struct idle_gap *gap), void *context)
{
    const struct device_work *last = NULL;
    int64_t end_ns = INT64_MAX;

    for (size_t i = 0; i < n; i++) {
        const struct device_work *w = works[i];

        if (last && w->start_ns > end_ns) {
            struct idle_gap gap = {last, longest_at(works, i, n), w->start_ns - end_ns, IDLE_UNKNOWN};

            gap.cause = cause_of(gap.work, end_ns, idle_gap_ns ? idle_gap_ns : IDLE_GAP_NS);
            found(context, &gap);
        }
        if (!last || w->start_ns + w->dur_ns > end_ns) {
            end_ns = w->start_ns + w->dur_ns;
            last = w;
        }
    }
}

static void add_gap(void *context, const struct idle_gap *gap)
{
    struct breakdown_row *row = context;

    row->idle_by_cause_ns[gap->cause] += gap->dur_ns;
}

void breakdown_sum(struct breakdown_row *row, const struct device_work *const *works, size_t n,
                 int64_t idle_gap_ns)
{
    struct cover all = empty_cover, compute = empty_cover, communication = empty_cover,
                 memory = empty_cover, both = empty_cover;

    breakdown_gaps(works, n, idle_gap_ns, add_gap, row);
    row->n_works = (uint32_t)n;
    for (size_t i = 0; i < n; i++) {
        const struct device_work *w = works[i];

        row->n_kernels += w->work_class == WORK_COMPUTE;
        row->n_short += work_is_short(w);
        cover_add(&all, w);
        if (w->work_class == WORK_COMPUTE)
            cover_add(&compute, w);
        else if (w->work_class == WORK_COMMUNICATION)
            cover_add(&communication, w);
        else
            cover_add(&memory, w);
        if (w->work_class <= WORK_COMMUNICATION)
            cover_add(&both, w);
    }
    row->span_ns = n ? all.end_ns - works[0]->start_ns : 0;
    row->busy_ns = all.len_ns;
    row->compute_ns = compute.len_ns;
    row->communication_ns = communication.len_ns;
    row->exposed_communication_ns = both.len_ns - compute.len_ns;
    row->memory_ns = memory.len_ns;
    row->exposed_memory_ns = all.len_ns - both.len_ns;
    row->overlap_ns = clamp_sub(clamp_add(compute.len_ns, communication.len_ns), both.len_ns);
    row->idle_ns = row->span_ns - row->busy_ns;
}

/* ---- queues */

struct queue_change {
    int64_t at_ns;
    int change; /* +1: a launch, which comes first at equal times */
};

static int by_time(const void *x, const void *y)
{
    const struct queue_change *a = x, *b = y;

    if (a->at_ns != b->at_ns)
        return a->at_ns < b->at_ns ? -1 : 1;
    return b->change - a->change;
}

static void sum_queue(struct breakdown_row *row, const struct device_work *const *works, size_t n)
{
    VEC(struct queue_change) changes = {0};
    int64_t length = 0;

    for (size_t i = 0; i < n; i++) {
        const struct queue_change launch = {works[i]->launch_ns, 1};
        const struct queue_change start = {works[i]->start_ns, -1};

        if (works[i]->launch_ns == INSTANT_NONE)
            continue;
        vec_push(&changes, launch);
        vec_push(&changes, start);
    }
    vec_sort(&changes, by_time);
    for (size_t i = 0; i < changes.n; i++) {
        if (i)
            row->queue_area_ns = clamp_add(
                row->queue_area_ns,
                clamp_mul(length, changes.data[i].at_ns - changes.data[i - 1].at_ns));
        length += changes.data[i].change;
        if (length > row->queue_max)
            row->queue_max = length;
        row->n_negative_queue += length < 0;
    }
    if (changes.n)
        row->queue_span_ns = changes.data[changes.n - 1].at_ns - changes.data[0].at_ns;
    vec_done(&changes);
}

/* ---- rows */

struct breakdown_step {
    int64_t step, start_ns, wall_ns;
};

struct making {
    const struct profile *profile;
    const struct recording *recording;
    const struct breakdown_request *request;
    breakdown_rows *rows;
    const struct device_work **works; /* of the device in work, by start */
    size_t n_works;
    VEC(struct breakdown_step) steps; /* of the recording in work, by start */
};

static int by_step(const void *x, const void *y)
{
    const struct device_work *a = *(const struct device_work *const *)x;
    const struct device_work *b = *(const struct device_work *const *)y;

    if (a->step != b->step)
        return a->step < b->step ? -1 : 1;
    return a < b ? -1 : a > b; /* they stand by start */
}

static int by_stream(const void *x, const void *y)
{
    const struct device_work *a = *(const struct device_work *const *)x;
    const struct device_work *b = *(const struct device_work *const *)y;

    if (a->stream != b->stream)
        return a->stream < b->stream ? -1 : 1;
    return a < b ? -1 : a > b;
}

static struct breakdown_row empty_row(const struct making *m, strid device)
{
    return (struct breakdown_row){.rank = m->recording->rank,
                                .device = device,
                                .step = STEP_ALL,
                                .wall_ns = INSTANT_NONE};
}

static void sum_row(const struct making *m, struct breakdown_row *row,
                    const struct device_work **works, size_t n)
{
    breakdown_sum(row, works, n, m->request->idle_gap_ns);
    if (m->request->by_stream)
        sum_queue(row, works, n);
}

/* The works of STEP among those of the device, which are sorted by step. */
static const struct device_work **works_of_step(const struct making *m, int64_t step, size_t *n)
{
    size_t first = 0, end;

    LOWER_BOUND(first, m->n_works, i, m->works[i]->step < step);
    end = first;
    LOWER_BOUND(end, m->n_works, i, m->works[i]->step <= step);
    *n = end - first;
    return m->works + first;
}

static int by_number(const void *x, const void *y)
{
    const struct breakdown_step *a = x, *b = y;

    if (a->step != b->step)
        return a->step < b->step ? -1 : 1;
    return (a->start_ns > b->start_ns) - (a->start_ns < b->start_ns);
}

static int by_start(const void *x, const void *y)
{
    const struct breakdown_step *a = x, *b = y;

    if (a->start_ns != b->start_ns)
        return a->start_ns < b->start_ns ? -1 : 1;
    return (a->step > b->step) - (a->step < b->step);
}

/* Each step once, though it may have several marks. */
static void collect_steps(struct making *m)
{
    const struct recording *r = m->recording;
    size_t kept = 0;

    m->steps.n = 0;
    for (uint32_t i = 0; i < r->n_steps; i++) {
        const struct breakdown_step step = {r->steps[i].step, r->steps[i].start_ns,
                                          r->steps[i].end_ns - r->steps[i].start_ns};

        vec_push(&m->steps, step);
    }
    vec_sort(&m->steps, by_number);
    for (size_t i = 0; i < m->steps.n; i++) {
        const struct breakdown_step *step = &m->steps.data[i];

        if (kept && m->steps.data[kept - 1].step == step->step)
            m->steps.data[kept - 1].wall_ns =
                clamp_add(m->steps.data[kept - 1].wall_ns, step->wall_ns);
        else
            m->steps.data[kept++] = *step;
    }
    m->steps.n = kept;
    vec_sort(&m->steps, by_start);
}

static void add_steps(struct making *m, strid device)
{
    /* With more devices only the steps in which they worked have rows, so that there are not more
     * rows than works. */
    enum { DEVICES_SPARSE = 64 };

    if (m->n_works)
        qsort(m->works, m->n_works, sizeof *m->works, by_step);
    for (size_t i = 0; i < m->steps.n; i++) {
        struct breakdown_row row = empty_row(m, device);
        const struct device_work **works;
        size_t n;

        row.step = m->steps.data[i].step;
        row.wall_ns = m->steps.data[i].wall_ns;
        works = works_of_step(m, row.step, &n);
        if (!n && m->recording->n_devices > DEVICES_SPARSE)
            continue;
        sum_row(m, &row, works, n);
        vec_push(m->rows, row);
    }
}

static void add_streams(struct making *m, strid device)
{
    if (m->n_works)
        qsort(m->works, m->n_works, sizeof *m->works, by_stream);
    for (size_t from = 0, to; from < m->n_works; from = to) {
        struct breakdown_row row = empty_row(m, device);

        row.stream = m->works[from]->stream;
        for (to = from; to < m->n_works && m->works[to]->stream == row.stream; to++)
            continue;
        sum_row(m, &row, m->works + from, to - from);
        vec_push(m->rows, row);
    }
}

/* What has no length counts nothing. */
size_t breakdown_works(const struct recording *r, uint32_t device, const struct device_work **works)
{
    size_t at = 0, n = 0;

    LOWER_BOUND(at, r->n_works, i, r->works[i].device < device);
    for (; at < r->n_works && r->works[at].device == device; at++)
        if (r->works[at].dur_ns > 0)
            works[n++] = &r->works[at];
    return n;
}

static void add_device(struct making *m, strid device)
{
    struct breakdown_row all = empty_row(m, device);

    if (m->request->by_stream) {
        add_streams(m, device);
        return;
    }
    sum_row(m, &all, m->works, m->n_works); /* they stand by start now */
    add_steps(m, device);
    vec_push(m->rows, all);
}

void breakdown_make(const struct profile *p, const struct breakdown_request *request,
                  breakdown_rows *rows)
{
    struct making m = {.profile = p, .request = request, .rows = rows};

    for (uint32_t i = 0; i < p->n_recordings; i++) {
        m.recording = &p->recordings[i];
        collect_steps(&m);
        m.works = xreallocarray(NULL, (size_t)m.recording->n_works + 1, sizeof *m.works);
        for (uint32_t device = 0; device < m.recording->n_devices; device++) {
            m.n_works = breakdown_works(m.recording, device, m.works);
            add_device(&m, m.recording->devices[device]);
        }
        m.n_works = 0;
        if (!m.recording->n_devices)
            add_device(&m, STRID_EMPTY);
        free(m.works);
    }
    vec_done(&m.steps);
}
