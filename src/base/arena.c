/* arena.c: many small allocations, freed or reset in one call. */
#include "base/arena.h"

#include <stdalign.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"

enum { FIRST_BLOCK_BYTES = 4096, LARGEST_STEP_BYTES = 1 << 20 };

struct arena_block {
    struct arena_block *next;
    size_t size_bytes; /* of data */
    alignas(max_align_t) unsigned char data[];
};

static size_t round_up(size_t n)
{
    const size_t mask = alignof(max_align_t) - 1;

    return n > SIZE_MAX - mask ? SIZE_MAX : (n + mask) & ~mask;
}

/* Blocks double up to a megabyte, so small arenas stay small and large ones
 * cost few calls. */
static void add_block(struct arena *a, size_t need_bytes)
{
    size_t size = a->head ? a->head->size_bytes * 2 : FIRST_BLOCK_BYTES;
    struct arena_block *b;

    if (size > LARGEST_STEP_BYTES)
        size = LARGEST_STEP_BYTES;
    if (size < need_bytes)
        size = need_bytes;
    /* xreallocarray checks the size of absurd requests. */
    b = xreallocarray(NULL, 1, size > SIZE_MAX - sizeof *b ? SIZE_MAX : sizeof *b + size);
    b->size_bytes = size;
    b->next = a->head;
    a->head = b;
    a->used_bytes = 0;
    a->total_bytes += size;
}

void *arena_alloc(struct arena *a, size_t count, size_t size_bytes)
{
    size_t need;
    void *p;

    if (size_bytes && count > SIZE_MAX / size_bytes)
        need = SIZE_MAX;
    else
        need = round_up(count * size_bytes);
    if (!a->head || a->head->size_bytes - a->used_bytes < need)
        add_block(a, need);
    p = a->head->data + a->used_bytes;
    a->used_bytes += need;
    return p;
}

void *arena_calloc(struct arena *a, size_t count, size_t size_bytes)
{
    void *p = arena_alloc(a, count, size_bytes);

    if (count && size_bytes)
        memset(p, 0, count * size_bytes);
    return p;
}

char *arena_memdupz(struct arena *a, const void *bytes, size_t len)
{
    char *copy = arena_alloc(a, len + 1, 1);

    if (len)
        memcpy(copy, bytes, len);
    copy[len] = '\0';
    return copy;
}

static void free_blocks(struct arena_block *b)
{
    while (b) {
        struct arena_block *next = b->next;

        free(b);
        b = next;
    }
}

void arena_reset(struct arena *a)
{
    if (!a->head)
        return;
    free_blocks(a->head->next);
    a->head->next = NULL;
    a->used_bytes = 0;
    a->total_bytes = a->head->size_bytes;
}

void arena_done(struct arena *a)
{
    free_blocks(a->head);
    memset(a, 0, sizeof *a);
}
