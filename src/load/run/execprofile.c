/* execprofile.c: decodes the execution records of a stored profile, in both layouts
 * (formats-tfprof.md sections 2 and 2.1). */
#include <string.h>

#include "base/compare.h"
#include "base/stable_sort.h"
#include "load/bytes/elements.h"
#include "load/run/profile_batch.h"
#include "model/profile_fields.h"

enum {
    EXEC_ACCELERATOR_TIMES = 4,
    EXEC_CPU_TIMES = 5,
    EXEC_DEVICE = 6,
    EXEC_MEMORY = 7,
    EXEC_ALLOCATION = 11,
    EXEC_LAST_NUMBER = 16,
    EXEC_FLAT_BUFFER = 17,
};

/* The numeric fields of an ExecProfile.  Release 1.4 stored one memory record in the fields from 7
 * on; later releases have messages in 7 and 11, distinguished by wire type. */
struct exec_numbers {
    int64_t by_field[EXEC_LAST_NUMBER + 1];
    bool has_flat_memory;
};

static bool read_exec(struct profile_batch *batch, const struct loader *l, struct span record,
                      struct exec_numbers *numbers,
                      struct err *err)
{
    struct wire_in in = span_walk(record);
    struct wire_field f;

    memset(numbers, 0, sizeof *numbers);
    batch->exec_fields.n = 0;
    while (wire_next(&in, &f)) {
        if (f.type == WIRE_VARINT && f.number <= EXEC_LAST_NUMBER) {
            numbers->by_field[f.number] = (int64_t)f.value;
            numbers->has_flat_memory |= f.number >= EXEC_MEMORY;
        } else if (f.type == WIRE_LEN) {
            vec_push(&batch->exec_fields, f);
        }
    }
    return load_ended(l, &in, "execution record", err);
}

/* ---- times */

static bool add_times(struct profile_batch *batch, const struct loader *l,
                      struct device_times *of, struct err *err)
{
    struct wire_in in = wire_in_of(of->message, of->message_len);
    struct wire_field f;

    of->first_time = (uint32_t)batch->times.n;
    of->n_times = TIMES_BAD;
    while (wire_next_len(&in, &f, 1)) {
        const int64_t *pair;

        batch->numbers.n = 0;
        if (!load_tuple(l, field_span(&f), &batch->numbers, err))
            return false;
        if (batch->numbers.n != 2)
            return load_fail(l, f.start, err, "execution time is not a start and a duration");
        pair = batch->numbers.data;
        vec_push(&batch->times,
                 ((struct exec_time){.start_ticks = pair[0], .dur_ticks = pair[1]}));
    }
    if (!load_ended(l, &in, "execution times", err))
        return false;
    of->n_times = (uint32_t)batch->times.n - of->first_time;
    return true;
}

/* Decodes all entries of one of the two maps of times. */
static bool decode_time_map(struct profile_batch *batch, const struct loader *l, uint32_t field,
                            struct list_part *map, struct err *err)
{
    const size_t first = batch->device_times.n;
    struct map_entry e;

    fields_each(f, batch->exec_fields, field) {
        struct device_times times = {.device = STRID_EMPTY};
        struct err bad = {0};

        if (!load_map_entry(l, field_span(f), &batch->pieces, &e, err))
            return false;
        times.name = e.key_span.bytes;
        times.name_len = (uint32_t)e.key_span.len;
        times.name_hash = intern_hash(e.key_span.bytes, e.key_span.len);
        times.message = e.value_span.bytes;
        times.message_len = (uint32_t)e.value_span.len;
        if (!add_times(batch, l, &times, &bad))
            batch->times.n = times.first_time;
        err_done(&bad);
        vec_push(&batch->device_times, times);
    }
    *map = list_part(first, batch->device_times.n);
    return true;
}

/* ---- memory */

