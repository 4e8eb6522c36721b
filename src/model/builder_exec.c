/* builder_exec.c: collects the executions of nodes in steps, whose numbers are a union-find of
 * used ones. */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/compare.h"
#include "base/hash.h"
#include "base/offsets.h"
#include "base/varint.h"
#include "base/xalloc.h"
#include "model/builder_priv.h"

void builder_done_execs(struct builder *b)
{
    exec_pack_done(&b->records);
    vec_done(&b->record_owners.bytes);
}

void builder_saturated(struct builder *b, node_id node)
{
    if (b->saturated_node == NODE_NONE)
        b->saturated_node = node;
}

/* Records that the next record belongs to OWNER at STEP. */
static void add_owner(struct builder *b, enum record_of of, uint32_t owner, int64_t step)
{
    const size_t position = b->records.bytes.n / EXEC_ALIGN;
    struct record_owners *o = &b->record_owners;
    uint8_t *to;

    if (position >= UINT32_MAX)
        xalloc_fail();
    b->steps_mixed |= step < b->last_step && position;
    b->last_step = step;
    vec_reserve(&o->bytes, o->bytes.n + 2 * VARINT_MAX_BYTES);
    to = varint_put(o->bytes.data + o->bytes.n, (uint64_t)(position - o->position) << RECORD_OF_BITS | of);
    to = varint_put(to, zigzag((int64_t)owner - (int64_t)o->owner));
    o->bytes.n = (size_t)(to - o->bytes.data);
    o->position = (uint32_t)position;
    o->owner = owner;
}

static void add_record(struct builder *b, enum record_of of, uint32_t owner, node_id node, const struct exec_record *r)
{
    bool saturated = false;

    add_owner(b, of, owner, r->step);
    exec_pack_add(&b->records, r, &saturated);
    if (saturated && node != NODE_NONE)
        builder_saturated(b, node);
}

void builder_add_record(struct builder *b, node_id node, const struct exec_record *r)
{
    add_record(b, RECORD_OF_NODE, node, node, r);
}

void builder_add_part_record(struct builder *b, uint32_t part, node_id node,
                             const struct exec_record *r)
{
    add_record(b, RECORD_OF_PART, part, node, r);
}

void builder_add_part_runs(struct builder *b, uint32_t part, int64_t step, int64_t n_runs)
{
    const struct exec_record r = {.step = step, .run_count = n_runs};

    add_record(b, RECORD_RUNS_OF_PART, part, NODE_NONE, &r);
}

void builder_add_packed(struct builder *b, node_id node, int64_t step, const struct exec_pack *pack, size_t from,
                        size_t len)
{
    add_owner(b, RECORD_OF_NODE, node, step);
    exec_pack_append(&b->records, pack, from, len);
}

/* ---- packing */

struct step_position {
    int64_t step;
    uint32_t position;
    uint32_t order; /* recorded order */
};

COMPARE_BY_TWO(compare_steps, struct step_position, step, order)

/* Sorts each node's records by step. */
static void order_by_step(struct profile *p)
{
    VEC(struct step_position) order = {0};

    for (node_id id = 0; id < profile_n_ids(p); id++) {
        const struct exec_range range = profile_exec_range(p, id);
        uint32_t *positions = p->exec_positions + range.begin, n = range.end - range.begin;

        if (id >= p->n_nodes && range.begin < p->exec_begin[p->n_nodes])
            continue; /* the list of its node */
        order.n = 0;
        for (uint32_t i = 0; i < n; i++) {
            struct step_position at = {profile_record_step(p, positions[i]), positions[i], i};

            vec_push(&order, at);
        }
        if (n > 1)
            vec_sort(&order, compare_steps);
        for (uint32_t i = 0; i < n; i++)
            positions[i] = order.data[i].position;
    }
    vec_done(&order);
}

/* True when a time is negative, or when sums of figures, or of two times of each figure, may
 * overflow. */
