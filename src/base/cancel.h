/* cancel.h: cancellation of running work. */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* One token per worker. Work that started with generation G is cancelled when the token has moved
 * past G. Generations only increase, so a newer request cancels an older task and no flag has to be
 * cleared. A zeroed token has cancelled nothing. */
struct cancel {
    atomic_uint_fast64_t generation;
};

/* Token and generation at the start of a task. {NULL, 0} is never cancelled. */
struct cancel_mark {
    struct cancel *token;
    uint_fast64_t generation;
};

static inline struct cancel_mark cancel_mark_now(struct cancel *token)
{
    struct cancel_mark mark = {token, atomic_load(&token->generation)};

    return mark;
}

static inline void cancel_ask(struct cancel *token)
{
    atomic_fetch_add(&token->generation, 1);
}

/* True if the work that holds MARK is cancelled. Cheap enough to call every few thousand nodes. */
static inline bool cancel_asked(struct cancel_mark mark)
{
    return mark.token &&
           atomic_load_explicit(&mark.token->generation, memory_order_relaxed) != mark.generation;
}
