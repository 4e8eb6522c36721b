/* runmeta.c: the steps of RunMetadata files (semantics.md 1.2). */
#include "load/runmeta.h"

#include <inttypes.h>
#include <string.h>

#include "base/satmath.h"
#include "load/device.h"
#include "load/elements.h"
#include "load/run_entry.h"

static bool read_entry(struct loader *l, struct span message, struct run_entry *entry,
                       struct err *err)
{
    struct wire_in in = span_walk(message);
    struct wire_field f;

    entry->name = (struct span){message.bytes, 0};
    entry->start_us = 0;
    entry->end_rel_us = 0;
    l->fields.n = 0;
    while (wire_next(&in, &f)) {
        if (f.number == 1 && f.type == WIRE_LEN)
            entry->name = field_span(&f);
        else if (f.number == 2 && f.type == WIRE_VARINT)
            entry->start_us = (int64_t)f.value;
        else if (f.number == 4 && f.type == WIRE_VARINT)
            entry->end_rel_us = (int64_t)f.value;
        else if (f.type == WIRE_LEN && (f.number == ENTRY_MEMORY || f.number == ENTRY_OUTPUT ||
                                        f.number == ENTRY_MEMORY_STATS))
            vec_push(&l->fields, f);
    }
    return load_ended(l, &in, "execution record", err);
}

/* ---- entries */

static void add_time(struct loader *l, const struct run_place *at, const struct run_entry *entry,
                     node_id node)
{
    bool saturated = false;
    int64_t dur_us = entry->end_rel_us ? entry->end_rel_us : 1;
    int64_t end_us = sat_add(entry->start_us, dur_us, &saturated);
    struct exec *e = builder_exec(l->builder, node, at->step);
    struct exec_time time = {.device = at->device,
                             .accelerator = at->stream,
                             .start_us = entry->start_us,
                             .dur_us = dur_us};

    if (e->start_us == 0 || entry->start_us < e->start_us)
        e->start_us = entry->start_us;
    if (end_us > e->latest_end_us)
        e->latest_end_us = end_us;
    if (!at->stream && at->canonical)
        e->run_count++;
    if (at->stream || at->canonical)
        builder_add_time(l->builder, node, at->step, time);
    if (saturated)
        builder_saturated(l->builder, node);
}

static bool is_dropped_name(struct span name)
{
    return (name.len == 10 && memcmp(name.bytes, "RecvTensor", 10) == 0) ||
           (name.len == 7 && memcmp(name.bytes, "_SOURCE", 7) == 0) ||
           (name.len >= 6 && memmem(name.bytes, name.len, "MEMCPY", 6));
}

static void cover(struct loader *l, node_id node)
{
    if (node >= l->covered.n)
        vec_resize_zero(&l->covered, builder_n_nodes(l->builder));
    l->n_covered += !l->covered.data[node];
    l->covered.data[node] = 1;
}

/* The node of an entry, made when the graph has none; NODE_NONE: dropped. */
static node_id entry_node(struct loader *l, struct span name)
{
    const uint8_t *colon = name.len ? memchr(name.bytes, ':', name.len) : NULL;
    bool added;
    node_id node;
    strid id;

    if (colon)
        name.len = (size_t)(colon - name.bytes);
    id = builder_str(l->builder, name.bytes, name.len);
    node = builder_find(l->builder, id);
    if (node != NODE_NONE)
        cover(l, node);
    else if (!is_dropped_name(name))
        node = builder_node(l->builder, id, id, &added);
    return node;
}

/* A NodeExecStats. */
static bool add_entry(struct loader *l, const struct run_place *at, struct span message,
                      struct err *err)
{
    struct builder *b = l->builder;
    struct run_entry entry;
    node_id node;
    strid device;

