/* idmap.c: a hash map from 64-bit ids of a file to 32-bit values. */
#include "load/idmap.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/xalloc.h"

enum { FIRST_SLOTS = 256 };

/* Ids are mostly consecutive, so groups of eight share a cache line. */
static size_t first_slot(const struct idmap *m, int64_t id)
{
    enum { NEIGHBOUR_BITS = 3, NEIGHBOURS = 1 << NEIGHBOUR_BITS };
    const uint64_t group = hash_pair((uint64_t)id / NEIGHBOURS, 0) << NEIGHBOUR_BITS;

    return (size_t)(group + (uint64_t)id % NEIGHBOURS) & (m->n_slots - 1);
}

static struct idmap_slot *find_slot(const struct idmap *m, int64_t id)
{
    const size_t mask = m->n_slots - 1;
    size_t i = first_slot(m, id);

    while (m->slots[i].value != IDMAP_NONE && m->slots[i].id != id)
        i = (i + 1) & mask;
    return &m->slots[i];
}

static void grow(struct idmap *m)
{
    struct idmap old = *m;

    m->n_slots = old.n_slots ? old.n_slots * 2 : FIRST_SLOTS;
    m->slots = xalloc_huge(m->n_slots, sizeof *m->slots);
    memset(m->slots, 0xff, m->n_slots * sizeof *m->slots);
    for (size_t i = 0; i < old.n_slots; i++)
        if (old.slots[i].value != IDMAP_NONE)
            *find_slot(m, old.slots[i].id) = old.slots[i];
    free(old.slots);
}

void idmap_put(struct idmap *m, int64_t id, uint32_t value, uint32_t file)
{
    struct idmap_slot *slot;

    if (m->n * 2 >= m->n_slots)
        grow(m);
    slot = find_slot(m, id);
    if (slot->value == IDMAP_NONE)
        m->n++;
    else if (slot->file != file)
        return;
    *slot = (struct idmap_slot){id, value, file};
}

void idmap_prefetch(const struct idmap *m, int64_t id)
{
    if (m->n_slots)
        __builtin_prefetch(&m->slots[first_slot(m, id)]);
}

uint32_t *idmap_find(const struct idmap *m, int64_t id)
{
    struct idmap_slot *slot = m->n_slots ? find_slot(m, id) : NULL;

    return slot && slot->value != IDMAP_NONE ? &slot->value : NULL;
}

uint32_t idmap_get(const struct idmap *m, int64_t id)
{
    return m->n_slots ? find_slot(m, id)->value : IDMAP_NONE;
}

void idmap_done(struct idmap *m)
{
    free(m->slots);
    memset(m, 0, sizeof *m);
}
