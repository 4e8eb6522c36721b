/* owned.h: items with numbered owners, added in any order and packed by owner (CSR) at the end. */
#ifndef TFPROF_MODEL_OWNED_H
#define TFPROF_MODEL_OWNED_H

#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/vec.h"

/* Two parallel arrays, so that packing an ordered list is one copy. */
struct owned {
    VEC(uint32_t) owners;
    unsigned char *items;
    size_t capacity; /* in items */
    size_t item_bytes;
};

/* Initialises an empty list of items of ITEM_BYTES. */
void owned_init(struct owned *o, size_t item_bytes);
void owned_done(struct owned *o);

static inline size_t owned_count(const struct owned *o)
{
    return o->owners.n;
}

/* Initialises COPY with the same items. */
void owned_copy(struct owned *copy, const struct owned *o);

/* Appends a copy of *ITEM. */
void owned_add(struct owned *o, uint32_t owner, const void *item);

/* Packs the items into memory of ITEMS (NULL: heap memory for the caller to free), those of an
 * owner in insertion order, and *BEGIN [n_owners + 1] into BEGINS (may be the same arena).  Every
 * owner is below N_OWNERS.  Empties the list. */
void *owned_pack(struct owned *o, uint32_t n_owners, struct arena *items, struct arena *begins,
                 uint32_t **begin);

#endif
