/* profile_references.c: first pass over a stored profile: names of nodes, strings and steps
 * (semantics.md section 1.5). */

#include "load/bytes/elements.h"

#include "load/bytes/pipeline.h"
#include "load/run/profile_batch.h"
#include "model/profile_fields.h"

/* A field of the file; for a node its id and name. */
struct reference {
    struct wire_field field;
    bool is_decoded;
    int64_t id;
    struct decoded_text name;
};

struct reference_batch {
    VEC(struct reference) references;
    struct arena pieces; /* joined pieces of messages */
};

struct reference_walk {
    struct loader *l;
    struct profile_names *names;
    struct wire_in in;
    size_t n_joined; /* paces checks for cancellation */
};

static void references_done(void *data)
{
    struct reference_batch *batch = data;

    vec_done(&batch->references);
    arena_done(&batch->pieces);
}

static void references_clear(void *data)
{
    struct reference_batch *batch = data;

    batch->references.n = 0;
    arena_reset(&batch->pieces);
}

static size_t references_add_next(void *context, void *into)
{
    struct reference_walk *w = context;
    struct reference_batch *batch = into;
    struct wire_field f;

    if (!wire_next(&w->in, &f))
        return 0;
    vec_push(&batch->references, ((struct reference){.field = f}));
    return pipeline_cost_bytes(f.type == WIRE_LEN ? f.len : 0);
}

/* Decodes id and name of a node. */
static bool decode_name(struct reference *r, const struct loader *l, struct arena *pieces,
                        struct err *err)
{
    struct map_entry e;
    struct span name;
    struct wire_field f;
    struct wire_in in;

    if (!load_map_entry(l, field_span(&r->field), pieces, &e, err))
        return false;
    name = (struct span){e.value_span.bytes, 0};
    in = span_walk(e.value_span);
    for (size_t n = 1; wire_next(&in, &f); n++) {
        if (load_cancelled(l, n, err))
            return false;
        if (f.number == NODE_NAME && f.type == WIRE_LEN)
            name = field_span(&f);
    }
    r->id = e.key;
    r->name = decode_text(name);
    return load_ended(l, &in, "profile node", err);
}

static bool is_node(const struct reference *r)
{
    return r->field.number == PROFILE_NODE && r->field.type == WIRE_LEN;
}

static void references_decode(const void *context, void *data)
{
    const struct reference_walk *w = context;
    struct reference_batch *batch = data;

    for (size_t i = 0; i < batch->references.n; i++) {
        struct reference *r = &batch->references.data[i];
        struct err err = {0};

        r->is_decoded = is_node(r) && decode_name(r, w->l, &batch->pieces, &err);
        err_done(&err); /* reported when it is joined */
    }
}

static void join_name(struct loader *l, struct profile_names *names, const struct reference *r)
{
    idmap_put(&names->ordinals, r->id, (uint32_t)names->names.n, 0);
    vec_push(&names->names, join_text(l->builder, &r->name));
}

/* Loads a field that is not a node. */
static bool join_other(struct loader *l, struct profile_names *names, const struct wire_field *f,
                       struct err *err)
{
    struct profile *p = builder_profile(l->builder);

    if (f->number == PROFILE_HAS_TRACE && f->type == WIRE_VARINT)
        p->has_stacks = f->value != 0;
    else if (f->number == PROFILE_STEPS)
        return load_numbers(l, f, &l->dims, err);
    else if (f->number == PROFILE_STRING && f->type == WIRE_LEN)
        return load_id_string(l, field_span(f), err);
    else if (f->number == OWN_CALL_SITE && f->type == WIRE_LEN)
        vec_push(&names->sites, field_span(f));
    else if (f->number == OWN_PRODUCER && f->type == WIRE_VARINT)
        p->producer = f->value <= INT32_MAX ? (int32_t)f->value : 0;
    else if (f->number == OWN_COUNT_RULES && f->type == WIRE_VARINT)
        p->stored_rules = f->value <= STORED_RULES ? (unsigned)f->value : 0;
    return true;
}

static bool references_join(void *context, void *data, struct err *err)
{
    struct reference_walk *w = context;
    struct reference_batch *batch = data;

    for (size_t i = 0; i < batch->references.n; i++) {
        struct reference *r = &batch->references.data[i];

        builder_prefetch(w->l->builder, &r->name.hash, intern_group(i, batch->references.n),
                         sizeof *r);
        if (load_cancelled(w->l, ++w->n_joined, err))
            return false;
        if (!is_node(r) && !join_other(w->l, w->names, &r->field, err))
            return false;
        if (is_node(r) && !r->is_decoded && !decode_name(r, w->l, &batch->pieces, err))
            return false;
        if (is_node(r))
            join_name(w->l, w->names, r);
    }
    return true;
}

bool profile_references(struct loader *l, struct profile_names *names, struct err *err)
{
    struct reference_walk w = {.l = l, .names = names, .in = span_walk(l->input)};
    struct pipeline pipeline = {
        .n_threads = pipeline_threads_for(l->input.len),
        .context = &w,
        .batch_bytes = sizeof(struct reference_batch),
        .batch_done = references_done,
        .batch_clear = references_clear,
        .add_next = references_add_next,
        .decode = references_decode,
        .join = references_join,
    };

    l->dims.n = 0;
    if (!pipeline_run(&pipeline, err))
        return false;
    for (size_t i = 0; i < l->dims.n; i++)
        builder_add_step(l->builder, l->dims.data[i]);
    builder_profile(l->builder)->has_runtime = l->dims.n > 0;
    return load_ended(l, &w.in, "profile", err);
}
