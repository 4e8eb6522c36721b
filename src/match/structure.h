/* structure.h: what a node computes, and what becomes of it, as a number: equal for nodes of two
 * profiles whose surroundings are equal but for names. */
#ifndef TFPROF_MATCH_STRUCTURE_H
#define TFPROF_MATCH_STRUCTURE_H

#include "model/profile.h"

/* All [n_nodes] but for the lists; heap. */
struct structure {
    const struct profile *profile;
    uint64_t *label;        /* of the node alone: operation type, shape */
    uint64_t *whole;        /* of all that it is made of and all that is made of it */
    uint32_t *depth;        /* of the longest chain of nodes through it, as far as there are no loops */
    uint32_t *taker_begin;  /* CSR: the inputs that it is the source of, by place in p->inputs */
    uint32_t *takers;
    node_id *node_of_input; /* [inputs] whose input it is */
};

/* Prepares lists and labels; OP_OF [strings of P] has a number for each operation type, the same in
 * both profiles.  Free with structure_done(). */
void structure_init(struct structure *s, const struct profile *p, const uint32_t *op_of);
/* Fills whole and depth, by labels with shapes or without.  Linear. */
void structure_fill(struct structure *s, bool with_shapes);
void structure_done(struct structure *s);

/* Mixes A and B; the order counts. */
static inline uint64_t structure_mix(uint64_t a, uint64_t b)
{
    uint64_t x = (a ^ (b + UINT64_C(0x9e3779b97f4a7c15) + (a << 6) + (a >> 2)));

    x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
    return x ^ (x >> 31);
}

#endif
