/* profileproto.c: profiles as they were stored (semantics.md section 1.5). */
#include <stdlib.h>

#include "base/xalloc.h"
#include "load/bytes/elements.h"
#include "load/fits.h"
#include "load/formats.h"
#include "load/run/profile_node.h"
#include "load/run/profile_own.h"
#include "load/run/profile_scratch.h"
#include "model/own_fields.h"
#include "proto/tfprof.pb-c.h"

/* ---- names */

/* Names that were met and wait for the memory which their search will touch. */
struct met_names {
    struct met_name {
        int64_t id;
        struct span name;
        uint32_t hash;
    } of[16];
    size_t n;
    size_t n_fields; /* walked over: between looks at cancelling */
};

static void add_names(struct loader *l, struct met_names *met, struct profile_names *names)
{
    for (size_t i = 0; i < met->n; i++) {
        const struct met_name *m = &met->of[i];

        idmap_put(&names->ordinals, m->id, (uint32_t)names->names.n, 0);
        vec_push(&names->names,
                 builder_str_hashed(l->builder, m->name.bytes, m->name.len, m->hash));
    }
    met->n = 0;
}

/* Takes the name of the ProfileNode ID. */
static bool meet_name(struct loader *l, int64_t id, struct span node, struct met_names *met,
                      struct err *err)
{
    struct met_name *m = &met->of[met->n++];
    struct wire_in in = span_walk(node);
    struct wire_field f;

    *m = (struct met_name){.id = id, .name = {node.bytes, 0}};
    while (wire_next(&in, &f)) {
        if (load_cancelled(l, ++met->n_fields, err))
            return false;
        if (f.number == 1 && f.type == WIRE_LEN)
            m->name = field_span(&f);
    }
    m->hash = intern_hash(m->name.bytes, m->name.len);
    builder_prefetch(l->builder, m->hash);
    return load_ended(l, &in, "profile node", err);
}

/* First walk: everything that nodes refer to. */
static bool read_references(struct loader *l, struct profile_names *names, struct err *err)
{
    struct profile *p = builder_profile(l->builder);
    struct wire_in in = span_walk(l->input);
    struct met_names met = {.n = 0};
    struct map_entry e;
    struct wire_field f;

    l->dims.n = 0;
    while (wire_next(&in, &f)) {
        if (load_cancelled(l, ++met.n_fields, err))
            return false;
        if (met.n == sizeof met.of / sizeof *met.of)
            add_names(l, &met, names);
        if (f.number == 1 && f.type == WIRE_LEN) {
            if (!load_map_entry(l, field_span(&f), &l->pieces, &e, err) ||
                !meet_name(l, e.key, e.value_span, &met, err))
                return false;
        } else if (f.number == 2 && f.type == WIRE_VARINT) {
            p->has_trace = f.value != 0;
        } else if (f.number == 3 && !load_numbers(l, &f, err)) {
            return false;
        } else if (f.number == 4 && f.type == WIRE_LEN &&
                   !load_id_string(l, field_span(&f), err)) {
            return false;
        } else if (f.number == OWN_CALL_SITE && f.type == WIRE_LEN) {
            vec_push(&names->sites, field_span(&f));
        } else if (f.number == OWN_PRODUCER && f.type == WIRE_VARINT) {
            p->producer = f.value <= INT32_MAX ? (int32_t)f.value : 0;
        } else if (f.number == OWN_COUNT_RULES && f.type == WIRE_VARINT) {
            p->stored_rules = f.value <= STORED_RULES ? (unsigned)f.value : 0;
        }
    }
    add_names(l, &met, names);
    for (size_t i = 0; i < l->dims.n; i++)
        builder_add_step(l->builder, l->dims.data[i]);
    p->has_runtime = l->dims.n > 0;
    return load_ended(l, &in, "profile", err);
}

/* An entry of the map of nodes; the order of a map means nothing. */
struct stored_entry {
    int64_t id;
    uint32_t ordinal;
    struct span entry;
};

static int compare_entries(const void *x, const void *y)
{
    const struct stored_entry *a = x;
    const struct stored_entry *b = y;

    return (a->id > b->id) - (a->id < b->id);
}

/* Second walk.  Where bodies of functions stand, nodes come in the order of their ids. */
static bool add_nodes(struct loader *l, const struct profile_names *names, struct err *err)
{
    struct wire_in in = span_walk(l->input);
    VEC(struct stored_entry) entries = {0};
    uint32_t ordinal = 0;
    bool ok = true;
    struct map_entry e;
    struct wire_field f;

    while (ok && wire_next(&in, &f)) {
        if (f.number != 1 || f.type != WIRE_LEN)
            continue;
        ok = load_map_entry(l, field_span(&f), &l->pieces, &e, err);
        if (!ok || idmap_get(&names->ordinals, e.key) != ordinal++)
            continue;
        if (names->sites.n)
            vec_push(&entries, ((struct stored_entry){e.key, ordinal - 1, field_span(&f)}));
        else
            ok = profile_add_node(l, names, ordinal - 1, field_span(&f), e.value_span, err);
    }
    vec_sort(&entries, compare_entries);
    for (size_t i = 0; ok && i < entries.n; i++)
        ok = load_map_entry(l, entries.data[i].entry, &l->pieces, &e, err) &&
             profile_add_node(l, names, entries.data[i].ordinal, entries.data[i].entry,
                              e.value_span, err);
    vec_done(&entries);
    return ok;
}

static void free_scratch(void *data)
{
    struct profile_scratch *s = data;

    vec_done(&s->fields);
    vec_done(&s->types);
    vec_done(&s->source_indexes);
    vec_done(&s->input_indexes);
    vec_done(&s->step_records);
    vec_done(&s->scalars);
    vec_done(&s->states);
    vec_done(&s->exec_fields);
    vec_done(&s->device_times);
    vec_done(&s->memories);
    vec_done(&s->buffers);
    vec_done(&s->allocations);
    vec_done(&s->devices);
    free(s);
}

static void begin_scratch(struct loader *l)
{
    if (!l->profile) {
        l->profile = xcalloc(1, sizeof *l->profile);
        loader_keep(l, l->profile, free_scratch);
    }
    l->profile->states.n = 0;
}

/* Adds all of the binary ProfileProto that is l->input. */
static bool load_profileproto(struct loader *l, struct err *err)
{
    struct profile_names names = {0};
    bool done;

    load_stacks_begin(l);
    begin_scratch(l);
    done = read_references(l, &names, err) && add_nodes(l, &names, err);
    if (done) {
        profile_own_sites(l, &names);
        profile_own_states(l);
    }
    idmap_done(&names.ordinals);
    vec_done(&names.names);
    vec_done(&names.sites);
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
