/* answer.h: chooses the heaviest records that fit into a budget, and writes them. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/strbuf.h"
#include "base/text.h"
#include "base/vec.h"
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

struct answer {
    VEC(struct text) pieces;           /* by record; borrowed */
    VEC(struct budget_record) records; /* weights of the records; empty: first ones are kept */
    const char *separator;             /* between records; static text */
    /* Appends the text before the records if RETURNED of TOTAL are printed. */
    void (*head)(struct strbuf *sb, void *context, uint64_t returned, uint64_t total);
    /* Appends the record about the N omitted records (TAKEN 0). TAKEN NULL: its widest form. */
    void (*omitted)(struct strbuf *sb, void *context, const uint8_t *taken, uint64_t n);
    struct text tail;       /* text after the records and before `omitted` */
    const char *end;        /* text at the end; static */
    void *context;
};

/* Adds a record for each line of TEXT, without a trailing LAST. */
void answer_add_lines(struct answer *a, struct text text, char last);
/* Appends the answer within BYTES and TOP records (0: unlimited).  False with ERR. */
bool answer_fit(struct strbuf *sb, struct answer *a, int64_t bytes, int64_t top, struct err *err);
void answer_done(struct answer *a);

/* Appends the first lines of WHOLE within BYTES (0: unlimited).  False with ERR. */
bool answer_keep_lines(struct strbuf *sb, const struct strbuf *whole, int64_t bytes, struct err *err);

/* Standard functions for `omitted`: the number of records as JSON or text. */
void answer_omitted_json(struct strbuf *sb, void *context, const uint8_t *taken, uint64_t n);
void answer_omitted_text(struct strbuf *sb, void *context, const uint8_t *taken, uint64_t n);
