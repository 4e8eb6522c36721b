/* graphdef.c: loads the nodes of a GraphDef (semantics.md section 1.1). */
#include "load/graph/graphdef.h"

#include <stdlib.h>

#include "base/arena_pool.h"
#include "base/system/thread.h"
#include "base/xalloc.h"
#include "load/bytes/elements.h"
#include "load/bytes/gunzip_stream.h"
#include "load/bytes/pipeline.h"
#include "load/fits.h"
#include "load/formats.h"
#include "load/graph/functions.h"
#include "load/graph/node_batch.h"
#include "load/graph/signature.h"
#include "load/text/text_reader.h"
#include "proto/graph.pb-c.h"

/* A scan over a graph that puts its nodes into batches. */
struct graph_walk {
    struct loader *l;
    struct wire_in in;
    const struct node_choice *choice;
    struct arena_pool *names; /* memory of node names */
    struct err err; /* why the scan ended early */
};

enum { GRAPH_NODE = 1, GRAPH_LIBRARY = 2, GRAPH_VERSIONS = 4, VERSIONS_PRODUCER = 1 };

/* Stores the producer version, because old producers encode some shapes differently. */
static void read_versions(struct loader *l, struct span versions)
{
    wire_each(f, span_walk(versions))
        if (f.number == VERSIONS_PRODUCER && f.type == WIRE_VARINT && f.value <= INT32_MAX)
            builder_profile(l->builder)->producer = (int32_t)f.value;
}

/* The next field of a graph that may still be arriving.  An incomplete element is scanned again
 * when the data has doubled, so the total work stays linear. */
static bool next_field(struct graph_walk *w, struct wire_field *f)
{
    enum { MORE_MIN_BYTES = 256 << 10 };
    bool ended = false;

    while (w->l->unpacking && !ended) {
        const uint8_t *begin = w->l->input.bytes;
        struct wire_in before = w->in;
        size_t at = (size_t)(before.at - begin), had = (size_t)(before.end - begin);

        if (wire_next(&w->in, f))
            return true;
        w->in = before;
        w->in.end =
            begin + gunzip_await(w->l->unpacking, had + (had - at) + MORE_MIN_BYTES, &ended);
    }
    return wire_next(&w->in, f);
}

/* The next node to load; false at the end. */
static bool next_node(struct graph_walk *w, struct wire_field *f)
{
    while (next_field(w, f)) {
        wire_prefetch(&w->in, f);
        if (f->type != WIRE_LEN)
            continue;
        if (f->number == GRAPH_LIBRARY)
            functions_add_library(w->l, field_span(f));
        else if (f->number == GRAPH_VERSIONS)
            read_versions(w->l, field_span(f));
        if (f->number != GRAPH_NODE || (w->choice && !node_chosen(w->choice, span_part(field_span(f), 1))))
            continue;
        return f->len <= UINT32_MAX ||
               load_fail(w->l, f->start, &w->err, "node of more than 4 GiB");
    }
    load_ended(w->l, &w->in, "graph", &w->err);
    return false;
}

static size_t graph_add_next(void *context, void *batch)
{
    struct graph_walk *w = context;
    struct node_def def = {.file = w->l->file, .form = NODE_FORM_NODEDEF};
    struct wire_field f;

    if (!next_node(w, &f))
        return 0;
    def.offset = (uint64_t)(f.bytes - w->l->input.bytes);
    def.len_bytes = (uint32_t)f.len;
    node_batch_add(batch, field_span(&f), def);
    return pipeline_cost_bytes(f.len);
}

static void graph_decode(const void *context, void *batch)
{
    const struct graph_walk *w = context;

    struct arena names = arena_pool_get(w->names);

    node_batch_decode(batch, w->l, &names);
    arena_pool_put(w->names, names);
}

static bool graph_join(void *context, void *batch, struct err *err)
{
    struct graph_walk *w = context;

    return node_batch_join(batch, w->l, err);
}

