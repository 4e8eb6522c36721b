/* trace_memory.c: memory of parts, and allocators of the memory log (formats-trace.md section 7). */
#include <stdlib.h>
#include <string.h>

#include "base/compare.h"
#include "base/xalloc.h"
#include "load/trace/trace_build.h"
#include "model/events.h"
#include "model/memory_log.h"

/* Adds one record for the allocations of a slice. */
static void add_marks(struct trace_build *b, const struct part_marks *of)
{
    const struct trace_memory *marks = b->log->memories.data;
    struct exec_memory memory = {.requested_bytes = 0};
    struct exec_record r = {
        .step = ranked_step(b->recording->rank_index, of->step),
        .memories = &memory,
        .n_memories = 1,
    };

    b->allocations.n = 0;
    for (uint32_t i = of->first; i != SLICE_NONE; i = marks[i].next) {
        const struct allocation allocation = {marks[i].ts_ns, marks[i].bytes};

        if (marks[i].is_failure)
            continue;
        memory.memory_ticks = marks[i].ts_ns;
        if (marks[i].bytes > 0)
            memory.requested_bytes = clamp_add(memory.requested_bytes, marks[i].bytes);
        memory.residual_bytes = clamp_add(memory.residual_bytes, marks[i].bytes);
        KEEP_MAX(memory.peak_bytes, memory.residual_bytes);
        vec_push(&b->allocations, allocation);
    }
    if (!b->allocations.n)
        return;
    r.start_ticks = r.latest_end_ticks = memory.memory_ticks;
    r.allocations = b->allocations.data;
    r.n_allocations = (uint32_t)b->allocations.n;
    builder_add_part_record(b->builder, of->part, of->node, &r);
}

void flush_memories(struct trace_build *b, struct segment_batch *batch)
{
    vec_each(const struct part_marks, of, &batch->memories)
        add_marks(b, of);
    batch->memories.n = 0;
}

void add_message(struct trace_build *b, uint32_t part, int64_t step, int64_t at_ns, const struct trace_args *args)
{
    const int64_t bytes = strtoll(trace_text(b, args->bytes).bytes, NULL, 10);
    const struct exec_memory memory = {.memory_ticks = at_ns,
                                       .requested_bytes = args->collective ? bytes : 0,
                                       .output_bytes = args->collective ? 0 : bytes};
    const struct exec_record r = {.step = ranked_step(b->recording->rank_index, step),
                                  .start_ticks = at_ns, .latest_end_ticks = at_ns,
                                  .memories = &memory, .n_memories = 1};

    *(args->collective ? &b->recording->has_messages : &b->recording->has_tensors) = true;
    if (bytes <= 0)
        return;
    settle_segments(b);
    builder_add_part_record(b->builder, part, builder_part_node(b->builder, part), &r);
}

/* ---- allocators of the memory log (memory.md section 1) */

static strid device_name(struct trace_build *b, const struct trace_pool *pool)
{
    const int device = pool->device < 0 ? 0 : (int)pool->device;

    sb_clear(&b->name);
    if (pool->device_type == 0)
        sb_addf(&b->name, "/cpu:%d", device);
    else if (pool->device_type == 1)
        sb_addf(&b->name, "/gpu:%d", device);
    else
        sb_addf(&b->name, "/device%d:%d", (int)pool->device_type, device);
    return builder_str(b->builder, b->name.data, b->name.len);
}

static struct trace_pool pool_at(const struct trace_log *log, uint32_t id)
{
    struct trace_pool pool;

    memcpy(&pool, intern_text(&log->pools, id), sizeof pool);
    return pool;
}