    if (!load_pace(l, message.bytes, err) || !read_entry(l, message, &entry, err))
        return false;
    node = entry_node(l, entry.name);
    if (node == NODE_NONE)
        return true;
    device = builder_device(b, node);
    if (at->canonical && device != at->device) {
        if (device != STRID_EMPTY)
            return true; /* the node runs elsewhere: dropped */
        device = at->device;
        builder_set_device(b, node, device, at->host_device);
        builder_add_type(b, node, device);
    }
    builder_exec(b, node, at->step);
    builder_add_exec_device(b, node, at->step, at->device);
    if (entry.start_us > 0)
        add_time(l, at, &entry, node);
    if (entry.start_us > 0 && device == at->device && !run_memory_add(l, at, &entry, node, err))
        return false;
    return run_outputs_add(l, node, err);
}

/* ---- devices and files */

static struct run_place place_of(struct loader *l, struct span device, int64_t step)
{
    struct builder *b = l->builder;
    const struct intern *strings = &builder_profile(b)->strings;
    struct run_place at = {.step = step, .device = builder_str_lower(b, device.bytes, device.len)};
    const char *text = intern_text(strings, at.device);
    struct strbuf host = {0};

    at.canonical = device_is_canonical(text, device.len);
    at.stream = device_is_accelerator_stream(text, device.len);
    at.on_cpu = device.len >= 3 && memmem(text, device.len, "cpu", 3);
    l->step_has_accelerator |= device_is_accelerator(text, device.len);
    l->step_has_stream |= device_is_accelerator(text, device.len) && at.stream;
    device_host(&host, text, device.len);
    at.host_device = builder_str(b, host.data, host.len);
    sb_done(&host);
    return at;
}

static bool load_dev_stats(struct loader *l, struct span dev_stats, int64_t step, struct err *err)
{
    struct wire_in in = span_walk(dev_stats);
    struct span device = {dev_stats.bytes, 0};
    struct wire_field f;
    struct run_place at;

    /* The device may stand behind its entries. */
    while (wire_next(&in, &f))
        if (f.number == 1 && f.type == WIRE_LEN)
            device = field_span(&f);
    if (in.why)
        return load_ended(l, &in, "device statistics", err);
    at = place_of(l, device, step);
    in = span_walk(dev_stats);
    while (wire_next(&in, &f))
        if (f.number == 2 && f.type == WIRE_LEN && !add_entry(l, &at, field_span(&f), err))
            return false;
    return true;
}

static bool load_step_stats(struct loader *l, struct span step_stats, int64_t step,
                            struct err *err)
{
    struct wire_in in = span_walk(step_stats);
    struct wire_field f;

    while (wire_next(&in, &f))
        if (f.number == 1 && f.type == WIRE_LEN &&
            !load_dev_stats(l, field_span(&f), step, err))
            return false;
    return load_ended(l, &in, "step statistics", err);
}

/* Says what the original prints after each file, and what it warns of. */
static void finish_step(struct loader *l, int64_t step)
{
    struct profile *p = builder_profile(l->builder);
    uint32_t n_nodes = builder_n_nodes(l->builder);

    builder_add_step(l->builder, step);
    p->has_runtime = true;
    note_add(&p->notes, "%s: step %" PRId64 ", %.2f%% of the nodes have run so far", l->path, step,
             n_nodes ? 100.0 * (double)l->n_covered / n_nodes : 0.0);
    if (!l->step_has_accelerator || l->step_has_stream)
        return;
    p->misses_accelerator_stream = true;
    note_add(&p->notes, "%s: an accelerator was used, but no device is a stream:all: "
             "accelerator time is missing", l->path);
}

bool load_runmeta(struct loader *l, struct err *err)
{
    struct wire_in in = span_walk(l->input);
    int64_t step = l->next_step++;
    bool has_step_stats = false;
    struct wire_field f;

    l->step_has_accelerator = false;
    l->step_has_stream = false;
    while (wire_next(&in, &f)) {
        if (f.number != 1 || f.type != WIRE_LEN)
            continue;
        has_step_stats = true;
        if (!load_step_stats(l, field_span(&f), step, err))
            return false;
    }
    if (!load_ended(l, &in, "run metadata", err))
        return false;
    if (has_step_stats)
        finish_step(l, step);
    else
        note_add(&builder_profile(l->builder)->notes,
                 "%s: invalid, has no step statistics: skipped", l->path);
    return true;
}