static bool run_walk(struct loader *l, struct span graph, const struct node_choice *choice,
                     struct err *err)
{
    struct arena_pool names;
    struct graph_walk w = {.l = l, .in = span_walk(graph), .choice = choice, .names = &names};
    struct pipeline pipeline = {
        .n_threads = l->unpacking ? thread_count() : pipeline_threads_for(graph.len),
        .context = &w,
        .batch_bytes = sizeof(struct node_batch),
        .batch_done = node_batch_done,
        .batch_clear = node_batch_clear,
        .add_next = graph_add_next,
        .end_err = &w.err,
        .decode = graph_decode,
        .join = graph_join,
    };
    bool done;

    arena_pool_init(&names);
    done = pipeline_run(&pipeline, err);
    arena_pool_move(&builder_profile(l->builder)->strings.arena, &names);
    return done;
}

static void release_copy(struct source_file *file)
{
    free((void *)file->bytes);
}

/* Loads a graph that the file has in pieces from a joined copy, which is kept because attributes
 * refer to it. */
static bool load_copy(struct loader *l, struct span graph, const struct node_choice *choice,
                      struct err *err)
{
    const struct span input = l->input;
    const uint16_t file = l->file;
    struct source_file copy = {.path = xstrdup(l->path), .format = "GraphDef in pieces",
                               .bytes = (const uint8_t *)xmemdupz(graph.bytes, graph.len),
                               .size_bytes = graph.len, .release = release_copy};
    bool ok;

    l->file = builder_file(l->builder, copy);
    l->input = (struct span){copy.bytes, copy.size_bytes};
    ok = run_walk(l, l->input, choice, err);
    l->input = input;
    l->file = file;
    return ok;
}

bool load_graph(struct loader *l, struct span graph, const struct node_choice *choice,
                struct err *err)
{
    enum { MAX_FILES = UINT16_MAX / 2 };

    if (!graph.len || load_in_input(l, graph.bytes))
        return run_walk(l, graph, choice, err);
    if (builder_profile(l->builder)->n_files > MAX_FILES)
        return load_fail(l, graph.bytes, err, "too many graphs in pieces");
    return load_copy(l, graph, choice, err);
}

/* Loads the binary GraphDef in l->input. */
static bool load_graphdef(struct loader *l, struct err *err)
{
    return load_graph(l, l->input, NULL, err);
}

/* ---- text */

static bool text_node(void *context, const struct text_element *element, struct err *err)
{
    struct loader *l = context;
    struct span node = {element->wire, element->wire_len};
    struct node_def def = {
        .offset = element->offset, .file = l->file, .form = NODE_FORM_NODEDEF_TEXT};

    if (element->event == TEXT_ELEMENT && element->field->id == GRAPH_VERSIONS)
        read_versions(l, (struct span){element->wire, element->wire_len});
    if (element->event != TEXT_ELEMENT || element->field->id != GRAPH_NODE)
        return true;
    l->element_offset = element->offset;
    if (element->len_bytes > UINT32_MAX)
        return load_fail(l, element->wire, err, "node of more than 4 GiB");
    def.len_bytes = (uint32_t)element->len_bytes;
    return load_node(l, node, def, err);
}

static bool load_graphdef_text(struct loader *l, struct err *err)
{
    const ProtobufCFieldDescriptor *const skipped[] = {
        text_find_field(&tfp__graph_def__descriptor, "library", 7), NULL};
    struct text_source source = {
        .path = l->path,
        .text = l->input.bytes,
        .size_bytes = l->input.len,
        .message = &tfp__graph_def__descriptor,
        .skipped = skipped,
        .notes = &builder_profile(l->builder)->notes,
        .cancel = l->cancel,
    };

    return text_read(&source, text_node, l, err);
}

const struct format_row format_graph = {
    .name = "GraphDef",
    .help = "a graph, text or binary (graph.pb, graph.pbtxt), as tf.io.write_graph() writes it; constants of a frozen one count "
            "as parameters",
    .binary_name = "GraphDef, binary",
    .text_name = "GraphDef, text",
    .contents = CONTAINS_GRAPH,
    .load_order = 20,
    .detect_order = 20,
    .keep_bytes = true,
    .fits = fits_graph,
    .message = &tfp__graph_def__descriptor,
    .load = load_graphdef,
    .loads_while_unpacking = true,
    .load_text = load_graphdef_text,
};
