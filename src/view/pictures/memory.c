/* memory.c: memory in use as running sums over allocation records. */
#include "view/pictures/memory.h"

#include <stdlib.h>
#include <string.h>

#include "base/compare.h"
#include "base/satmath.h"
#include "base/stable_sort.h"
#include "base/xalloc.h"
#include "model/memory_log.h"

static int compare_ids(uint64_t a, uint64_t b)
{
    return a < b ? -1 : a > b;
}

static int compare_owners(const struct allocation_list *a, const struct allocation_list *b)
{
    if (a->step != b->step)
        return a->step < b->step ? -1 : 1;
    return a->device != b->device ? compare_ids(a->device, b->device)
                                  : compare_ids(a->allocator, b->allocator);
}

static bool owner_before(const void *a, const void *b)
{
    return compare_owners(a, b) < 0;
}

static bool event_before(const void *a, const void *b)
{
    return ((const struct memory_event *)a)->at_ticks < ((const struct memory_event *)b)->at_ticks;
}

/* Sorts the N EVENTS by time. */
static void sort_events(struct memory_event *events, size_t n)
{
    struct memory_event *copy = xreallocarray(NULL, n + 1, sizeof *copy);
    const void **order = xreallocarray(NULL, n + 1, sizeof *order);

    memcpy(copy, events, n * sizeof *copy);
    for (size_t i = 0; i < n; i++)
        order[i] = &copy[i];
    stable_sort(order, n, event_before);
    for (size_t i = 0; i < n; i++)
        events[i] = *(const struct memory_event *)order[i];
    EACH(free, order, copy);
}

/* Finishes curve C, whose events are the last ones: sorts them and computes the sums. */
static void end_curve(struct memory *m, struct memory_curve *c)
{
    struct memory_event *events = m->events.data + c->first;
    int64_t in_use = 0;

    c->n = m->events.n - c->first;
    sort_events(events, c->n);
    for (size_t i = 0; i < c->n; i++) {
        in_use = clamp_add(in_use, events[i].bytes);
        events[i].in_use_bytes = in_use;
        if (in_use > c->peak_bytes) {
            c->peak_bytes = in_use;
            c->peak = i;
        }
    }
}

static bool node_before(const void *a, const void *b)
{
    return ((const struct memory_event *)a)->node < ((const struct memory_event *)b)->node;
}

static void order_by_node(struct memory *m)
{
    m->by_node = xreallocarray(NULL, m->events.n + 1, sizeof *m->by_node);
    for (size_t i = 0; i < m->events.n; i++)
        m->by_node[i] = &m->events.data[i];
    for (size_t i = 0; i < m->curves.n; i++)
        stable_sort((const void **)m->by_node + m->curves.data[i].first, m->curves.data[i].n,
                    node_before);
}

static void add_list(struct memory *m, const struct profile *p, const struct allocation_list *list)
{
    const struct allocation *from = p->allocations.events.data + list->first;

    for (uint32_t i = 0; i < list->n; i++)
        vec_push(&m->events, ((struct memory_event){from[i].alloc_ticks, from[i].bytes, 0,
                                                    list->node}));
}

void memory_make(struct memory *m, const struct profile *p, int64_t step)
{
    const struct allocation_list *lists = p->allocations.lists.data;
    const void **order = xreallocarray(NULL, p->allocations.lists.n + 1, sizeof *order);
    size_t n = 0;

    *m = (struct memory){.events = {0}};
    for (size_t i = 0; i < p->allocations.lists.n; i++)
        if (step < 0 || lists[i].step == step)
            order[n++] = &lists[i];
    stable_sort(order, n, owner_before);
    for (size_t i = 0; i < n; i++) {
        const struct allocation_list *list = order[i];

        if (!i || compare_owners(order[i - 1], list)) {
            if (m->curves.n)
                end_curve(m, &m->curves.data[m->curves.n - 1]);
            vec_push(&m->curves, ((struct memory_curve){.step = list->step, .device = list->device,
                                                        .allocator = list->allocator,
                                                        .first = m->events.n}));
        }
        add_list(m, p, list);
    }
    if (m->curves.n)
        end_curve(m, &m->curves.data[m->curves.n - 1]);
    order_by_node(m);
    free(order);
}

