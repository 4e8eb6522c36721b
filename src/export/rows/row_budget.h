/* row_budget.h: chooses the displayed rows that -budget and -top keep, and sums the others. */
#pragma once

#include "export/rows/row_batches.h"
#include "export/rows/row_cells.h"
#include "export/sinks/answer.h"

struct row_budget {
    struct result *result;
    VEC(struct printed_row) rows; /* all displayed rows, in display order */
    VEC(struct budget_record) records;
    VEC(size_t) lengths; /* lengths of rows in bytes, 0: not known yet */
    struct record_budget budget;
    /* Appends the printed form of ROW. */
    void (*print)(struct strbuf *sb, const struct printed_row *row, void *context);
    void *context;
    struct strbuf scratch;
};

/* The number of records that are printed without limits: displayed rows and, except in lists, the root.
 * 0 for a comparison that finds no difference. */
uint64_t row_budget_count(struct result *r);

/* Chooses rows by the options of R. The caller zeroes B and sets print, context, and whole_bytes
 * and rest_bytes of the budget. False with ERR; call row_budget_done() in any case. */
bool row_budget_choose(struct row_budget *b, struct result *r, struct err *err);
/* Returns the next kept row from *AT on, and advances *AT; NULL: none. */
const struct printed_row *row_budget_next(const struct row_budget *b, uint32_t *at);
void row_budget_done(struct row_budget *b);

/* Sums over the self figures of rows. */
struct row_sums {
    struct row_cells *cells;
    uint64_t n_rows;
    int64_t sums[CELLS_MAX]; /* by cell, if cell_adds_up() */
    bool known[CELLS_MAX];   /* true if any row has the figure */
    bool is_widest;          /* all figures are printed in their widest form */
};

/* Sums the rows that B omits; B NULL: the widest figures that are possible. */
void row_sums_make(struct row_sums *s, struct row_cells *cells, const struct row_budget *b);
/* Appends {"rows":7,"micros":{"self":..}}. */
void row_sums_json(struct strbuf *sb, const struct row_sums *s);
/* Appends "omitted: 7 rows, micros 3us" and a newline. */
void row_sums_text(struct strbuf *sb, const struct row_sums *s);
