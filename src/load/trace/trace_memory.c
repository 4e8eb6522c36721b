/* trace_memory.c: memory held in each step, and allocations never freed (formats-trace.md section
 * 7). */
#include <stdlib.h>
#include <string.h>

#include "base/compare.h"
#include "base/xalloc.h"
#include "load/trace/trace_build.h"
#include "model/events.h"
#include "model/memory_log.h"

void add_memory(struct trace_build *b, uint32_t first, uint32_t part)
{
    const struct trace_memory *marks = b->log->memories.data;
    struct exec_memory memory = {.requested_bytes = 0};
    struct exec_record r = {
        .step = ranked_step(b->recording->rank_index, marks[first].step),
        .memories = &memory,
        .n_memories = 1,
    };

    b->allocations.n = 0;
    for (uint32_t i = first; i != SLICE_NONE; i = marks[i].next) {
        const struct allocation allocation = {marks[i].ts_ns, marks[i].bytes};

        memory.memory_ticks = marks[i].ts_ns;
        if (marks[i].bytes > 0)
            memory.requested_bytes = clamp_add(memory.requested_bytes, marks[i].bytes);
        memory.residual_bytes = clamp_add(memory.residual_bytes, marks[i].bytes);
        KEEP_MAX(memory.peak_bytes, memory.residual_bytes);
        vec_push(&b->allocations, allocation);
    }
    r.start_ticks = r.latest_end_ticks = memory.memory_ticks;
    r.allocations = b->allocations.data;
    r.n_allocations = (uint32_t)b->allocations.n;
    builder_add_part_record(b->builder, part, &r);
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
    if (bytes > 0)
        builder_add_part_record(b->builder, part, &r);
}

static strid device_of(struct trace_build *b, const struct trace_memory *m)
{
    sb_clear(&b->name);
    if (m->device < 0)
        return b->cpu_device;
    sb_addf(&b->name, "/gpu:%d", (int)m->device);
    return builder_str(b->builder, b->name.data, b->name.len);
}

/* ---- memory held in a step */

COMPARE_CHAIN(by_device_and_time, struct trace_memory, UP(device) || UP(ts_ns) || UP(order))

static void add_total(struct memory_use *use, const struct trace_memory *m)
{
    KEEP_MAX(use->peak_bytes, m->total_allocated);
    KEEP_MAX(use->reserved_bytes, m->total_reserved);
    use->end_bytes = m->total_allocated;
}

/* Adds one row for the consecutive marks of a step on a device. */
static void collect_uses(struct trace_build *b)
{
    const struct trace_log *log = b->log;
    int32_t device = 0;

    vec_sort(&b->log->memories, by_device_and_time);
    vec_each(const struct trace_memory, m, &log->memories) {
        const int64_t step = step_at(b, m->ts_ns);

        if (m->total_allocated == NUMBER_NONE)
            continue;
        if (!b->uses.n || m->device != device || b->uses.data[b->uses.n - 1].step != step) {
            const struct memory_use use = {.device = device_of(b, m), .step = step};

            vec_push(&b->uses, use);
        }
        device = m->device;
        add_total(&b->uses.data[b->uses.n - 1], m);
    }
}

/* ---- memory left at the end */

COMPARE_CHAIN(by_address, struct trace_memory, UP(device) || UP(address) || UP(ts_ns) || UP(order))

COMPARE_CHAIN(by_step_and_place, struct memory_left,
              UP(step) || UP(device) || UP(node) || UP(stack))

/* True for an allocation that is the last event at its address. */
static bool is_left(const struct trace_log *log, size_t i)
{
    const struct trace_memory *m = &log->memories.data[i];

    return m->bytes > 0 && m->address != NUMBER_NONE &&
           (i + 1 == log->memories.n || m[1].device != m->device || m[1].address != m->address);
}

static void collect_left(struct trace_build *b)
{
    size_t kept = 0;

    vec_sort(&b->log->memories, by_address);
    for (size_t i = 0; i < b->log->memories.n; i++) {
        const struct trace_memory *m = &b->log->memories.data[i];

        if (is_left(b->log, i)) {
            const struct memory_left left = {.node = node_of(b, m->path),
                                             .stack = stack_id_of(b, m->stack),
                                             .step = m->step,
                                             .device = device_of(b, m),
                                             .bytes = m->bytes,
                                             .n_allocations = 1};

            vec_push(&b->left, left);
        }
    }
    vec_sort(&b->left, by_step_and_place);
    for (size_t i = 0; i < b->left.n; i++) {
        struct memory_left *last = &b->left.data[kept ? kept - 1 : 0];
        const struct memory_left *left = &b->left.data[i];

        if (kept && by_step_and_place(last, left) == 0) {
            last->bytes = clamp_add(last->bytes, left->bytes);
            last->n_allocations++;
        } else {
            b->left.data[kept++] = *left;
        }
    }
    b->left.n = kept;
}

