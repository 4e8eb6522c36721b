/* timeline_memory.c: memory counters of accelerators in the graph timeline. */
#include "export/timeline/timeline_memory.h"

#include <stdlib.h>
#include <string.h>

#include "base/compare.h"
#include "base/satmath.h"
#include "base/xalloc.h"
#include "export/sinks/escape.h"

enum { POINT_APART_US = 100, LISTED_MAX = 10 };

/* The allocator state in one record. */
struct point {
    int64_t at_ticks, in_use_bytes;
    uint32_t order; /* display order; the last of several points with equal time counts */
};

/* A node of the device and its bytes in use over time. */
struct holder {
    node_id node;
    int64_t held_bytes;
    size_t next, end; /* range of its next allocations in the device's list */
};

struct memory_device {
    strid name;
    VEC(struct point) points;
    VEC(struct holder) holders;
    VEC(struct allocation) allocations; /* of the step, grouped by holder, sorted by time */
};

/* Persistent bytes: the sum over the records of a step, maximum over steps. */
static int64_t persistent_bytes(const struct profile *p, node_id node, struct exec_lists *lists)
{
    struct exec_walk walk = profile_execs(p, node);
    int64_t max = 0;
    struct exec e;

    while (exec_next(&walk, &e)) {
        int64_t sum = 0;

        profile_exec_lists(p, &e, lists);
        for (size_t m = 0; m < lists->memories.n; m++)
            sum = clamp_add(sum, lists->memories.data[m].accelerator_persistent_bytes);
        KEEP_MAX(max, sum);
    }
    return max;
}

static struct memory_device *device_get(struct memory_counters *m, strid name)
{
    struct memory_device *d;

    for (size_t i = 0; i < m->devices.n; i++)
        if (m->devices.data[i]->name == name)
            return m->devices.data[i];
    d = xcalloc(1, sizeof *d);
    d->name = name;
    vec_push(&m->devices, d);
    return d;
}

COMPARE_BY(by_alloc_time, struct allocation, alloc_ticks)

static void add_node(struct memory_counters *m, node_id node, struct exec_lists *lists)
{
    const struct profile *p = m->r->profile;
    struct memory_device *d;
    struct holder h = {.node = node};
    struct exec e;

    if (!profile_exec(p, node, m->step, &e) || e.start_ticks <= 0 ||
        p->device[node] == STRID_EMPTY || strstr(profile_text(p, p->device[node]), "cpu"))
        return;
    d = device_get(m, p->device[node]);
    profile_exec_lists(p, &e, lists);
    vec_each(const struct exec_memory, memory, &lists->memories) {
        struct point point = {memory->memory_ticks, memory->allocator_bytes_in_use,
                              (uint32_t)d->points.n};

        if (memory->memory_ticks > 0)
            vec_push(&d->points, point);
    }
    /* Sorted by time like points, so that each allocation is added once. */
    vec_sort(&lists->allocations, by_alloc_time);
    h.next = d->allocations.n;
    for (size_t i = 0; i < lists->allocations.n; i++)
        vec_push(&d->allocations, lists->allocations.data[i]);
    h.end = d->allocations.n;
    h.held_bytes = persistent_bytes(p, node, lists);
    if (h.held_bytes || h.next < h.end)
        vec_push(&d->holders, h);
}

typedef const struct memory_device *device;

COMPARE_WITH(by_name, device, struct profile,
             THEN(intern_compare(&with->strings, (*a)->name, (*b)->name)))

COMPARE_BY_TWO(by_time, struct point, at_ticks, order)

void memory_counters_init(struct memory_counters *m, struct result *r, int64_t first_pid)
{
    const struct tree *tree = r->tree;
    struct exec_lists lists = {0};
    struct result_walk w;

    *m = (struct memory_counters){.r = r, .step = r->options.step, .first_pid = first_pid,
                                  .from_ticks = INT64_MIN, .to_ticks = INT64_MAX};
    result_walk_init(&w, r, 0);
    while (result_walk_next(&w))
        if (w.row != 0 && tree->member_begin[w.row] < tree->member_begin[w.row + 1])
            add_node(m, tree->members[tree->member_begin[w.row]], &lists);
    result_walk_done(&w);
    exec_lists_done(&lists);
    vec_sort_arg(&m->devices, by_name, (void *)(uintptr_t)r->profile);
    for (size_t i = 0; i < m->devices.n; i++) {
        struct memory_device *d = m->devices.data[i];

        vec_sort(&d->points, by_time);
    }
}