static bool may_saturate(const struct profile *p, struct figure_bits bits)
{
    const uint64_t n = 2 * (uint64_t)p->exec_begin[p->n_nodes];
    const uint64_t max = n ? (uint64_t)INT64_MAX / n : UINT64_MAX;

    return (bits.numbers & INT64_MAX) >= max || bits.ticks > max / (uint64_t)p->clock.tick_ps;
}

/* Finds the first node whose sums in a step reach a limit. */
static void find_saturated(struct builder *b)
{
    struct profile *p = b->profile;
    bool saturated = false;
    struct exec e;

    for (node_id node = 0; node < p->n_nodes; node++) {
        struct exec_walk walk = profile_execs(p, node);

        while (exec_next_checked(&walk, &e, &saturated))
            continue;
        if (saturated) {
            builder_saturated(b, node);
            return;
        }
    }
}

/* Counts the steps of each node, the divisor of averages of its parts.  Done once, because a node
 * may have as many parts as records. */
static void count_steps(struct profile *p)
{
    p->n_steps_of_node = arena_calloc(&p->arena, p->n_nodes, sizeof *p->n_steps_of_node);
    for (node_id node = 0; node < p->n_nodes; node++) {
        const struct exec_walk walk = profile_execs(p, node);
        int64_t last = STEP_OUTSIDE;

        for (uint32_t i = walk.at; i < walk.end; i++) {
            const int64_t step = profile_record_step(p, p->exec_positions[i]);

            p->n_steps_of_node[node] += step != STEP_OUTSIDE && step != last;
            last = step;
        }
    }
}

/* Counts the records of each id into BEGIN[id + 1] if POSITIONS is NULL; else adds the position of each at BEGIN[id]++.
 * ID_OF_PART: ids by part.  OWNS: by id of a part, whether it has a list of its own; set if it has other records than
 * its node has, and no others are added. */
static void walk_owners(const struct builder *b, const uint32_t *id_of_part, bool *owns, uint32_t *begin,
                        uint32_t *positions)
{
    const struct profile *p = b->profile;
    const struct record_owners *o = &b->record_owners;
    const uint8_t *at = o->bytes.data, *end = vec_from(&o->bytes, o->bytes.n);
    uint32_t position = 0, owner = 0;

    while (at != end) {
        const uint64_t head = varint_get(&at);
        const enum record_of of = (enum record_of)(head & ((1 << RECORD_OF_BITS) - 1));
        uint32_t ids[2], n = 0;

        position += (uint32_t)(head >> RECORD_OF_BITS);
        owner = (uint32_t)((int64_t)owner + from_zigzag(varint_get(&at)));
        if (of == RECORD_RUNS_OF_PART)
            owns[id_of_part[owner] - p->n_nodes] = true;
        if (of != RECORD_OF_NODE && (!positions || owns[id_of_part[owner] - p->n_nodes]))
            ids[n++] = id_of_part[owner];
        if (of != RECORD_RUNS_OF_PART)
            ids[n++] = of == RECORD_OF_NODE ? owner : p->node_of_part[id_of_part[owner] - p->n_nodes];
        while (n-- > 0)
            if (positions)
                positions[begin[ids[n]]++] = position;
            else
                begin[ids[n] + 1]++;
    }
}

/* Decides which parts have lists of their own: those with records that their node has not, or not all that it has.
 * BEGIN has the counts, which become 0 for the others. */
static void share_lists(const struct profile *p, bool *owns, uint32_t *begin)
{
    for (uint32_t part = 0; part < p->n_parts; part++) {
        uint32_t *count = &begin[p->n_nodes + part + 1];

        owns[part] = owns[part] || *count != begin[p->node_of_part[part] + 1];
        if (!owns[part])
            *count = 0;
    }
}

static void set_part_execs(struct profile *p, const bool *owns)
{
    p->part_execs = ARENA_NEW(&p->arena, struct exec_range, p->n_parts);
    for (uint32_t part = 0; part < p->n_parts; part++) {
        const uint32_t *begin = &p->exec_begin[owns[part] ? p->n_nodes + part : p->node_of_part[part]];

        p->part_execs[part] = (struct exec_range){begin[0], begin[1]};
    }
}

