/* memory_picture.c: divides memory in use over time into slices, and groups live memory. */
#include "view/pictures/memory_picture.h"

#include <stdlib.h>
#include <string.h>

#include "base/compare.h"
#include "base/lower_bound.h"
#include "base/satmath.h"
#include "base/text.h"
#include "base/xalloc.h"
#include "model/memory_log.h"
#include "view/build/hidden_frames.h"

const char *const memory_group_names[] = {"scope", "type", "code", "node"};
_Static_assert(sizeof memory_group_names / sizeof *memory_group_names == MEMORY_GROUP_COUNT,
               "a name for each");

/* ---- rows */

const struct frame *memory_line(const struct profile *p, node_id node,
                                struct hidden_frames *libraries)
{
    return innermost_own_frame(libraries, profile_stack(p, p->stack[node]));
}

/* Group key of a node: its row without the figures. */
static struct memory_row row_of(const struct profile *p, node_id node, enum memory_group by,
                                struct hidden_frames *libraries)
{
    struct memory_row row = {
        .name = intern_string(&p->strings, by == MEMORY_BY_TYPE ? p->op[node] : p->name[node])};
    const char *slash = by == MEMORY_BY_SCOPE ? memchr(row.name.bytes, '/', row.name.len) : NULL;

    if (slash)
        row.name.len = (uint32_t)(slash - row.name.bytes);
    if (by == MEMORY_BY_CODE) {
        row.line = memory_line(p, node, libraries);
        row.name = row.line ? intern_string(&p->strings, row.line->file) : (struct text){"(no code)", 9};
    }
    return row;
}

static int compare_lines(const struct frame *x, const struct frame *y)
{
    if (!x || !y)
        return (x != NULL) - (y != NULL);
    return (x->lineno > y->lineno) - (x->lineno < y->lineno);
}

COMPARE_CHAIN(by_name, struct memory_row,
              THEN(text_compare(a->name, b->name)) || THEN(compare_lines(a->line, b->line)))

COMPARE_CHAIN(by_name_then_bytes, struct memory_row, THEN(by_name(a, b)) || DOWN(bytes) || UP(node))

COMPARE_CHAIN(by_bytes, struct memory_row, DOWN(bytes) || THEN(by_name(a, b)))

void memory_rows(memory_row_list *rows, const struct profile *p, const memory_live_list *live,
                 enum memory_group by)
{
    struct hidden_frames libraries;
    size_t n = 0;

    hidden_frames_init(&libraries, p, by == MEMORY_BY_CODE ? LIBRARY_FRAMES : "");
    array_each(const struct memory_live, l, live->data, live->n) {
        struct memory_row row = row_of(p, l->node, by, &libraries);

        row.node = l->node;
        row.bytes = l->bytes;
        row.n_nodes = 1;
        row.from_ticks = l->from_ticks;
        row.to_ticks = l->to_ticks;
        vec_push(rows, row);
    }
    hidden_frames_done(&libraries);
    vec_sort(rows, by_name_then_bytes);
    for (size_t i = 0; i < rows->n; i++) {
        struct memory_row *last = n ? &rows->data[n - 1] : NULL;

        if (last && !by_name(last, &rows->data[i])) {
            last->bytes = clamp_add(last->bytes, rows->data[i].bytes);
            last->n_nodes++;
        } else {
            rows->data[n++] = rows->data[i];
        }
    }
    rows->n = n;
    vec_sort(rows, by_bytes);
}

void memory_row_name(struct strbuf *sb, const struct profile *p, const struct memory_row *row)
{
    if (row->line)
        frame_name(sb, p, row->line, false);
    else
        sb_add(sb, row->name.bytes, row->name.len);
}

/* ---- sources */

struct memory_source {
    _Atomic uint32_t refs;
    const struct profile *profile;
    int64_t step; /* step as requested */
    struct memory all;
    int64_t sum_of_peaks; /* for the step of the highest curve */
    struct failure_facts **failures; /* by allocator of the log: its failures; heap */
};

static size_t n_allocators(const struct profile *p)
{
    return p->memory ? p->memory->allocators.n : 0;
}

static struct memory_source *source_new(const struct profile *p, int64_t step,
                                        struct cancel_mark cancel)
{
    struct memory_source *s = xcalloc(1, sizeof *s);
    const struct memory_curve *highest;

