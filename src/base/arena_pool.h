/* arena_pool.h: a thread-safe pool of arenas.
 *
 * There are as many arenas as threads, not as many as tasks, because the last block of each arena
 * is partly unused. */
#pragma once

#include <pthread.h>

#include "base/arena.h"
#include "base/vec.h"

struct arena_pool {
    pthread_mutex_t lock;
    VEC(struct arena) idle; /* not in use by any thread */
};

void arena_pool_init(struct arena_pool *pool);
/* Returns an arena for exclusive use until it is given back. It may contain earlier allocations of
 * other tasks. */
struct arena arena_pool_get(struct arena_pool *pool);
void arena_pool_put(struct arena_pool *pool, struct arena arena);
/* Moves all memory to TO and destroys the pool. All arenas must have been given back. */
void arena_pool_move(struct arena *to, struct arena_pool *pool);
