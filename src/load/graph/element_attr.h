/* element_attr.h: which attribute of a node says what the elements of its tensors are. */
#ifndef TFPROF_LOAD_ELEMENT_ATTR_H
#define TFPROF_LOAD_ELEMENT_ATTR_H

#include "base/arena.h"
#include "load/loader.h"

/* The best one so far; a zeroed one is none. */
struct element_attr {
    unsigned rank;     /* 0: none; higher ones say more of the outputs */
    struct span value; /* AttrValue */
};

/* Keeps VALUE, the AttrValue of attribute KEY, when it says more than what BEST has. */
void element_attr_note(struct element_attr *best, struct span key, struct span value);
/* The size of one element in bits; 0: no attribute says it, or it has no fixed size.  What is
 * malformed says nothing. */
uint8_t element_attr_bits(const struct element_attr *best, struct arena *pieces);

#endif