    s->refs = 1;
    s->profile = p;
    s->step = step;
    memory_make(&s->all, p, step);
    if (!s->all.curves.n)
        memory_add_log(&s->all, p);
    highest = memory_highest(&s->all);
    if (highest)
        s->sum_of_peaks = memory_sum_of_peaks(p, highest->step);
    s->failures = xcalloc(n_allocators(p) + 1, sizeof *s->failures);
    for (size_t i = 0; i < n_allocators(p); i++)
        s->failures[i] = failure_facts_of(&p->memory->allocators.data[i], cancel);
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
    memory_done(&s->all);
    for (size_t i = 0; i < n_allocators(s->profile); i++)
        free(s->failures[i]);
    EACH(free, s->failures, s);
}

/* ---- slices */

/* Index of the slice that contains AT_TICKS, a time between begin and end. */
static int slice_of(const struct memory_picture *m, int64_t at_ticks)
{
    int64_t length = clamp_sub(m->end_ticks, m->begin_ticks);
    int64_t at = clamp_sub(at_ticks, m->begin_ticks);
    const int64_t n = m->asked.n_slices;
    int64_t slice;

    while (length > INT64_MAX / (n + 1)) {
        length >>= 1;
        at >>= 1;
    }
    slice = length ? at * n / length : 0;
    return (int)(slice < n ? slice : n - 1);
}

static void fill_slices(struct memory_picture *m, const struct memory_event *events)
{
    int64_t in_use = 0;
    size_t next = 0;

    m->slices = xcalloc((size_t)m->asked.n_slices, sizeof *m->slices);
    for (int i = 0; i < m->asked.n_slices; i++) {
        struct memory_slice *slice = &m->slices[i];

        *slice = (struct memory_slice){.most_bytes = in_use, .event = next ? next - 1 : SIZE_MAX};
        for (; next < m->curve.n && slice_of(m, events[next].at_ticks) <= i; next++) {
            in_use = events[next].in_use_bytes;
            if (in_use > slice->most_bytes || slice->event == SIZE_MAX)
                *slice = (struct memory_slice){.most_bytes = in_use, .event = next};
        }
    }
}

/* Last event of C at or before the failure; SIZE_MAX: none. */
static size_t last_event_at(const struct memory_picture *m, const struct profile *p,
                            const struct memory_curve *c, const struct memory_event *events)
{
    const int64_t ticks = m->failure_ps / p->clock.tick_ps;
    size_t n = 0;

    LOWER_BOUND(n, c->n, i, events[i].at_ticks <= ticks);
    return n ? n - 1 : SIZE_MAX;
}

/* Instant of event AT - 1 of A, in ticks of the profile. */
static int64_t log_ticks(const struct profile *p, const struct memory_allocator *a, uint32_t at)
{
    return clamp_mul(memory_ticks(a, at), PS_PER_US / a->ticks_per_us) / p->clock.tick_ps;
}

/* Allocator of curve C; NULL: the log has none. */
static const struct memory_allocator *allocator_of(const struct memory_curve *c, const struct profile *p)
{
    for (size_t i = 0; i < n_allocators(p); i++) {
        const struct memory_allocator *a = &p->memory->allocators.data[i];

        if (a->device == c->device && a->name == c->allocator)
            return a;
    }
    return NULL;
}

COMPARE_BY(by_node, struct memory_live, node)

/* Replaces LIVE by the live allocations of A made in (m->since_ticks, m->at_ticks]. */
static void find_since(const struct memory_picture *m, const struct profile *p,
                       const struct memory_allocator *a, memory_live_list *live)
{
    size_t n = 0;

    live->n = 0;
    vec_each(const struct memory_allocation, e, &a->allocations) {
        const bool ends = e->end != MEMORY_NEVER;
        const struct memory_live l = {p->memory->sites[e->site].id, e->bytes, log_ticks(p, a, e->begin),
                                      ends ? log_ticks(p, a, e->end) : INT64_MAX};

        if (e->begin && l.from_ticks > m->since_ticks && l.from_ticks <= m->at_ticks &&
            l.to_ticks > m->at_ticks && l.node != NODE_NONE)
            vec_push(live, l);
    }
    vec_sort(live, by_node);
    for (size_t i = 0; i < live->n; i++) {
        struct memory_live *last = n ? &live->data[n - 1] : NULL;

        if (last && last->node == live->data[i].node)
            last->bytes = clamp_add(last->bytes, live->data[i].bytes);
        else
            live->data[n++] = live->data[i];
    }
    live->n = n;
}