/* Appends a map entry of output_memory, slot -> Memory, to batch->buffers. */
static bool add_buffer(struct profile_batch *batch, const struct loader *l, struct span entry,
                       struct err *err)
{
    struct output_buffer buffer = {0};
    struct map_entry e, memory;

    /* A Memory has the encoding of a map entry of numbers. */
    if (!load_map_entry(l, entry, &batch->pieces, &e, err) ||
        !load_map_entry(l, e.value_span, NULL, &memory, err))
        return false;
    buffer.slot = (int32_t)e.key;
    buffer.bytes = memory.key;
    buffer.ptr = (uint64_t)memory.value;
    vec_push(&batch->buffers, buffer);
    return true;
}

/* Adds MEMORY with its buffers, which start at FIRST. */
static void push_memory(struct profile_batch *batch, struct exec_memory *memory, size_t first)
{
    memory->n_outputs =
        output_buffers_normalize(vec_from(&batch->buffers, first), batch->buffers.n - first);
    batch->buffers.n = first + memory->n_outputs;
    vec_push(&batch->memories, *memory);
}

/* Decodes an ExecMemory. */
static bool add_memory(struct profile_batch *batch, const struct loader *l, struct span message,
                       struct err *err)
{
    struct wire_in in = span_walk(message);
    int64_t n[11] = {0}; /* by field */
    size_t first_buffer = batch->buffers.n;
    struct exec_memory memory;
    struct wire_field f;

    while (wire_next(&in, &f)) {
        if (f.number <= 10 && f.type == WIRE_VARINT)
            n[f.number] = (int64_t)f.value;
        else if (f.number == 11 && f.type == WIRE_LEN && !add_buffer(batch, l, field_span(&f), err))
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
    push_memory(batch, &memory, first_buffer);
    return load_ended(l, &in, "memory record", err);
}

/* The memory record of release 1.4, which has no time. */
static bool add_flat_memory(struct profile_batch *batch, const struct loader *l,
                            const struct exec_numbers *numbers, struct err *err)
{
    const int64_t *n = numbers->by_field;
    size_t first_buffer = batch->buffers.n;
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

    fields_each(f, batch->exec_fields, EXEC_FLAT_BUFFER)
        if (!add_buffer(batch, l, field_span(f), err))
            return false;
    push_memory(batch, &memory, first_buffer);
    return true;
}

/* ---- records */

static bool decode_lists(struct profile_batch *batch, const struct loader *l, struct err *err)
{
    struct allocation allocation;

    vec_each(const struct wire_field, f, &batch->exec_fields) {
        struct span value = field_span(f);

        switch (f->number) {
        case EXEC_DEVICE:
            vec_push(&batch->texts, decode_text(value));
            break;
        case EXEC_MEMORY:
            if (!add_memory(batch, l, value, err))
                return false;
            break;
        case EXEC_ALLOCATION:
            if (!load_allocation(l, value, &allocation, err))
                return false;
            vec_push(&batch->allocations, allocation);
            break;
        default:
            break;
        }
    }
    return true;
}

static bool decode_exec(struct profile_batch *batch, const struct loader *l,
                        const struct numbered_record *record, struct err *err)
{
    const size_t first_text = batch->texts.n, first_memory = batch->memories.n,
                 first_allocation = batch->allocations.n;
    struct decoded_exec exec = {.step = record->step, .first_buffer = batch->buffers.n};
    struct exec_numbers numbers;

    if (!read_exec(batch, l, record->record, &numbers, err) ||
        !decode_time_map(batch, l, EXEC_ACCELERATOR_TIMES, &exec.accelerator_times, err) ||
        !decode_time_map(batch, l, EXEC_CPU_TIMES, &exec.cpu_times, err) ||
        !decode_lists(batch, l, err) ||
        (numbers.has_flat_memory && !add_flat_memory(batch, l, &numbers, err)))
        return false;
    exec.run_count = numbers.by_field[1];
    exec.start_ticks = numbers.by_field[2];
    exec.latest_end_ticks = numbers.by_field[3];
    exec.devices = list_part(first_text, batch->texts.n);
    exec.memories = list_part(first_memory, batch->memories.n);
    exec.allocations = list_part(first_allocation, batch->allocations.n);
    vec_push(&batch->execs, exec);
    return true;
}

COMPARE_BY(compare_steps, struct numbered_record, step)

bool profile_execs_decode(struct profile_batch *batch, const struct loader *l,
                          struct profile_node *node, struct err *err)
{
    const size_t first = batch->execs.n;
    struct map_entry e;

