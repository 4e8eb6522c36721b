/* execprofile.c: the stored execution records of a profile, in both layouts
 * (formats-tfprof.md sections 2 and 2.1). */
#include <string.h>

#include "load/bytes/elements.h"
#include "load/run/profile_scratch.h"
#include "model/last_wins.h"

enum {
    EXEC_ACCELERATOR_TIMES = 4,
    EXEC_CPU_TIMES = 5,
    EXEC_DEVICE = 6,
    EXEC_MEMORY = 7,
    EXEC_ALLOCATION = 11,
    EXEC_LAST_NUMBER = 16,
    EXEC_FLAT_BUFFER = 17,
};

/* The numbers of an ExecProfile by field.  Release 1.4 stored one memory record
 * in the fields from 7 on; later ones use 7 and 11 for messages, so the wire
 * type tells them apart. */
struct exec_numbers {
    int64_t by_field[EXEC_LAST_NUMBER + 1];
    bool has_flat_memory;
};

static bool read_exec(struct loader *l, struct span record, struct exec_numbers *numbers,
                      struct err *err)
{
    struct profile_scratch *s = l->profile;
    struct wire_in in = span_walk(record);
    struct wire_field f;

    memset(numbers, 0, sizeof *numbers);
    s->exec_fields.n = 0;
    while (wire_next(&in, &f)) {
        if (f.type == WIRE_VARINT && f.number <= EXEC_LAST_NUMBER) {
            numbers->by_field[f.number] = (int64_t)f.value;
            numbers->has_flat_memory |= f.number >= EXEC_MEMORY;
        } else if (f.type == WIRE_LEN) {
            vec_push(&s->exec_fields, f);
        }
    }
    return load_ended(l, &in, "execution record", err);
}

/* ---- times */

static bool add_times(struct loader *l, const struct device_times *of, bool accelerator,
                      struct err *err)
{
    struct wire_in in = span_walk(of->times);
    struct exec_time time = {.device = of->device, .accelerator = accelerator};
    struct wire_field f;

    while (wire_next(&in, &f)) {
        if (f.number != 1 || f.type != WIRE_LEN)
            continue;
        if (!load_tuple(l, field_span(&f), err))
            return false;
        if (l->dims.n != 2)
            return load_fail(l, f.start, err, "execution time is not a start and a duration");
        time.start_ticks = l->dims.data[0];
        time.dur_ticks = l->dims.data[1];
        vec_push(&l->times, time);
    }
    return load_ended(l, &in, "execution times", err);
}

static int compare_devices(const void *x, const void *y)
{
    const struct device_times *a = x;
    const struct device_times *b = y;

    return (a->device > b->device) - (a->device < b->device);
}

/* All entries of one of the two maps of times. */
static bool add_time_map(struct loader *l, uint32_t field, struct err *err)
{
    struct profile_scratch *s = l->profile;
    struct map_entry e;

    s->device_times.n = 0;
    for (size_t i = 0; i < s->exec_fields.n; i++) {
        struct device_times times;

        if (s->exec_fields.data[i].number != field)
            continue;
        if (!load_map_entry(l, field_span(&s->exec_fields.data[i]), &l->pieces, &e, err))
            return false;
        times.device = builder_str(l->builder, e.key_span.bytes, e.key_span.len);
        times.times = e.value_span;
        vec_push(&s->device_times, times);
    }
    s->device_times.n = sort_last_wins(s->device_times.data, s->device_times.n,
                                       sizeof *s->device_times.data, compare_devices);
    for (size_t i = 0; i < s->device_times.n; i++)
        if (!add_times(l, &s->device_times.data[i], field == EXEC_ACCELERATOR_TIMES, err))
            return false;
    return true;
}

/* ---- memory */

/* A map entry of output_memory: slot -> Memory, appended to l->profile->buffers. */
static bool add_buffer(struct loader *l, struct span entry, struct err *err)
{
    struct profile_scratch *s = l->profile;
    struct output_buffer buffer = {0};
    struct map_entry e, memory;

    /* A Memory has the layout of a map entry of numbers. */
    if (!load_map_entry(l, entry, &l->pieces, &e, err) ||
        !load_map_entry(l, e.value_span, NULL, &memory, err))
        return false;
    buffer.slot = (int32_t)e.key;
    buffer.bytes = memory.key;
    buffer.ptr = (uint64_t)memory.value;
    vec_push(&s->buffers, buffer);
    return true;
}

