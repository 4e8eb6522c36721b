/* budget.h: limits on memory and work, in proportion to the size of the input.
 *
 * Some results are products of numbers in a file: calls times the nodes of a body, names times
 * their depth, readers times attributes. Code that computes such a product takes its cost from the
 * budget first, and omits with a note what the budget does not cover. The same call checks for
 * cancellation. */
#pragma once

#include "base/cancel.h"

/* Memory allowed for any input, and per input byte. The program itself needs another 8 MB, which
 * makes 32. */
#define BUDGET_FIRST_BYTES (UINT64_C(24) << 20)
#define BUDGET_BYTES_PER_BYTE UINT64_C(64)
/* Work allowed, in steps of about ten nanoseconds: a node, an input, a number, eight bytes. */
#define BUDGET_FIRST_STEPS (UINT64_C(32) << 20)
#define BUDGET_STEPS_PER_BYTE UINT64_C(64)

struct budget {
    uint64_t bytes_left, steps_left;
    struct cancel_mark cancel;
    bool is_short; /* a request was refused */
};

/* Returns the budget for INPUT_BYTES of uncompressed input. */
static inline struct budget budget_of(uint64_t input_bytes, struct cancel_mark cancel)
{
    const uint64_t max = INT64_MAX / BUDGET_BYTES_PER_BYTE / 2;
    const uint64_t n = input_bytes < max ? input_bytes : max;

    return (struct budget){BUDGET_FIRST_BYTES + n * BUDGET_BYTES_PER_BYTE,
                           BUDGET_FIRST_STEPS + n * BUDGET_STEPS_PER_BYTE, cancel, false};
}

/* Returns BUDGET with 1/N of its memory. */
static inline struct budget budget_share(struct budget budget, uint64_t n)
{
    budget.bytes_left /= n;
    return budget;
}

/* Takes BYTES and STEPS. Returns false and takes nothing if less is left or the work is
 * cancelled. */
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

/* Deducts a cost that has already occurred; the budget does not become negative. */
static inline void budget_charge(struct budget *b, uint64_t bytes, uint64_t steps)
{
    b->bytes_left -= bytes < b->bytes_left ? bytes : b->bytes_left;
    b->steps_left -= steps < b->steps_left ? steps : b->steps_left;
}