void trace_memory(struct trace_build *b)
{
    struct recorder *r = b->recording;

    collect_uses(b);
    collect_left(b);
    r->n_memory_uses = (uint32_t)b->uses.n;
    r->memory_uses = keep_array(b, b->uses.data, b->uses.n, sizeof *r->memory_uses);
    r->n_memory_left = (uint32_t)b->left.n;
    r->memory_left = keep_array(b, b->left.data, b->left.n, sizeof *r->memory_left);
}

/* ---- allocators of the memory log (memory.md section 1) */

/* Sorts marks with an address by device, then time, then position in the file. */
COMPARE_POINTERS(by_device_and_order, struct trace_memory,
                 UP(device_type) || UP(device) || UP(ts_ns) || UP(order))

static bool is_same_device(const struct trace_memory *a, const struct trace_memory *b)
{
    return a->device_type == b->device_type && a->device == b->device;
}

static strid device_name(struct trace_build *b, const struct trace_memory *m)
{
    const int device = m->device < 0 ? 0 : (int)m->device;

    sb_clear(&b->name);
    if (m->device_type == 0)
        sb_addf(&b->name, "/cpu:%d", device);
    else if (m->device_type == 1)
        sb_addf(&b->name, "/gpu:%d", device);
    else
        sb_addf(&b->name, "/device%d:%d", (int)m->device_type, device);
    return builder_str(b->builder, b->name.data, b->name.len);
}

/* The allocator of marks [FIRST, END), without its events. */
static struct memory_allocator new_allocator(struct trace_build *b, const struct trace_memory *first,
                                             size_t n)
{
    struct memory_allocator a = {
        .device = device_name(b, first),
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
        a.start_bytes = clamp_sub(first->total_allocated, first->bytes);
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

static void run_totals(struct memory_allocator *a, const struct trace_memory *m, uint32_t i)
{
    a->end_bytes = m->total_allocated == NUMBER_NONE ? clamp_add(a->end_bytes, m->bytes)
                                                     : m->total_allocated;
    a->ticks[i] = clamp_sub(m->ts_ns, a->first_ticks);
    vec_push(&a->points, ((struct memory_point){a->end_bytes, i}));
    if (a->end_bytes > a->peak_bytes) {
        a->peak_bytes = a->end_bytes;
        a->peak = i + 1;
    }
    if (m->total_reserved != NUMBER_NONE && m->total_reserved > a->reserved_peak_bytes)
        a->reserved_peak_bytes = m->total_reserved;
}

static void add_allocator(struct trace_build *b, const struct trace_memory *const *marks, size_t n)
{
    struct memory_log *log = builder_memory(b->builder);
    struct memory_allocator a = new_allocator(b, marks[0], n);
    struct idmap at_address = {.n = 0};
    int64_t live = 0;

    for (size_t i = 0; i < n; i++) {
        run_event(&a, log, &at_address, marks[i], (uint32_t)i);
        run_totals(&a, marks[i], (uint32_t)i);
    }
    for (size_t i = 0; i < a.allocations.n; i++)
        if (memory_is_live(&a.allocations.data[i], a.peak))
            live = clamp_add(live, a.allocations.data[i].bytes);
    a.before_at_peak_bytes = clamp_sub(a.peak_bytes, live);
    idmap_done(&at_address);
    vec_push(&log->allocators, a);
}

void trace_allocators(struct trace_build *b)
{
    VEC(const struct trace_memory *) marks = {0};
    size_t end;

    for (size_t i = 0; i < b->log->memories.n && b->log->memories.n < MEMORY_NEVER; i++)
        if (b->log->memories.data[i].address != NUMBER_NONE)
            vec_push(&marks, &b->log->memories.data[i]);
    vec_sort(&marks, by_device_and_order);
    for (size_t i = 0; i < marks.n; i = end) {
        for (end = i + 1; end < marks.n && is_same_device(marks.data[end], marks.data[i]);)
            end++;
        add_allocator(b, marks.data + i, end - i);
    }
    vec_done(&marks);
}
