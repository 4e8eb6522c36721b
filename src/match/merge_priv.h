/* merge_priv.h: the merged profile under construction; private to merge*.c. */
#pragma once

#include "base/vec.h"
#include "match/merge.h"

/* Ids on both sides of one merged id. */
struct merged_id {
    node_id now, base;
};

struct merge {
    const struct pairs *pairs;
    const struct frames *base_frames, *now_frames;
    const struct profile *base, *now;
    struct profile *p; /* the merged profile */
    strid *string_of;  /* [strings of base] id of the merged string; STRID_NONE: not added yet */
    node_id *id_of;    /* [nodes of base] id of the merged node */
    VEC(struct merged_id) ids; /* nodes, then parts */
};

/* Merged id of SHAPE of the baseline; the two predefined shapes have the same ids everywhere. */
static inline shape_id shape_of_base(const struct merge *m, shape_id shape)
{
    return shape <= SHAPE_SCALAR ? shape : m->now->n_shapes + shape - SHAPE_SCALAR - 1;
}

/* Merged id of STRING of the baseline. */
strid merge_string(struct merge *m, strid string);
/* Merges the typesets. A node of both sides has the types of both, so that regexes over types treat
 * both sides alike. */
void merge_types(struct merge *m);
/* Fills the lists of inputs, outputs and executions; executions are the current ones. */
void merge_lists(struct merge *m);
