/* snapshot_replay.c: events of a trace as allocations (formats-snapshot.md section 3). */
#include <stdlib.h>
#include <string.h>

#include "base/compare.h"
#include "base/xalloc.h"
#include "load/snapshot/snapshot.h"

/* Events are read some ahead, so that what is known of their addresses is in the cache. */
enum { NO_ACTION = MEMORY_ACTION_COUNT, AHEAD = 8 };

/* An event, with the values that are looked at. */
struct snapshot_event {
    unsigned action; /* enum memory_action, or NO_ACTION */
    uint64_t address;
    int64_t bytes, stream, us;
    pickle_value frames, metadata, category, device_free, size;
    bool has_address, has_numbers; /* address; and bytes */
};

static unsigned action_of(const struct replay *r, pickle_value text)
{
    for (unsigned i = 0; i < MEMORY_ACTION_COUNT; i++)
        if (i != MEMORY_FREE && r->s->action_texts[i] == pickle_index(text))
            return i;
    return NO_ACTION;
}

/* The text of ACTION of the I-th element, or PICKLE_ABSENT: it is not an event.  Opens it. */
static pickle_value open_event(struct replay *r, uint32_t i)
{
    struct pickle *p = &r->s->pickle;
    const pickle_value v = p->cells.data[pickle_object(p, r->trace)->first + i];
    pickle_value action;

    if (pickle_kind(v) != PICKLE_DICT || pickle_is_incomplete(p, v))
        return PICKLE_ABSENT;
    pickle_open_dict(p, v);
    action = pickle_field(p, KEY_ACTION);
    return pickle_kind(action) == PICKLE_TEXT ? action : PICKLE_ABSENT;
}

/* What must be known before the first event: which action ends allocations, and the first time.  Mostly a
 * few events tell. */
static void survey(struct replay *r, uint32_t n)
{
    struct memory_allocator *a = &r->a;
    bool has_requests = false, has_frees = false;

    for (uint32_t i = 0; i < n && !(has_frees && a->has_times); i++) {
        const pickle_value text = open_event(r, i);
        const unsigned action = action_of(r, text);

        if (text == PICKLE_ABSENT)
            continue;
        has_requests |= action == MEMORY_FREE_REQUESTED;
        has_frees |= action == MEMORY_FREE_COMPLETED;
        if (!a->has_times)
            a->has_times = pickle_time(&r->s->pickle, pickle_field(&r->s->pickle, KEY_TIME_US),
                                       &a->first_ticks);
    }
    a->frees = has_requests && !has_frees ? MEMORY_FREES_REQUESTED : MEMORY_FREES_COMPLETED;
    if (a->has_times)
        a->ticks = xreallocarray(NULL, n, sizeof *a->ticks);
    r->last_us = a->has_times ? a->first_ticks : 0;
}

static void read_time(struct replay *r, pickle_value v)
{
    int64_t us = r->last_us;

    if (v != PICKLE_ABSENT && !pickle_time(&r->s->pickle, v, &us))
        r->s->repairs[SNAPSHOT_bad_number]++;
    if (us < r->last_us)
        r->s->repairs[SNAPSHOT_out_of_order]++;
    else
        r->last_us = us;
    if (r->a.ticks)
        r->a.ticks[r->n_read] = clamp_sub(r->last_us, r->a.first_ticks);
}

static void read_event(struct replay *r, struct snapshot_event *e)
{
    const struct pickle *p = &r->s->pickle;

    e->size = pickle_field(p, KEY_SIZE);
    e->has_address = pickle_address(p, pickle_field(p, KEY_ADDR), &e->address);
    e->has_numbers = pickle_size(p, e->size, &e->bytes) && e->has_address;
    if (!pickle_time(p, pickle_field(p, KEY_STREAM), &e->stream))
        e->stream = 0;
    e->frames = pickle_field(p, KEY_FRAMES);
    e->metadata = pickle_field(p, KEY_USER_METADATA);
    e->category = pickle_field(p, KEY_CATEGORY);
    e->device_free = pickle_field(p, KEY_DEVICE_FREE);
    read_time(r, pickle_field(p, KEY_TIME_US));
    e->us = r->last_us;
}

/* ---- allocations */

