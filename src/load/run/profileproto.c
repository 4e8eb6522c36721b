/* profileproto.c: loads stored profiles (semantics.md section 1.5). */

#include "base/compare.h"
#include "load/bytes/elements.h"
#include "load/bytes/pipeline.h"
#include "load/fits.h"
#include "load/formats.h"
#include "load/run/profile_batch.h"
#include "model/profile_fields.h"
#include "proto/tfprof.pb-c.h"

/* An entry of the map of nodes, whose order has no meaning. */
struct stored_entry {
    int64_t id;
    uint32_t ordinal;
    struct span entry;
};

COMPARE_BY(compare_entries, struct stored_entry, id)

/* A scan over the file that puts the entries of the map of nodes into batches. */
struct node_walk {
    struct loader *l;
    struct profile_names *names;
    struct wire_in in;
    uint32_t n_entries; /* scanned so far */
    VEC(struct stored_entry) sorted; /* used if they are not joined in file order */
    size_t n_framed; /* entries of sorted that are in batches */
};

/* With function bodies, nodes are joined in the order of their ids. */
static bool sort_entries(struct node_walk *w, struct err *err)
{
    struct wire_in in = span_walk(w->l->input);
    struct map_entry e;
    struct wire_field f;

    for (uint32_t ordinal = 0; wire_next(&in, &f);) {
        if (f.number != PROFILE_NODE || f.type != WIRE_LEN)
            continue;
        if (!load_map_entry(w->l, field_span(&f), NULL, &e, err))
            return false;
        vec_push(&w->sorted, ((struct stored_entry){e.key, ordinal++, field_span(&f)}));
    }
    vec_sort(&w->sorted, compare_entries);
    return true;
}

static bool next_entry(struct node_walk *w, struct span *entry, uint32_t *ordinal)
{
    struct wire_field f;

    if (w->n_framed < w->sorted.n) {
        *ordinal = w->sorted.data[w->n_framed].ordinal;
        *entry = w->sorted.data[w->n_framed++].entry;
        return true;
    }
    while (!w->sorted.n && wire_next(&w->in, &f)) {
        if (f.number != PROFILE_NODE || f.type != WIRE_LEN)
            continue;
        *ordinal = w->n_entries++;
        *entry = field_span(&f);
        return true;
    }
    return false;
}

static size_t nodes_add_next(void *context, void *batch)
{
    struct node_walk *w = context;
    struct span entry;
    uint32_t ordinal;

    if (!next_entry(w, &entry, &ordinal))
        return 0;
    profile_batch_add(batch, entry, ordinal);
    return pipeline_cost_bytes(entry.len);
}

static void nodes_decode(const void *context, void *batch)
{
    const struct node_walk *w = context;

    profile_batch_decode(batch, w->l, w->names);
}

static bool nodes_join(void *context, void *batch, struct err *err)
{
    struct node_walk *w = context;

    return profile_batch_join(batch, w->l, w->names, err);
}

static bool add_nodes(struct loader *l, struct profile_names *names, struct err *err)
{
    struct node_walk w = {.l = l, .names = names, .in = span_walk(l->input)};
    struct pipeline pipeline = {
        .n_threads = pipeline_threads_for(l->input.len),
        .context = &w,
        .batch_bytes = sizeof(struct profile_batch),
        .batch_done = profile_batch_done,
        .batch_clear = profile_batch_clear,
        .add_next = nodes_add_next,
        .decode = nodes_decode,
        .join = nodes_join,
    };
    bool done = (!names->sites.n || sort_entries(&w, err)) && pipeline_run(&pipeline, err);

    vec_done(&w.sorted);
    return done;
}

/* Loads the binary ProfileProto in l->input. */
static bool load_profileproto(struct loader *l, struct err *err)
{
    struct profile_names names = {0};
    bool done;

    load_stacks_begin(l);
    done = profile_references(l, &names, err) && add_nodes(l, &names, err);
    if (done) {
        profile_own_sites(l, &names);
        profile_own_states(l, &names);
    }
    idmap_done(&names.ordinals);
    EACH(vec_done, &names.names, &names.sites, &names.states);
    return done;
}

const struct format_row format_profile = {
    .name = "ProfileProto",
    .help = "a graph with steps, types, counts and call stacks in one file: what -output "
            "profile writes",
    .binary_name = "ProfileProto, binary",
    .text_name = "ProfileProto, text",
    .contents = CONTAINS_PROFILE,
    .load_order = 10,
    .detect_order = 10,
    .keep_bytes = true,
    .fits = fits_profile,
    .message = &tfp__profile_proto__descriptor,
    .load = load_profileproto,
};