/* Keeps in LIVE what was allocated after m->asked.since: allocations of the log, or nodes that have
 * held memory since then. */
static void keep_since(struct memory_picture *m, const struct profile *p, memory_live_list *live)
{
    const int slice = m->asked.since < m->asked.n_slices ? m->asked.since : m->asked.n_slices - 1;
    const size_t event = m->slices[slice].event;
    const struct memory_allocator *a = allocator_of(&m->curve, p);
    size_t n = 0;

    m->since_ticks = event == SIZE_MAX
                         ? m->begin_ticks
                         : memory_events(&m->source->all, &m->curve)[event].at_ticks;
    if (a) {
        find_since(m, p, a, live);
        return;
    }
    for (size_t i = 0; i < live->n; i++)
        if (live->data[i].from_ticks > m->since_ticks)
            live->data[n++] = live->data[i];
    live->n = n;
}

/* Computes the rows: live memory in the requested slice. */
static void fill_rows(struct memory_picture *m, const struct profile *p, const struct memory *all,
                      const struct memory_curve *c)
{
    const struct memory_event *events = memory_events(all, c);
    const int at = m->asked.at;
    memory_live_list live = {0};
    size_t event;

    m->at_ticks = m->begin_ticks;
    m->peak_at = slice_of(m, events[c->peak].at_ticks);
    m->at = at < 0 ? m->peak_at : at < m->asked.n_slices ? at : m->asked.n_slices - 1;
    event = m->at == m->peak_at ? c->peak : m->slices[m->at].event;
    if (m->is_at_failure) {
        event = last_event_at(m, p, c, events);
        m->at_ticks = m->failure_ps / p->clock.tick_ps;
        m->at = slice_of(m, m->at_ticks);
    }
    if (event == SIZE_MAX)
        return;
    if (!m->is_at_failure)
        m->at_ticks = events[event].at_ticks;
    m->at_bytes = events[event].in_use_bytes;
    memory_live_at(all, c, event, &live);
    if (m->asked.since >= 0)
        keep_since(m, p, &live);
    memory_rows(&m->rows, p, &live, m->asked.by);
    for (size_t i = 0; i < m->rows.n; i++)
        m->rows_bytes = clamp_add(m->rows_bytes, m->rows.data[i].bytes);
    vec_done(&live);
}

/* First of N CURVES whose allocator has a failure, else OTHER. */
static const struct memory_curve *with_failure(const struct profile *p, const struct memory_curve *curves,
                                               size_t n, const struct memory_curve *other)
{
    for (size_t i = 0; i < n; i++) {
        const struct memory_allocator *a = allocator_of(&curves[i], p);

        if (a && a->failures.n)
            return &curves[i];
    }
    return other;
}

/* Curve that Q requests among those of one step; also sets its index. */
static const struct memory_curve *choose(const struct memory *all, const struct memory_question *q,
                                         const struct profile *p, struct memory_picture *m)
{
    const struct memory_curve *chosen = memory_highest(all);
    const struct memory_curve *first = chosen, *end = chosen + 1;

    while (first > all->curves.data && first[-1].step == chosen->step)
        first--;
    while (end < all->curves.data + all->curves.n && end->step == chosen->step)
        end++;
    m->n_curves = (size_t)(end - first);
    if (q->curve < m->n_curves)
        chosen = first + q->curve;
    else
        chosen = with_failure(p, first, m->n_curves, chosen);
    m->curve_at = (size_t)(chosen - first);
    return chosen;
}

/* ---- the log: what is known beside memory in use */

static void find_failure(struct memory_picture *m, const struct memory_allocator *a)
{
    const size_t before = m->asked.at <= MEMORY_AT_FAILURE ? (size_t)(MEMORY_AT_FAILURE - m->asked.at) : 0;

    m->n_failures = a->failures.n;
    if (!m->n_failures)
        return;
    m->is_at_failure = m->asked.at <= MEMORY_AT_FAILURE;
    m->failure_at = before < m->n_failures ? m->n_failures - 1 - before : 0;
    m->failure = m->source->failures[a - m->source->profile->memory->allocators.data][m->failure_at];
    m->failure_ps = clamp_mul(memory_ticks(a, m->failure.failure->event + 1), PS_PER_US / a->ticks_per_us);
}

