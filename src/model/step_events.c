/* step_events.c: the executions of a step as sorted events on threads. */
#include "model/events.h"

#include <stdlib.h>
#include <string.h>

#include "base/compare.h"
#include "base/xalloc.h"
#include "base/track_ends.h"

typedef VEC(struct plain_event) plain_events;

struct step_device {
    strid name;
    bool is_accelerator;
    plain_events events;
};

struct collecting {
    const struct profile *p;
    int64_t step;
    VEC(struct step_device) devices; /* in order of first use */
    uint32_t *index_of_device;                 /* by strid: index in devices + 1 */
    VEC(struct event_kind) kinds;    /* by node: host, accelerator, or both */
    struct exec_lists lists;         /* scratch */
};

/* ---- executions */

static enum event_class class_of(const struct profile *p, node_id node, bool is_accelerator)
{
    const char *op = profile_text(p, p->op[node]);

    if (!is_accelerator)
        return EVENT_HOST;
    if (strncmp(op, "Collective", 10) == 0 || strncmp(op, "Nccl", 4) == 0)
        return EVENT_COMMUNICATION;
    if (strstr(op, "MEMCPY") || strstr(op, "Memcpy"))
        return EVENT_COPY;
    return EVENT_COMPUTE;
}

/* The kind of NODE's executions; equal kinds are consecutive. */
static uint32_t kind_of(struct collecting *c, node_id node, bool is_accelerator)
{
    const struct event_kind kind = {
        .id = node,
        .count = 1,
        .event_class = (uint8_t)class_of(c->p, node, is_accelerator),
        .is_work = is_accelerator,
    };

    for (size_t i = c->kinds.n; i > 0 && c->kinds.data[i - 1].id == node; i--)
        if (c->kinds.data[i - 1].is_work == is_accelerator)
            return (uint32_t)(i - 1);
    vec_push(&c->kinds, kind);
    return (uint32_t)(c->kinds.n - 1);
}

static void add_time(struct collecting *c, node_id node, const struct exec_time *t)
{
    const struct plain_event event = {.start_ticks = t->start_ticks,
                                      .dur_ticks = t->dur_ticks < 0 ? 0 : t->dur_ticks,
                                      .kind = kind_of(c, node, t->accelerator)};

    if (!c->index_of_device[t->device]) {
        vec_push(&c->devices, ((struct step_device){.name = t->device,
                                                    .is_accelerator = t->accelerator}));
        c->index_of_device[t->device] = (uint32_t)c->devices.n;
    }
    vec_push(&c->devices.data[c->index_of_device[t->device] - 1].events, event);
}

/* Adds NODE's executions in the step; nearly all nodes have one time. */
static void add_node(struct collecting *c, node_id node)
{
    const struct profile *p = c->p;
    const uint32_t at = p->exec_begin[node], n = p->exec_begin[node + 1] - at;
    struct exec_time time;
    struct exec e;

    if (n == 1 && exec_one_time(profile_record(p, p->exec_positions[at]), &time)) {
        if (time.start_ticks > 0 && profile_record_step(p, p->exec_positions[at]) == c->step)
            add_time(c, node, &time);
        return;
    }
    if (!profile_exec(p, node, c->step, &e) || e.start_ticks <= 0)
        return;
    profile_exec_lists(p, &e, &c->lists);
    for (size_t i = 0; i < c->lists.times.n; i++)
        add_time(c, node, &c->lists.times.data[i]);
}

/* ---- order */

enum { DIGIT_BITS = 11, DIGITS = 1 << DIGIT_BITS };

COMPARE_CHAIN(compare, struct plain_event, UP(start_ticks) || DOWN(dur_ticks) || UP(kind))

/* One stable counting pass of a radix sort: digit at SHIFT of the start relative to FIRST. */
static void sort_digit(const struct plain_event *from, struct plain_event *to, size_t n,
                       uint64_t first, unsigned shift)
{
    size_t begin[DIGITS] = {0}, sum = 0;

    for (size_t i = 0; i < n; i++)
        begin[((uint64_t)from[i].start_ticks - first) >> shift & (DIGITS - 1)]++;
    for (size_t d = 0; d < DIGITS; d++) {
        const size_t count = begin[d];

        begin[d] = sum;
        sum += count;
    }
    for (size_t i = 0; i < n; i++)
        to[begin[((uint64_t)from[i].start_ticks - first) >> shift & (DIGITS - 1)]++] = from[i];
}

static void sort_starts(plain_events *events, int64_t first, int64_t last)
{
    const uint64_t length = (uint64_t)last - (uint64_t)first;
    struct plain_event *spare = xreallocarray(NULL, events->n, sizeof *spare);

    for (unsigned shift = 0; shift < 64 && length >> shift; shift += DIGIT_BITS) {
        struct plain_event *sorted = spare;

        sort_digit(events->data, sorted, events->n, (uint64_t)first, shift);
        spare = events->data;
        events->data = sorted;
    }
    events->capacity = events->n; /* both arrays have that size */
    free(spare);
}

static void sort_equals(plain_events *events)
{
    for (size_t from = 0, to; from < events->n; from = to) {
        for (to = from + 1; to < events->n; to++)
            if (events->data[to].start_ticks != events->data[from].start_ticks)
                break;
        if (to - from > 1)
            qsort(events->data + from, to - from, sizeof *events->data, compare);
    }
}

