/* column.h: arrays over rows or nodes that a query shares with its results.
 *
 * A stage fills a column once; afterwards it is immutable, so results can be read on other threads
 * while the next query runs. Memory of released columns is reused: page faults on fresh memory for
 * a million rows take longer than the scan that fills it. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct column_pool;

struct column {
    _Atomic uint32_t refs; /* private */
    size_t capacity_bytes; /* private */
    bool zeros;            /* all elements are 0 */
    struct column_pool *pool;
    struct column *next; /* private: free list */
    void *data;
};

/* The pool lives until its owner and all its columns are released. */
struct column_pool *column_pool_new(void);
void column_pool_drop(struct column_pool *pool);
/* Number of columns allocated from the heap so far, for tests and the benchmark. */
size_t column_pool_allocations(struct column_pool *pool);

/* Allocates COUNT uninitialised elements of SIZE_BYTES, with one reference. Thread-safe. */
struct column *column_new(struct column_pool *pool, size_t count, size_t size_bytes);
/* COUNT zero elements of SIZE_BYTES, one reference. All such columns share memory that is never
 * written, so that the kernel need not allocate pages. Thread-safe. */
struct column *column_zeros(struct column_pool *pool, size_t count, size_t size_bytes);
/* Adds a reference; NULL gives NULL. */
struct column *column_ref(struct column *c);
void column_unref(struct column *c); /* accepts NULL */
/* Releases *C and sets it to NULL. */
void column_drop(struct column **c);

/* The elements as TYPE *; NULL for a NULL column. */
#define COLUMN(c, type) ((type *)((c) ? (c)->data : NULL))