/* Packs the positions of the records of each node and part, in recorded order. */
static void pack_positions(struct builder *b)
{
    struct profile *p = b->profile;
    const size_t n_ids = profile_n_ids(p);
    uint32_t *id_of_part = builder_ids_of_parts(b);
    bool *owns = xcalloc(p->n_parts, sizeof *owns);

    p->exec_begin = xcalloc(n_ids + 1, sizeof *p->exec_begin);
    arena_adopt(&p->arena, p->exec_begin, (n_ids + 1) * sizeof *p->exec_begin);
    walk_owners(b, id_of_part, owns, p->exec_begin, NULL);
    share_lists(p, owns, p->exec_begin);
    /* Zero pages that are never written take no memory; most profiles have no records. */
    if (b->record_owners.bytes.n && !offsets_sum(p->exec_begin, n_ids))
        xalloc_fail();
    p->exec_positions = ARENA_NEW(&p->arena, uint32_t, p->exec_begin[n_ids]);
    if (b->record_owners.bytes.n) {
        walk_owners(b, id_of_part, owns, p->exec_begin, p->exec_positions);
        offsets_rewind(p->exec_begin, n_ids);
    }
    set_part_execs(p, owns);
    vec_done(&b->record_owners.bytes);
    EACH(free, id_of_part, owns);
}

void builder_pack_execs(struct builder *b)
{
    struct profile *p = b->profile;

    pack_positions(b);
    p->has_negative_runs = (b->records.bits.numbers | b->records.bits.ticks) >> 63;
    p->exec_figures = b->records.bits.any;
    exec_pack_end(&b->records);
    p->exec_records = xreallocarray(b->records.bytes.data, b->records.bytes.n, 1);
    arena_adopt(&p->arena, p->exec_records, b->records.bytes.n);
    p->exec_records_bytes = b->records.bytes.n;
    p->n_exec_layouts = (uint32_t)b->records.layouts.n;
    p->exec_layouts = arena_copy(&p->arena, b->records.layouts.data, b->records.layouts.n, sizeof *p->exec_layouts);
    memset(&b->records.bytes, 0, sizeof b->records.bytes);
    if (b->steps_mixed)
        order_by_step(p);
    if (p->n_parts)
        count_steps(p);
    p->exec_sums_fit = !may_saturate(p, b->records.bits);
    if (!p->exec_sums_fit)
        find_saturated(b);
}

enum { FIRST_SLOTS = 16 };

struct step_slot {
    int64_t step, later; /* no free step lies in between */
    bool is_taken;
};

static struct step_slot *find_slot(const struct step_set *set, int64_t step)
{
    size_t i = (size_t)hash_pair((uint64_t)step, 0) & (set->n_slots - 1);

    while (set->slots[i].is_taken && set->slots[i].step != step)
        i = (i + 1) & (set->n_slots - 1);
    return &set->slots[i];
}

static void grow(struct step_set *set)
{
    const struct step_set old = *set;

    set->n_slots = old.n_slots ? old.n_slots * 2 : FIRST_SLOTS;
    set->slots = xcalloc(set->n_slots, sizeof *set->slots);
    for (size_t i = 0; i < old.n_slots; i++)
        if (old.slots[i].is_taken)
            *find_slot(set, old.slots[i].step) = old.slots[i];
    free(old.slots);
}

void step_set_add(struct step_set *set, int64_t step)
{
    struct step_slot *slot;

    if (set->n * 2 >= set->n_slots)
        grow(set);
    slot = find_slot(set, step);
    if (slot->is_taken)
        return;
    *slot = (struct step_slot){step, step < INT64_MAX ? step + 1 : step, true};
    set->n++;
}

int64_t step_set_free_from(struct step_set *set, int64_t step)
{
    while (set->n > 0) {
        struct step_slot *slot = find_slot(set, step), *next;

        if (!slot->is_taken || slot->later == step)
            return step;
        next = find_slot(set, slot->later);
        if (next->is_taken)
            slot->later = next->later;
        step = slot->later;
    }
    return step;
}

void step_set_done(struct step_set *set)
{
    free(set->slots);
    *set = (struct step_set){0};
}