/* Sorts by start, longer first, then by node: linear time, except for equal starts. */
static void sort_events(plain_events *events)
{
    int64_t first = INT64_MAX, last = INT64_MIN;

    for (size_t i = 0; i < events->n; i++) {
        const int64_t start = events->data[i].start_ticks;

        first = start < first ? start : first;
        last = start > last ? start : last;
    }
    if (events->n > 1)
        sort_starts(events, first, last);
    sort_equals(events);
}

/* ---- tracks */

static struct profile_device device_of(const struct profile *p, const struct step_device *d)
{
    static const struct {
        const char *text;
        enum device_kind kind;
    } kinds[] = {{"cpu:", DEVICE_CPU}, {"gpu:", DEVICE_GPU}, {"tpu:", DEVICE_TPU}};
    struct profile_device device = {.name = d->name, .number = -1, .kind = DEVICE_OTHER,
                                    .is_accelerator = d->is_accelerator};

    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        const char *at = strstr(profile_text(p, d->name), kinds[i].text);

        if (!at)
            continue;
        device.kind = (uint8_t)kinds[i].kind;
        device.number = strtoll(at + strlen(kinds[i].text), NULL, 10);
    }
    return device;
}

/* Assigns each event to the first free thread; COUNTS [*N_THREADS] receives the number of events
 * per thread. */
static void assign_threads(plain_events *events, uint32_t **counts, uint32_t *n_threads)
{
    struct track_ends ends = {0};
    VEC(uint32_t) of_thread = {0};

    array_each(struct plain_event, e, events->data, events->n) {
        e->thread = track_ends_assign(&ends, e->start_ticks, clamp_add(e->start_ticks, e->dur_ticks));
        if (e->thread >= of_thread.n)
            vec_resize_zero(&of_thread, e->thread + 1);
        of_thread.data[e->thread]++;
    }
    track_ends_done(&ends);
    *counts = of_thread.data;
    *n_threads = (uint32_t)of_thread.n;
}

static void add_tracks(struct event_store *s, const struct profile *p, struct step_device *d)
{
    const struct profile_device device = device_of(p, d);
    const uint32_t id = event_store_device(s, &device), first = (uint32_t)s->tracks.n;
    struct plain_event **of_thread;
    uint32_t *counts, n_threads;

    sort_events(&d->events);
    assign_threads(&d->events, &counts, &n_threads);
    of_thread = xcalloc(n_threads, sizeof *of_thread);
    for (uint32_t t = 0; t < n_threads; t++) {
        event_store_track(
            s, &(struct event_track){.device = id,
                                     .kind = d->is_accelerator ? TRACK_STREAM : TRACK_THREAD,
                                     .thread = t});
        of_thread[t] = xreallocarray(NULL, counts[t], sizeof **of_thread);
        counts[t] = 0;
    }
    vec_each(const struct plain_event, e, &d->events) {
        of_thread[e->thread][counts[e->thread]++] = *e;
    }
    for (uint32_t t = 0; t < n_threads; t++)
        event_store_set_plain(s, first + t, of_thread[t], counts[t]);
    EACH(free, of_thread, counts);
}

COMPARE_WITH(by_name, struct step_device, struct profile, THEN(intern_compare(&with->strings, a->name, b->name)))

/* The median start, which outliers hardly affect. */
static int64_t origin_of(const struct collecting *c)
{
    const plain_events *events = c->devices.n ? &c->devices.data[0].events : NULL;

    return events ? events->data[events->n / 2].start_ticks : 0;
}

static struct event_store *make_store(struct collecting *c, struct cancel_mark cancel)
{
    struct event_store *s = event_store_new();
    const struct profile_clock clock = {.tick_ps = c->p->clock.tick_ps,
                                        .origin_ticks = origin_of(c), .unix_ns = UNIX_NS_UNKNOWN};

    vec_push(&s->clocks, clock);
    vec_push(&s->hosts, ((struct profile_host){.name = STRID_EMPTY}));
    vec_push(&s->ranks, ((struct profile_rank){.number = -1, .world_size = -1}));
    event_store_step(s, 0, c->step);
    vec_sort_arg(&c->devices, by_name, (void *)(uintptr_t)c->p);
    for (size_t i = 0; i < c->devices.n; i++) {
        if (!cancel_asked(cancel))
            add_tracks(s, c->p, &c->devices.data[i]);
        vec_done(&c->devices.data[i].events);
    }
    event_store_finish_with(s, c->kinds.data, (uint32_t)c->kinds.n);
    return s;
}

struct event_store *step_events_new(const struct profile *p, int64_t step,
                                    struct cancel_mark cancel)
{
    struct collecting c = {
        .p = p, .step = step, .index_of_device = xcalloc(p->strings.n, sizeof *c.index_of_device)};
    struct event_store *s;

    vec_reserve(&c.kinds, p->n_nodes);
    for (node_id node = 0; node < p->n_nodes && !cancel_asked(cancel); node++)
        if (p->device[node] != STRID_EMPTY)
            add_node(&c, node);
    s = make_store(&c, cancel);
    exec_lists_done(&c.lists);
    vec_done(&c.devices);
    free(c.index_of_device);
    if (!cancel_asked(cancel))
        return s;
    event_store_free(s);
    return NULL;
}
