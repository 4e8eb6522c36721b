/* profile_own.c: reads our own fields of stored profiles. */

#include <string.h>

#include "load/run/profile_batch.h"
#include "model/profile_fields.h"

/* ---- shapes of runs */

/* Decodes an output shape recorded by a run. */
static bool decode_run_output(struct profile_batch *batch, const struct loader *l,
                              struct span message, struct err *err)
{
    struct indexed_shape output = {.shape = {.first_dim = batch->dims.n}};
    struct wire_in in = span_walk(message);
    bool has_shape = false;
    struct wire_field f;

    while (wire_next(&in, &f)) {
        if (f.number == RUN_OUTPUT_SLOT && f.type == WIRE_VARINT)
            output.index = (int32_t)f.value;
        else if (f.number == RUN_OUTPUT_HAS_SHAPE && f.type == WIRE_VARINT)
            has_shape = f.value != 0;
        else if (f.number == RUN_OUTPUT_DIMS && !load_numbers(l, &f, &batch->dims, err))
            return false;
    }
    output.shape.n_dims = (uint32_t)(batch->dims.n - output.shape.first_dim);
    output.shape.unknown_rank = !has_shape;
    vec_push(&batch->run_outputs, output);
    return load_ended(l, &in, "output of a run", err);
}

bool profile_run_outputs_decode(struct profile_batch *batch, const struct loader *l,
                                struct profile_node *node, struct err *err)
{
    const size_t first = batch->run_outputs.n;

    for (size_t i = 0; i < batch->fields.n; i++)
        if (batch->fields.data[i].number == OWN_NODE_RUN_OUTPUT &&
            !decode_run_output(batch, l, field_span(&batch->fields.data[i]), err))
            return false;
    node->run_outputs = list_part(first, batch->run_outputs.n);
    return true;
}

/* ---- function bodies */

/* The node with ID, as call sites use it, or NODE_NONE. */
static node_id node_of_id(const struct loader *l, const struct profile_names *names, int64_t id)
{
    const uint32_t ordinal = idmap_get(&names->ordinals, id);

    return ordinal == IDMAP_NONE ? NODE_NONE
                                 : builder_find(l->builder, names->names.data[ordinal]);
}

/* False when SITE is invalid: a body has to follow its call and all bodies before it, which end at
 * LAST_END. */
static bool read_site(struct loader *l, const struct profile_names *names, struct span message,
                      node_id last_end, struct call_site *site)
{
    struct wire_in in = span_walk(message);
    int64_t numbers[CALL_SITE_N_NODES + 1] = {0};
    struct wire_field f;
    node_id last;

    *site = (struct call_site){NODE_NONE, STRID_EMPTY, STRID_EMPTY, NODE_NONE, 0};
    while (wire_next(&in, &f)) {
        if (f.type == WIRE_VARINT && f.number <= CALL_SITE_N_NODES)
            numbers[f.number] = (int64_t)f.value;
        else if (f.type == WIRE_LEN && f.number == CALL_SITE_ROLE)
            site->role = builder_str(l->builder, f.bytes, f.len);
        else if (f.type == WIRE_LEN && f.number == CALL_SITE_FUNCTION)
            site->function = builder_str(l->builder, f.bytes, f.len);
    }
    if (in.why || numbers[CALL_SITE_N_NODES] < 1 || numbers[CALL_SITE_N_NODES] > UINT32_MAX ||
        numbers[CALL_SITE_FIRST] < 0 || numbers[CALL_SITE_FIRST] > UINT32_MAX)
        return false;
    site->first = node_of_id(l, names, numbers[CALL_SITE_FIRST]);
    site->n_nodes = (uint32_t)numbers[CALL_SITE_N_NODES];
    last = node_of_id(l, names, numbers[CALL_SITE_FIRST] + numbers[CALL_SITE_N_NODES] - 1);
    if (site->first == NODE_NONE || site->first < last_end || last == NODE_NONE ||
        last < site->first || last - site->first != site->n_nodes - 1)
        return false;
    if (!numbers[CALL_SITE_CALL])
        return true;
    site->call = node_of_id(l, names, numbers[CALL_SITE_CALL] - 1);
    return site->call < site->first;
}

void profile_own_sites(struct loader *l, const struct profile_names *names)
{
    struct profile *p = builder_profile(l->builder);
    struct call_site site;
    node_id last_end = 0;
    size_t n_bad = 0;

    if (!names->sites.n)
        return;
    p->call_sites = ARENA_NEW(&p->arena, struct call_site, names->sites.n);
    for (size_t i = 0; i < names->sites.n; i++) {
        if (!read_site(l, names, names->sites.data[i], last_end, &site)) {
            n_bad++;
            continue;
        }
        last_end = site.first + site.n_nodes;
        p->call_sites[p->n_call_sites++] = site;
    }
    p->function_rows = FUNCTION_ROWS_BELOW_CALLS;
    if (n_bad)
        note_add(&p->notes, "%s: %zu call sites of function bodies contradict the nodes: skipped",
                 l->path, n_bad);
}

void profile_own_states(struct loader *l, const struct profile_names *names)
{
    struct profile *p = builder_profile(l->builder);
    const size_t n = names->states.n;

    if (!p->stored_rules || !n)
        return;
    p->n_stored_states = (uint32_t)n;
    p->stored_state = ARENA_NEW(&p->arena, uint8_t, n);
    memcpy(p->stored_state, names->states.data, n);
}
