/* xalloc.h: allocation that cannot fail; running out ends the program in order. */
#ifndef TFPROF_BASE_XALLOC_H
#define TFPROF_BASE_XALLOC_H

#include <stdbool.h>
#include <stddef.h>

/* All of these return memory of at least the asked size (never NULL, also for
 * 0 bytes), owned by the caller and given back with free().  When memory is
 * out they run the hooks of xalloc_hook_add() and end the program with status 1. */
void *xmalloc(size_t size_bytes);
void *xcalloc(size_t count, size_t size_bytes);
/* Resizes ITEMS to COUNT elements of SIZE_BYTES; the product is checked. */
void *xreallocarray(void *items, size_t count, size_t size_bytes);
/* COUNT elements of zeros, or NULL when the product is absurd or larger than what memory is
 * left: for numbers that a file states, which must not end the program.  When a megabyte is
 * not to be had, though, memory is out, as for xcalloc(). */
void *xalloc_try(size_t count, size_t size_bytes);
/* Memory for COUNT elements of SIZE_BYTES that is touched all over: when it is
 * large, the system is asked to back it with large pages.  free() takes it. */
void *xalloc_huge(size_t count, size_t size_bytes);
/* The same wish for large memory that is there already. */
void xalloc_wish_huge(void *p, size_t size_bytes);
/* Whether the heap may keep large memory that is freed for what is allocated next, as queries like,
 * which begin with that, or the system has it back at once: loading, and building a tree, do not use
 * it again, and arrays that grow are moved by the system then, not copied.  Of all threads; no result
 * depends on it. */
void xalloc_keep_freed(bool keep);
char *xstrdup(const char *text);
/* A copy of LEN bytes with a NUL behind them. */
char *xmemdupz(const void *bytes, size_t len);

/* The same end for who finds that memory is out by other means: a library that
 * says so. */
_Noreturn void xalloc_fail(void);

/* What runs before the program ends for lack of memory: the screen gives the
 * terminal back, a file that is not whole is removed.  It must not allocate.
 * The list of hooks is the one process-wide variable of the library: every
 * thread may be the one that runs out. */
struct xalloc_hook {
    void (*run)(void *arg);
    void *arg;
    struct xalloc_hook *next; /* private */
};

/* H is the caller's, and stays where it is until it is removed; what was added
 * last runs first.  Removing one that was not added does nothing. */
void xalloc_hook_add(struct xalloc_hook *h);
void xalloc_hook_remove(struct xalloc_hook *h);

#endif
