/* row_budget.h: which displayed rows of a result are kept by -budget and -top, and the sums of the
 * others. */
#pragma once

#include "export/sinks/record_budget.h"
#include "export/rows/row_batches.h"
#include "export/rows/row_cells.h"

struct row_budget {
    struct result *result;
    VEC(struct placed_row) rows; /* all displayed ones, in display order */
    VEC(struct budget_record) records;
    VEC(size_t) lengths; /* bytes of rows, 0: not known yet */
    struct record_budget budget;
    /* How a row is printed. */
    void (*print)(struct strbuf *sb, const struct placed_row *row, void *context);
    void *context;
    struct strbuf scratch;
};

/* The number of rows that are printed without limits. */
uint64_t row_budget_count(struct result *r);

/* Chooses rows by the options of R.  Of B, zeroed, print and context are set, as are whole_bytes and
 * rest_bytes of the budget.  False with ERR; row_budget_done() in any case. */
bool row_budget_choose(struct row_budget *b, struct result *r, struct err *err);
/* The next row that is kept, from *AT on; NULL: there is none. */
const struct placed_row *row_budget_next(const struct row_budget *b, uint32_t *at);
void row_budget_done(struct row_budget *b);

/* Sums of the own figures of rows. */
struct row_sums {
    struct row_cells *cells;
    uint64_t n_rows;
    int64_t sums[CELLS_MAX]; /* by cell, where cell_adds_up() */
    bool known[CELLS_MAX];   /* some row has it */
    bool is_widest;          /* all figures are of the widest form */
};

/* Of the rows that B leaves out; B NULL: the widest figures that there may be. */
void row_sums_make(struct row_sums *s, struct row_cells *cells, const struct row_budget *b);
/* Appends {"rows":7,"micros":{"self":..}}. */
void row_sums_json(struct strbuf *sb, const struct row_sums *s);
/* Appends "omitted: 7 rows, micros 3us" and a newline. */
void row_sums_text(struct strbuf *sb, const struct row_sums *s);
