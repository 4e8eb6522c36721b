/* metagraph.c: loads MetaGraphDef and SavedModel. */

#include <string.h>

#include "load/fits.h"
#include "load/formats.h"
#include "load/graph/functions.h"
#include "load/graph/graphdef.h"
#include "load/graph/signature.h"
#include "proto/meta_graph.pb-c.h"

enum { SAVED_MODEL_META_GRAPHS = 2 };
enum { META_INFO = 1, META_GRAPH = 2, META_COLLECTIONS = 4, META_OBJECTS = 7 };
enum { INFO_OPS = 2, INFO_TAGS = 4 };
enum { COLLECTION_BYTES_LIST = 2, LIST_VALUE = 1, VARIABLE_DEF_NAME = 1 };
enum { OBJECTS_NODES = 1, OBJECT_VARIABLE = 7, VARIABLE_TRAINABLE = 3, VARIABLE_NAME = 6 };

/* Adds TYPE to the node of the tensor "w" or "w:0". */
static void add_type(struct loader *l, struct span name, strid type)
{
    const uint8_t *colon = name.len ? memchr(name.bytes, ':', name.len) : NULL;
    size_t len = colon ? (size_t)(colon - name.bytes) : name.len;
    strid id = intern_find(&builder_profile(l->builder)->strings, name.bytes, len);
    node_id node = id == STRID_NONE ? NODE_NONE : builder_find(l->builder, id);

    if (node != NODE_NONE)
        builder_add_type(l->builder, node, type);
}

static strid trainable_type(struct loader *l)
{
    static const char name[] = "_trainable_variables";

    return builder_str(l->builder, name, sizeof name - 1);
}

/* Adds types from the collection of trainable variables, a list of VariableDef. */
static bool load_collection(struct loader *l, struct span entry, struct err *err)
{
    struct map_entry e;
    struct span list;
    struct wire_in in;
    struct wire_field f;

    if (!load_map_entry(l, entry, &l->pieces, &e, err))
        return false;
    if (!span_is(e.key_span, "trainable_variables"))
        return true;
    list = span_message(e.value_span, COLLECTION_BYTES_LIST, &l->pieces);
    in = span_walk(list);
    while (wire_next_len(&in, &f, LIST_VALUE))
        add_type(l, span_part(field_span(&f), VARIABLE_DEF_NAME), trainable_type(l));
    return load_ended(l, &in, "collection of trainable variables", err);
}

/* Adds the type of a trainable variable among the objects of a TF2 model. */
static bool load_object(struct loader *l, struct span object, struct err *err)
{
    struct span variable = span_message(object, OBJECT_VARIABLE, &l->pieces);
    struct wire_in in = span_walk(variable);
    struct wire_field f;
    struct span name = {0};
    bool is_trainable = false;

    while (wire_next(&in, &f)) {
        if (f.number == VARIABLE_NAME && f.type == WIRE_LEN)
            name = field_span(&f);
        else if (f.number == VARIABLE_TRAINABLE && f.type == WIRE_VARINT)
            is_trainable = f.value != 0;
    }
    if (is_trainable && name.len)
        add_type(l, name, trainable_type(l));
    return load_ended(l, &in, "variable of the object graph", err);
}

static bool load_objects(struct loader *l, struct span objects, struct err *err)
{
    struct wire_in in = span_walk(objects);
    struct wire_field f;

    while (wire_next_len(&in, &f, OBJECTS_NODES))
        if (!load_object(l, field_span(&f), err))
            return false;
    return load_ended(l, &in, "object graph", err);
}

/* Loads annotations of nodes. */
static bool load_about_nodes(struct loader *l, struct span meta, struct err *err)
{
    struct wire_in in = span_walk(meta);
    struct wire_field f;
    bool ok = true;

    while (ok && wire_next(&in, &f)) {
        if (f.type != WIRE_LEN)
            continue;
        if (f.number == META_COLLECTIONS)
            ok = load_collection(l, field_span(&f), err);
        else if (f.number == META_OBJECTS)
            ok = load_objects(l, field_span(&f), err);
    }
    return ok && load_ended(l, &in, "meta graph", err);
}

static bool load_graphs(struct loader *l, struct span meta, const struct node_choice *choice,
                        struct err *err)
{
    wire_each_len(f, span_walk(meta), META_GRAPH)
        if (!load_graph(l, field_span(&f), choice, err))
            return false;
    return true;
}

bool load_meta_graph(struct loader *l, struct span meta, struct err *err)
{
    /* Op definitions are needed as long as the profile. */
    struct arena *keep = &builder_profile(l->builder)->arena;
    struct span info = span_message(meta, META_INFO, keep);
    struct node_choice choice = {0};
    bool ok = true;

    if (l->request->options->signature)
        ok = signature_choose(l, meta, l->request->options->signature, &choice, err);
    functions_add_ops(l, span_message(info, INFO_OPS, keep));
    ok = ok && load_graphs(l, meta, choice.names.n_slots ? &choice : NULL, err);
    node_choice_done(&choice);
    ok = ok && signatures_add(l, meta, err);
    return ok && load_about_nodes(l, meta, err);
}