/* Computes the reserved memory in each slice. */
static void fill_reserved(struct memory_picture *m, const struct profile *p, const struct memory_allocator *a)
{
    int64_t reserved = a->reserved_start_bytes;
    size_t next = 0;

    for (int i = 0; i < m->asked.n_slices; i++) {
        m->slices[i].reserved_bytes = reserved;
        for (; next < a->reservations.n &&
               slice_of(m, log_ticks(p, a, a->reservations.data[next].event + 1)) <= i; next++) {
            reserved = a->reservations.data[next].reserved_bytes;
            KEEP_MAX(m->slices[i].reserved_bytes, reserved);
        }
        KEEP_MAX(m->top_bytes, m->slices[i].reserved_bytes);
    }
}

/* Computes the memory from before recording that is still in use in each slice. */
static void fill_before(struct memory_picture *m, const struct profile *p, const struct memory_allocator *a)
{
    int64_t left = a->start_bytes;

    vec_each(const struct memory_allocation, e, &a->allocations) {
        if (!e->begin && e->end != MEMORY_NEVER) {
            int64_t *freed = &m->slices[slice_of(m, log_ticks(p, a, e->end))].before_bytes;

            *freed = clamp_add(*freed, e->bytes);
        }
    }
    for (int i = 0; i < m->asked.n_slices; i++) {
        const int64_t freed = m->slices[i].before_bytes;

        m->slices[i].before_bytes = left;
        left = clamp_sub(left, freed);
    }
}

/* Begins at the first event of the allocator's log. */
static void begin_with_log(struct memory_picture *m, const struct profile *p)
{
    const struct memory_allocator *a = allocator_of(&m->curve, p);
    const int64_t end_ticks = a && a->n_events ? log_ticks(p, a, a->n_events) : m->end_ticks;

    if (a && m->begin_ticks > 0)
        m->begin_ticks = 0;
    KEEP_MAX(m->end_ticks, end_ticks);
}

COMPARE_POINTERS(by_size, struct memory_segment, DOWN(bytes) || UP(address))

static void sort_segments(struct memory_picture *m, const struct memory_allocator *a)
{
    for (size_t i = 0; i < a->segments.n; i++)
        vec_push(&m->segments, &a->segments.data[i]);
    vec_sort(&m->segments, by_size);
}

static void fill_log(struct memory_picture *m, const struct profile *p)
{
    const struct memory_allocator *a = allocator_of(&m->curve, p);

    m->capacity_bytes = MEMORY_UNKNOWN;
    m->top_bytes = m->curve.peak_bytes;
    if (!a)
        return;
    m->capacity_bytes = a->capacity_bytes;
    find_failure(m, a);
    fill_reserved(m, p, a);
    fill_before(m, p, a);
    sort_segments(m, a);
}

struct memory_picture *memory_picture_new(const struct profile *p, const struct memory_question *q,
                                          struct memory_source *kept, struct cancel_mark cancel)
{
    const bool is_kept = kept && kept->profile == p && kept->step == q->step;
    struct memory_source *source = is_kept ? memory_source_ref(kept) : source_new(p, q->step, cancel);
    const struct memory *all = &source->all;
    struct memory_picture *m;
    const struct memory_curve *c;
    const struct memory_event *events;

    if (cancel_asked(cancel)) {
        memory_source_unref(source);
        return NULL;
    }
    m = xcalloc(1, sizeof *m);
    m->asked = *q;
    m->source = source;
    if (!all->curves.n)
        return m;
    c = choose(all, q, p, m);
    events = memory_events(all, c);
    m->curve = *c;
    m->begin_ticks = events[0].at_ticks;
    m->end_ticks = events[c->n - 1].at_ticks;
    m->peak_ticks = events[c->peak].at_ticks;
    begin_with_log(m, p);
    m->sum_of_peaks = source->sum_of_peaks;
    fill_slices(m, events);
    fill_log(m, p);
    fill_rows(m, p, all, c);
    return m;
}

void memory_picture_free(struct memory_picture *m)
{
    if (!m)
        return;
    free(m->slices);
    EACH(vec_done, &m->rows, &m->segments);
    memory_source_unref(m->source);
    free(m);
}
