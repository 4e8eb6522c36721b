/* cancel.h: asking a running piece of work to stop. */
#ifndef TFPROF_BASE_CANCEL_H
#define TFPROF_BASE_CANCEL_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* One token per worker.  Asking is monotonic: work started with generation G
 * stops when the token has moved past G, so a newer request cancels an older
 * run without a race on a flag that must be cleared.  A zeroed token has asked
 * for nothing. */
struct cancel {
    atomic_uint_fast64_t generation;
};

/* What a run remembers; {NULL, 0} is never cancelled. */
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

/* True when the run that holds MARK should end; cheap enough for every few
 * thousand nodes. */
static inline bool cancel_asked(struct cancel_mark mark)
{
    return mark.token &&
           atomic_load_explicit(&mark.token->generation, memory_order_relaxed) != mark.generation;
}

#endif