/* Loads the MetaGraphDef in l->input. */
static bool load_metagraph(struct loader *l, struct err *err)
{
    return load_meta_graph(l, l->input, err);
}

/* ---- SavedModel */

/* The next field of a meta graph's MetaInfoDef, which may be in several pieces; INFO, the current
 * piece, is initially empty. */
static bool next_of_info(struct wire_in *meta, struct wire_in *info, struct wire_field *f)
{
    while (!wire_next(info, f)) {
        if (!wire_next(meta, f))
            return false;
        *info = f->number == META_INFO && f->type == WIRE_LEN ? wire_in_field(f)
                                                             : wire_in_of(NULL, 0);
    }
    return true;
}

/* True when META has the tag of LEN bytes. */
static bool has_tag(struct span meta, const char *tag, size_t len)
{
    struct wire_in in = span_walk(meta), info = {0};
    struct wire_field f;

    while (next_of_info(&in, &info, &f))
        if (f.number == INFO_TAGS && f.type == WIRE_LEN && f.len == len &&
            memcmp(f.bytes, tag, len) == 0)
            return true;
    return false;
}

/* True when META has all of the comma-separated TAGS. */
static bool has_tags(struct span meta, const char *tags)
{
    for (;;) {
        size_t len = strcspn(tags, ",");

        if (len && !has_tag(meta, tags, len))
            return false;
        if (!tags[len])
            return true;
        tags += len + 1;
    }
}

/* Appends "serve; serve,gpu": the tags of all meta graphs. */
static void list_tags(struct span model, struct strbuf *sb)
{
    struct wire_in in = span_walk(model);
    struct wire_field f, tag;
    bool first = true;

    while (wire_next_len(&in, &f, SAVED_MODEL_META_GRAPHS)) {
        struct wire_in meta = wire_in_field(&f), info = {0};
        bool first_tag = true;

        sb_adds(sb, first ? "" : "; ");
        first = false;
        while (next_of_info(&meta, &info, &tag))
            if (tag.number == INFO_TAGS && tag.type == WIRE_LEN) {
                sb_adds(sb, first_tag ? "" : ",");
                load_quote(sb, field_span(&tag));
                first_tag = false;
            }
    }
}

/* The meta graph with TAGS (NULL: for serving, else the first); bytes NULL when none has the
 * requested tags. */
static struct span choose_meta_graph(struct span model, const char *tags, unsigned *n)
{
    struct span first = {0}, chosen = {0};

    *n = 0;
    wire_each_len(f, span_walk(model), SAVED_MODEL_META_GRAPHS) {
        if (!(*n)++)
            first = field_span(&f);
        if (!chosen.bytes && has_tags(field_span(&f), tags ? tags : "serve"))
            chosen = field_span(&f);
    }
    return chosen.bytes || tags ? chosen : first;
}

/* Loads the SavedModel in l->input: the meta graph that -tag selects, else the one for serving,
 * else the first. */
static bool load_savedmodel(struct loader *l, struct err *err)
{
    const char *tags = l->request->options->tag;
    struct strbuf all = {0};
    unsigned n;
    struct span meta = choose_meta_graph(l->input, tags, &n);
    bool ok = true;

    list_tags(l->input, &all);
    if (!meta.bytes)
        ok = n ? err_set(err, ERR_INPUT, "%s: no meta graph has the tag %s; available: %s", l->path,
                         tags, sb_text(&all))
               : err_set(err, ERR_INPUT, "%s: a SavedModel without a graph", l->path);
    else if (n > 1 && !tags)
        note_add(&builder_profile(l->builder)->notes,
                 "%s: one of %u meta graphs is shown; -tag chooses: %s", l->path, n,
                 sb_text(&all));
    sb_done(&all);
    return ok && load_meta_graph(l, meta, err);
}

const struct format_row format_meta_graph = {
    .name = "MetaGraphDef",
    .help = "a graph with its collections (*.meta), as tf.train.Saver writes it: trainable variables, "
            "bodies of functions",
    .binary_name = "MetaGraphDef, binary",
    .text_name = "MetaGraphDef, text",
    .contents = CONTAINS_GRAPH,
    .load_order = 30,
    .detect_order = 30,
    .keep_bytes = true,
    .fits = fits_meta_graph,
    .message = &tfp__meta_graph_def__descriptor,
    .load = load_metagraph,
};

const struct format_row format_saved_model = {
    .name = "SavedModel",
    .help = "a folder or its saved_model.pb, as tf.saved_model.save() writes it; -tag and -signature select",
    .binary_name = "SavedModel, binary",
    .text_name = "SavedModel, text",
    .contents = CONTAINS_GRAPH,
    .load_order = 40,
    .detect_order = 40,
    .keep_bytes = true,
    .fits = fits_saved_model,
    .message = &tfp__saved_model__descriptor,
    .load = load_savedmodel,
};
