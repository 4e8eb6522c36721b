/* owned.c: items that belong to numbered owners, packed owner by owner. */
#include "model/owned.h"

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

/* Counting sort; BEGIN[owner] serves as the cursor and is put right after. */
static void scatter(const struct owned *o, uint32_t n_owners, uint32_t *begin, unsigned char *out)
{
    const size_t size = o->item_bytes;

    for (size_t i = 0; i < o->owners.n; i++)
        memcpy(out + begin[o->owners.data[i]]++ * size, o->items + i * size, size);
    memmove(begin + 1, begin, (size_t)n_owners * sizeof *begin);
    begin[0] = 0;
}

void *owned_pack(struct owned *o, uint32_t n_owners, struct arena *items, struct arena *begins,
                 uint32_t **begin)
{
    unsigned char *out;

    if (o->owners.n >= UINT32_MAX)
        xreallocarray(NULL, SIZE_MAX, 2); /* ends the program */
    *begin = ARENA_NEW(begins, uint32_t, (size_t)n_owners + 1);
    out = arena_alloc(items, o->owners.n, o->item_bytes);
    if (!count_owners(o, n_owners, *begin))
        scatter(o, n_owners, *begin, out);
    else if (o->owners.n)
        memcpy(out, o->items, o->owners.n * o->item_bytes);
    owned_done(o);
    return out;
}
