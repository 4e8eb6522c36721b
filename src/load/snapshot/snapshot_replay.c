/* snapshot_replay.c: events of a trace as allocations (formats-snapshot.md section 3). */
#include <stdlib.h>
#include <string.h>

#include "base/compare.h"
#include "base/xalloc.h"
#include "load/snapshot/snapshot.h"

/* Events are read AHEAD of the replay, so that their addresses can be prefetched. */
enum { AHEAD = 8 };

/* ---- allocations */

static bool is_same(const struct event_site *a, const struct event_site *b)
{
    return a->stack == b->stack && a->category == b->category && a->metadata == b->metadata &&
           a->stream == b->stream;
}

/* The cache slot for the last site of STACK; stacks with equal low bits share it. */
static uint32_t *last_site(struct replay *r, uint64_t stack)
{
    return &r->last_sites.data[stack & (r->last_sites.n - 1)];
}

/* The index of SITE in r->sites, added if new. */
static uint32_t site_number(struct replay *r, const struct event_site *site)
{
    uint32_t number = r->sites.n ? *last_site(r, site->stack) : 0;

    if (number < r->sites.n && is_same(&r->sites.data[number], site))
        return number;
    if (!r->sites.n)
        intern_init(&r->site_numbers);
    number = intern_put(&r->site_numbers, site, sizeof *site) - 1;
    if (number == r->sites.n)
        vec_push(&r->sites, *site);
    if (r->last_sites.n < r->sites.n)
        vec_resize_zero(&r->last_sites, r->last_sites.n ? 2 * r->last_sites.n : 1);
    *last_site(r, site->stack) = number;
    return number;
}

/* Adds an allocation and maps its address to it; MET is the map's entry, or NULL. */
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

/* The index of the last allocation at ADDRESS, live or not; NULL if none. */
static uint32_t *find_last(const struct replay *r, uint64_t address)
{
    return idmap_find(&r->at_address, (int64_t)address);
}

static struct memory_allocation *find(struct replay *r, uint64_t address)
{
    const uint32_t *met = find_last(r, address);

    return met ? &r->a.allocations.data[*met] : NULL;
}

static bool is_live(const struct memory_allocation *m)
{
    return m && m->end == MEMORY_NEVER;
}

/* Changes the memory in use.  Does not touch r->s: the replay may be discarded. */
static void change_in_use(struct replay *r, int64_t bytes)
{
    r->has_overflow |= __builtin_add_overflow(r->in_use, bytes, &r->in_use);
}

/* Appends the memory in use after the current event. */
static void add_point(struct replay *r)
{
    const struct memory_point point = {r->in_use, r->event};

    vec_push(&r->a.points, point);
}

static void end_allocation(struct replay *r, struct memory_allocation *m)
{
    m->end = r->event + 1;
    change_in_use(r, -m->bytes);
}

static void run_alloc(struct replay *r, const struct snapshot_event *e)
{
    uint32_t *met = find_last(r, e->address);
    struct memory_allocation *old = met ? &r->a.allocations.data[*met] : NULL;

    if (is_live(old)) {
        r->repairs[SNAPSHOT_double_alloc]++;
        end_allocation(r, old);
    }
    add(r, met, (struct memory_allocation){.address = e->address, .bytes = e->bytes,
                                           .begin = r->event + 1, .end = MEMORY_NEVER,
                                           .pending = MEMORY_NEVER,
                                           .site = site_number(r, &e->site)});
    change_in_use(r, e->bytes);
    add_point(r);
}

static void run_free(struct replay *r, const struct snapshot_event *e)
{
    struct memory_allocation *m = find(r, e->address);
    const struct event_site unknown = {.stream = e->site.stream};

    if (m && !is_live(m)) {
        r->repairs[SNAPSHOT_double_free]++;
        return;
    }
    if (!m)
        m = add(r, NULL, (struct memory_allocation){.address = e->address, .bytes = e->bytes,
                                                    .end = MEMORY_NEVER, .pending = MEMORY_NEVER,
                                                    .site = site_number(r, &unknown)});
    if (m->bytes != e->bytes)
        r->repairs[SNAPSHOT_size_mismatch]++;
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
    struct event_site site;

    if (!is_live(m))
        return;
    site = r->sites.data[m->site];
    site.metadata = e->site.metadata;
    m->site = site_number(r, &site);
}

static void run_reservation(struct replay *r, const struct snapshot_event *e)
{
    const struct memory_reservation reservation = {
        .bytes = e->bytes, .address = e->address, .stream = e->site.stream, .event = r->event,
        .action = (uint8_t)e->action};

    vec_push(&r->a.reservations, reservation);
}