    batch->step_records.n = 0;
    fields_each(f, batch->fields, NODE_EXEC) {
        if (!load_map_entry(l, field_span(f), &batch->pieces, &e, err))
            return false;
        vec_push(&batch->step_records, ((struct numbered_record){e.key, e.value_span}));
    }
    batch->step_records.n = sort_last_wins(batch->step_records.data, batch->step_records.n,
                                           sizeof *batch->step_records.data, compare_steps);
    for (size_t i = 0; i < batch->step_records.n; i++)
        if (!decode_exec(batch, l, &batch->step_records.data[i], err))
            return false;
    node->execs = list_part(first, batch->execs.n);
    return true;
}

/* ---- joining */

COMPARE_BY(compare_devices, struct device_times, device)

/* Appends one of the two maps of times to l->times. */
static bool join_time_map(struct profile_batch *batch, struct loader *l,
                          const struct list_part *map, bool accelerator, struct err *err)
{
    struct device_times *devices = vec_from(&batch->device_times, map->first);
    size_t n;

    for (size_t i = 0; i < map->n; i++)
        devices[i].device = builder_str_hashed(l->builder, devices[i].name, devices[i].name_len,
                                               devices[i].name_hash);
    n = sort_last_wins(devices, map->n, sizeof *devices, compare_devices);
    for (size_t i = 0; i < n; i++) {
        if (devices[i].n_times == TIMES_BAD && !add_times(batch, l, &devices[i], err))
            return false;
        for (uint32_t k = 0; k < devices[i].n_times; k++) {
            struct exec_time time = batch->times.data[devices[i].first_time + k];

            time.device = devices[i].device;
            time.accelerator = accelerator;
            vec_push(&l->times, time);
        }
    }
    return true;
}

static bool join_exec(struct profile_batch *batch, struct loader *l,
                      const struct decoded_exec *exec, node_id node, struct err *err)
{
    struct exec_record r = {.step = exec->step, .run_count = exec->run_count,
                            .start_ticks = exec->start_ticks,
                            .latest_end_ticks = exec->latest_end_ticks};

    l->times.n = batch->devices.n = 0;
    if (!join_time_map(batch, l, &exec->accelerator_times, true, err) ||
        !join_time_map(batch, l, &exec->cpu_times, false, err))
        return false;
    for (size_t i = 0; i < exec->devices.n; i++)
        vec_push(&batch->devices,
                 join_text(l->builder, &batch->texts.data[exec->devices.first + i]));
    r.times = l->times.data;
    r.n_times = (uint32_t)l->times.n;
    r.memories = vec_from(&batch->memories, exec->memories.first);
    r.n_memories = (uint32_t)exec->memories.n;
    r.buffers = vec_from(&batch->buffers, exec->first_buffer);
    r.allocations = vec_from(&batch->allocations, exec->allocations.first);
    r.n_allocations = (uint32_t)exec->allocations.n;
    r.devices = batch->devices.data;
    r.n_devices = (uint32_t)batch->devices.n;
    builder_add_record(l->builder, node, &r);
    return true;
}

bool profile_execs_join(struct profile_batch *batch, struct loader *l,
                        const struct profile_node *node, node_id id, struct err *err)
{
    for (size_t i = 0; i < node->execs.n; i++)
        if (!join_exec(batch, l, &batch->execs.data[node->execs.first + i], id, err))
            return false;
    return true;
}
