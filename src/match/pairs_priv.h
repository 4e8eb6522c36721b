/* pairs_priv.h: matching while it goes on; private to match/. */
#ifndef TFPROF_MATCH_PAIRS_PRIV_H
#define TFPROF_MATCH_PAIRS_PRIV_H

#include "base/text.h"
#include "base/vec.h"
#include "match/pairs.h"
#include "match/structure.h"

/* Both profiles, and which nodes are still to be looked around from. */
struct matching {
    struct pairs *pairs;
    uint32_t *op_of_base, *op_of_now; /* by string: the same number for the same type */
    struct structure base, now;
    uint64_t *leaf_of_base, *leaf_of_now; /* by node: the canonical last component of its name */
    VEC(node_id) fresh;                   /* of now: joined, neighbours not looked at */
    uint8_t *is_sure; /* by node of now: its pair is not of its name alone */
    uint32_t n_parted; /* pairs of equal names that structure contradicted */
};

static inline struct text node_name(const struct profile *p, node_id node)
{
    return (struct text){profile_text(p, p->name[node]), intern_len(&p->strings, p->name[node])};
}

static inline bool same_op(const struct matching *m, node_id base, node_id now)
{
    return m->op_of_base[m->pairs->base->op[base]] == m->op_of_now[m->pairs->now->op[now]];
}

/* True when NOW has a pair that nothing but the name speaks for, though other names proved wrong. */
static inline bool is_doubtful(const struct matching *m, node_id now)
{
    return m->n_parted && m->pairs->base_of[now] != NODE_NONE && !m->is_sure[now];
}

static inline bool both_free(const struct matching *m, node_id base, node_id now)
{
    return m->pairs->now_of[base] == NODE_NONE && m->pairs->base_of[now] == NODE_NONE;
}

/* Joins two free nodes of one operation type. */
void pairs_join(struct matching *m, node_id base, node_id now, enum match_reason reason);
/* Parts a pair again. */
void pairs_part(struct matching *m, node_id base);

/* ---- each looks at free nodes alone and joins what it is sure of; all are linear or sort */

/* Nodes whose whole surroundings are equal, and that no other of either side shares: first with
 * shapes (which also parts pairs of equal names that contradict it), then without. */
void match_structure(struct matching *m, bool with_shapes);
/* Nodes whose names are alike but for numbers and decorations, of one code path; then of one
 * canonical name and shape; then of one canonical name: where both sides have as many. */
void match_names_alike(struct matching *m);
/* From fresh pairs to inputs and takers that stand in the same places. */
void match_neighbours(struct matching *m);
/* Nodes of scopes that sure pairs tell the name of in now; parts doubtful ones that these say are
 * another node. */
void match_scopes(struct matching *m);

#endif
