/* element_attr.h: finds the attribute with the element type of a node's tensors. */
#ifndef TFPROF_LOAD_ELEMENT_ATTR_H
#define TFPROF_LOAD_ELEMENT_ATTR_H

#include "base/arena.h"
#include "load/loader.h"

/* The best attribute so far; none when zeroed. */
struct element_attr {
    unsigned rank;     /* 0: none; higher ranks describe the outputs better */
    struct span value; /* AttrValue */
};

/* Keeps VALUE, the AttrValue of attribute KEY, if its rank is higher than BEST's. */
void element_attr_note(struct element_attr *best, struct span key, struct span value);
/* The size of an element in bits; 0: unknown, varying, or malformed. */
uint8_t element_attr_bits(const struct element_attr *best, struct arena *pieces);

#endif
