/* arena_pool.c: a thread-safe pool of arenas. */
#include "base/arena_pool.h"

#include <string.h>

void arena_pool_init(struct arena_pool *pool)
{
    memset(pool, 0, sizeof *pool);
    pthread_mutex_init(&pool->lock, NULL);
}

struct arena arena_pool_get(struct arena_pool *pool)
{
    struct arena arena = {0};

    pthread_mutex_lock(&pool->lock);
    if (pool->idle.n)
        arena = pool->idle.data[--pool->idle.n];
    pthread_mutex_unlock(&pool->lock);
    return arena;
}

void arena_pool_put(struct arena_pool *pool, struct arena arena)
{
    pthread_mutex_lock(&pool->lock);
    vec_push(&pool->idle, arena);
    pthread_mutex_unlock(&pool->lock);
}

void arena_pool_move(struct arena *to, struct arena_pool *pool)
{
    for (size_t i = 0; i < pool->idle.n; i++)
        arena_move(to, &pool->idle.data[i]);
    vec_done(&pool->idle);
    pthread_mutex_destroy(&pool->lock);
}