/* ---- the log */

/* Adds an event of allocation FROM of A at instant AT; negative BYTES free it. */
static void push_logged(struct memory *m, const struct profile *p, const struct memory_allocator *a,
                        const struct memory_allocation *from, uint32_t at, int64_t bytes)
{
    const int64_t ps = clamp_mul(memory_ticks(a, at), PS_PER_US / a->ticks_per_us);
    const uint32_t id = p->memory->sites[from->site].id;

    if (id != NODE_NONE)
        vec_push(&m->events, ((struct memory_event){ps / p->clock.tick_ps, bytes, 0, id}));
}

static void add_logged(struct memory *m, const struct profile *p, const struct memory_allocator *a)
{
    struct memory_curve c = {.step = a->step == STEP_ALL ? 0 : a->step, .device = a->device,
                             .allocator = a->name, .first = m->events.n};

    vec_each(const struct memory_allocation, from, &a->allocations) {
        push_logged(m, p, a, from, from->begin, from->bytes);
        if (from->end != MEMORY_NEVER)
            push_logged(m, p, a, from, from->end, -from->bytes);
    }
    if (m->events.n == c.first)
        return;
    end_curve(m, &c);
    vec_push(&m->curves, c);
}

void memory_add_log(struct memory *m, const struct profile *p)
{
    for (size_t i = 0; p->memory && i < p->memory->allocators.n; i++)
        add_logged(m, p, &p->memory->allocators.data[i]);
    free(m->by_node);
    order_by_node(m);
}

void memory_done(struct memory *m)
{
    EACH(vec_done, &m->events, &m->curves);
    free(m->by_node);
}

const struct memory_curve *memory_highest(const struct memory *m)
{
    const struct memory_curve *highest = NULL;

    for (size_t i = 0; i < m->curves.n; i++)
        if (!highest || m->curves.data[i].peak_bytes > highest->peak_bytes)
            highest = &m->curves.data[i];
    return highest;
}

const struct memory_event *memory_events(const struct memory *m, const struct memory_curve *c)
{
    return m->events.data + c->first;
}

/* ---- what is live */

COMPARE_CHAIN(by_bytes_descending, struct memory_live, DOWN(bytes) || THEN(compare_ids(a->node, b->node)))

/* Memory of NODE after its events up to LAST; EVENTS [n] are the node's events by time. */
static struct memory_live state_after(const struct memory_event *const *events, size_t n,
                                      const struct memory_event *last)
{
    struct memory_live held = {.node = events[0]->node, .to_ticks = INT64_MAX};
    int64_t left;
    size_t i = 0;

    for (; i < n && events[i] <= last; i++) {
        if (!held.bytes)
            held.from_ticks = events[i]->at_ticks;
        held.bytes = clamp_add(held.bytes, events[i]->bytes);
    }
    left = held.bytes;
    for (; i < n && left; i++) {
        left = clamp_add(left, events[i]->bytes);
        if (!left)
            held.to_ticks = events[i]->at_ticks;
    }
    return held;
}

void memory_live_at(const struct memory *m, const struct memory_curve *c, size_t at,
                    memory_live_list *live)
{
    const struct memory_event *events = memory_events(m, c);
    const struct memory_event *const *order = m->by_node + c->first;
    size_t end;

    for (size_t i = 0; i < c->n; i = end) {
        struct memory_live held;

        for (end = i + 1; end < c->n && order[end]->node == order[i]->node;)
            end++;
        held = state_after(order + i, end - i, &events[at]);
        if (held.bytes)
            vec_push(live, held);
    }
    vec_sort(live, by_bytes_descending);
}

int64_t memory_sum_of_peaks(const struct profile *p, int64_t step)
{
    int64_t sum = 0;

    for (node_id node = 0; node < p->n_nodes; node++) {
        struct exec_walk walk = profile_execs(p, node);
        struct exec e;

        while (exec_next(&walk, &e))
            if (e.step == step)
                sum = clamp_add(sum, e.peak_bytes);
    }
    return sum;
}
