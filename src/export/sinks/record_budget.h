/* record_budget.h: chooses the heaviest records of an answer that fit in a number of bytes or rows.
 *
 * Records are taken by weight, the largest first, each with its ancestors, up to the first that does not
 * fit.  A larger budget therefore never loses a record. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "opt/options.h"

#define RECORD_NONE UINT32_MAX

struct budget_record {
    int64_t weight;
    uint32_t parent; /* index of an earlier record; RECORD_NONE */
    uint32_t depth;
};

struct record_budget {
    const struct budget_record *records; /* in print order */
    uint32_t n;
    /* Returns the bytes of record I, including its separator. */
    size_t (*length)(void *context, uint32_t i);
    void *context;
    uint64_t bytes, top; /* limits; 0: none */
    size_t whole_bytes;  /* bytes around the records if all of them are printed */
    size_t rest_bytes;   /* the same with the record `omitted`; FIGURE_BYTES per figure */
    uint8_t *taken;      /* by record; heap, the caller frees it */
    uint32_t n_taken;
};

/* Bytes reserved for a figure that is computed later. */
enum { FIGURE_BYTES = 21 };
#define FIGURE_WIDEST "-99999999999999999999"

static inline bool budget_limits(const struct options *o)
{
    return o && (o->budget || o->top);
}

/* Computes taken and n_taken. False with ERR (usage), naming the required size, if even the
 * smallest answer exceeds the budget. O(n log n). */
bool budget_choose(struct record_budget *b, struct err *err);
