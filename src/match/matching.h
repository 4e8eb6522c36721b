/* matching.h: state of the matching of two profiles; private to match/. */
#pragma once

#include "match/pairs.h"
#include "match/siblings.h"

/* One of the two profiles. */
struct side {
    const struct profile *p;
    struct forest f;
    node_id *partner;        /* [n_nodes] NODE_NONE: none */
    scope_id *scope_partner; /* [scopes] SCOPE_NONE: none */
    /* CSR: consumers of each node, as positions in p->inputs; made for neighbours */
    uint32_t *consumer_begin, *consumers;
    node_id *node_of_input; /* [inputs] the consumer */
};

/* Pairs found so far. The sides are ordered independently of which profile is the baseline, so that
 * exchanging the profiles does not change the result. */
struct matching {
    struct side a, b;
    uint8_t *reason;     /* by node of A: enum match_reason */
    uint8_t *confidence; /* by node of A: enum match_confidence */
    VEC(node_id) fresh;  /* nodes of A whose neighbours are not examined yet */
    uint32_t n_pairs;
    uint32_t *given_before; /* [a nodes + 1] given pairs before each position; NULL: there are none */
    VEC(uint32_t) given;    /* positions of given pairs in the sequence of A, ascending */
    struct sizes sizes;
    struct cancel_mark cancel;
};

static inline bool same_type(const struct matching *m, node_id a, node_id b)
{
    return m->a.f.type_of[a] == m->b.f.type_of[b];
}

static inline bool both_free(const struct matching *m, node_id a, node_id b)
{
    return m->a.partner[a] == NODE_NONE && m->b.partner[b] == NODE_NONE;
}

/* Pairs two free nodes. */
void matching_join(struct matching *m, node_id a, node_id b, enum match_reason reason,
                   enum match_confidence confidence);
/* True when the shapes of two nodes are equal, equal after size replacement, or unknown. */
bool matching_shapes_agree(const struct matching *m, node_id a, node_id b);

/* True when inputs of two nodes at the same position have other partners. */
bool matching_inputs_contradict(const struct matching *m, node_id a, node_id b);

/* ---- stages; each pairs free nodes only */

/* Pairs nodes whose names the rules map; counts pairs by rule. */
void match_given(struct matching *m, struct renames *renames, bool a_is_base);
/* Position in list B of the scope that holds the given partners of most nodes below A; SIBLING_NONE:
 * there are none. */
uint32_t match_given_scope(const struct matching *m, scope_id a, const scope_list *b);
/* Pairs scopes from the root down, and the nodes in them. */
void match_tree(struct matching *m);
/* Pairs inputs and consumers of pairs, until nothing changes. */
void match_neighbours(struct matching *m);
/* Pairs remaining nodes: equal names, moved scopes, and nodes that differ only in order. */
void match_remaining(struct matching *m);

/* ---- match_wrappers.c */

/* Replaces scopes of one list that only wrap scopes of the other by their children. */
void match_wrappers(const struct matching *m, scope_list *a, scope_list *b);
