/* answer.h: an answer whose records are pieces of text, and what of it fits in a budget. */
#pragma once

#include "base/strbuf.h"
#include "base/text.h"
#include "base/vec.h"
#include "export/sinks/record_budget.h"

struct answer {
    VEC(struct text) pieces;           /* by record; borrowed */
    VEC(struct budget_record) records; /* their weights; empty: the first ones are kept */
    const char *separator;             /* between records; static text */
    /* Appends what is before the records when RETURNED of TOTAL are printed. */
    void (*head)(struct strbuf *sb, void *context, uint64_t returned, uint64_t total);
    /* Appends the record of N that are left out, those with TAKEN 0; TAKEN NULL: the widest. */
    void (*omitted)(struct strbuf *sb, void *context, const uint8_t *taken, uint64_t n);
    struct text tail;       /* behind the records, before `omitted` */
    const char *end;        /* behind all; static text */
    void *context;
};

/* Adds a record for each line of TEXT, without the last byte where that is LAST. */
void answer_add_lines(struct answer *a, struct text text, char last);
/* Appends the answer within BYTES and TOP records (0: unlimited).  False with ERR. */
bool answer_fit(struct strbuf *sb, struct answer *a, int64_t bytes, int64_t top, struct err *err);
void answer_done(struct answer *a);

/* Appends the first lines of WHOLE within BYTES (0: unlimited).  False with ERR. */
bool answer_keep_lines(struct strbuf *sb, const struct strbuf *whole, int64_t bytes, struct err *err);

/* `omitted` of answers without figures, in JSON and in text: the number of records. */
void answer_omitted_json(struct strbuf *sb, void *context, const uint8_t *taken, uint64_t n);
void answer_omitted_text(struct strbuf *sb, void *context, const uint8_t *taken, uint64_t n);
