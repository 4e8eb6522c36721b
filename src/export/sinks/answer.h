/* answer.h: an answer that consists of text records, cut to a budget. */
#pragma once

#include "base/strbuf.h"
#include "base/text.h"
#include "base/vec.h"
#include "export/sinks/record_budget.h"

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
