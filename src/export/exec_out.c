/* exec_out.c: writes executions of a node as ExecProfile messages (fields: formats-tfprof.md
 * section 2). */
#include "export/trace_out.h"

#include "base/wire_out.h"
#include "model/profile_fields.h"

enum { TUPLE_VALUES = 1, ENTRY_KEY = 1, ENTRY_VALUE = 2 };

void wire_name(struct strbuf *sb, uint32_t field, const struct profile *p, strid text)
{
    if (text != STRID_EMPTY)
        wire_bytes(sb, field, profile_text(p, text), intern_len(&p->strings, text));
}

enum exec_field {
    EXEC_RUN_COUNT = 1, EXEC_ALL_START_MICROS = 2, EXEC_LATEST_END_MICROS = 3,
    EXEC_ACCELERATOR_EXECS = 4, EXEC_CPU_EXECS = 5, EXEC_DEVICES = 6, EXEC_MEMORY_EXECS = 7,
    EXEC_ALLOCATIONS = 11,
};

/* The format has whole microseconds; P's clock may be finer. */
static int64_t micros_of(const struct profile *p, int64_t ticks)
{
    bool saturated = false;

    return p->clock.tick_ps == PS_PER_US ? ticks
                                         : clock_ps(p->clock, ticks, &saturated) / PS_PER_US;
}

/* Converts a duration to whole microseconds. *CARRY_PS carries the remainder to the next one, so
 * that sums are exact to a microsecond. */
static int64_t dur_micros(const struct profile *p, int64_t ticks, int64_t *carry_ps)
{
    bool saturated = false;
    int64_t dur_ps;

    if (p->clock.tick_ps == PS_PER_US)
        return ticks;
    dur_ps = clamp_add(clock_ps(p->clock, ticks, &saturated), *carry_ps);
    *carry_ps = dur_ps % PS_PER_US;
    return dur_ps / PS_PER_US;
}

/* Appends map<string, ExecTime>: one entry per device, executions in recorded order. */
static void add_times(struct strbuf *sb, const struct profile *p, const struct exec_lists *lists)
{
    const struct exec_time *times = lists->times.data;

    for (size_t i = 0; i < lists->times.n; i++) {
        strid device = times[i].device;
        size_t entry, exec_time;
        int64_t carry_ps = PS_PER_US / 2; /* rounds the sum to the nearest */
        bool seen = false;

        for (size_t k = 0; k < i && !seen; k++)
            seen = times[k].device == device;
        if (seen)
            continue;
        entry = wire_begin(sb, times[i].accelerator ? EXEC_ACCELERATOR_EXECS : EXEC_CPU_EXECS);
        wire_name(sb, ENTRY_KEY, p, device);
        exec_time = wire_begin(sb, ENTRY_VALUE);
        for (size_t k = i; k < lists->times.n; k++) {
            int64_t values[2];
            size_t tuple;

            if (times[k].device != device)
                continue;
            values[0] = micros_of(p, times[k].start_ticks);
            values[1] = dur_micros(p, times[k].dur_ticks, &carry_ps);
            tuple = wire_begin(sb, 1);
            wire_packed(sb, TUPLE_VALUES, values, 2);
            wire_end(sb, tuple);
        }
        wire_end(sb, exec_time);
        wire_end(sb, entry);
    }
}

static void add_output_buffer(struct strbuf *sb, const struct output_buffer *b)
{
    size_t entry = wire_begin(sb, 11);
    size_t memory;

    wire_int(sb, ENTRY_KEY, b->slot);
    memory = wire_begin(sb, ENTRY_VALUE);
    wire_int(sb, 1, b->bytes);
    wire_int(sb, 2, (int64_t)b->ptr);
    wire_end(sb, memory);
    wire_end(sb, entry);
}

static void add_memory(struct strbuf *sb, const struct profile *p, const struct exec_memory *m,
                       const struct output_buffer *buffers)
{
    size_t mark = wire_begin(sb, EXEC_MEMORY_EXECS);

    wire_int(sb, 1, micros_of(p, m->memory_ticks));
    wire_int(sb, 2, m->host_temp_bytes);
    wire_int(sb, 3, m->host_persistent_bytes);
    wire_int(sb, 4, m->accelerator_temp_bytes);
    wire_int(sb, 5, m->accelerator_persistent_bytes);
    wire_int(sb, 6, m->requested_bytes);
    wire_int(sb, 7, m->peak_bytes);
    wire_int(sb, 8, m->residual_bytes);
    wire_int(sb, 9, m->output_bytes);
    wire_int(sb, 10, m->allocator_bytes_in_use);
    for (uint32_t i = 0; i < m->n_outputs; i++)
        add_output_buffer(sb, &buffers[i]);
    wire_end(sb, mark);
}

static void add_allocation(struct strbuf *sb, const struct profile *p, const struct allocation *a)
{
    size_t mark = wire_begin(sb, EXEC_ALLOCATIONS);

    wire_int(sb, 1, micros_of(p, a->alloc_ticks));
    wire_int(sb, 2, a->bytes);
    wire_end(sb, mark);
}

void exec_write(struct strbuf *sb, const struct profile *p, const struct exec *e,
                struct exec_lists *lists)
{
    size_t entry = wire_begin(sb, NODE_EXEC);
    size_t buffer = 0;
    size_t exec;

    profile_exec_lists(p, e, lists);
    wire_int(sb, ENTRY_KEY, e->step);
    exec = wire_begin(sb, ENTRY_VALUE);
    wire_int(sb, EXEC_RUN_COUNT, e->run_count);
    wire_int(sb, EXEC_ALL_START_MICROS, micros_of(p, e->start_ticks));
    wire_int(sb, EXEC_LATEST_END_MICROS, micros_of(p, e->latest_end_ticks));
    add_times(sb, p, lists);
    for (size_t i = 0; i < lists->devices.n; i++)
        wire_name(sb, EXEC_DEVICES, p, lists->devices.data[i]);
    for (size_t i = 0; i < lists->memories.n; i++) {
        add_memory(sb, p, &lists->memories.data[i], vec_from(&lists->buffers, buffer));
        buffer += lists->memories.data[i].n_outputs;
    }
    for (size_t i = 0; i < lists->allocations.n; i++)
        add_allocation(sb, p, &lists->allocations.data[i]);
    wire_end(sb, exec);
    wire_end(sb, entry);
}
