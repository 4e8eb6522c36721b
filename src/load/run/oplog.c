/* oplog.c: loads types, counts and call stacks of op logs (semantics.md section 1.3). */

#include "load/bytes/elements.h"
#include "load/bytes/pipeline.h"
#include "load/fits.h"
#include "load/formats.h"
#include "proto/tfprof.pb-c.h"

enum { ENTRY_TYPE = 3, ENTRY_CODE_DEF = 4 };

/* A type or a call stack of an entry. */
struct part {
    uint32_t number; /* ENTRY_TYPE or ENTRY_CODE_DEF */
    uint32_t hash;
    struct span bytes;
};

/* An OpLogEntry. */
struct entry {
    struct span message;
    struct span name;
    uint32_t name_hash;
    bool malformed;
    int64_t float_ops;
    size_t first_part, n_parts;
};

/* Entries in the order of the file. */
struct batch {
    VEC(struct entry) entries;
    VEC(struct part) parts;
};

/* ---- decoding, on any thread */

static bool decode_entry(struct batch *batch, const struct loader *l, struct entry *entry,
                         struct err *err)
{
    struct wire_in in = span_walk(entry->message);
    struct wire_field f;

    entry->name = (struct span){entry->message.bytes, 0};
    entry->first_part = batch->parts.n;
    while (wire_next(&in, &f)) {
        if (f.number == 1 && f.type == WIRE_LEN)
            entry->name = field_span(&f);
        else if (f.number == 2 && f.type == WIRE_VARINT)
            entry->float_ops = (int64_t)f.value;
        else if ((f.number == ENTRY_TYPE || f.number == ENTRY_CODE_DEF) && f.type == WIRE_LEN)
            vec_push(&batch->parts, ((struct part){f.number, intern_hash(f.bytes, f.len),
                                                   field_span(&f)}));
    }
    entry->n_parts = batch->parts.n - entry->first_part;
    entry->name_hash = intern_hash(entry->name.bytes, entry->name.len);
    return load_ended(l, &in, "log entry", err);
}

/* A scan over a log that puts its entries into batches. */
struct log_walk {
    struct loader *l;
    struct wire_in in;
};

static void oplog_decode(const void *context, void *of)
{
    const struct log_walk *w = context;
    struct batch *batch = of;
    struct err err = {0};

    for (size_t i = 0; i < batch->entries.n; i++) {
        struct entry *entry = &batch->entries.data[i];

        entry->malformed = !decode_entry(batch, w->l, entry, &err);
        err_done(&err); /* reported when all entries before it are joined */
    }
}

static void oplog_batch_done(void *of)
{
    struct batch *batch = of;

    EACH(vec_done, &batch->entries, &batch->parts);
}

static void oplog_batch_clear(void *of)
{
    struct batch *batch = of;

    batch->entries.n = 0;
    batch->parts.n = 0;
}

static size_t oplog_add_next(void *context, void *into)
{
    struct log_walk *w = context;
    struct batch *batch = into;
    struct wire_field f;

    if (!wire_next_len(&w->in, &f, 1))
        return 0;
    vec_push(&batch->entries, ((struct entry){.message = field_span(&f)}));
    return pipeline_cost_bytes(f.len);
}

/* ---- joining */

/* The call stack of an entry; STACK_NONE: none. */
static bool join_stack(struct loader *l, const struct part *parts, size_t n, stack_id *stack,
                       struct err *err)
{
    l->stack_parts.n = 0;
    for (size_t i = 0; i < n; i++)
        if (parts[i].number == ENTRY_CODE_DEF)
            vec_push(&l->stack_parts, ((struct stack_part){parts[i].bytes, parts[i].hash}));
    return load_stack(l, stack, err);
}

static bool join_entry(struct batch *batch, struct loader *l, struct entry *entry,
                       struct err *err)
{
    struct builder *b = l->builder;
    const struct part *parts = vec_from(&batch->parts, entry->first_part);
    stack_id stack;
    node_id node;

    if (entry->malformed)
        return decode_entry(batch, l, entry, err); /* reports the error */
    node = builder_find(b, builder_str_hashed(b, entry->name.bytes, entry->name.len,
                                              entry->name_hash));
    if (node == NODE_NONE)
        return true;
    for (size_t i = 0; i < entry->n_parts; i++)
        if (parts[i].number == ENTRY_TYPE)
            builder_add_type(b, node, builder_str_hashed(b, parts[i].bytes.bytes,
                                                         parts[i].bytes.len, parts[i].hash));
    if (entry->float_ops)
        builder_set_static_float_ops(b, node, entry->float_ops);
    if (!join_stack(l, parts, entry->n_parts, &stack, err))
        return false;
    if (stack != STACK_NONE) {
        builder_set_stack(b, node, stack);
        builder_profile(b)->has_stacks = true;
    }
    return true;
}

static bool oplog_join(void *context, void *of, struct err *err)
{
    struct log_walk *w = context;
    struct batch *batch = of;
    struct entry *entries = batch->entries.data;

    for (size_t i = 0; i < batch->entries.n; i++) {
        const size_t n = intern_group(i, batch->entries.n);

        span_prefetch(&entries[i].name, n, sizeof *entries);
        builder_prefetch(w->l->builder, &entries[i].name_hash, n, sizeof *entries);
        if (!load_tick(w->l, entries[i].message.bytes, err) ||
            !join_entry(batch, w->l, &entries[i], err))
            return false;
    }
    return true;
}

/* Adds the binary OpLogProto in l->input to existing nodes, in two passes, because strings may
 * follow the entries that refer to them. */
static bool load_oplog(struct loader *l, struct err *err)
{
    struct wire_in in = span_walk(l->input);
    struct log_walk w = {.l = l, .in = in};
    struct pipeline pipeline = {
        .n_threads = pipeline_threads_for(l->input.len),
        .context = &w,
        .batch_bytes = sizeof(struct batch),
        .batch_done = oplog_batch_done,
        .batch_clear = oplog_batch_clear,
        .add_next = oplog_add_next,
        .decode = oplog_decode,
        .join = oplog_join,
    };
    struct wire_field f;

    load_stacks_begin(l);
    while (wire_next_len(&in, &f, 2))
        if (!load_id_string(l, field_span(&f), err))
            return false;
    return load_ended(l, &in, "op log", err) && pipeline_run(&pipeline, err);
}

const struct format_row format_op_log = {
    .name = "OpLogProto",
    .help = "types, counts and call stacks of operations, beside a graph, as tfprof.write_op_log() "
            "writes them",
    .binary_name = "OpLogProto, binary",
    .text_name = "OpLogProto, text",
    .contents = CONTAINS_ANNOTATIONS,
    .load_order = 60,
    .detect_order = 60,
    .fits = fits_op_log,
    .fits_cut_graph = true,
    .message = &tfp__op_log_proto__descriptor,
    .load = load_oplog,
};
