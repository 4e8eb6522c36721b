/* column.h: arrays over rows or nodes that a query and its results share.
 *
 * A column is filled by one step and never changed afterwards, so results on
 * other threads may read it while newer ones are made.  The memory of columns
 * that nobody holds any more goes to the next ones: fresh pages of a million
 * rows cost more than the scan that fills them. */
#ifndef TFPROF_VIEW_COLUMN_H
#define TFPROF_VIEW_COLUMN_H

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

/* The pool lives until its owner and all its columns are gone. */
struct column_pool *column_pool_new(void);
void column_pool_drop(struct column_pool *pool);
/* Columns taken from the heap so far, for tests and the benchmark. */
size_t column_pool_allocations(struct column_pool *pool);

/* COUNT elements of SIZE_BYTES, not initialised, one reference.  Any thread. */
struct column *column_new(struct column_pool *pool, size_t count, size_t size_bytes);
/* COUNT elements of SIZE_BYTES that are 0, one reference.  They all share their memory, which
 * nobody writes to, so that the system has to provide none.  Any thread. */
struct column *column_zeros(struct column_pool *pool, size_t count, size_t size_bytes);
/* One more reference; NULL gives NULL. */
struct column *column_ref(struct column *c);
void column_unref(struct column *c); /* NULL is fine */
/* Unrefs *C and makes it NULL. */
void column_drop(struct column **c);

/* The elements as TYPE *, NULL for no column. */
#define COLUMN(c, type) ((type *)((c) ? (c)->data : NULL))

#endif
