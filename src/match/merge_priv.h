/* merge_priv.h: the profile of two under construction; private to merge*.c. */
#ifndef TFPROF_MATCH_MERGE_PRIV_H
#define TFPROF_MATCH_MERGE_PRIV_H

#include "base/vec.h"
#include "match/merge.h"

/* Ids of either side for one id of the merged profile. */
struct merged_id {
    node_id now, base;
};

struct merge {
    const struct pairs *pairs;
    const struct profile *base, *now;
    struct profile *p; /* what is made */
    strid *string_of;  /* [strings of base] its id, STRID_NONE: not taken yet */
    node_id *id_of;    /* [nodes of base] the merged node */
    VEC(struct merged_id) ids; /* nodes, then parts */
};

/* The merged shape of SHAPE of the base; the two that all profiles have stay. */
static inline shape_id shape_of_base(const struct merge *m, shape_id shape)
{
    return shape <= SHAPE_SCALAR ? shape : m->now->n_shapes + shape - SHAPE_SCALAR - 1;
}

/* The merged string of STRING of the base. */
strid merge_string(struct merge *m, strid string);
/* Fills sets of types and the column of them: a node of both sides has the types of both, so that
 * regexes over types count it on both or on neither. */
void merge_types(struct merge *m);
/* Fills the lists of inputs and outputs, and of executions, which are those of now. */
void merge_lists(struct merge *m);

#endif
