/* intern.c: string interning with 32-bit ids. */
#include "base/intern.h"

#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "base/xalloc.h"

/* Small, because each function of a graph has tables of its own. */
enum { FIRST_SLOTS = 16 };

/* Mask of the bits in a slot that hold an id, and of the hash bits that select the first slot. */
static uint32_t slot_mask(const struct intern *in)
{
    return (uint32_t)(in->n_slots - 1);
}

static size_t find_slot(const struct intern *in, const void *bytes, size_t len, uint32_t hash)
{
    const uint32_t mask = slot_mask(in);
    size_t i = hash & mask;

    for (;; i = (i + 1) & (in->n_slots - 1)) {
        const uint32_t slot = in->slots[i];
        const struct intern_entry *e;

        if (slot == STRID_NONE)
            return i;
        if ((slot ^ hash) & ~mask)
            continue;
        e = &in->entries[slot & mask];
        if (e->len == len && (!len || memcmp(e->bytes, bytes, len) == 0))
            return i;
    }
}

/* Returns the id in slot I, STRID_NONE if it is free. */
static strid id_in(const struct intern *in, size_t i)
{
    return in->slots[i] == STRID_NONE ? STRID_NONE : in->slots[i] & slot_mask(in);
}

static void fill_slot(struct intern *in, size_t i, strid id, uint32_t hash)
{
    in->slots[i] = id | (hash & ~slot_mask(in));
}

static void prefetch_slot(const struct intern *in, uint32_t hash)
{
    __builtin_prefetch(&in->slots[hash & slot_mask(in)]);
}

static void rehash(struct intern *in, size_t n_slots)
{
    enum { AHEAD = 16 };

    free(in->slots);
    in->slots = xalloc_huge(n_slots, sizeof *in->slots);
    in->n_slots = n_slots;
    memset(in->slots, 0xff, n_slots * sizeof *in->slots);
    for (size_t id = 0; id < in->n; id++) {
        size_t i = in->entries[id].hash & (n_slots - 1);

        if (id + AHEAD < in->n)
            prefetch_slot(in, in->entries[id + AHEAD].hash);
        while (in->slots[i] != STRID_NONE)
            i = (i + 1) & (n_slots - 1);
        fill_slot(in, i, (strid)id, in->entries[id].hash);
    }
}

/* True if the table is more than three quarters full. */
static bool needs_growth(size_t n, size_t n_slots)
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
    EACH(free, in->entries, in->slots);
    memset(in, 0, sizeof *in);
}

void intern_clear(struct intern *in)
{
    arena_reset(&in->arena);
    in->n = 0;
    rehash(in, in->n_slots ? in->n_slots : FIRST_SLOTS);
    intern_put(in, "", 0);
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

/* The id whose bytes a search for HASH compares first; STRID_NONE: compares none. */
static strid likely_id(const struct intern *in, uint32_t hash)
{
    const uint32_t mask = slot_mask(in);

    for (size_t i = hash & mask; in->slots[i] != STRID_NONE; i = (i + 1) & mask)
        if (!((in->slots[i] ^ hash) & ~mask))
            return in->slots[i] & mask;
    return STRID_NONE;
}

/* Each pass reads what the one before has prefetched. */
static void prefetch_group(const struct intern *in, const char *hashes, size_t n, size_t stride)
{
    strid ids[INTERN_GROUP];

    for (size_t i = 0; i < n; i++)
        prefetch_slot(in, *(const uint32_t *)(hashes + i * stride));
    for (size_t i = 0; i < n; i++) {
        ids[i] = likely_id(in, *(const uint32_t *)(hashes + i * stride));
        if (ids[i] != STRID_NONE)
            __builtin_prefetch(&in->entries[ids[i]]);
    }
    for (size_t i = 0; i < n; i++) {
        if (ids[i] == STRID_NONE)
            continue;
        __builtin_prefetch(intern_text(in, ids[i]));
        __builtin_prefetch(intern_text(in, ids[i]) + intern_len(in, ids[i]));
    }
}

void intern_prefetch(const struct intern *in, const uint32_t *hashes, size_t n, size_t stride)
{
    for (size_t i = 0; i < n; i += INTERN_GROUP)
        prefetch_group(in, (const char *)hashes + i * stride, intern_group(i, n), stride);
}

strid intern_put(struct intern *in, const void *bytes, size_t len)
{
    return intern_put_hashed(in, bytes, len, intern_hash(bytes, len));
}

/* Adds an entry to the free SLOT. The caller sets its bytes. */
static struct intern_entry *add_entry(struct intern *in, size_t slot, size_t len, uint32_t hash)
{
    struct intern_entry *e;

    if (len >= UINT32_MAX || in->n >= STRID_NONE - 1)
        xreallocarray(NULL, SIZE_MAX, 2); /* overflows, which ends the program */
    if (in->n == in->capacity)
        in->entries = vec_grow(in->entries, &in->capacity, in->n + 1, sizeof *in->entries);
    e = &in->entries[in->n];
    e->len = (uint32_t)len;
    e->hash = hash;
    fill_slot(in, slot, (strid)in->n++, hash);
    if (needs_growth(in->n, in->n_slots))
        rehash(in, in->n_slots * 2);
    return e;
}

strid intern_put_hashed(struct intern *in, const void *bytes, size_t len, uint32_t hash)
{
    size_t slot = find_slot(in, bytes, len, hash);

    if (in->slots[slot] != STRID_NONE)
        return id_in(in, slot);
    add_entry(in, slot, len, hash)->bytes = arena_memdupz(&in->arena, bytes, len);
    return (strid)(in->n - 1);
}

strid intern_put_kept(struct intern *in, const char *bytes, size_t len, uint32_t hash)
{
    size_t slot = find_slot(in, bytes, len, hash);

    if (in->slots[slot] != STRID_NONE)
        return id_in(in, slot);
    add_entry(in, slot, len, hash)->bytes = bytes;
    return (strid)(in->n - 1);
}

strid intern_find(const struct intern *in, const void *bytes, size_t len)
{
    return id_in(in, find_slot(in, bytes, len, intern_hash(bytes, len)));
}

int intern_compare(const struct intern *in, strid a, strid b)
{
    const struct intern_entry *x = &in->entries[a];
    const struct intern_entry *y = &in->entries[b];

    return a == b ? 0 : bytes_compare(x->bytes, x->len, y->bytes, y->len);
}
