/* memory_picture.c: divides memory in use over time into slices, and groups live memory. */
#include "view/pictures/memory_picture.h"

#include <stdlib.h>

#include "base/compare.h"
#include "base/lower_bound.h"
#include "base/satmath.h"
#include "base/xalloc.h"
#include "model/format.h"
#include "model/memory_records.h"

/* ---- sources */

struct memory_source {
    _Atomic uint32_t refs;
    const struct profile *profile;
    size_t n_allocators;
    struct failure_facts **failures; /* by allocator: its failures; heap */
    int64_t *sum_of_peaks;           /* by allocator; of RunMetadata, else MEMORY_UNKNOWN */
};

static struct memory_source *source_new(const struct profile *p, const struct memory_log *log,
                                        struct cancel_mark cancel)
{
    struct memory_source *s = xcalloc(1, sizeof *s);
    const size_t n = log ? log->allocators.n : 0;

    *s = (struct memory_source){.refs = 1, .profile = p, .n_allocators = n};
    s->failures = xcalloc(n + 1, sizeof *s->failures);
    s->sum_of_peaks = xcalloc(n + 1, sizeof *s->sum_of_peaks);
    for (size_t i = 0; i < n; i++) {
        const struct memory_allocator *a = &log->allocators.data[i];

        s->failures[i] = failure_facts_of(a, cancel);
        s->sum_of_peaks[i] = !a->has_no_addresses            ? MEMORY_UNKNOWN
                             : i && a[-1].step == a->step ? s->sum_of_peaks[i - 1]
                                                          : memory_sum_of_peaks(p, a->step);
    }
    return s;
}

struct memory_source *memory_source_ref(struct memory_source *s)
{
    if (s)
        s->refs++;
    return s;
}

void memory_source_unref(struct memory_source *s)
{
    if (!s || --s->refs)
        return;
    for (size_t i = 0; i < s->n_allocators; i++)
        free(s->failures[i]);
    EACH(free, s->failures, s->sum_of_peaks, s);
}

/* ---- slices */

int64_t memory_position(const struct memory_allocator *a, uint32_t at)
{
    return a->has_times ? memory_ticks(a, at) : at;
}

/* Index of the slice that contains POSITION, from 0 to m->end. */
static int slice_of(const struct memory_picture *m, int64_t position)
{
    const int64_t n = m->request.n_slices;
    int64_t length = m->end, at = position;
    int64_t slice;

    while (length > INT64_MAX / (n + 1)) {
        length >>= 1;
        at >>= 1;
    }
    slice = length ? at * n / length : 0;
    return (int)(slice < 0 ? 0 : slice < n ? slice : n - 1);
}

static int slice_of_event(const struct memory_picture *m, const struct memory_allocator *a, uint32_t event)
{
    return slice_of(m, memory_position(a, event + 1));
}

/* Highest memory in use of A in slice I. *NEXT is the number of its points in earlier slices, and then of
 * those up to I. *AT is set to the instant at which it is reached. */
static int64_t most_in_slice(const struct memory_picture *m, const struct memory_allocator *a, int i,
                             size_t *next, uint32_t *at)
{
    const struct memory_point *points = a->points.data;
    size_t end = *next;
    int64_t most = end ? points[end - 1].in_use_bytes : a->start_bytes;

    *at = end ? points[end - 1].event + 1 : 0;
    LOWER_BOUND(end, a->points.n, k, slice_of_event(m, a, points[k].event) <= i);
    for (size_t k = *next; k < end; k++)
        if (points[k].in_use_bytes > most) {
            most = points[k].in_use_bytes;
            *at = points[k].event + 1;
        }
    *next = end;
    return most;
}

static void fill_slices(struct memory_picture *m)
{
    const struct memory_allocator *a = m->allocator, *base = m->base;
    size_t next = 0, next_of_base = 0;
    uint32_t ignored;

    m->slices = xcalloc((size_t)m->request.n_slices, sizeof *m->slices);
    for (int i = 0; i < m->request.n_slices; i++) {
        struct memory_slice *slice = &m->slices[i];

        slice->most_bytes = a->has_live_set_only ? a->end_bytes : most_in_slice(m, a, i, &next, &slice->at);
        if (base)
            slice->base_bytes = base->has_live_set_only
                                    ? base->end_bytes
                                    : most_in_slice(m, base, i, &next_of_base, &ignored);
        KEEP_MAX(m->top_bytes, slice->most_bytes);
        KEEP_MAX(m->top_bytes, slice->base_bytes);
    }
}

