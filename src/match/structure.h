/* structure.h: hash of what a node computes and of what uses it; equal for nodes of two profiles
 * whose surroundings differ in names only. */
#ifndef TFPROF_MATCH_STRUCTURE_H
#define TFPROF_MATCH_STRUCTURE_H

#include "model/profile.h"

/* Arrays [n_nodes] except the lists; heap. */
struct structure {
    const struct profile *profile;
    uint64_t *label;        /* hash of the node alone: operation type and shape */
    uint64_t *whole;        /* hash of everything it depends on and everything that depends on it */
    uint32_t *depth;        /* length of the longest chain of nodes through it, without cycles */
    uint32_t *taker_begin;  /* CSR: consumers of each node, as indices into p->inputs */
    uint32_t *takers;
    node_id *node_of_input; /* [inputs] the consumer */
};

/* Prepares lists and labels. OP_OF [strings of P] numbers the operation types, equally in both
 * profiles. Free with structure_done(). */
void structure_init(struct structure *s, const struct profile *p, const uint32_t *op_of);
/* Fills whole and depth, from labels with or without shapes. Linear. */
void structure_fill(struct structure *s, bool with_shapes);
void structure_done(struct structure *s);

/* Hashes A and B; not commutative. */
static inline uint64_t structure_mix(uint64_t a, uint64_t b)
{
    uint64_t x = (a ^ (b + UINT64_C(0x9e3779b97f4a7c15) + (a << 6) + (a >> 2)));

    x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
    return x ^ (x >> 31);
}

#endif
