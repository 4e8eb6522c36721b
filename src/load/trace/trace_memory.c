/* trace_memory.c: memory held in each step, and allocations never freed (formats-trace.md section
 * 7). */
#include <stdlib.h>
#include <string.h>

#include "base/compare.h"
#include "load/trace/trace_build.h"

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
        if (memory.residual_bytes > memory.peak_bytes)
            memory.peak_bytes = memory.residual_bytes;
        vec_push(&b->allocations, allocation);
    }
    r.start_ticks = r.latest_end_ticks = memory.memory_ticks;
    r.allocations = b->allocations.data;
    r.n_allocations = (uint32_t)b->allocations.n;
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

/* ---- what is held */

COMPARE_BY_TWO(by_device_and_time, struct trace_memory, device, ts_ns)

static void add_total(struct memory_use *use, const struct trace_memory *m)
{
    if (m->total_allocated > use->peak_bytes)
        use->peak_bytes = m->total_allocated;
    if (m->total_reserved > use->reserved_bytes)
        use->reserved_bytes = m->total_reserved;
    use->end_bytes = m->total_allocated;
}

/* One row for each device and consecutive marks of one step. */
static void collect_uses(struct trace_build *b)
{
    const struct trace_log *log = b->log;
    int32_t device = 0;

    vec_sort(&b->log->memories, by_device_and_time);
    for (size_t i = 0; i < log->memories.n; i++) {
        const struct trace_memory *m = &log->memories.data[i];
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

/* ---- what is left */

COMPARE_CHAIN(by_address, struct trace_memory, UP(device) || UP(address) || UP(ts_ns))

COMPARE_CHAIN(by_step_and_place, struct memory_left,
              UP(step) || UP(device) || UP(node) || UP(stack))

/* True for an allocation without a later event at its address. */
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
