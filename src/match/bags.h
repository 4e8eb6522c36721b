/* bags.h: similarity of scopes by the labels of their nodes; private to match/. */
#pragma once

#include "match/forest.h"

/* Sorted labels of the nodes of a scope, or of several; heap. */
struct bag {
    uint32_t n;
    uint32_t *full, *shaped, *named; /* [n] each, in one allocation */
    uint32_t *roles;                 /* type, shape and name within the scope */
};

void bag_init(struct bag *bag, const struct forest *f, scope_id scope);
/* Makes the bag of N scopes, none of which contains another. */
void bag_init_list(struct bag *bag, const struct forest *f, const scope_id *scopes, uint32_t n);
void bag_done(struct bag *bag);

/* How many nodes of two scopes have equal labels. */
struct overlap {
    uint32_t full, shaped, named, roles; /* by kind of label */
    uint32_t n_a, n_b;            /* nodes of each scope */
};

struct overlap bags_overlap(const struct bag *a, const struct bag *b);

/* Share of nodes that are similar with shapes, and without; 0 to 1. */
double overlap_with_shapes(struct overlap o);
double overlap_without_shapes(struct overlap o);
/* Similarity as a share of the smaller scope. */
double overlap_contained(struct overlap o);
/* Similarity as a number, for sums over pairs. */
int64_t overlap_value(struct overlap o);
/* Similarity for the choice of assignments: nodes with equal type and shape; then equal roles. */
int64_t overlap_agreement(struct overlap o);
