/* xalloc.h: allocation that cannot fail; running out ends the program in order. */
#ifndef TFPROF_BASE_XALLOC_H
#define TFPROF_BASE_XALLOC_H

#include <stddef.h>

/* All of these return memory of at least the asked size (never NULL, also for
 * 0 bytes), owned by the caller and given back with free().  When memory is
 * out they call the hook of xalloc_set_oom_hook() and end the program with
 * status 1. */
void *xmalloc(size_t size_bytes);
void *xcalloc(size_t count, size_t size_bytes);
/* Resizes ITEMS to COUNT elements of SIZE_BYTES; the product is checked. */
void *xreallocarray(void *items, size_t count, size_t size_bytes);
/* Memory for COUNT elements of SIZE_BYTES that is touched all over: when it is
 * large, the system is asked to back it with large pages.  free() takes it. */
void *xalloc_huge(size_t count, size_t size_bytes);
/* The same wish for large memory that is there already. */
void xalloc_wish_huge(void *p, size_t size_bytes);
char *xstrdup(const char *text);
/* A copy of LEN bytes with a NUL behind them. */
char *xmemdupz(const void *bytes, size_t len);

/* HOOK runs once, before the program ends for lack of memory; it must not
 * allocate.  The screen uses it to give the terminal back.  This is the one
 * process-wide variable of the library: every thread may be the one that
 * runs out.  NULL removes the hook. */
void xalloc_set_oom_hook(void (*hook)(void));

#endif
