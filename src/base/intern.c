/* intern.c: each distinct byte string once, known by a 32-bit id. */
#include "base/intern.h"

#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "base/xalloc.h"

/* Small, for each function of a model is a graph with tables of its own. */
enum { FIRST_SLOTS = 16 };

static size_t find_slot(const struct intern *in, const void *bytes, size_t len, uint32_t hash)
{
    size_t mask = in->n_slots - 1;
    size_t i = hash & mask;

    for (;; i = (i + 1) & mask) {
        const struct intern_entry *e;

        if (in->slots[i].id == STRID_NONE)
            return i;
        if (in->slots[i].hash != hash)
            continue;
        e = &in->entries[in->slots[i].id];
        if (e->len == len && (!len || memcmp(e->bytes, bytes, len) == 0))
            return i;
    }
}

/* Slots come in the order of their hashes' low bits, so each half of a doubled
 * table is filled from front to back. */
static void rehash(struct intern *in, size_t n_slots)
{
    struct intern_slot *old = in->slots;
    size_t n_old = in->n_slots;

    in->slots = xalloc_huge(n_slots, sizeof *in->slots);
    in->n_slots = n_slots;
    memset(in->slots, 0xff, n_slots * sizeof *in->slots);
    for (size_t o = 0; o < n_old; o++) {
        size_t i = old[o].hash & (n_slots - 1);

        if (old[o].id == STRID_NONE)
            continue;
        while (in->slots[i].id != STRID_NONE)
            i = (i + 1) & (n_slots - 1);
        in->slots[i] = old[o];
    }
    free(old);
}

/* Three quarters full is the most. */
static bool is_crowded(size_t n, size_t n_slots)
{
    return n > n_slots - n_slots / 4;
}

void intern_init(struct intern *in)
{
    memset(in, 0, sizeof *in);
    rehash(in, FIRST_SLOTS);
    intern_put(in, "", 0);
}

void intern_done(struct intern *in)
{
    arena_done(&in->arena);
    free(in->entries);
    free(in->slots);
    memset(in, 0, sizeof *in);
}

void intern_fork(struct intern *in, struct intern *copy, struct arena *texts)
{
    arena_move(texts, &in->arena);
    *copy = *in;
    copy->slots = xalloc_huge(in->n_slots, sizeof *in->slots);
    memcpy(copy->slots, in->slots, in->n_slots * sizeof *in->slots);
    copy->capacity = in->n;
    copy->entries = xreallocarray(NULL, in->n, sizeof *in->entries);
    memcpy(copy->entries, in->entries, in->n * sizeof *in->entries);
}

strid intern_put(struct intern *in, const void *bytes, size_t len)
{
    return intern_put_hashed(in, bytes, len, intern_hash(bytes, len));
}

strid intern_put_hashed(struct intern *in, const void *bytes, size_t len, uint32_t hash)
{
    size_t slot = find_slot(in, bytes, len, hash);
    struct intern_entry *e;

    if (in->slots[slot].id != STRID_NONE)
        return in->slots[slot].id;
    if (len >= UINT32_MAX || in->n >= STRID_NONE - 1)
        xreallocarray(NULL, SIZE_MAX, 2); /* ends the program */
    if (in->n == in->capacity)
        in->entries = vec_grow(in->entries, &in->capacity, in->n + 1, sizeof *in->entries);
    e = &in->entries[in->n];
    e->bytes = arena_memdupz(&in->arena, bytes, len);
    e->len = (uint32_t)len;
    e->hash = hash;
    in->slots[slot] = (struct intern_slot){hash, (strid)in->n++};
    if (is_crowded(in->n, in->n_slots))
        rehash(in, in->n_slots * 2);
    return (strid)(in->n - 1);
}

strid intern_find(const struct intern *in, const void *bytes, size_t len)
{
    return in->slots[find_slot(in, bytes, len, intern_hash(bytes, len))].id;
}

int intern_compare(const struct intern *in, strid a, strid b)
{
    const struct intern_entry *x = &in->entries[a];
    const struct intern_entry *y = &in->entries[b];
    uint32_t len = x->len < y->len ? x->len : y->len;
    int order;

    if (a == b)
        return 0;
    order = len ? memcmp(x->bytes, y->bytes, len) : 0;
    if (order)
        return order;
    return x->len < y->len ? -1 : x->len > y->len;
}
