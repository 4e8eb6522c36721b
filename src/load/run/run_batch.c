/* run_batch.c: decodes RunMetadata entries independently of the profile that they are added to
 * (semantics.md section 1.2). */
#include "load/run/run_batch.h"

#include <string.h>

#include "base/satmath.h"
#include "model/memory_records.h"

void run_batch_done(void *of)
{
    struct run_batch *batch = of;

    EACH(vec_done, &batch->messages, &batch->entries);
    exec_pack_done(&batch->records);
    EACH(vec_done, &batch->outputs, &batch->dims, &batch->fields, &batch->buffers,
         &batch->allocations, &batch->histories, &batch->history_events);
    arena_done(&batch->pieces);
}

void run_batch_clear(void *of)
{
    struct run_batch *batch = of;

    batch->messages.n = 0;
    batch->entries.n = 0;
    exec_pack_clear(&batch->records);
    batch->outputs.n = 0;
    batch->dims.n = 0;
    batch->histories.n = batch->history_events.n = 0;
    arena_reset(&batch->pieces);
}

void run_batch_add(struct run_batch *batch, struct span message, const struct step_device *step_device)
{
    vec_push(&batch->messages, ((struct run_message){message, step_device}));
}

/* ---- decoding */

static bool decode_head(struct run_batch *batch, const struct loader *l, struct run_entry *entry,
                        struct err *err)
{
    struct wire_in in = span_walk(entry->message);
    const uint8_t *colon;
    struct wire_field f;

    entry->name = (struct span){entry->message.bytes, 0};
    entry->n_outputs = 0;
    batch->fields.n = 0;
    while (wire_next(&in, &f)) {
        if (f.number == 1 && f.type == WIRE_LEN) {
            entry->name = field_span(&f);
        } else if (f.number == 2 && f.type == WIRE_VARINT) {
            entry->start_us = (int64_t)f.value;
        } else if (f.number == 4 && f.type == WIRE_VARINT) {
            entry->end_rel_us = (int64_t)f.value;
        } else if (f.type == WIRE_LEN && (f.number == ENTRY_MEMORY || f.number == ENTRY_OUTPUT ||
                                          f.number == ENTRY_MEMORY_STATS)) {
            entry->n_outputs += f.number == ENTRY_OUTPUT;
            vec_push(&batch->fields, f);
        }
    }
    colon = entry->name.len ? memchr(entry->name.bytes, ':', entry->name.len) : NULL;
    if (colon)
        entry->name.len = (size_t)(colon - entry->name.bytes);
    entry->name_hash = intern_hash(entry->name.bytes, entry->name.len);
    return load_ended(l, &in, "execution record", err);
}

/* Decodes the record of the entry whose head was decoded last.  WITH_MEMORY: the entry is on the
 * node's canonical device. */
static bool decode_record(struct run_batch *batch, const struct loader *l,
                          struct run_entry *entry, bool with_memory, struct err *err)
{
    const struct step_device *at = entry->step_device;
    struct exec_record r = {.step = at->step, .devices = &at->device, .n_devices = 1};
    struct exec_time time = {.device = at->device, .accelerator = at->stream,
                             .start_ticks = entry->start_us,
                             .dur_ticks = entry->end_rel_us ? entry->end_rel_us : 1};
    struct exec_memory memory = {.memory_ticks = 0};

    if (entry->start_us > 0) {
        r.start_ticks = entry->start_us;
        r.latest_end_ticks = sat_add(entry->start_us, time.dur_ticks, &entry->saturated);
        r.run_count = !at->stream && at->canonical;
        r.times = &time;
        r.n_times = at->stream || at->canonical;
        if (with_memory) {
            if (!run_memory_decode(batch, l, entry, &memory, err))
                return false;
            r.memories = &memory;
            r.n_memories = 1;
            r.buffers = batch->buffers.data;
            r.allocations = batch->allocations.data;
            r.n_allocations = (uint32_t)batch->allocations.n;
        }
    }
    entry->record = batch->records.bytes.n;
    exec_pack_add(&batch->records, &r, &entry->saturated);
    entry->record_bytes = batch->records.bytes.n - entry->record;
    return true;
}

/* Decodes ENTRY up to a malformed field; output shapes only when WANTED. */
static void decode_entry(struct run_batch *batch, const struct loader *l, struct run_entry *entry,
                         bool wanted, struct err *err)
{
    if (!decode_head(batch, l, entry, err))
        return;
    entry->done |= RUN_HEAD;
    if (decode_record(batch, l, entry, entry->step_device->canonical, err))
        entry->done |= RUN_RECORD;
    else
        err_done(err);
    if (wanted && run_outputs_decode(batch, l, entry, err))
        entry->done |= RUN_OUTPUTS;
}

void run_batch_decode(struct run_batch *batch, const struct loader *l)
{
    /* From the second step on nearly all nodes have shapes; the others are decoded when they are
     * joined. */
    const bool outputs_wanted = !builder_profile(l->builder)->has_runtime;

    for (size_t i = 0; i < batch->messages.n; i++) {
        const struct run_message *m = &batch->messages.data[i];
        struct err err = {0};

        vec_push(&batch->entries, ((struct run_entry){.message = m->message, .step_device = m->step_device}));
        decode_entry(batch, l, &batch->entries.data[i], outputs_wanted, &err);
        err_done(&err); /* run_batch_join() reports it when the part is needed */
    }
}