/* The allocator of marks [FIRST, END), without its events. */
static struct memory_allocator new_allocator(struct trace_build *b, const struct trace_memory *first,
                                             size_t n)
{
    const struct trace_pool pool = pool_at(b->log, first->pool);
    struct memory_allocator a = {
        .device = device_name(b, &pool),
        .name = builder_str(b->builder, "torch", 5),
        .file = b->l->file,
        .step = STEP_ALL,
        .has_times = true,
        .counts_in_use = true,
        .first_ticks = first->ts_ns,
        .ticks_per_us = 1000,
        .n_events = (uint32_t)n,
        .ticks = xreallocarray(NULL, n, sizeof *a.ticks),
        .reserved_start_bytes = MEMORY_UNKNOWN,
        .reserved_peak_bytes = MEMORY_UNKNOWN,
        .reserved_at_peak_bytes = MEMORY_UNKNOWN,
        .capacity_bytes = MEMORY_UNKNOWN,
        .lifetime_peak_bytes = MEMORY_UNKNOWN,
        .fragmentation = -1,
    };

    if (first->total_allocated != NUMBER_NONE)
        a.start_bytes = clamp_sub(first->total_allocated, first->is_failure ? 0 : first->bytes);
    a.end_bytes = a.peak_bytes = a.start_bytes;
    return a;
}

static uint32_t site_of(struct memory_log *log, const struct trace_memory *m, strid device)
{
    const struct memory_site site = {.id = EVENT_PART | m->part, .device = device,
                                     .flags = MEMORY_SITE_FRAMES};

    return memory_log_site(log, &site);
}

/* Applies event I of A: begins or ends the allocation at its address. */
static void run_event(struct memory_allocator *a, struct memory_log *log, struct idmap *at_address,
                      const struct trace_memory *m, uint32_t i)
{
    const uint32_t at = idmap_get(at_address, m->address);
    struct memory_allocation *old = at == IDMAP_NONE ? NULL : &a->allocations.data[at];

    a->counts[MEMORY_ALLOC] += m->bytes > 0;
    a->counts[MEMORY_FREE] += m->bytes < 0;
    if (m->bytes && old && old->end == MEMORY_NEVER)
        old->end = i + 1;
    if (m->bytes <= 0 || m->part == PART_NONE)
        return;
    idmap_put(at_address, m->address, (uint32_t)a->allocations.n, 0);
    vec_push(&a->allocations, ((struct memory_allocation){
                 .address = (uint64_t)m->address, .bytes = m->bytes, .begin = i + 1,
                 .end = MEMORY_NEVER, .pending = MEMORY_NEVER, .site = site_of(log, m, a->device)}));
}

static void add_failure(struct memory_allocator *a, stack_id stack, const struct trace_memory *m, uint32_t i)
{
    a->counts[MEMORY_OOM]++;
    vec_push(&a->failures, ((struct memory_failure){.requested_bytes = m->bytes < 0 ? MEMORY_UNKNOWN : m->bytes,
                                                    .device_free_bytes = MEMORY_UNKNOWN,
                                                    .event = i, .stack = stack}));
}

/* Adds a reservation or a release if BYTES, reserved after event I, differ from those before. */
static void reserve(struct memory_allocator *a, int64_t bytes, uint32_t i)
{
    const int64_t before = a->reservations.n ? a->reservations.data[a->reservations.n - 1].reserved_bytes : 0;

    KEEP_MAX(a->reserved_peak_bytes, bytes);
    if (bytes != before)
        vec_push(&a->reservations, ((struct memory_reservation){
                     .bytes = bytes > before ? clamp_sub(bytes, before) : clamp_sub(before, bytes),
                     .reserved_bytes = bytes, .event = i,
                     .action = bytes > before ? MEMORY_SEGMENT_ALLOC : MEMORY_SEGMENT_FREE}));
}

static void run_totals(struct memory_allocator *a, const struct trace_log *log, const struct trace_memory *m, uint32_t i)
{
    const struct trace_pool pool = pool_at(log, m->pool);

    if (m->total_allocated != NUMBER_NONE)
        a->end_bytes = m->total_allocated;
    else if (!m->is_failure)
        a->end_bytes = clamp_add(a->end_bytes, m->bytes);
    a->ticks[i] = clamp_sub(m->ts_ns, a->first_ticks);
    vec_push(&a->points, ((struct memory_point){a->end_bytes, i}));
    if (a->end_bytes > a->peak_bytes) {
        a->peak_bytes = a->end_bytes;
        a->peak = i + 1;
    }
    if (pool.total_reserved != NUMBER_NONE)
        reserve(a, pool.total_reserved, i);
}