static void run_oom(struct replay *r, const struct snapshot_event *e)
{
    const struct memory_failure failure = {
        .event = r->event, .stream = e->site.stream, .stack = (uint32_t)e->site.stack,
        .requested_bytes = e->has_size ? e->bytes : MEMORY_UNKNOWN,
        .device_free_bytes = e->device_free_bytes};

    vec_push(&r->a.failures, failure);
}

void replay_event(struct replay *r, const struct snapshot_event *e)
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
        if (e->has_size && e->has_address)
            actions[e->action](r, e);
        else
            r->repairs[SNAPSHOT_bad_number]++;
    }
    if (r->in.has_times)
        vec_push(&r->ticks, clamp_sub(e->us, r->in.first_us));
    r->event++;
}

/* Replaces the event sites of allocations, and the stacks of failures, by those of the log. */
static void find_sites(struct replay *r)
{
    struct snapshot_build *s = r->s;
    struct known_site {
        strid scope;
        uint32_t site; /* site + 1; 0: not looked up yet */
    } *known = xcalloc(r->sites.n, sizeof *known);

    for (size_t i = 0; i < r->a.allocations.n; i++) {
        struct memory_allocation *m = &r->a.allocations.data[i];
        const int64_t us = m->begin && r->ticks.n ? clamp_add(r->in.first_us, r->ticks.data[m->begin - 1]) : 0;
        const strid scope = m->begin ? scope_at(s, &r->scope, us) : STRID_NONE;
        struct known_site *k = &known[m->site];

        if (!k->site || k->scope != scope) {
            const struct event_site *site = &r->sites.data[m->site];
            const struct snapshot_origin origin = {
                .scope = scope, .stack = (uint32_t)site->stack, .category = snapshot_category(s, site->category),
                .metadata = snapshot_str(s, site->metadata), .stream = site->stream, .device = r->a.device};

            *k = (struct known_site){scope, 1 + snapshot_site(s, &origin)};
        }
        m->site = k->site - 1;
    }
    free(known);
    for (size_t i = 0; i < r->a.failures.n; i++)
        r->a.failures.data[i].stack = snapshot_stack_at(s, r->a.failures.data[i].stack)->stack;
}

static void free_sites(struct replay *r)
{
    vec_done(&r->last_sites);
    if (r->sites.n)
        intern_done(&r->site_numbers);
    vec_done(&r->sites);
}

void replay_finish(struct replay *r)
{
    struct memory_allocator *a = &r->a;

    find_sites(r);
    free_sites(r);
    a->n_events = r->event;
    a->has_times = r->in.has_times;
    if (a->has_times) {
        a->first_ticks = r->in.first_us;
        vec_fit(&r->ticks);
        a->ticks = r->ticks.data;
        r->ticks.data = NULL;
    }
    memcpy(a->counts, r->in.counts, sizeof a->counts);
    for (int i = 0; i < SNAPSHOT_REPAIR_COUNT; i++)
        r->s->repairs[i] += r->repairs[i] + r->in.repairs[i];
    r->s->n_events += r->event;
    r->s->has_overflow |= r->has_overflow;
}

void replay_events(struct replay *r)
{
    struct snapshot_event events[AHEAD];
    uint32_t n, i = 0;

    if (pickle_kind(r->trace) != PICKLE_LIST)
        return;
    pickle_elements(&r->s->pickle, r->trace, &n);
    r->in = (struct snapshot_reader){.s = r->s};
    r->a.frees = (uint8_t)survey_events(&r->in, r->trace);
    while (i < n || r->event < r->in.n_events) {
        if (i < n && r->in.n_events - r->event < AHEAD) {
            struct snapshot_event *e = &events[r->in.n_events % AHEAD];

            if (read_event(&r->in, r->trace, i++, e))
                idmap_prefetch(&r->at_address, (int64_t)e->address);
        } else {
            replay_event(r, &events[r->event % AHEAD]);
        }
    }
    replay_finish(r);
}

/* ---- final figures */

/* The site of a block allocated before recording. */
static uint32_t site_before(struct replay *r, uint32_t stack, int64_t stream)
{
    const struct snapshot_origin origin = {
        .scope = STRID_NONE, .stack = stack, .stream = stream, .device = r->a.device};

    return snapshot_site(r->s, &origin);
}

void replay_block(struct replay *r, const struct live_block *b)
{
    uint32_t *met = find_last(r, b->address);
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

/* Adds the memory allocated before recording to all points, and finds the peak. */
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
    vec_each(struct memory_point, point, &a->points) {
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

    vec_each(struct memory_reservation, e, &a->reservations) {
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
    vec_each(struct memory_reservation, e, &a->reservations) {
        snapshot_add(r->s, &e->reserved_bytes, start);
        KEEP_MAX(a->reserved_peak_bytes, e->reserved_bytes);
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
    EACH(vec_done, &r->has_block, &r->ticks);
    free_sites(r);
}