static strid category_of(struct snapshot_build *s, pickle_value v)
{
    int64_t index;

    if (pickle_kind(v) == PICKLE_TEXT)
        return snapshot_str(s, v);
    return pickle_size(&s->pickle, v, &index) && (uint64_t)index < s->categories.n
               ? s->categories.data[index]
               : STRID_EMPTY;
}

static uint32_t site_of(struct replay *r, const struct snapshot_event *e)
{
    struct snapshot_origin origin = {.scope = scope_at(r->s, &r->scope, e->us),
                                     .category = category_of(r->s, e->category),
                                     .metadata = snapshot_str(r->s, e->metadata),
                                     .stream = e->stream, .device = r->a.device};

    origin.stack = snapshot_stack(r->s, e->frames);
    return snapshot_site(r->s, &origin);
}

/* Adds an allocation that is met last at its address; MET is what the map has of that, or NULL. */
static struct memory_allocation *add(struct replay *r, uint32_t *met, struct memory_allocation m)
{
    const uint32_t at = (uint32_t)r->a.allocations.n;

    if (r->a.allocations.n >= IDMAP_NONE)
        xalloc_fail();
    if (met)
        *met = at;
    else
        idmap_put(&r->at_address, (int64_t)m.address, at, 0);
    vec_push(&r->a.allocations, m);
    return &r->a.allocations.data[at];
}

/* The number of the allocation met last at ADDRESS, live or not; NULL. */
static uint32_t *find_met(const struct replay *r, uint64_t address)
{
    return idmap_find(&r->at_address, (int64_t)address);
}

static struct memory_allocation *find(struct replay *r, uint64_t address)
{
    const uint32_t *met = find_met(r, address);

    return met ? &r->a.allocations.data[*met] : NULL;
}

static bool is_live(const struct memory_allocation *m)
{
    return m && m->end == MEMORY_NEVER;
}

/* Memory in use has changed by an event. */
static void add_point(struct replay *r)
{
    const struct memory_point point = {r->in_use, r->event};

    vec_push(&r->a.points, point);
}

static void end_allocation(struct replay *r, struct memory_allocation *m)
{
    m->end = r->event + 1;
    snapshot_add(r->s, &r->in_use, -m->bytes);
}

static void run_alloc(struct replay *r, const struct snapshot_event *e)
{
    uint32_t *met = find_met(r, e->address);
    struct memory_allocation *old = met ? &r->a.allocations.data[*met] : NULL;

    if (is_live(old)) {
        r->s->repairs[SNAPSHOT_double_alloc]++;
        end_allocation(r, old);
    }
    add(r, met, (struct memory_allocation){.address = e->address, .bytes = e->bytes,
                                           .begin = r->event + 1, .end = MEMORY_NEVER,
                                           .pending = MEMORY_NEVER, .site = site_of(r, e)});
    snapshot_add(r->s, &r->in_use, e->bytes);
    add_point(r);
}

/* The site of what existed before recording. */
static uint32_t site_before(struct replay *r, uint32_t stack, int64_t stream)
{
    const struct snapshot_origin origin = {
        .scope = STRID_NONE, .stack = stack, .stream = stream, .device = r->a.device};

    return snapshot_site(r->s, &origin);
}

static void run_free(struct replay *r, const struct snapshot_event *e)
{
    struct memory_allocation *m = find(r, e->address);

    if (m && !is_live(m)) {
        r->s->repairs[SNAPSHOT_double_free]++;
        return;
    }
    if (!m)
        m = add(r, NULL, (struct memory_allocation){.address = e->address, .bytes = e->bytes,
                                                    .end = MEMORY_NEVER, .pending = MEMORY_NEVER,
                                                    .site = site_before(r, 0, e->stream)});
    if (m->bytes != e->bytes)
        r->s->repairs[SNAPSHOT_size_mismatch]++;
    end_allocation(r, m);
    add_point(r);
}

static void run_request(struct replay *r, const struct snapshot_event *e)
{
    struct memory_allocation *m = find(r, e->address);

    if (r->a.frees == MEMORY_FREES_REQUESTED)
        run_free(r, e);
    else if (is_live(m) && m->pending == MEMORY_NEVER)
        m->pending = r->event + 1;
}

