/* lookup.h: an index by hash over a growing array.
 *
 *     size_t probe = lookup_begin(&l, hash);
 *     while ((i = lookup_next(&l, hash, &probe)) != SLOTS_NONE)
 *         if (element i is the wanted one) return i;
 *     lookup_add(&l, hash);    element n, which the caller appends
 *
 * Equal elements must not be added twice, because that makes lookups slow. */
#pragma once

#include "base/slots.h"
#include "base/vec.h"

/* Hash table from hashes to indexes.  A zeroed one is empty. */
struct lookup {
    struct slots slots;
    VEC(uint64_t) hashes; /* by element */
};

static inline size_t lookup_begin(const struct lookup *l, uint64_t hash)
{
    return slots_find(&l->slots, hash);
}

/* The next element with this hash, or SLOTS_NONE. */
static inline uint32_t lookup_next(const struct lookup *l, uint64_t hash, size_t *probe)
{
    uint32_t i;

    while ((i = slots_next(&l->slots, probe)) != SLOTS_NONE)
        if (l->hashes.data[i] == hash)
            return i;
    return SLOTS_NONE;
}

static inline void lookup_add(struct lookup *l, uint64_t hash)
{
    enum { FIRST = 64 };

    vec_push(&l->hashes, hash);
    if (l->slots.n_slots >= 2 * l->hashes.n) {
        slots_add(&l->slots, hash, (uint32_t)(l->hashes.n - 1));
        return;
    }
    slots_done(&l->slots);
    slots_init(&l->slots, 2 * l->hashes.n + FIRST);
    for (size_t i = 0; i < l->hashes.n; i++)
        slots_add(&l->slots, l->hashes.data[i], (uint32_t)i);
}

static inline void lookup_done(struct lookup *l)
{
    slots_done(&l->slots);
    vec_done(&l->hashes);
}
