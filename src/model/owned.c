/* owned.c: items that belong to numbered owners, packed owner by owner. */
#include "model/owned.h"

#include <assert.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

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

void owned_add(struct owned *o, uint32_t owner, const void *item)
{
    size_t n = o->owners.n;

    if (n == o->capacity)
        o->items = vec_grow(o->items, &o->capacity, n + 1, o->item_bytes);
    memcpy(o->items + n * o->item_bytes, item, o->item_bytes);
    vec_push(&o->owners, owner);
}

/* Fills BEGIN by counting; true when the owners came in ascending order. */
static bool count_owners(const struct owned *o, uint32_t n_owners, uint32_t *begin)
{
    bool ordered = true;
    uint32_t last = 0;

    memset(begin, 0, ((size_t)n_owners + 1) * sizeof *begin);
    for (size_t i = 0; i < o->owners.n; i++) {
        uint32_t owner = o->owners.data[i];

        begin[owner + 1]++;
        ordered = ordered && owner >= last;
        last = owner;
    }
    for (uint32_t i = 0; i < n_owners; i++)
        begin[i + 1] += begin[i];
    return ordered;
}

/* Turns owners into places: counting sort, with BEGIN[owner] as the cursor,
 * which is put right after. */
static void find_places(struct owned *o, uint32_t n_owners, uint32_t *begin)
{
    for (size_t i = 0; i < o->owners.n; i++)
        o->owners.data[i] = begin[o->owners.data[i]]++;
    memmove(begin + 1, begin, (size_t)n_owners * sizeof *begin);
    begin[0] = 0;
}

void owned_permute(void *items, uint32_t *dest, size_t n, size_t size_bytes)
{
    enum { MOST_BYTES = 256 };
    unsigned char *p = items;
    unsigned char spare[MOST_BYTES];

    assert(size_bytes <= MOST_BYTES);
    for (size_t i = 0; i < n; i++) {
        while (dest[i] != i) { /* each step brings one item home */
            size_t to = dest[i];

            memcpy(spare, p + to * size_bytes, size_bytes);
            memcpy(p + to * size_bytes, p + i * size_bytes, size_bytes);
            memcpy(p + i * size_bytes, spare, size_bytes);
            dest[i] = dest[to];
            dest[to] = (uint32_t)to;
        }
    }
}

void *owned_pack(struct owned *o, uint32_t n_owners, struct arena *items, struct arena *begins,
                 uint32_t **begin)
{
    size_t n = o->owners.n;
    void *packed;

    if (n >= UINT32_MAX)
        xreallocarray(NULL, SIZE_MAX, 2); /* ends the program */
    *begin = ARENA_NEW(begins, uint32_t, (size_t)n_owners + 1);
    if (!count_owners(o, n_owners, *begin)) {
        find_places(o, n_owners, *begin);
        owned_permute(o->items, o->owners.data, n, o->item_bytes);
    }
    packed = xreallocarray(o->items, n, o->item_bytes);
    arena_adopt(items, packed, n * o->item_bytes);
    o->items = NULL;
    owned_done(o);
    return packed;
}