/* Computes the reserved memory in each slice. */
static void fill_reserved(struct memory_picture *m)
{
    const struct memory_allocator *a = m->allocator;
    int64_t reserved = a->reserved_start_bytes;
    size_t next = 0;

    for (int i = 0; i < m->request.n_slices; i++) {
        m->slices[i].reserved_bytes = reserved;
        for (; next < a->reservations.n && slice_of_event(m, a, a->reservations.data[next].event) <= i; next++) {
            reserved = a->reservations.data[next].reserved_bytes;
            KEEP_MAX(m->slices[i].reserved_bytes, reserved);
        }
        KEEP_MAX(m->top_bytes, m->slices[i].reserved_bytes);
    }
}

/* Computes the memory from before recording that is still in use in each slice. */
static void fill_before(struct memory_picture *m)
{
    const struct memory_allocator *a = m->allocator;
    int64_t left = a->start_bytes;

    if (!a->n_before && !a->counts_in_use)
        return;
    for (size_t i = 0; i < a->allocations.n && !a->counts_in_use; i++) {
        const struct memory_allocation *e = &a->allocations.data[i];

        if (!e->begin && e->end != MEMORY_NEVER) {
            int64_t *freed = &m->slices[slice_of_event(m, a, e->end - 1)].before_bytes;

            *freed = clamp_add(*freed, e->bytes);
        }
    }
    for (int i = 0; i < m->request.n_slices; i++) {
        const int64_t freed = m->slices[i].before_bytes;

        m->slices[i].before_bytes = left;
        left = clamp_sub(left, freed);
    }
}

/* ---- the allocator */

/* True if A is among the allocators that Q chooses from; RunMetadata has one for each step. */
static bool is_of_step(const struct memory_allocator *a, int64_t step)
{
    return step < 0 || !a->has_no_addresses || a->step == step;
}

static bool is_preferred(const struct memory_allocator *a, const struct memory_allocator *than)
{
    return !than || (a->failures.n && !than->failures.n) ||
           (!a->failures.n == !than->failures.n && memory_most_bytes(a) > memory_most_bytes(than));
}

/* The preferred one of those of STEP (< 0: all); NULL: none. LOG may be NULL. */
static const struct memory_allocator *preferred_of(const struct memory_log *log, int64_t step)
{
    const struct memory_allocator *best = NULL;

    for (size_t i = 0; log && i < log->allocators.n; i++)
        if (is_of_step(&log->allocators.data[i], step) && is_preferred(&log->allocators.data[i], best))
            best = &log->allocators.data[i];
    return best;
}

/* Chooses the requested allocator among those of one step of LOG. */
static void choose(struct memory_picture *m, const struct memory_log *log)
{
    const struct memory_request *q = &m->request;
    const struct memory_allocator *best = preferred_of(log, q->step);
    size_t at = 0;
    int64_t step;

    if (!best)
        return;
    step = q->step < 0 ? best->step : q->step;
    vec_each(const struct memory_allocator, a, &log->allocators) {
        if (!is_of_step(a, step))
            continue;
        if (a == best)
            m->allocator_at = m->n_allocators;
        m->n_allocators++;
    }
    m->allocator = best;
    if (q->allocator >= m->n_allocators)
        return;
    m->allocator_at = q->allocator;
    vec_each(const struct memory_allocator, a, &log->allocators)
        if (is_of_step(a, step) && at++ == q->allocator)
            m->allocator = a;
}

static void find_failure(struct memory_picture *m, const struct memory_log *log)
{
    const struct memory_allocator *a = m->allocator;
    const int at = m->request.at;
    const size_t before = at <= MEMORY_AT_FAILURE ? (size_t)(MEMORY_AT_FAILURE - at) : 0;

    m->n_failures = a->failures.n;
    if (!m->n_failures)
        return;
    m->is_at_failure = at <= MEMORY_AT_FAILURE;
    m->failure_at = before < m->n_failures ? m->n_failures - 1 - before : 0;
    m->failure = m->source->failures[a - log->allocators.data][m->failure_at];
}

COMPARE_POINTERS(by_size, struct memory_segment, DOWN(bytes) || UP(address))

static void sort_segments(struct memory_picture *m)
{
    vec_each(const struct memory_segment, segment, &m->allocator->segments)
        vec_push(&m->segments, segment);
    vec_sort(&m->segments, by_size);
}

/* ---- rows */

/* Sets the instants of the rows. */
static void find_instants(struct memory_picture *m)
{
    const struct memory_allocator *a = m->allocator;
    const int last = m->request.n_slices - 1, at = m->request.at;

    m->peak_slice = slice_of(m, memory_position(a, a->peak));
    if (a->has_live_set_only) {
        m->at = a->n_events;
    } else if (m->is_at_failure) {
        m->at = m->failure.failure->event + 1;
        m->slice = slice_of(m, memory_position(a, m->at));
    } else {
        m->slice = at < 0 ? m->peak_slice : at < last ? at : last;
        m->at = m->slice == m->peak_slice ? a->peak : m->slices[m->slice].at;
    }
    if (m->request.since >= 0)
        m->since = m->slices[m->request.since < last ? m->request.since : last].at + 1;
    m->at_bytes = a->has_live_set_only ? a->end_bytes : memory_in_use(a, m->at);
}

