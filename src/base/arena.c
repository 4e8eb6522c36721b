/* arena.c: many small allocations, freed or reset in one call. */
#include "base/arena.h"

#include <assert.h>
#include <stdalign.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/sanitize.h"
#include "base/xalloc.h"

enum { FIRST_BLOCK_BYTES = 256, LARGEST_STEP_BYTES = 16 << 20, LARGE_BYTES = 1 << 20 };

/* Size of the poisoned gaps around allocations in builds with the address sanitizer. */
enum { RED_ZONE_BYTES = SANITIZE_ADDRESS ? 32 : 0, MIN_ALIGN = SANITIZE_ADDRESS ? 8 : 1 };

struct arena_block {
    struct arena_block *next;
    size_t size_bytes; /* bytes of data */
    alignas(max_align_t) unsigned char data[];
};

static struct arena_block *new_block(struct arena *a, size_t size)
{
    /* The program ends here if the size overflows. */
    struct arena_block *b =
        xalloc_huge(1, size > SIZE_MAX - sizeof *b ? SIZE_MAX : sizeof *b + size);

    b->size_bytes = size;
    a->total_bytes += size;
    sanitize_forbid(b->data, size);
    return b;
}

/* The block size doubles up to a limit: small arenas stay small, large ones make few calls to the
 * allocator. Unused pages of a block are never touched. */
static void add_block(struct arena *a, size_t need_bytes)
{
    size_t size = a->head ? a->head->size_bytes * 2 : FIRST_BLOCK_BYTES;
    struct arena_block *b;

    if (size > LARGEST_STEP_BYTES)
        size = LARGEST_STEP_BYTES;
    b = new_block(a, size < need_bytes ? need_bytes : size);
    b->next = a->head;
    a->head = b;
    a->used_bytes = 0;
}

/* Allocates a separate block for a large request.  It is linked after the current block, which
 * stays in use. */
static void *alloc_large_block(struct arena *a, size_t need)
{
    struct arena_block *b = new_block(a, need);

    b->next = a->head->next;
    a->head->next = b;
    return b->data + RED_ZONE_BYTES;
}

/* Returns the next position in the current block that is a multiple of ALIGN and has room for NEED
 * bytes. Adds a block if there is none. */
static unsigned char *reserve_aligned(struct arena *a, size_t need, size_t align)
{
    size_t at = (a->used_bytes + RED_ZONE_BYTES + align - 1) & ~(align - 1);
    /* Avoid overflow: an oversized request must stay oversized. */
    size_t room = need > SIZE_MAX / 2 ? SIZE_MAX : need + 2 * RED_ZONE_BYTES;

    if (!a->head || at > a->head->size_bytes || a->head->size_bytes - at < room) {
        if (a->head && need > LARGE_BYTES)
            return alloc_large_block(a, room);
        add_block(a, room);
        at = RED_ZONE_BYTES;
    }
    a->used_bytes = at + need;
    return a->head->data + at;
}

/* Allocates NEED bytes aligned to ALIGN, a power of two. */
static void *take(struct arena *a, size_t need, size_t align)
{
    unsigned char *p = reserve_aligned(a, need, align < MIN_ALIGN ? MIN_ALIGN : align);

    assert(align > 0 && (align & (align - 1)) == 0);
    a->requested_bytes += need;
    sanitize_allow(p, need);
    return p;
}

void *arena_alloc(struct arena *a, size_t count, size_t size_bytes)
{
    if (size_bytes && count > SIZE_MAX / size_bytes)
        return take(a, SIZE_MAX, alignof(max_align_t));
    return take(a, count * size_bytes, alignof(max_align_t));
}

void *arena_calloc(struct arena *a, size_t count, size_t size_bytes)
{
    void *p = arena_alloc(a, count, size_bytes);

    if (count && size_bytes)
        memset(p, 0, count * size_bytes);
    return p;
}

void *arena_copy(struct arena *a, const void *items, size_t count, size_t size_bytes)
{
    void *p = arena_alloc(a, count, size_bytes);

    if (count && size_bytes)
        memcpy(p, items, count * size_bytes);
    return p;
}

char *arena_memdupz(struct arena *a, const void *bytes, size_t len)
{
    char *copy = take(a, len + 1, 1); /* unaligned, because most of an arena is names */

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

struct arena_adopted {
    struct arena_adopted *next;
    void *memory;
};

void arena_adopt(struct arena *a, void *memory, size_t size_bytes)
{
    struct arena_adopted *adopted = xmalloc(sizeof *adopted);

    adopted->memory = memory;
    adopted->next = a->adopted;
    a->adopted = adopted;
    a->total_bytes += size_bytes;
}

static void free_adopted(struct arena *a)
{
    while (a->adopted) {
        struct arena_adopted *next = a->adopted->next;

        free(a->adopted->memory);
        free(a->adopted);
        a->adopted = next;
    }
}

void *arena_try_alloc(struct arena *a, size_t count, size_t size_bytes)
{
    void *p = xalloc_try(count, size_bytes);

    if (p)
        arena_adopt(a, p, count * size_bytes);
    return p;
}

/* Links the blocks after the current block of TO, which stays in use. */
static void move_blocks(struct arena *to, struct arena *from)
{
    struct arena_block **end = to->head ? &to->head->next : &to->head;

    if (!to->head)
        to->used_bytes = from->used_bytes;
    while (*end)
        end = &(*end)->next;
    *end = from->head;
}

void arena_move(struct arena *to, struct arena *from)
{
    struct arena_adopted **end = &to->adopted;

    while (*end)
        end = &(*end)->next;
    *end = from->adopted;
    move_blocks(to, from);
    to->total_bytes += from->total_bytes;
    to->requested_bytes += from->requested_bytes;
    memset(from, 0, sizeof *from);
}

void arena_reset(struct arena *a)
{
    free_adopted(a);
    if (!a->head)
        return;
    free_blocks(a->head->next);
    a->head->next = NULL;
    sanitize_forbid(a->head->data, a->head->size_bytes);
    a->used_bytes = 0;
    a->total_bytes = a->head->size_bytes;
}

void arena_done(struct arena *a)
{
    free_adopted(a);
    free_blocks(a->head);
    memset(a, 0, sizeof *a);
}