/* ---- joining */

static bool is_dropped_name(struct span name)
{
    return span_is(name, "RecvTensor") || span_is(name, "_SOURCE") ||
           (name.len && memmem(name.bytes, name.len, "MEMCPY", strlen("MEMCPY")));
}

static void cover(struct loader *l, node_id node)
{
    if (node >= l->covered.n)
        vec_resize_zero(&l->covered, builder_n_nodes(l->builder));
    l->n_covered += !l->covered.data[node];
    l->covered.data[node] = 1;
}

/* The node of an entry, added if the graph does not have it; NODE_NONE: dropped. */
static node_id entry_node(struct loader *l, const struct run_entry *entry)
{
    strid id = builder_str_hashed(l->builder, entry->name.bytes, entry->name.len,
                                  entry->name_hash);
    node_id node = builder_find(l->builder, id);
    bool added;

    if (node != NODE_NONE)
        cover(l, node);
    else if (!is_dropped_name(entry->name))
        node = builder_node(l->builder, id, id, &added);
    return node;
}

/* Sets the device of NODE if it has none; false when NODE runs on another device and the entry is
 * dropped. */
static bool assign_device(struct builder *b, node_id node, const struct step_device *at)
{
    strid device = builder_get_device(b, node);

    if (!at->canonical || device == at->device)
        return true;
    if (device != STRID_EMPTY)
        return false;
    builder_set_devices(b, node, at->device, at->host_device);
    builder_add_type(b, node, at->device);
    return true;
}

/* Decodes the record again: to report its error, or because the node's device is not canonical in
 * any RunMetadata. */
static bool decode_again(struct run_batch *batch, const struct loader *l, struct run_entry *entry,
                         struct err *err)
{
    return decode_head(batch, l, entry, err) && decode_record(batch, l, entry, true, err);
}

/* Stores NODE's allocations, for the memory in use over time. */
static void join_histories(const struct run_batch *batch, struct loader *l, node_id node,
                           const struct run_entry *entry)
{
    struct profile *p = builder_profile(l->builder);

    for (size_t i = 0; i < entry->n_histories; i++) {
        const struct run_history *h = &batch->histories.data[entry->first_history + i];
        const struct memory_record_list list = {
            .step = entry->step_device->step,
            .node = node,
            .file = l->file,
            .device = entry->step_device->device,
            .allocator = builder_str(l->builder, h->allocator.bytes, h->allocator.len),
            .n = (uint32_t)h->n,
        };

        memory_records_add(p, list, batch->history_events.data + h->first);
    }
}

static bool join_record(struct run_batch *batch, struct loader *l, node_id node,
                        struct run_entry *entry, struct err *err)
{
    const struct step_device *at = entry->step_device;
    bool with_memory = builder_get_device(l->builder, node) == at->device;

    if ((!(entry->done & RUN_RECORD) || with_memory != at->canonical) &&
        !decode_again(batch, l, entry, err))
        return false;
    builder_add_packed(l->builder, node, at->step, &batch->records, entry->record, entry->record_bytes);
    if (entry->saturated)
        builder_saturated(l->builder, node);
    join_histories(batch, l, node, entry);
    return true;
}

/* Stores the output shapes if there are more of them than before for NODE. */
static bool join_outputs(struct run_batch *batch, struct loader *l, node_id node,
                         struct run_entry *entry, struct err *err)
{
    if (entry->n_outputs <= builder_n_run_outputs(l->builder, node))
        return true;
    if (!(entry->done & RUN_OUTPUTS) &&
        !(decode_head(batch, l, entry, err) && run_outputs_decode(batch, l, entry, err)))
        return false;
    l->run_outputs.n = 0;
    for (size_t i = 0; i < entry->n_outputs; i++) {
        const struct run_shape *from = &batch->outputs.data[entry->first_output + i];
        struct run_output output = {.slot = from->slot, .shape = SHAPE_UNKNOWN};

        if (from->described)
            output.shape = shape_intern(l->builder, &batch->dims, &from->shape);
        vec_push(&l->run_outputs, output);
    }
    builder_set_run_outputs(l->builder, node, l->run_outputs.data, l->run_outputs.n);
    return true;
}

static bool join_entry(struct run_batch *batch, struct loader *l, struct run_entry *entry,
                       struct err *err)
{
    node_id node;

    if (!(entry->done & RUN_HEAD))
        return decode_head(batch, l, entry, err);
    node = entry_node(l, entry);
    if (node == NODE_NONE || !assign_device(l->builder, node, entry->step_device))
        return true;
    return join_record(batch, l, node, entry, err) && join_outputs(batch, l, node, entry, err);
}

bool run_batch_join(struct run_batch *batch, struct loader *l, struct err *err)
{
    struct run_entry *entries = batch->entries.data;

    for (size_t i = 0; i < batch->entries.n; i++) {
        const size_t n = intern_group(i, batch->entries.n);

        span_prefetch(&entries[i].name, n, sizeof *entries);
        builder_prefetch(l->builder, &entries[i].name_hash, n, sizeof *entries);
        if (!load_tick(l, entries[i].message.bytes, err) ||
            !join_entry(batch, l, &entries[i], err))
            return false;
    }
    return true;
}