/* Adds the allocator of N MARKS, whose memory is then USED. */
static void add_allocator(struct trace_build *b, const void *const *marks, size_t n, struct spent *used)
{
    struct memory_log *log = builder_memory(b->builder);
    struct memory_allocator a = new_allocator(b, marks[0], n);
    struct idmap at_address = {.n = 0};
    int64_t live = 0;

    vec_reserve(&a.points, n);
    for (size_t i = 0; i < n; i++) {
        const struct trace_memory *m = marks[i];

        if (m->is_failure)
            add_failure(&a, stack_id_of(b, m->part), m, (uint32_t)i);
        else
            run_event(&a, log, &at_address, m, (uint32_t)i);
        run_totals(&a, b->log, m, (uint32_t)i);
        spent_item(used, (size_t)(m - b->log->memories.data));
    }
    for (size_t i = 0; i < a.allocations.n; i++)
        if (memory_is_live(&a.allocations.data[i], a.peak))
            live = clamp_add(live, a.allocations.data[i].bytes);
    a.before_at_peak_bytes = clamp_sub(a.peak_bytes, live);
    idmap_done(&at_address);
    vec_fit(&a.allocations);
    vec_push(&log->allocators, a);
}

/* A pool, and the rank of its device. */
struct ranked_pool {
    struct trace_pool pool;
    uint32_t id, rank;
};

COMPARE_CHAIN(by_device, struct ranked_pool, UP(pool.device_type) || UP(pool.device) || UP(id))
COMPARE_BY(by_id, struct ranked_pool, id)

static bool is_same_device(const struct trace_pool *a, const struct trace_pool *b)
{
    return a->device_type == b->device_type && a->device == b->device;
}

/* Replaces the lists of marks by the ranks of their devices. */
static void rank_marks(struct trace_log *log)
{
    VEC(struct ranked_pool) pools = {0};

    for (uint32_t id = 1; id < log->pools.n; id++)
        vec_push(&pools, ((struct ranked_pool){pool_at(log, id), id, 0}));
    vec_sort(&pools, by_device);
    for (size_t i = 1; i < pools.n; i++)
        pools.data[i].rank =
            pools.data[i - 1].rank + !is_same_device(&pools.data[i].pool, &pools.data[i - 1].pool);
    vec_sort(&pools, by_id);
    vec_each(struct trace_memory, m, &log->memories)
        m->next = pools.data[m->pool - 1].rank;
    vec_done(&pools);
}

/* Sorts marks by device, then time, then position in the file. */
COMPARE_CHAIN(by_rank_and_order, struct trace_memory, UP(next) || UP(ts_ns) || UP(order))

static bool is_before(const void *a, const void *b)
{
    return by_rank_and_order(a, b) < 0;
}

static uint32_t rank_of(const void *mark)
{
    return ((const struct trace_memory *)mark)->next;
}

void trace_allocators(struct trace_build *b)
{
    VEC(const void *) marks = {0};
    struct spent used = {.n = 0};
    size_t end;

    rank_marks(b->log);
    spent_begin(&used, b->log->memories.data, b->log->memories.n, sizeof *b->log->memories.data);
    for (size_t i = 0; i < b->log->memories.n && b->log->memories.n < MEMORY_NEVER; i++) {
        const struct trace_memory *m = &b->log->memories.data[i];

        if (m->address != NUMBER_NONE || m->is_failure)
            vec_push(&marks, m);
    }
    stable_sort(marks.data, marks.n, is_before);
    for (size_t i = 0; i < marks.n; i = end) {
        const uint32_t rank = rank_of(marks.data[i]);

        for (end = i + 1; end < marks.n && rank_of(marks.data[end]) == rank;)
            end++;
        add_allocator(b, marks.data + i, end - i, &used);
    }
    spent_done(&used);
    EACH(vec_done, &marks, &b->log->memories);
}
