/* row_cells.h: a displayed row as typed cells, for outputs that programs
 * read: json, csv, tsv, html. */
#ifndef TFPROF_EXPORT_ROW_CELLS_H
#define TFPROF_EXPORT_ROW_CELLS_H

#include "render/row_facts.h"

enum cell_kind {
    CELL_NONE,  /* does not apply to this row */
    CELL_INT,   /* number */
    /* number: of what is written, with the decimals that it has: of microseconds, picoseconds */
    CELL_MILLIONTHS,
    CELL_RATIO, /* ratio, with two decimals */
    CELL_BOOL,  /* number: 0 or 1 */
    CELL_FLAG,  /* the same, in tables of text 0 or 1 */
    CELL_TEXT,  /* text */
    CELL_TEXTS, /* texts */
    CELL_SHAPE, /* shape */
    CELL_NUMBERS, /* text: numbers with commas between them */
};

struct row_cell {
    const char *key;  /* "micros" */
    const char *part; /* "self", "total", "self_ps", "total_ps", of comparisons "base",
                         "now", "delta", "percent", "self_base" and so on, of repeated layers "mean", "min", "max"; NULL: the key says it
                         all */
    int field;        /* whose column it is, -1: of every row */
    enum cell_kind kind;
    int64_t number;
    double ratio;
    struct strbuf text;
    text_list texts;
    struct shape shape;
};

/* Fields take ten cells at most, every row has 18 of its own. */
enum { CELLS_MAX = 18 + 10 * FIELD_COUNT };

/* The cells of one row after the other.  Fields are read only. */
struct row_cells {
    struct result *result;
    struct row_cell cells[CELLS_MAX]; /* name, path, depth, accounted, of comparisons mark, base_name, match, confidence, with -significant significant, noise; of the code view frame; then fields; of repeated layers how many, outliers */
    size_t n;
    size_t n_own; /* how many are before the fields */
    bool with_ps;              /* private */
    const struct flops *flops; /* private: NULL unless float_ops is selected */
    /* private: names of the displayed ancestors in the code view */
    struct strbuf stack;
    VEC(size_t) stack_ends;
};

enum { CELL_NAME, CELL_PATH, CELL_DEPTH, CELL_ACCOUNTED, CELL_MARK, CELL_OLD_NAME, CELL_REASON, CELL_CONFIDENCE, CELL_SIGNIFICANT, CELL_NOISE };

/* True for a cell that is the difference of two others. */
bool cell_is_delta(const struct row_cell *cell);

/* Prepares the cells of R's columns: keys and parts are set.  WITH_PS: where the profile's clock
 * is finer than a microsecond, times have cells in picoseconds too. */
void row_cells_init(struct row_cells *c, struct result *r, bool with_ps);
/* Prepares cells like those of FROM, which may be another thread's; R is not
 * changed, neither here nor when they are filled. */
void row_cells_copy(struct row_cells *c, const struct row_cells *from);
/* Fills in ROW, which lies below DEPTH displayed ones.  Rows come in display
 * order, from any on. */
void row_cells_fill(struct row_cells *c, row_id row, uint32_t depth);
/* Fills in cell I of ROW alone, which may come in any order. */
void row_cells_fill_one(struct row_cells *c, size_t i, row_id row, uint32_t depth);
void row_cells_done(struct row_cells *c);

/* Appends the cell as text for people and tables: lists joined by '|', shapes
 * by 'x', names escaped (utf8.h). */
void cell_text(struct strbuf *sb, const struct row_cell *cell);

/* For output.check: refuses fields that are no cells (values of tensors, input
 * types of the op view). */
bool row_cells_check(const char *output, const struct result *r, struct err *err);

#endif
