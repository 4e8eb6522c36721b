/* run_memory.c: decodes memory records and output shapes of RunMetadata entries (semantics.md
 * section 1.2). */
#include <string.h>

#include "base/satmath.h"
#include "load/bytes/elements.h"
#include "load/run/run_batch.h"

/* The memory record being decoded. */
struct record {
    struct exec_memory *memory;
    int64_t temp_bytes, persistent_bytes;
    bool saturated;
};

static void add(struct record *r, int64_t *sum, int64_t value)
{
    *sum = sat_add(*sum, value, &r->saturated);
}

bool load_allocation(const struct loader *l, struct span record, struct allocation *allocation,
                     struct err *err)
{
    uint64_t n[3] = {0};
    const bool ok = load_varints(l, record, "allocation record", n, 3, err);

    *allocation = (struct allocation){.alloc_ticks = (int64_t)n[1], .bytes = (int64_t)n[2]};
    return ok;
}

/* Appends the records of the allocator NAME to the histories of ENTRY.  Only pictures need them, so
 * records after a malformed one are dropped without an error. */
static void add_history(struct run_batch *batch, const struct loader *l, struct span message,
                        struct span name, struct run_entry *entry)
{
    struct run_history history = {name, batch->history_events.n, 0};
    struct allocation allocation;
    struct err err = {0};

    wire_each_len(f, span_walk(message), 6) {
        if (!load_allocation(l, field_span(&f), &allocation, &err))
            break;
        if (allocation.bytes)
            vec_push(&batch->history_events, allocation);
    }
    err_done(&err);
    history.n = batch->history_events.n - history.first;
    if (!history.n || history.n > UINT32_MAX)
        return;
    vec_push(&batch->histories, history);
    entry->n_histories++;
}

/* Decodes an AllocatorMemoryUsed.  A name with "GPU" means an accelerator, whose snapshot and
 * history are kept. */
static bool add_allocator(struct run_batch *batch, const struct loader *l, struct span message,
                          struct record *r, struct run_entry *entry, struct err *err)
{
    struct wire_in in = span_walk(message);
    struct wire_field f;
    struct span name = {message.bytes, 0};
    int64_t number[6] = {0}; /* by field: 2 total, 3 peak, 4 live, 5 in use */
    struct allocation allocation;
    bool has_records = false;

    while (wire_next(&in, &f)) {
        if (f.number == 1 && f.type == WIRE_LEN)
            name = field_span(&f);
        else if (f.number >= 2 && f.number <= 5 && f.type == WIRE_VARINT)
            number[f.number] = (int64_t)f.value;
        else if (f.number == 6 && f.type == WIRE_LEN)
            has_records = true;
    }
    if (in.why)
        return load_ended(l, &in, "memory of an allocator", err);
    if (has_records)
        add_history(batch, l, message, name, entry);
    add(r, &r->memory->requested_bytes, number[2]);
    add(r, &r->memory->peak_bytes, number[3]);
    add(r, &r->memory->residual_bytes, number[4]);
    if (name.len < 3 || !memmem(name.bytes, name.len, "GPU", 3))
        return true;
    KEEP_MAX(r->memory->allocator_bytes_in_use, number[5]);
    in = span_walk(message);
    while (has_records && wire_next(&in, &f)) {
        if (f.number != 6 || f.type != WIRE_LEN)
            continue;
        if (!load_allocation(l, field_span(&f), &allocation, err))
            return false;
        vec_push(&batch->allocations, allocation);
    }
    return true;
}

/* Decodes an AllocationDescription: the size of a buffer is the larger of the requested and the
 * allocated bytes. */
static bool read_buffer(const struct loader *l, struct span message, struct output_buffer *buffer,
                        struct err *err)
{
    enum { REQUESTED = 1, ALLOCATED = 2, POINTER = 6 };
    uint64_t n[POINTER + 1] = {0};
    const bool ok = load_varints(l, message, "allocation", n, POINTER + 1, err);

    buffer->bytes = (int64_t)n[REQUESTED];
    KEEP_MAX(buffer->bytes, (int64_t)n[ALLOCATED]);
    buffer->ptr = n[POINTER];
    return ok;
}

/* The fields of a NodeOutput; bytes NULL: missing. */
struct output_parts {
    int32_t slot;
    struct span shape, allocation;
};

static bool read_output(struct run_batch *batch, const struct loader *l, struct span message,
                        struct output_parts *parts, struct err *err)
{
    struct wire_pieces shape = {0}, allocation = {0};
    struct wire_in in = span_walk(message);
    struct wire_field f, g;

