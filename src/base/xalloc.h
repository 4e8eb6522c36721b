/* xalloc.h: allocation that ends the program when memory is out. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* These return at least the requested size, never NULL (also for 0 bytes). The caller frees it with
 * free(). If memory is out, they run the hooks of xalloc_hook_add() and end the program with status
 * 1. */
void *xmalloc(size_t size_bytes);
void *xcalloc(size_t count, size_t size_bytes);
/* Resizes ITEMS to COUNT elements of SIZE_BYTES. Overflow is checked. */
void *xreallocarray(void *items, size_t count, size_t size_bytes);
/* Returns COUNT zeroed elements, or NULL if the size overflows or exceeds the available memory: for
 * counts from files, which must not end the program. If not even a megabyte is available, it fails
 * as xcalloc() does. */
void *xalloc_try(size_t count, size_t size_bytes);
/* Allocates COUNT elements of SIZE_BYTES of which all will be used. Large blocks are backed by huge
 * pages if possible. Free with free(). */
void *xalloc_huge(size_t count, size_t size_bytes);
/* Requests huge pages for an existing block. */
void xalloc_advise_huge(void *p, size_t size_bytes);
/* Sets whether the heap keeps large freed blocks for reuse. Keeping them suits queries, which
 * allocate the same sizes again. Otherwise they are returned to the system at once, which suits
 * loading and building trees: they do not reuse such blocks, and growing arrays are remapped
 * instead of copied. Affects all threads; no result depends on it. */
void xalloc_keep_freed(bool keep);
char *xstrdup(const char *text);
/* Returns a copy of LEN bytes, NUL-terminated. */
char *xmemdupz(const void *bytes, size_t len);

/* Ends the program as an allocation failure does, for memory errors reported by a library. */
_Noreturn void xalloc_fail(void);

/* A function that runs before the program ends because memory is out: it restores the terminal or
 * removes an incomplete file. It must not allocate. The list of hooks is the only process-wide
 * variable of the library, because any thread may be the one that runs out. */
struct xalloc_hook {
    void (*run)(void *arg);
    void *arg;
    struct xalloc_hook *next; /* private */
};

/* Adds a hook, which the caller owns and must not move until it is removed. The last one added runs
 * first. Removing an unknown hook does nothing. */
void xalloc_hook_add(struct xalloc_hook *h);
void xalloc_hook_remove(struct xalloc_hook *h);
