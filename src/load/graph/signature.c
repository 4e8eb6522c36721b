/* signature.c: the signatures of a model, and the part of a graph that one of them needs. */
#include "load/graph/signature.h"

#include <limits.h>
#include <string.h>

#include "load/graph/dtype.h"
#include "load/graph/shape.h"

enum { META_GRAPH = 2, META_SIGNATURES = 5, SIGNATURE_INPUTS = 1, SIGNATURE_OUTPUTS = 2, TENSOR_NAME = 1 };
enum { GRAPH_NODE = 1, NODE_NAME = 1, NODE_INPUT = 3 };

/* NAME of "NAME", "NAME:0" or "^NAME". */
static struct span node_part(struct span tensor)
{
    const uint8_t *colon = tensor.len ? memchr(tensor.bytes, ':', tensor.len) : NULL;

    if (colon)
        tensor.len = (size_t)(colon - tensor.bytes);
    if (tensor.len && tensor.bytes[0] == '^') {
        tensor.bytes++;
        tensor.len--;
    }
    return tensor;
}

/* The nodes of a graph by interned name. */
struct graph_index {
    struct intern names;
    VEC(struct span) nodes; /* by id; bytes NULL: not a node */
};

static void index_graph(struct graph_index *index, struct span graph)
{
    struct wire_in in = span_walk(graph);
    struct wire_field f, part;

    while (wire_next_len(&in, &f, GRAPH_NODE)) {
        struct wire_in node = wire_in_field(&f);
        strid id = STRID_EMPTY;

        while (wire_next_len(&node, &part, NODE_NAME))
            id = intern_put(&index->names, part.bytes, part.len);
        if (id >= index->nodes.n)
            vec_resize_zero(&index->nodes, (size_t)id + 1);
        if (!index->nodes.data[id].bytes)
            index->nodes.data[id] = field_span(&f);
    }
}

static void index_graphs(struct graph_index *index, struct span meta)
{
    intern_init(&index->names);
    wire_each_len(f, span_walk(meta), META_GRAPH)
        index_graph(index, field_span(&f));
}

/* Adds the nodes of the tensors in map NUMBER of SIGNATURE. */
static void add_tensors(struct loader *l, struct span signature, uint32_t number,
                        struct intern *names)
{
    wire_each_len(f, span_walk(signature), number) {
        struct span info = span_message(field_span(&f), 2, &l->pieces);
        struct span name = node_part(span_part(info, TENSOR_NAME));

        if (name.bytes)
            intern_put(names, name.bytes, name.len);
    }
}

/* Adds the transitive inputs of the chosen nodes; ids ascend in order of discovery, so one pass
 * visits all. */
static void add_sources(const struct graph_index *index, struct intern *names)
{
    for (strid i = 0; i < names->n; i++) {
        strid id = intern_find(&index->names, intern_text(names, i), intern_len(names, i));
        struct wire_in node;
        struct wire_field f;

        if (id == STRID_NONE || id >= index->nodes.n || !index->nodes.data[id].bytes)
            continue;
        node = span_walk(index->nodes.data[id]);
        while (wire_next_len(&node, &f, NODE_INPUT)) {
            struct span name = node_part(field_span(&f));

            intern_put(names, name.bytes, name.len);
        }
    }
}

static bool find_signature(struct loader *l, struct span meta, const char *name,
                           struct span *signature, struct strbuf *all, struct err *err)
{
    struct map_entry e;

    *signature = (struct span){0};
    wire_each_len(f, span_walk(meta), META_SIGNATURES) {
        if (!load_map_entry(l, field_span(&f), &l->pieces, &e, err))
            return false;
        sb_adds(all, all->len ? ", " : "");
        load_quote(all, e.key_span);
        if (span_is(e.key_span, name))
            *signature = e.value_span;
    }
    return signature->bytes ||
           err_set(err, ERR_INPUT, "%s: no signature %s; available: %s", l->path, name,
                   all->len ? sb_text(all) : "none");
}

/* ---- tensors of signatures */

enum { TENSOR_DTYPE = 2, TENSOR_SHAPE = 3 };

/* Adds an entry of a map from key to TensorInfo. */
static bool add_end(struct loader *l, struct span entry, struct signature_end end, struct err *err)
{
    struct map_entry e;
    struct wire_in in;
    struct wire_field f;
    struct span shape;

    if (!load_map_entry(l, entry, &l->pieces, &e, err))
        return false;
    end.key = builder_str(l->builder, e.key_span.bytes, e.key_span.len);
    in = span_walk(e.value_span);
    while (wire_next(&in, &f)) {
        if (f.number == TENSOR_NAME && f.type == WIRE_LEN)
            end.tensor = builder_str(l->builder, f.bytes, f.len);
        else if (f.number == TENSOR_DTYPE && f.type == WIRE_VARINT)
            end.dtype = f.value <= INT_MAX ? dtype_name((int)f.value) : NULL;
    }
    shape = span_message(e.value_span, TENSOR_SHAPE, &l->pieces);
    if (!load_ended(l, &in, "tensor of a signature", err) ||
        (shape.bytes && !load_shape(l, shape, &end.shape, err)))
        return false;
    if (end.dtype) /* else it is an operation, not a tensor */
        builder_add_signature_end(l->builder, end);
    return true;
}

/* Adds an entry of the map from name to signature. */
static bool add_signature(struct loader *l, struct span entry, struct err *err)
{
    struct signature_end end = {.tensor = STRID_EMPTY, .shape = SHAPE_UNKNOWN};
    const char *chosen = l->request->options->signature;
    struct map_entry e;
    struct wire_in in;
    struct wire_field f;
    bool ok = true;

    if (!load_map_entry(l, entry, &l->pieces, &e, err))
        return false;
    if (chosen && !span_is(e.key_span, chosen))
        return true;
    end.signature = builder_str(l->builder, e.key_span.bytes, e.key_span.len);
    in = span_walk(e.value_span);
    while (ok && wire_next(&in, &f)) {
        if (f.type != WIRE_LEN || (f.number != SIGNATURE_INPUTS && f.number != SIGNATURE_OUTPUTS))
            continue;
        end.is_output = f.number == SIGNATURE_OUTPUTS;
        ok = add_end(l, field_span(&f), end, err);
    }
    return ok && load_ended(l, &in, "signature", err);
}

bool signatures_add(struct loader *l, struct span meta, struct err *err)
{
    struct wire_in in = span_walk(meta);
    struct wire_field f;

    while (wire_next_len(&in, &f, META_SIGNATURES))
        if (!add_signature(l, field_span(&f), err))
            return false;
    return load_ended(l, &in, "meta graph", err);
}

/* ---- the part of a graph */

bool signature_choose(struct loader *l, struct span meta, const char *name,
                      struct node_choice *choice, struct err *err)
{
    struct graph_index index = {0};
    struct span signature;
    struct strbuf all = {0};
    bool ok = find_signature(l, meta, name, &signature, &all, err);

    sb_done(&all);
    if (!ok)
        return false;
    intern_init(&choice->names);
    index_graphs(&index, meta);
    add_tensors(l, signature, SIGNATURE_OUTPUTS, &choice->names);
    add_tensors(l, signature, SIGNATURE_INPUTS, &choice->names);
    add_sources(&index, &choice->names);
    intern_done(&index.names);
    vec_done(&index.nodes);
    return true;
}

void node_choice_done(struct node_choice *choice)
{
    if (choice->names.n_slots)
        intern_done(&choice->names);
}

bool node_chosen(const struct node_choice *choice, struct span name)
{
    return !choice || intern_find(&choice->names, name.bytes, name.len) != STRID_NONE;
}