    while (wire_next(&in, &f)) {
        struct wire_in tensor;

        if (f.number == 1 && f.type == WIRE_VARINT)
            parts->slot = (int32_t)f.value;
        if (f.number != 3 || f.type != WIRE_LEN)
            continue;
        tensor = span_walk(field_span(&f));
        while (wire_next(&tensor, &g)) {
            if (g.number == 2 && g.type == WIRE_LEN)
                wire_pieces_add(&shape, g.bytes, g.len, &batch->pieces);
            else if (g.number == 4 && g.type == WIRE_LEN)
                wire_pieces_add(&allocation, g.bytes, g.len, &batch->pieces);
        }
        if (tensor.why)
            return load_ended(l, &tensor, "tensor description", err);
    }
    parts->shape = (struct span){shape.bytes, shape.len};
    parts->allocation = (struct span){allocation.bytes, allocation.len};
    return load_ended(l, &in, "output", err);
}

static bool add_output(struct run_batch *batch, const struct loader *l, struct span message,
                       struct record *r, struct err *err)
{
    struct output_parts parts = {0};
    struct output_buffer buffer = {0};

    if (!read_output(batch, l, message, &parts, err))
        return false;
    if (!parts.allocation.bytes)
        return true;
    if (!read_buffer(l, parts.allocation, &buffer, err))
        return false;
    buffer.slot = parts.slot;
    add(r, &r->memory->output_bytes, buffer.bytes);
    vec_push(&batch->buffers, buffer);
    return true;
}

static bool add_memory_stats(const struct loader *l, struct span message, struct record *r,
                             struct err *err)
{
    enum { TEMPORARY = 1, PERSISTENT = 3 };
    uint64_t n[] = {[TEMPORARY] = (uint64_t)r->temp_bytes, [PERSISTENT] = (uint64_t)r->persistent_bytes};
    const bool ok = load_varints(l, message, "memory statistics", n, PERSISTENT + 1, err);

    r->temp_bytes = (int64_t)n[TEMPORARY];
    r->persistent_bytes = (int64_t)n[PERSISTENT];
    return ok;
}

bool run_memory_decode(struct run_batch *batch, const struct loader *l, struct run_entry *entry,
                       struct exec_memory *m, struct err *err)
{
    const bool on_cpu = entry->step_device->on_cpu;
    struct record r = {.memory = m};

    batch->buffers.n = 0;
    batch->allocations.n = 0;
    entry->first_history = batch->histories.n;
    entry->n_histories = 0;
    vec_each(const struct wire_field, f, &batch->fields) {
        struct span message = field_span(f);

        if (f->number == ENTRY_MEMORY && !add_allocator(batch, l, message, &r, entry, err))
            return false;
        if (f->number == ENTRY_OUTPUT && !add_output(batch, l, message, &r, err))
            return false;
        if (f->number == ENTRY_MEMORY_STATS && !add_memory_stats(l, message, &r, err))
            return false;
    }
    m->memory_ticks = sat_add(entry->start_us, entry->end_rel_us, &r.saturated);
    *(on_cpu ? &m->host_temp_bytes : &m->accelerator_temp_bytes) = r.temp_bytes;
    *(on_cpu ? &m->host_persistent_bytes : &m->accelerator_persistent_bytes) = r.persistent_bytes;
    add(&r, &m->requested_bytes, r.persistent_bytes);
    add(&r, &m->requested_bytes, r.temp_bytes);
    add(&r, &m->peak_bytes, r.persistent_bytes);
    add(&r, &m->peak_bytes, r.temp_bytes);
    add(&r, &m->residual_bytes, r.persistent_bytes);
    m->n_outputs = output_buffers_normalize(batch->buffers.data, batch->buffers.n);
    entry->saturated |= r.saturated;
    return true;
}

bool run_outputs_decode(struct run_batch *batch, const struct loader *l, struct run_entry *entry,
                        struct err *err)
{
    entry->first_output = batch->outputs.n;
    fields_each(f, batch->fields, ENTRY_OUTPUT) {
        struct output_parts parts = {0};
        struct run_shape output = {.described = false};

        if (!read_output(batch, l, field_span(f), &parts, err))
            return false;
        output.slot = parts.slot;
        output.described = parts.shape.bytes != NULL;
        if (output.described && !shape_decode(l, parts.shape, &batch->dims, &output.shape, err))
            return false;
        vec_push(&batch->outputs, output);
    }
    return true;
}
