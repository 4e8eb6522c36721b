/* oplog.c: types, counts and call stacks of op logs (semantics.md 1.3). */
#include "load/oplog.h"

#include "load/elements.h"

/* What is read of an OpLogEntry; its types and stack are in loader.fields. */
struct entry {
    struct span name;
    int64_t float_ops;
};

enum { ENTRY_TYPE = 3, ENTRY_CODE_DEF = 4 };

static bool read_entry(struct loader *l, struct span message, struct entry *entry, struct err *err)
{
    struct wire_in in = span_walk(message);
    struct wire_field f;

    *entry = (struct entry){.name = {message.bytes, 0}};
    l->fields.n = 0;
    while (wire_next(&in, &f)) {
        if (f.number == 1 && f.type == WIRE_LEN)
            entry->name = field_span(&f);
        else if (f.number == 2 && f.type == WIRE_VARINT)
            entry->float_ops = (int64_t)f.value;
        else if ((f.number == ENTRY_TYPE || f.number == ENTRY_CODE_DEF) && f.type == WIRE_LEN)
            vec_push(&l->fields, f);
    }
    return load_ended(l, &in, "log entry", err);
}

static bool load_entry(struct loader *l, struct span message, struct err *err)
{
    struct builder *b = l->builder;
    struct entry entry;
    trace_id trace;
    node_id node;

    if (!load_pace(l, message.bytes, err) || !read_entry(l, message, &entry, err))
        return false;
    node = builder_find(b, builder_str(b, entry.name.bytes, entry.name.len));
    if (node == NODE_NONE)
        return true;
    for (size_t i = 0; i < l->fields.n; i++) {
        struct span value = field_span(&l->fields.data[i]);

        if (l->fields.data[i].number == ENTRY_TYPE)
            builder_add_type(b, node, builder_str(b, value.bytes, value.len));
    }
    if (entry.float_ops)
        builder_set_float_ops(b, node, entry.float_ops);
    if (!load_stack(l, ENTRY_CODE_DEF, &trace, err))
        return false;
    if (trace != TRACE_NONE) {
        builder_set_trace(b, node, trace);
        builder_profile(b)->has_trace = true;
    }
    return true;
}

/* The strings may stand behind the entries that name them: two walks. */
bool load_oplog(struct loader *l, struct err *err)
{
    struct wire_in in = span_walk(l->input);
    struct wire_field f;

    load_stacks_begin(l);
    while (wire_next(&in, &f))
        if (f.number == 2 && f.type == WIRE_LEN && !load_id_string(l, field_span(&f), err))
            return false;
    if (!load_ended(l, &in, "op log", err))
        return false;
    in = span_walk(l->input);
    while (wire_next(&in, &f))
        if (f.number == 1 && f.type == WIRE_LEN && !load_entry(l, field_span(&f), err))
            return false;
    return true;
}
