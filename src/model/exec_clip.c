/* exec_clip.c: the share of packed executions in a time range. */
#include "model/exec.h"

#include "base/satmath.h"

static bool is_in(int64_t ticks, int64_t from_ticks, int64_t to_ticks)
{
    return ticks >= from_ticks && ticks < to_ticks;
}

static void read_lists(struct packed_exec record, struct exec_lists *lists)
{
    exec_lists_clear(lists);
    exec_lists_add(lists, record);
}

static enum exec_share share_of(const struct exec_time *t, int64_t from_ticks, int64_t to_ticks)
{
    const int64_t start = t->start_ticks, end = clamp_add(start, t->dur_ticks);

    if (is_in(start, from_ticks, to_ticks))
        return end <= to_ticks ? EXEC_INSIDE : EXEC_PARTLY;
    return start < from_ticks && end > from_ticks ? EXEC_PARTLY : EXEC_OUTSIDE;
}

enum exec_share exec_share_in(struct packed_exec record, int64_t from_ticks, int64_t to_ticks,
                              struct exec_lists *scratch)
{
    size_t n_inside = 0, n_outside = 0;
    struct exec_time span;

    if (exec_one_time(record, &span))
        return share_of(&span, from_ticks, to_ticks);
    read_lists(record, scratch);
    if (!scratch->times.n)
        return is_in(span.start_ticks, from_ticks, to_ticks) ? EXEC_INSIDE : EXEC_OUTSIDE;
    for (size_t i = 0; i < scratch->times.n; i++) {
        const enum exec_share share = share_of(&scratch->times.data[i], from_ticks, to_ticks);

        n_inside += share == EXEC_INSIDE;
        n_outside += share == EXEC_OUTSIDE;
    }
    if (n_outside == scratch->times.n)
        return EXEC_OUTSIDE;
    return n_inside == scratch->times.n ? EXEC_INSIDE : EXEC_PARTLY;
}

/* VALUE * PART / WHOLE, rounded. */
static int64_t share_value(int64_t value, size_t part, size_t whole)
{
    const int64_t n = (int64_t)whole;
    const int64_t rest = clamp_mul(value % n, (int64_t)part);

    if (part == whole)
        return value;
    return clamp_add(clamp_mul(value / n, (int64_t)part), (rest + n / 2) / n);
}

/* Clips the times of LISTS; returns how many begin in the range. */
static size_t clip_times(struct exec_lists *lists, int64_t from_ticks, int64_t to_ticks)
{
    size_t n_kept = 0, n_begin = 0;

    for (size_t i = 0; i < lists->times.n; i++) {
        struct exec_time t = lists->times.data[i];
        const int64_t end = clamp_add(t.start_ticks, t.dur_ticks);

        if (share_of(&t, from_ticks, to_ticks) == EXEC_OUTSIDE)
            continue;
        n_begin += is_in(t.start_ticks, from_ticks, to_ticks);
        KEEP_MAX(t.start_ticks, from_ticks);
        if (end > to_ticks)
            t.dur_ticks = clamp_sub(to_ticks, t.start_ticks);
        else
            t.dur_ticks = clamp_sub(end, t.start_ticks);
        lists->times.data[n_kept++] = t;
    }
    lists->times.n = n_kept;
    return n_begin;
}

/* Scales the memory of LISTS to PART of WHOLE runs, except peak and residual bytes (no sums). */
static void share_memory(struct exec_lists *lists, size_t part, size_t whole)
{
    if (!part) {
        lists->memories.n = lists->buffers.n = lists->allocations.n = 0;
        return;
    }
    vec_each(struct exec_memory, m, &lists->memories) {
        m->requested_bytes = share_value(m->requested_bytes, part, whole);
        m->output_bytes = share_value(m->output_bytes, part, whole);
    }
}

void exec_pack_clip(struct exec_pack *pack, struct packed_exec record, int64_t from_ticks, int64_t to_ticks,
                    struct exec_lists *scratch)
{
    struct exec figures = {.step = exec_step(record)};
    struct exec_record r = {.step = figures.step};
    bool saturated = false;
    size_t n_times, n_begin;

    exec_add(&figures, record, (struct clock){1}, &saturated);
    read_lists(record, scratch);
    n_times = scratch->times.n;
    n_begin = clip_times(scratch, from_ticks, to_ticks);
    share_memory(scratch, n_begin, n_times);
    r.run_count = n_times ? share_value(figures.run_count, n_begin, n_times) : 0;
    r.start_ticks = figures.start_ticks < from_ticks ? from_ticks : figures.start_ticks;
    r.latest_end_ticks = figures.latest_end_ticks > to_ticks ? to_ticks : figures.latest_end_ticks;
    r.times = scratch->times.data;
    r.memories = scratch->memories.data;
    r.buffers = scratch->buffers.data;
    r.allocations = scratch->allocations.data;
    r.devices = scratch->devices.data;
    r.n_times = (uint32_t)scratch->times.n;
    r.n_memories = (uint32_t)scratch->memories.n;
    r.n_allocations = (uint32_t)scratch->allocations.n;
    r.n_devices = (uint32_t)scratch->devices.n;
    exec_pack_add(pack, &r, &saturated);
}

int64_t exec_first_start(struct packed_exec record, struct exec_lists *scratch)
{
    int64_t first = INT64_MAX;
    struct exec_time span;

    if (exec_one_time(record, &span))
        return span.dur_ticks > 0 ? span.start_ticks : INT64_MAX;
    read_lists(record, scratch);
    for (size_t i = 0; i < scratch->times.n; i++)
        if (scratch->times.data[i].dur_ticks > 0 && scratch->times.data[i].start_ticks < first)
            first = scratch->times.data[i].start_ticks;
    return first;
}
