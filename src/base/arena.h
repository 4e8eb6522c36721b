/* arena.h: many small allocations, freed or reset in one call. */
#ifndef TFPROF_BASE_ARENA_H
#define TFPROF_BASE_ARENA_H

#include <stddef.h>

struct arena_block;
struct arena_adopted;

/* All fields are private; a zeroed arena is empty and ready. */
struct arena {
    struct arena_block *head; /* block in use; older ones follow it */
    size_t used_bytes;        /* within head */
    size_t total_bytes;       /* taken from the heap for all blocks */
    size_t given_bytes;       /* all that was ever asked for, forgotten or not */
    struct arena_adopted *adopted;
};

/* Memory for COUNT elements of SIZE_BYTES, aligned for any type, not
 * initialised, alive until arena_reset() or arena_done().  Ends the program
 * when memory is out. */
void *arena_alloc(struct arena *a, size_t count, size_t size_bytes);
/* The same, filled with zeros. */
void *arena_calloc(struct arena *a, size_t count, size_t size_bytes);
/* Memory of its own for a number that a file states: NULL when it is absurd or memory is out, so that
 * this can be an error of the file. */
void *arena_try_alloc(struct arena *a, size_t count, size_t size_bytes);
/* A copy of COUNT elements. */
void *arena_copy(struct arena *a, const void *items, size_t count, size_t size_bytes);
/* A copy of LEN bytes with a NUL behind them. */
char *arena_memdupz(struct arena *a, const void *bytes, size_t len);
/* Takes over SIZE_BYTES of heap memory: freed with the rest. */
void arena_adopt(struct arena *a, void *memory, size_t size_bytes);
/* Moves all memory of FROM to TO: it stays where it is, and lives as long as TO does. */
void arena_move(struct arena *to, struct arena *from);
/* How much was asked for so far, forgotten or not: what a piece of work took is the
 * difference. */
static inline size_t arena_given(const struct arena *a)
{
    return a->given_bytes;
}
/* Forgets all allocations but keeps one block for the next round. */
void arena_reset(struct arena *a);
/* Frees everything; the arena is empty and ready again. */
void arena_done(struct arena *a);

#define ARENA_NEW(a, type, count) ((type *)arena_alloc((a), (count), sizeof(type)))

#endif