static void run_annotate(struct replay *r, const struct snapshot_event *e)
{
    struct memory_allocation *m = e->has_address ? find(r, e->address) : NULL;
    struct memory_site site;

    if (!is_live(m))
        return;
    site = memory_log_site_at(r->s->log, m->site);
    site.metadata = snapshot_str(r->s, e->metadata);
    m->site = memory_log_site(r->s->log, &site);
}

static void run_reservation(struct replay *r, const struct snapshot_event *e)
{
    const struct memory_reservation reservation = {
        .bytes = e->bytes, .address = e->address, .stream = e->stream, .event = r->event,
        .action = (uint8_t)e->action};

    vec_push(&r->a.reservations, reservation);
}

static void run_oom(struct replay *r, const struct snapshot_event *e)
{
    const struct pickle *p = &r->s->pickle;
    const uint32_t stack = snapshot_stack(r->s, e->frames); /* s->stacks may move */
    struct memory_failure failure = {
        .event = r->event, .stream = e->stream, .stack = r->s->stacks.data[stack].stack};

    if (!pickle_size(p, e->size, &failure.requested_bytes))
        failure.requested_bytes = MEMORY_UNKNOWN;
    if (!pickle_size(p, e->device_free, &failure.device_free_bytes))
        failure.device_free_bytes = MEMORY_UNKNOWN;
    vec_push(&r->a.failures, failure);
}

static void run(struct replay *r, const struct snapshot_event *e)
{
    static void (*const actions[])(struct replay *, const struct snapshot_event *) = {
        [MEMORY_ALLOC] = run_alloc,
        [MEMORY_FREE_REQUESTED] = run_request,
        [MEMORY_FREE_COMPLETED] = run_free,
        [MEMORY_SEGMENT_ALLOC] = run_reservation,
        [MEMORY_SEGMENT_FREE] = run_reservation,
        [MEMORY_SEGMENT_MAP] = run_reservation,
        [MEMORY_SEGMENT_UNMAP] = run_reservation,
    };

    if (e->action == MEMORY_OOM) {
        run_oom(r, e);
    } else if (e->action == MEMORY_ANNOTATE) {
        run_annotate(r, e);
    } else if (e->action < sizeof actions / sizeof *actions && actions[e->action]) {
        if (e->has_numbers)
            actions[e->action](r, e);
        else
            r->s->repairs[SNAPSHOT_bad_number]++;
    }
}

/* Reads the I-th element of the trace to *E if it is an event. */
static void read_element(struct replay *r, uint32_t i, struct snapshot_event *e)
{
    const pickle_value text = open_event(r, i);

    if (text == PICKLE_ABSENT) {
        r->s->repairs[SNAPSHOT_bad_event]++;
        return;
    }
    *e = (struct snapshot_event){.action = action_of(r, text)};
    if (e->action == NO_ACTION)
        r->s->repairs[SNAPSHOT_unknown_action]++;
    else
        r->a.counts[e->action]++;
    read_event(r, e);
    idmap_prefetch(&r->at_address, (int64_t)e->address);
    r->n_read++;
}

void replay_events(struct replay *r)
{
    struct snapshot_event events[AHEAD];
    uint32_t n, i = 0;

    if (pickle_kind(r->trace) != PICKLE_LIST)
        return;
    pickle_elements(&r->s->pickle, r->trace, &n);
    survey(r, n);
    while (i < n || r->event < r->n_read) {
        if (i < n && r->n_read - r->event < AHEAD) {
            read_element(r, i++, &events[r->n_read % AHEAD]);
        } else {
            run(r, &events[r->event % AHEAD]);
            r->event++;
        }
    }
    r->a.n_events = r->event;
    if (r->a.ticks)
        r->a.ticks = xreallocarray(r->a.ticks, r->event, sizeof *r->a.ticks);
    r->s->n_events += r->event;
}

/* ---- the end */

