/* memory_records.c: allocation records of RunMetadata as allocators of a memory log. */
#include "model/memory_records.h"

#include <stdlib.h>

#include "base/compare.h"
#include "base/satmath.h"
#include "base/xalloc.h"
#include "model/profile.h"

/* A record of an allocator. */
struct record {
    int64_t ticks, bytes; /* bytes: negative for a free */
    size_t order;         /* as recorded */
    uint32_t site;
    uint32_t event, end;  /* number; that of the event after the free, or MEMORY_NEVER */
};
typedef VEC(struct record) record_list;

void memory_records_add(struct profile *p, struct memory_record_list list, const struct allocation *records)
{
    struct memory_records *all;

    if (!p->records)
        p->records = xcalloc(1, sizeof *p->records);
    all = p->records;
    list.first = all->records.n;
    vec_push(&all->lists, list);
    vec_reserve(&all->records, all->records.n + list.n);
    for (uint32_t i = 0; i < list.n; i++)
        all->records.data[all->records.n++] = records[i];
}

void memory_records_free(struct memory_records *r)
{
    if (!r)
        return;
    EACH(vec_done, &r->lists, &r->records);
    memory_log_free(r->log);
    free(r);
}

COMPARE_POINTERS(by_allocator, struct memory_record_list,
                 UP(step) || UP(device) || UP(allocator) || UP(first))

static bool is_same_allocator(const struct memory_record_list *a, const struct memory_record_list *b)
{
    return a->step == b->step && a->device == b->device && a->allocator == b->allocator;
}

COMPARE_CHAIN(by_time, struct record, UP(ticks) || UP(order))

static int64_t magnitude(int64_t bytes)
{
    return bytes < 0 ? bytes : clamp_neg(bytes);
}

COMPARE_POINTERS(by_site_and_size, struct record,
                 UP(site) || THEN(COMPARE(magnitude(a->bytes), magnitude(b->bytes))) || UP(event))

/* Matches each free with the latest allocation of the same node and size that is not freed yet. */
static void match_frees(record_list *records)
{
    VEC(struct record *) order = {0}, live = {0};

    vec_each(struct record, r, records)
        vec_push(&order, r);
    vec_sort(&order, by_site_and_size);
    for (size_t i = 0; i < order.n; i++) {
        struct record *r = order.data[i];

        if (i && (order.data[i - 1]->site != r->site ||
                  magnitude(order.data[i - 1]->bytes) != magnitude(r->bytes)))
            live.n = 0;
        if (r->bytes > 0)
            vec_push(&live, r);
        else if (live.n)
            live.data[--live.n]->end = r->event + 1;
    }
    EACH(vec_done, &order, &live);
}

/* Adds event R to A. */
static void add_event(struct memory_allocator *a, const struct record *r)
{
    a->ticks[r->event] = clamp_sub(r->ticks, a->first_ticks);
    a->counts[r->bytes > 0 ? MEMORY_ALLOC : MEMORY_FREE]++;
    a->end_bytes = clamp_add(a->end_bytes, r->bytes);
    vec_push(&a->points, ((struct memory_point){a->end_bytes, r->event}));
    if (a->end_bytes > a->peak_bytes) {
        a->peak_bytes = a->end_bytes;
        a->peak = r->event + 1;
    }
    if (r->bytes > 0)
        vec_push(&a->allocations, ((struct memory_allocation){
                     .bytes = r->bytes, .begin = r->event + 1, .end = r->end, .pending = MEMORY_NEVER,
                     .site = r->site}));
}

static void add_allocator(struct memory_log *log, const struct profile *p,
                          const struct memory_record_list *owner, record_list *records)
{
    struct memory_allocator a = {
        .device = owner->device, .name = owner->allocator, .file = owner->file, .step = owner->step,
        .has_times = true, .has_no_addresses = true, .counts_in_use = true,
        .ticks_per_us = PS_PER_US / p->clock.tick_ps, .n_events = (uint32_t)records->n,
        .ticks = xreallocarray(NULL, records->n, sizeof *a.ticks),
        .reserved_start_bytes = MEMORY_UNKNOWN, .reserved_peak_bytes = MEMORY_UNKNOWN,
        .reserved_at_peak_bytes = MEMORY_UNKNOWN, .capacity_bytes = MEMORY_UNKNOWN,
        .lifetime_peak_bytes = MEMORY_UNKNOWN, .fragmentation = -1,
    };

    vec_sort(records, by_time);
    a.first_ticks = records->data[0].ticks;
    for (size_t i = 0; i < records->n; i++)
        records->data[i].event = (uint32_t)i;
    match_frees(records);
    vec_each(const struct record, r, records)
        add_event(&a, r);
    a.before_at_peak_bytes = a.peak_bytes;
    vec_each(const struct memory_allocation, m, &a.allocations)
        if (memory_is_live(m, a.peak))
            a.before_at_peak_bytes = clamp_sub(a.before_at_peak_bytes, m->bytes);
    vec_push(&log->allocators, a);
}

static void add_records(struct memory_log *log, const struct memory_records *all,
                        const struct memory_record_list *list, record_list *records)
{
    const struct memory_site site = {.id = list->node, .device = list->device, .flags = MEMORY_SITE_OP};
    const uint32_t number = memory_log_site(log, &site);

    for (uint32_t i = 0; i < list->n; i++) {
        const struct allocation *from = &all->records.data[list->first + i];

        vec_push(records, ((struct record){.ticks = from->alloc_ticks, .bytes = from->bytes,
                                           .order = list->first + i, .site = number,
                                           .end = MEMORY_NEVER}));
    }
}

static struct memory_log *make_log(const struct profile *p, const struct memory_records *all)
{
    struct memory_log *log = memory_log_new();
    VEC(const struct memory_record_list *) lists = {0};
    record_list records = {0};

    vec_each(const struct memory_record_list, list, &all->lists)
        vec_push(&lists, list);
    vec_sort(&lists, by_allocator);
    for (size_t i = 0, end; i < lists.n; i = end) {
        records.n = 0;
        for (end = i; end < lists.n && is_same_allocator(lists.data[i], lists.data[end]); end++)
            add_records(log, all, lists.data[end], &records);
        if (records.n && records.n < MEMORY_NEVER)
            add_allocator(log, p, lists.data[i], &records);
    }
    memory_log_finish(log, NULL);
    EACH(vec_done, &lists, &records);
    return log;
}

const struct memory_log *profile_memory(const struct profile *p)
{
    struct memory_log *log, *known = NULL;

    if (p->memory || !p->records)
        return p->memory;
    log = atomic_load(&p->records->log);
    if (log)
        return log;
    log = make_log(p, p->records);
    if (atomic_compare_exchange_strong(&p->records->log, &known, log))
        return log;
    memory_log_free(log);
    return known;
}

bool profile_has_memory(const struct profile *p)
{
    return p->memory || p->records;
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
