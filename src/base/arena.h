/* arena.h: many small allocations, freed or reset in one call. */
#pragma once

#include <stddef.h>

struct arena_block;
struct arena_adopted;

/* All fields are private; a zeroed arena is empty and ready. */
struct arena {
    struct arena_block *head; /* current block; older ones follow */
    size_t used_bytes;        /* in the current block */
    size_t total_bytes;       /* taken from the heap for all blocks */
    /* bytes requested since creation, including those released by arena_reset() */
    size_t requested_bytes;
    struct arena_adopted *adopted;
};

/* Allocates COUNT elements of SIZE_BYTES, aligned for any type and not initialised. They are valid
 * until arena_reset() or arena_done(). Ends the program if memory is out. */
void *arena_alloc(struct arena *a, size_t count, size_t size_bytes);
/* Like arena_alloc(), but filled with zeros. */
void *arena_calloc(struct arena *a, size_t count, size_t size_bytes);
/* Like arena_calloc(), for a count that comes from a file. Returns NULL if the size overflows or
 * memory is out, so that the caller can report an error of the file. */
void *arena_try_alloc(struct arena *a, size_t count, size_t size_bytes);
/* Returns a copy of COUNT elements. */
void *arena_copy(struct arena *a, const void *items, size_t count, size_t size_bytes);
/* Returns a copy of LEN bytes, NUL-terminated. */
char *arena_memdupz(struct arena *a, const void *bytes, size_t len);
/* Takes ownership of SIZE_BYTES of heap memory, which is freed with the arena. */
void arena_adopt(struct arena *a, void *memory, size_t size_bytes);
/* Moves all blocks of FROM to TO. Pointers into them stay valid for the life of TO. */
void arena_move(struct arena *to, struct arena *from);
/* Bytes requested so far, including released ones. The difference of two calls is what a piece of
 * work has requested. */
static inline size_t arena_requested_bytes(const struct arena *a)
{
    return a->requested_bytes;
}
/* Releases all allocations, but keeps one block for reuse. */
void arena_reset(struct arena *a);
/* Frees all memory. The arena is empty and can be used again. */
void arena_done(struct arena *a);

#define ARENA_NEW(a, type, count) ((type *)arena_alloc((a), (count), sizeof(type)))
