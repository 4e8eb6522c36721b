/* slots.h: an index by hash over an array of the caller.
 *
 *     slots_init(&s, n);
 *     slots_add(&s, hash of element i, i);
 *     for (probe = slots_find(&s, hash); (i = slots_next(&s, &probe)) != SLOTS_NONE;)
 *         if (element i is the wanted one) ...
 *
 * Elements of one hash come in the order in which they were added. */
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"

#define SLOTS_NONE UINT32_MAX

/* Hash table with open addressing, at most half full. A zeroed table is empty. */
struct slots {
    uint32_t *slots; /* SLOTS_NONE: free */
    size_t n_slots;  /* a power of two, or 0 */
};

/* Allocates a table for up to N elements. */
static inline void slots_init(struct slots *s, size_t n)
{
    s->n_slots = 2;
    while (s->n_slots < 2 * n)
        s->n_slots *= 2;
    s->slots = xreallocarray(NULL, s->n_slots, sizeof *s->slots);
    memset(s->slots, 0xff, s->n_slots * sizeof *s->slots);
}

static inline void slots_done(struct slots *s)
{
    free(s->slots);
    *s = (struct slots){0};
}

/* Returns the first probe position of HASH. */
static inline size_t slots_find(const struct slots *s, uint64_t hash)
{
    return s->n_slots ? (size_t)hash & (s->n_slots - 1) : 0;
}

/* Returns the next candidate at *PROBE, or SLOTS_NONE. */
static inline uint32_t slots_next(const struct slots *s, size_t *probe)
{
    uint32_t found;

    if (!s->n_slots)
        return SLOTS_NONE;
    found = s->slots[*probe];
    *probe = (*probe + 1) & (s->n_slots - 1);
    return found;
}

/* Adds element I. The table must not be full. */
static inline void slots_add(struct slots *s, uint64_t hash, uint32_t i)
{
    size_t at = slots_find(s, hash);

    while (s->slots[at] != SLOTS_NONE)
        at = (at + 1) & (s->n_slots - 1);
    s->slots[at] = i;
}
