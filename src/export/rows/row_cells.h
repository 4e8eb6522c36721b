/* row_cells.h: converts a displayed row to typed cells, for machine-readable outputs: json, csv,
 * tsv, html. */
#ifndef TFPROF_EXPORT_ROW_CELLS_H
#define TFPROF_EXPORT_ROW_CELLS_H

#include "render/row_facts.h"

enum cell_kind {
    CELL_NONE,  /* does not apply to this row */
    CELL_INT,   /* number */
    /* number: millionths of the written value, with the decimals that it needs: microseconds from
     * picoseconds */
    CELL_MILLIONTHS,
    CELL_RATIO, /* ratio, with two decimals */
    CELL_BOOL,  /* number: 0 or 1 */
    CELL_FLAG,  /* the same, in tables of text 0 or 1 */
    CELL_TEXT,  /* text */
    CELL_TEXTS, /* texts */
    CELL_SHAPE, /* shape */
    CELL_NUMBERS, /* text: numbers separated by commas */
};

struct row_cell {
    const char *key;  /* "micros" */
    const char *part; /* "self", "total", "self_ps", "total_ps"; of comparisons "base", "now",
                       * "delta", "percent", "self_base" and so on; of repeated layers "mean",
                       * "min", "max"; NULL: the key is the whole name */
    int field;        /* field of the column, -1: not a field */
    enum cell_kind kind;
    int64_t number;
    double ratio;
    struct strbuf text;
    text_list texts;
    struct shape shape;
};

/* Fields take ten cells at most, every row has 18 of its own. */
enum { CELLS_MAX = 18 + 10 * FIELD_COUNT };

/* The cells of one row at a time.  Fields are read only. */
struct row_cells {
    struct result *result;
    struct row_cell cells[CELLS_MAX]; /* name, path, depth, accounted, of comparisons mark, base_name, match, confidence, with -significant significant, noise; of the code view frame; then fields; of repeated layers how many, outliers */
    size_t n;
    size_t n_own; /* number of cells before the fields */
    bool with_ps;              /* private */
    const struct flops *flops; /* private; NULL unless float_ops is selected */
    /* private: names of the displayed ancestors, code view */
    struct strbuf stack;
    VEC(size_t) stack_ends;
};

enum { CELL_NAME, CELL_PATH, CELL_DEPTH, CELL_ACCOUNTED, CELL_MARK, CELL_OLD_NAME, CELL_REASON, CELL_CONFIDENCE, CELL_SIGNIFICANT, CELL_NOISE };

/* True for the difference of two other cells. */
bool cell_is_delta(const struct row_cell *cell);

/* Sets keys and parts of the cells for R's columns.  WITH_PS: if the clock of the profile is finer
 * than a microsecond, times have cells in picoseconds too. */
void row_cells_init(struct row_cells *c, struct result *r, bool with_ps);
/* Sets up the same cells as FROM, which may belong to another thread.  Neither this nor filling
 * them changes R. */
void row_cells_copy(struct row_cells *c, const struct row_cells *from);
/* Fills all cells for ROW, which has DEPTH displayed ancestors.  Rows come in display order,
 * starting anywhere. */
void row_cells_fill(struct row_cells *c, row_id row, uint32_t depth);
/* Fills cell I of ROW only; rows come in any order. */
void row_cells_fill_one(struct row_cells *c, size_t i, row_id row, uint32_t depth);
void row_cells_done(struct row_cells *c);

/* Appends the cell as text: lists are joined by '|', shapes by 'x', names are escaped (utf8.h). */
void cell_text(struct strbuf *sb, const struct row_cell *cell);

/* For output.check: rejects fields that have no cells (tensor values, input types of the op
 * view). */
bool row_cells_check(const char *output, const struct result *r, struct err *err);

#endif