void memory_counters_announce(const struct memory_counters *m, struct trace_events *t)
{
    const struct intern *strings = &m->r->profile->strings;

    for (size_t i = 0; i < m->devices.n; i++) {
        strid name = m->devices.data[i]->name;
        int64_t pid = m->first_pid + 2 * (int64_t)i;

        trace_process(t, pid, "mem usage on:", intern_text(strings, name),
                      intern_len(strings, name), "");
        trace_process(t, pid + 1, "mem usage on:", intern_text(strings, name),
                      intern_len(strings, name), " allocations");
    }
}

typedef const struct holder *holder;

/* Compares by bytes, largest first, then by name. */
COMPARE_WITH(by_held, holder, struct profile,
             THEN(COMPARE((*b)->held_bytes, (*a)->held_bytes)) ||
                 THEN(intern_compare(&with->strings, with->name[(*a)->node], with->name[(*b)->node])))

/* Advances all holders to the state before AT_TICKS; lists those with bytes in use and returns
 * their number. */
static size_t holders_at(struct memory_device *d, int64_t at_ticks, const struct profile *p,
                         struct holder **list)
{
    size_t n = 0;

    vec_each(struct holder, h, &d->holders) {
        while (h->next < h->end && d->allocations.data[h->next].alloc_ticks < at_ticks)
            h->held_bytes = clamp_add(h->held_bytes, d->allocations.data[h->next++].bytes);
        if (h->held_bytes > 0)
            list[n++] = h;
    }
    qsort_r(list, n, sizeof *list, by_held, (void *)(uintptr_t)p);
    return n;
}

static void add_allocations(struct strbuf *sb, const struct profile *p, struct holder **list,
                            size_t n, int64_t in_use_bytes)
{
    struct strbuf text = {0};
    struct strbuf value = {0};
    int64_t rest_bytes = in_use_bytes;
    int listed = 0;

    sb_adds(sb, "{\"Not Displayed\":\"");
    /* "Not Displayed" sorts before "Top ...", so the sum of the rest is computed first. */
    for (size_t i = 0; i < n && listed < LISTED_MAX; i++) {
        strid name = p->name[list[i]->node];

        if (list[i]->held_bytes > rest_bytes)
            continue;
        rest_bytes = clamp_sub(rest_bytes, list[i]->held_bytes);
        sb_addf(&text, ",\"Top Allocation %02d\":", listed++);
        sb_clear(&value);
        sb_addf(&value, "%g MB from ", (double)list[i]->held_bytes / 1e6);
        sb_add(&value, profile_text(p, name), intern_len(&p->strings, name));
        json_add_string(&text, value.data, value.len);
    }
    for (int i = listed ? listed : 1; i < LISTED_MAX; i++)
        sb_addf(&text, ",\"Top Allocation %02d\":\"N/A\"", i);
    sb_addf(sb, "%.2f MB\"%s}", (double)rest_bytes / 1e6, sb_text(&text));
    EACH(sb_done, &value, &text);
}

static void write_point(struct memory_device *d, const struct profile *p, struct trace_events *t,
                        int64_t pid, const struct point *point, struct holder **list)
{
    struct strbuf args = {0};
    size_t n = holders_at(d, point->at_ticks, p, list);

    trace_bytes_in_use(t, pid, point->at_ticks, point->in_use_bytes);
    add_allocations(&args, p, list, n, point->in_use_bytes);
    trace_counter(t, "Top Allocations", pid + 1, point->at_ticks, args.data);
    sb_done(&args);
}

void memory_counters_write(struct memory_counters *m, struct trace_events *t)
{
    const int64_t apart_ticks = POINT_APART_US * PS_PER_US / m->r->profile->clock.tick_ps;

    for (size_t i = 0; i < m->devices.n; i++) {
        struct memory_device *d = m->devices.data[i];
        struct holder **list = xreallocarray(NULL, d->holders.n, sizeof *list);
        int64_t last_ticks = 0;

        for (size_t k = 0; k < d->points.n; k++) {
            const struct point *point = &d->points.data[k];

            if (k + 1 < d->points.n && point[1].at_ticks == point->at_ticks)
                continue; /* a later point has the same time */
            if (clamp_sub(point->at_ticks, last_ticks) < apart_ticks ||
                point->at_ticks < m->from_ticks || point->at_ticks >= m->to_ticks)
                continue;
            last_ticks = point->at_ticks;
            write_point(d, m->r->profile, t, m->first_pid + 2 * (int64_t)i, point, list);
        }
        free(list);
    }
}

void memory_counters_done(struct memory_counters *m)
{
    for (size_t i = 0; i < m->devices.n; i++) {
        struct memory_device *d = m->devices.data[i];

        EACH(vec_done, &d->points, &d->holders, &d->allocations);
        free(d);
    }
    vec_done(&m->devices);
}