/* The instant of the baseline that corresponds to AT: its peak or last failure, else the same time. */
static uint32_t base_instant(const struct memory_picture *m, uint32_t at)
{
    const struct memory_allocator *a = m->allocator, *base = m->base;

    if (base->has_live_set_only)
        return base->n_events;
    if (at == m->at && m->is_at_failure && base->failures.n)
        return base->failures.data[base->failures.n - 1].event + 1;
    if (at == m->at && (m->is_at_failure || at == a->peak))
        return base->peak;
    if (!at || !base->has_times)
        return at < base->n_events ? at : base->n_events;
    return memory_instant_at(base, memory_ps(a, memory_ticks(a, at)));
}

static void fill_rows(struct memory_picture *m, const struct profile *p, const struct profile *base)
{
    struct live_rows_request q = {.allocator = m->allocator, .at = m->at, .since = m->since, .by = m->request.by};

    live_rows_make(&m->rows, p, &q);
    vec_each(const struct live_row, row, &m->rows.rows)
        m->rows_bytes = clamp_add(m->rows_bytes, row->bytes);
    if (!m->base)
        return;
    q.allocator = m->base;
    q.at = base_instant(m, m->at);
    q.since = m->since ? base_instant(m, m->since - 1) + 1 : 0;
    live_rows_make(&m->base_rows, base, &q);
    live_rows_compare(&m->pairs, &m->rows, &m->base_rows);
}

/* Positions of a baseline are on the scale of the chart. */
static void find_base(struct memory_picture *m, const struct profile *p, const struct profile *base)
{
    m->end = memory_position(m->allocator, m->allocator->n_events);
    m->base = base ? memory_find_base(p, m->allocator, base) : NULL;
    if (m->base && (m->base->has_times != m->allocator->has_times ||
                    m->base->ticks_per_us != m->allocator->ticks_per_us))
        m->base = NULL;
    if (m->base)
        KEEP_MAX(m->end, memory_position(m->base, m->base->n_events));
}

struct memory_picture *memory_picture_new(const struct profile *p, const struct profile *base,
                                          const struct memory_request *q, struct memory_source *kept,
                                          struct cancel_mark cancel)
{
    const struct memory_log *log = profile_memory(p);
    const bool is_kept = kept && kept->profile == p;
    struct memory_source *source = is_kept ? memory_source_ref(kept) : source_new(p, log, cancel);
    struct memory_picture *m;

    if (cancel_asked(cancel)) {
        memory_source_unref(source);
        return NULL;
    }
    m = xcalloc(1, sizeof *m);
    m->request = *q;
    m->source = source;
    choose(m, log);
    if (!m->allocator)
        return m;
    m->sum_of_peaks = source->sum_of_peaks[m->allocator - log->allocators.data];
    find_base(m, p, base);
    find_failure(m, log);
    fill_slices(m);
    fill_reserved(m);
    fill_before(m);
    sort_segments(m);
    find_instants(m);
    fill_rows(m, p, base);
    return m;
}

void memory_picture_free(struct memory_picture *m)
{
    if (!m)
        return;
    free(m->slices);
    EACH(vec_done, &m->segments, &m->pairs);
    if (m->allocator)
        live_rows_done(&m->rows);
    if (m->base)
        live_rows_done(&m->base_rows);
    memory_source_unref(m->source);
    free(m);
}

/* ---- one line */

static void add_figure(struct strbuf *sb, int64_t bytes, const char *after)
{
    format_memory(sb, bytes);
    sb_adds(sb, after);
}

void memory_line(struct strbuf *sb, const struct profile *p, struct cancel_mark cancel)
{
    const struct memory_allocator *a = preferred_of(p->memory, -1);

    if (!a)
        return;
    if (a->device != STRID_EMPTY)
        sb_addf(sb, "%s ", profile_text(p, a->device));
    if (a->failures.n) {
        struct failure_facts *facts = failure_facts_of(a, cancel);

        failure_line(sb, &facts[a->failures.n - 1]);
        free(facts);
        return;
    }
    if (!a->has_live_set_only) {
        sb_adds(sb, "peak ");
        add_figure(sb, a->peak_bytes, a->has_no_addresses ? "" : ", ");
    }
    if (!a->has_no_addresses)
        add_figure(sb, a->end_bytes, " live at the end");
}
