/* arena_pool.h: arenas that threads take and give back.
 *
 * There are as many as threads at work, not as many as pieces of work: an arena has a block that
 * is not full. */
#ifndef TFPROF_BASE_ARENA_POOL_H
#define TFPROF_BASE_ARENA_POOL_H

#include <pthread.h>

#include "base/arena.h"
#include "base/vec.h"

struct arena_pool {
    pthread_mutex_t lock;
    VEC(struct arena) idle; /* those that nobody has */
};

void arena_pool_init(struct arena_pool *pool);
/* An arena that is the caller's until it gives it back, perhaps with what others put there. */
struct arena arena_pool_take(struct arena_pool *pool);
void arena_pool_give(struct arena_pool *pool, struct arena arena);
/* Moves all memory to TO and ends the pool; all arenas are back. */
void arena_pool_move(struct arena *to, struct arena_pool *pool);

#endif