/* Adds MEMORY, whose buffers are those from FIRST on. */
static void push_memory(struct loader *l, struct exec_memory *memory, size_t first)
{
    struct profile_scratch *s = l->profile;

    memory->n_outputs = output_buffers_settle(vec_from(&s->buffers, first), s->buffers.n - first);
    s->buffers.n = first + memory->n_outputs;
    vec_push(&s->memories, *memory);
}

/* An ExecMemory. */
static bool add_memory(struct loader *l, struct span message, struct err *err)
{
    struct profile_scratch *s = l->profile;
    struct wire_in in = span_walk(message);
    int64_t n[11] = {0}; /* by field */
    size_t first_buffer = s->buffers.n;
    struct exec_memory memory;
    struct wire_field f;

    while (wire_next(&in, &f)) {
        if (f.number <= 10 && f.type == WIRE_VARINT)
            n[f.number] = (int64_t)f.value;
        else if (f.number == 11 && f.type == WIRE_LEN && !add_buffer(l, field_span(&f), err))
            return false;
    }
    memory = (struct exec_memory){
        .memory_ticks = n[1],
        .host_temp_bytes = n[2],
        .host_persistent_bytes = n[3],
        .accelerator_temp_bytes = n[4],
        .accelerator_persistent_bytes = n[5],
        .requested_bytes = n[6],
        .peak_bytes = n[7],
        .residual_bytes = n[8],
        .output_bytes = n[9],
        .allocator_bytes_in_use = n[10],
    };
    push_memory(l, &memory, first_buffer);
    return load_ended(l, &in, "memory record", err);
}

/* The memory record of release 1.4; it has no time of its own. */
static bool add_flat_memory(struct loader *l, const struct exec_numbers *numbers,
                            struct err *err)
{
    struct profile_scratch *s = l->profile;
    const int64_t *n = numbers->by_field;
    size_t first_buffer = s->buffers.n;
    struct exec_memory memory = {
        .memory_ticks = n[3],
        .requested_bytes = n[7],
        .peak_bytes = n[8],
        .residual_bytes = n[9],
        .output_bytes = n[10],
        .host_temp_bytes = n[11],
        .host_persistent_bytes = n[12],
        .accelerator_temp_bytes = n[13],
        .accelerator_persistent_bytes = n[14],
        .allocator_bytes_in_use = n[15],
    };

    for (size_t i = 0; i < s->exec_fields.n; i++)
        if (s->exec_fields.data[i].number == EXEC_FLAT_BUFFER &&
            !add_buffer(l, field_span(&s->exec_fields.data[i]), err))
            return false;
    push_memory(l, &memory, first_buffer);
    return true;
}

/* ---- the record */

static bool add_lists(struct loader *l, struct err *err)
{
    struct profile_scratch *s = l->profile;
    struct allocation allocation;

    for (size_t i = 0; i < s->exec_fields.n; i++) {
        struct span value = field_span(&s->exec_fields.data[i]);

        switch (s->exec_fields.data[i].number) {
        case EXEC_DEVICE:
            vec_push(&s->devices, builder_str(l->builder, value.bytes, value.len));
            break;
        case EXEC_MEMORY:
            if (!add_memory(l, value, err))
                return false;
            break;
        case EXEC_ALLOCATION:
            if (!load_allocation(l, value, &allocation, err))
                return false;
            vec_push(&s->allocations, allocation);
            break;
        default:
            break;
        }
    }
    return true;
}

bool load_exec_profile(struct loader *l, node_id node, int64_t step, struct span record,
                       struct err *err)
{
    struct profile_scratch *s = l->profile;
    struct exec_numbers numbers;
    struct exec_record r = {.step = step};

    if (!read_exec(l, record, &numbers, err))
        return false;
    l->times.n = s->memories.n = s->buffers.n = s->allocations.n = s->devices.n = 0;
    if (!add_time_map(l, EXEC_ACCELERATOR_TIMES, err) || !add_time_map(l, EXEC_CPU_TIMES, err) ||
        !add_lists(l, err) || (numbers.has_flat_memory && !add_flat_memory(l, &numbers, err)))
        return false;
    r.run_count = numbers.by_field[1];
    r.start_ticks = numbers.by_field[2];
    r.latest_end_ticks = numbers.by_field[3];
    r.times = l->times.data;
    r.n_times = (uint32_t)l->times.n;
    r.memories = s->memories.data;
    r.n_memories = (uint32_t)s->memories.n;
    r.buffers = s->buffers.data;
    r.allocations = s->allocations.data;
    r.n_allocations = (uint32_t)s->allocations.n;
    r.devices = s->devices.data;
    r.n_devices = (uint32_t)s->devices.n;
    builder_add_record(l->builder, node, &r);
    return true;
}
