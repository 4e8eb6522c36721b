/* budget.h: what may be made of an input, by its size, and when to stop.
 *
 * What a file says can be a product of its parts: calls by the nodes of a body, names by
 * their depth, readers by attributes.  Whoever works out such a product takes its cost
 * from a budget first and leaves out, with a note, what the budget has not.  As that is
 * asked all the time, it is also where work that nobody waits for any more is given up. */
#ifndef TFPROF_BASE_BUDGET_H
#define TFPROF_BASE_BUDGET_H

#include "base/cancel.h"

/* The largest memory for an input of any size, and for each of its bytes; the program
 * itself takes the 8 MB that are missing to 32. */
#define BUDGET_FIRST_BYTES (UINT64_C(24) << 20)
#define BUDGET_BYTES_PER_BYTE UINT64_C(64)
/* Steps of work: a node, an input, a number, eight bytes; about ten nanoseconds. */
#define BUDGET_FIRST_STEPS (UINT64_C(32) << 20)
#define BUDGET_STEPS_PER_BYTE UINT64_C(64)

struct budget {
    uint64_t bytes_left, steps_left;
    struct cancel_mark cancel;
    bool is_short; /* something was refused for its cost */
};

/* The budget for INPUT_BYTES of unpacked input. */
static inline struct budget budget_of(uint64_t input_bytes, struct cancel_mark cancel)
{
    const uint64_t max = INT64_MAX / BUDGET_BYTES_PER_BYTE / 2;
    const uint64_t n = input_bytes < max ? input_bytes : max;

    return (struct budget){BUDGET_FIRST_BYTES + n * BUDGET_BYTES_PER_BYTE,
                           BUDGET_FIRST_STEPS + n * BUDGET_STEPS_PER_BYTE, cancel, false};
}

/* One part in N of the memory of BUDGET, for one of the things that are made of it. */
static inline struct budget budget_share(struct budget budget, uint64_t n)
{
    budget.bytes_left /= n;
    return budget;
}

/* Takes what something costs; false, and nothing is taken, when that is not left, or when
 * the work is cancelled. */
static inline bool budget_take(struct budget *b, uint64_t bytes, uint64_t steps)
{
    if (cancel_asked(b->cancel))
        return false;
    if (bytes > b->bytes_left || steps > b->steps_left) {
        b->is_short = true;
        return false;
    }
    b->bytes_left -= bytes;
    b->steps_left -= steps;
    return true;
}

/* Takes what something has cost, as far as it is there: what comes next stops. */
static inline void budget_charge(struct budget *b, uint64_t bytes, uint64_t steps)
{
    b->bytes_left -= bytes < b->bytes_left ? bytes : b->bytes_left;
    b->steps_left -= steps < b->steps_left ? steps : b->steps_left;
}

#endif
