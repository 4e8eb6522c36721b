/* pairs_priv.h: state of the matching; private to match/. */
#ifndef TFPROF_MATCH_PAIRS_PRIV_H
#define TFPROF_MATCH_PAIRS_PRIV_H

#include "base/text.h"
#include "base/vec.h"
#include "match/pairs.h"
#include "match/structure.h"

/* Both profiles, and the nodes whose neighbours are still to be examined. */
struct matching {
    struct pairs *pairs;
    uint32_t *op_of_base, *op_of_now; /* by string: equal numbers for equal operation types */
    struct structure base, now;
    /* by node: hash of the canonical last component of the name */
    uint64_t *leaf_of_base, *leaf_of_now;
    /* matched nodes of now whose neighbours are not examined yet */
    VEC(node_id) fresh;
    uint8_t *is_sure; /* by node of now: the pair does not rest on the name alone */
    uint32_t n_parted; /* number of pairs of equal names that structure contradicted */
};

static inline struct text node_name(const struct profile *p, node_id node)
{
    return (struct text){profile_text(p, p->name[node]), intern_len(&p->strings, p->name[node])};
}

static inline bool same_op(const struct matching *m, node_id base, node_id now)
{
    return m->op_of_base[m->pairs->base->op[base]] == m->op_of_now[m->pairs->now->op[now]];
}

/* True when only the name supports the pair of NOW, and other pairs by name proved wrong. */
static inline bool is_doubtful(const struct matching *m, node_id now)
{
    return m->n_parted && m->pairs->base_of[now] != NODE_NONE && !m->is_sure[now];
}

static inline bool both_free(const struct matching *m, node_id base, node_id now)
{
    return m->pairs->now_of[base] == NODE_NONE && m->pairs->base_of[now] == NODE_NONE;
}

/* Matches two unmatched nodes of one operation type. */
void pairs_join(struct matching *m, node_id base, node_id now, enum match_reason reason);
/* Separates a pair. */
void pairs_separate(struct matching *m, node_id base);

/* ---- each looks at free nodes alone and joins what it is sure of; all are linear or sort */

/* Matches nodes with equal and unique surroundings: first with shapes (which also separates pairs
 * of equal names that contradict it), then without. */
void match_structure(struct matching *m, bool with_shapes);
/* Matches nodes whose names differ in numbers and decorations only: with equal call stacks, then
 * with equal canonical names and shapes, then with equal canonical names. Both sides must have
 * equally many. */
void match_names_alike(struct matching *m);
/* Matches inputs and consumers at equal positions, starting from new pairs. */
void match_neighbours(struct matching *m);
/* Matches nodes by scopes whose new name follows from sure pairs; separates doubtful pairs that
 * contradict them. */
void match_scopes(struct matching *m);

#endif
