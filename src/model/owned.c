/* owned.c: groups items by their numbered owners. */
#include "model/builder_priv.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/offsets.h"
#include "base/xalloc.h"

void owned_init(struct owned *o, size_t item_bytes)
{
    memset(o, 0, sizeof *o);
    o->item_bytes = item_bytes;
}

void owned_done(struct owned *o)
{
    vec_done(&o->owners);
    free(o->items);
    o->items = NULL;
    o->capacity = 0;
}

void owned_copy(struct owned *copy, const struct owned *o)
{
    owned_init(copy, o->item_bytes);
    if (!o->owners.n)
        return;
    vec_copy(&copy->owners, &o->owners);
    copy->capacity = o->owners.n;
    copy->items = xreallocarray(NULL, o->owners.n, o->item_bytes);
    memcpy(copy->items, o->items, o->owners.n * o->item_bytes);
}

void owned_add(struct owned *o, uint32_t owner, const void *item)
{
    size_t n = o->owners.n;

    if (n == o->capacity)
        o->items = vec_grow(o->items, &o->capacity, n + 1, o->item_bytes);
    memcpy(o->items + n * o->item_bytes, item, o->item_bytes);
    vec_push(&o->owners, owner);
}

/* Counts the items of each owner into BEGIN, which is zero; true when the owners were ascending. */
static bool count_owners(const struct owned *o, uint32_t n_owners, uint32_t *begin)
{
    bool ordered = true;
    uint32_t last = 0;

    for (size_t i = 0; i < o->owners.n; i++) {
        uint32_t owner = o->owners.data[i];

        begin[owner + 1]++;
        ordered = ordered && owner >= last;
        last = owner;
    }
    /* Zero pages that are never written take no memory; most profiles lack some list. */
    if (o->owners.n && !offsets_sum(begin, n_owners))
        xalloc_fail();
    return ordered;
}

/* Sorts the items by owner: a counting sort with BEGIN[owner] as the cursor, restored afterwards.
 * Input is mostly ordered, so memory access is mostly sequential. */
static void *sort_items(const struct owned *o, uint32_t n_owners, uint32_t *begin)
{
    unsigned char *sorted = xreallocarray(NULL, o->owners.n, o->item_bytes);

    for (size_t i = 0; i < o->owners.n; i++)
        memcpy(sorted + begin[o->owners.data[i]]++ * o->item_bytes, o->items + i * o->item_bytes,
               o->item_bytes);
    offsets_rewind(begin, n_owners);
    return sorted;
}

void *owned_pack(struct owned *o, uint32_t n_owners, struct arena *items, struct arena *begins,
                 uint32_t **begin)
{
    size_t n = o->owners.n;
    void *packed;

    *begin = xcalloc((size_t)n_owners + 1, sizeof **begin);
    arena_adopt(begins, *begin, ((size_t)n_owners + 1) * sizeof **begin);
    if (count_owners(o, n_owners, *begin)) {
        packed = xreallocarray(o->items, n, o->item_bytes);
        o->items = NULL;
    } else {
        packed = sort_items(o, n_owners, *begin);
    }
    if (items)
        arena_adopt(items, packed, n * o->item_bytes);
    owned_done(o);
    return packed;
}
