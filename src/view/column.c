/* column.c: reference-counted arrays with a pool for reuse. */
#include "view/column.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "base/xalloc.h"

/* Free columns kept for reuse, newest first; the oldest beyond this number are freed. */
enum { KEPT_FREE = 80 };

struct column_pool {
    pthread_mutex_t lock;
    struct column *free_list;
    size_t n_free;
    size_t n_columns; /* columns in use */
    size_t n_allocations;
    struct column *zeros; /* NULL: not allocated yet */
    bool dropped; /* the owner has released the pool */
};

struct column_pool *column_pool_new(void)
{
    struct column_pool *pool = xcalloc(1, sizeof *pool);

    pthread_mutex_init(&pool->lock, NULL);
    return pool;
}

static void column_free(struct column *c)
{
    free(c->data);
    free(c);
}

static void pool_free(struct column_pool *pool)
{
    while (pool->free_list) {
        struct column *next = pool->free_list->next;

        column_free(pool->free_list);
        pool->free_list = next;
    }
    pthread_mutex_destroy(&pool->lock);
    free(pool);
}

void column_pool_drop(struct column_pool *pool)
{
    bool last;

    column_drop(&pool->zeros);
    pthread_mutex_lock(&pool->lock);
    pool->dropped = true;
    last = pool->n_columns == 0;
    pthread_mutex_unlock(&pool->lock);
    if (last)
        pool_free(pool);
}

size_t column_pool_allocations(struct column_pool *pool)
{
    size_t n;

    pthread_mutex_lock(&pool->lock);
    n = pool->n_allocations;
    pthread_mutex_unlock(&pool->lock);
    return n;
}

/* Takes the smallest free column that is large enough but not excessively so; NULL if there is
 * none. The caller holds the lock. */
static struct column *pop_free(struct column_pool *pool, size_t bytes)
{
    struct column **best = NULL;
    struct column *c;

    for (struct column **at = &pool->free_list; *at; at = &(*at)->next)
        if ((*at)->capacity_bytes >= bytes && (*at)->capacity_bytes / 4 <= bytes &&
            (!best || (*at)->capacity_bytes < (*best)->capacity_bytes))
            best = at;
    if (!best)
        return NULL;
    c = *best;
    *best = c->next;
    pool->n_free--;
    return c;
}

struct column *column_new(struct column_pool *pool, size_t count, size_t size_bytes)
{
    struct column *c;

    pthread_mutex_lock(&pool->lock);
    pool->n_columns++;
    c = count <= SIZE_MAX / size_bytes ? pop_free(pool, count * size_bytes) : NULL;
    if (!c)
        pool->n_allocations++;
    pthread_mutex_unlock(&pool->lock);
    if (!c) {
        c = xcalloc(1, sizeof *c);
        c->pool = pool;
        c->data = xalloc_huge(count, size_bytes);
        c->capacity_bytes = count * size_bytes;
    }
    c->zeros = false;
    atomic_store(&c->refs, 1);
    return c;
}

/* The pool's zeros, of at least that many bytes; the caller holds the lock. */
static struct column *zeros_for(struct column_pool *pool, size_t bytes)
{
    struct column *c = pool->zeros;

    if (c && c->capacity_bytes >= bytes)
        return c;
    c = xcalloc(1, sizeof *c);
    *c = (struct column){.pool = pool, .zeros = true, .capacity_bytes = bytes};
    c->data = xcalloc(1, bytes);
    atomic_store(&c->refs, 1);
    pool->n_columns++;
    pool->n_allocations++;
    return c;
}

struct column *column_zeros(struct column_pool *pool, size_t count, size_t size_bytes)
{
    struct column *before, *c;

    if (count > SIZE_MAX / size_bytes)
        xalloc_fail();
    pthread_mutex_lock(&pool->lock);
    before = pool->zeros;
    c = column_ref(zeros_for(pool, count * size_bytes));
    pool->zeros = c;
    pthread_mutex_unlock(&pool->lock);
    if (before != c)
        column_unref(before);
    return c;
}

struct column *column_ref(struct column *c)
{
    if (c)
        atomic_fetch_add(&c->refs, 1);
    return c;
}

/* Removes the oldest free column if there are too many, else NULL. The caller holds the lock. */
static struct column *pop_oldest(struct column_pool *pool)
{
    struct column **last = &pool->free_list;
    struct column *c;

    if (pool->n_free <= KEPT_FREE)
        return NULL;
    while ((*last)->next)
        last = &(*last)->next;
    c = *last;
    *last = NULL;
    pool->n_free--;
    return c;
}

void column_unref(struct column *c)
{
    struct column_pool *pool;
    bool last;

    if (!c || atomic_fetch_sub(&c->refs, 1) != 1)
        return;
    pool = c->pool;
    pthread_mutex_lock(&pool->lock);
    pool->n_columns--;
    if (!pool->dropped && !c->zeros) {
        c->next = pool->free_list;
        pool->free_list = c;
        pool->n_free++;
        c = pop_oldest(pool);
    }
    last = pool->dropped && pool->n_columns == 0;
    pthread_mutex_unlock(&pool->lock);
    if (c)
        column_free(c);
    if (last)
        pool_free(pool);
}

void column_drop(struct column **c)
{
    column_unref(*c);
    *c = NULL;
}