void replay_block(struct replay *r, const struct live_block *b)
{
    uint32_t *met = find_met(r, b->address);
    struct memory_allocation *m = met ? &r->a.allocations.data[*met] : NULL;
    struct memory_extent extent = {met ? *met : 0, b->bytes};

    if (r->has_block.n < r->a.allocations.n)
        vec_resize_zero(&r->has_block, r->a.allocations.n);
    if (m && r->has_block.data[*met]) {
        r->s->repairs[SNAPSHOT_double_block]++;
        return;
    }
    if (is_live(m)) {
        if (m->bytes != b->requested_bytes)
            r->s->repairs[SNAPSHOT_size_mismatch]++;
    } else {
        r->s->repairs[SNAPSHOT_unrecorded_alloc] += m != NULL;
        extent.allocation = (uint32_t)r->a.allocations.n;
        m = add(r, met, (struct memory_allocation){
                            .address = b->address, .bytes = b->requested_bytes, .end = MEMORY_NEVER,
                            .pending = MEMORY_NEVER, .site = site_before(r, b->stack, b->stream)});
        vec_resize_zero(&r->has_block, r->a.allocations.n);
    }
    if (!b->is_pending)
        m->pending = MEMORY_NEVER;
    else if (m->pending == MEMORY_NEVER)
        m->pending = 0;
    r->has_block.data[extent.allocation] = 1;
    vec_push(&r->a.extents, extent);
}

COMPARE_BY(by_allocation, struct memory_extent, allocation)

/* What existed before, and what is in use after each event. */
static void sum_in_use(struct replay *r)
{
    struct memory_allocator *a = &r->a;
    struct snapshot_build *s = r->s;

    for (size_t i = 0; i < a->allocations.n; i++) {
        const struct memory_allocation *m = &a->allocations.data[i];

        if (!m->begin) {
            snapshot_add(s, &a->start_bytes, m->bytes);
            a->n_before++;
            a->n_before_with_stack +=
                (memory_log_site_at(s->log, m->site).flags & MEMORY_SITE_FRAMES) != 0;
        }
    }
    a->peak_bytes = a->end_bytes = a->start_bytes;
    for (size_t i = 0; i < a->points.n; i++) {
        struct memory_point *point = &a->points.data[i];

        snapshot_add(s, &point->in_use_bytes, a->start_bytes);
        a->end_bytes = point->in_use_bytes;
        if (point->in_use_bytes > a->peak_bytes) {
            a->peak_bytes = point->in_use_bytes;
            a->peak = point->event + 1;
        }
    }
    for (size_t i = 0; i < a->allocations.n; i++) {
        const struct memory_allocation *m = &a->allocations.data[i];

        if (!m->begin && memory_is_live(m, a->peak))
            snapshot_add(s, &a->before_at_peak_bytes, m->bytes);
        if (m->end == MEMORY_NEVER && a->is_end_known && !(i < r->has_block.n && r->has_block.data[i]))
            s->repairs[SNAPSHOT_missing_in_segments]++;
    }
}

static void sum_reserved(struct replay *r)
{
    struct memory_allocator *a = &r->a;
    int64_t reserved = 0, least = 0, start = 0;

    for (size_t i = 0; i < a->reservations.n; i++) {
        struct memory_reservation *e = &a->reservations.data[i];
        const bool gives = e->action == MEMORY_SEGMENT_FREE || e->action == MEMORY_SEGMENT_UNMAP;

        snapshot_add(r->s, &reserved, gives ? -e->bytes : e->bytes);
        e->reserved_bytes = reserved;
        least = reserved < least ? reserved : least;
    }
    if (a->is_end_known) {
        for (size_t i = 0; i < a->segments.n; i++)
            snapshot_add(r->s, &start, a->segments.data[i].bytes);
        snapshot_add(r->s, &start, clamp_neg(reserved));
    } else {
        start = clamp_neg(least);
    }
    a->reserved_start_bytes = a->reserved_peak_bytes = start;
    snapshot_add(r->s, &least, start);
    r->s->repairs[SNAPSHOT_negative_reserved] += least < 0 || start < 0;
    for (size_t i = 0; i < a->reservations.n; i++) {
        struct memory_reservation *e = &a->reservations.data[i];

        snapshot_add(r->s, &e->reserved_bytes, start);
        if (e->reserved_bytes > a->reserved_peak_bytes)
            a->reserved_peak_bytes = e->reserved_bytes;
    }
    a->reserved_at_peak_bytes = memory_reserved(a, a->peak);
}

void replay_end(struct replay *r)
{
    vec_sort(&r->a.extents, by_allocation);
    sum_in_use(r);
    sum_reserved(r);
    vec_fit(&r->a.allocations);
    vec_fit(&r->a.points);
}

void replay_done(struct replay *r)
{
    scope_end(&r->scope);
    idmap_done(&r->at_address);
    vec_done(&r->has_block);
}
