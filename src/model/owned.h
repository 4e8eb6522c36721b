/* owned.h: items that belong to numbered owners, added in any order and
 * packed owner by owner (CSR) when all are there. */
#ifndef TFPROF_MODEL_OWNED_H
#define TFPROF_MODEL_OWNED_H

#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/vec.h"

/* Two arrays side by side, so that packing an ordered list is one copy. */
struct owned {
    VEC(uint32_t) owners;
    unsigned char *items;
    size_t capacity; /* of items */
    size_t item_bytes;
};

/* An empty list of items of ITEM_BYTES each. */
void owned_init(struct owned *o, size_t item_bytes);
void owned_done(struct owned *o);

static inline size_t owned_count(const struct owned *o)
{
    return o->owners.n;
}

/* Makes COPY, not initialised, a list of the same items. */
void owned_copy(struct owned *copy, const struct owned *o);

/* Appends a copy of *ITEM. */
void owned_add(struct owned *o, uint32_t owner, const void *item);

/* Packs the items into memory of ITEMS (NULL: the heap, for the caller to free), those of an owner in the order they were added,
 * and *BEGIN [n_owners + 1] into BEGINS (which may be the same arena).  Every
 * owner is below N_OWNERS.  The list is empty afterwards. */
void *owned_pack(struct owned *o, uint32_t n_owners, struct arena *items, struct arena *begins,
                 uint32_t **begin);

#endif
