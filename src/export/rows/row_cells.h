/* row_cells.h: converts a displayed row to typed cells, for json, csv, tsv and html. */
#pragma once

#include "render/row_facts.h"

enum cell_kind {
    CELL_NONE,  /* does not apply to this row */
    CELL_INT,   /* number */
    /* number: millionths of the written value, which has as many decimals as needed: microseconds
     * from picoseconds */
    CELL_MILLIONTHS,
    CELL_RATIO, /* ratio, with two decimals */
    CELL_BOOL,  /* number: 0 or 1 */
    CELL_FLAG,  /* as CELL_BOOL, but 0 or 1 in text formats */
    CELL_TEXT,  /* text */
    CELL_TEXTS, /* texts */
    CELL_SHAPE, /* shape */
    CELL_NUMBERS, /* text: numbers separated by commas */
};

struct row_cell {
    const char *key;  /* "micros" */
    const char *part; /* "self", "total", "self_ps", "total_ps"; in comparisons "base", "now",
                       * "delta", "percent", "self_base" and so on; for repeated layers "mean",
                       * "min", "max"; NULL: the key is the full name */
    int field;        /* field of the column, -1: not a field */
    enum cell_kind kind;
    int64_t number;
    double ratio;
    struct strbuf text;
    text_list texts;
    struct shape shape;
};

/* At most ten cells per field, and 21 other cells per row. */
enum { CELLS_MAX = 21 + 10 * FIELD_COUNT };

/* The cells of one row at a time.  Fields are read only. */
struct row_cells {
    struct result *result;
    struct row_cell cells[CELLS_MAX]; /* name, path, depth, accounted; in comparisons mark,
                                       * base_name, match, confidence; with -significant
                                       * significant, noise; in the code view frame, file, line,
                                       * function; fields; for repeated layers their number and
                                       * outliers */
    size_t n;
    size_t n_own; /* number of cells before the fields */
    bool with_ps;              /* private */
    const struct flops *flops; /* private; NULL unless float_ops is selected */
    const int64_t *running_defined; /* private: running sums of lists, by row */
    int64_t *own_running;           /* private: running_defined if it must be freed */
    /* private: names of the displayed ancestors, code view */
    struct strbuf stack;
    VEC(size_t) stack_ends;
};

enum { CELL_NAME, CELL_PATH, CELL_DEPTH, CELL_ACCOUNTED, CELL_MARK, CELL_OLD_NAME, CELL_REASON, CELL_CONFIDENCE, CELL_SIGNIFICANT, CELL_NOISE };

/* True for the difference of two other cells. */
bool cell_is_delta(const struct row_cell *cell);

/* True for a self figure that can be summed over rows: neither ratio nor total. */
bool cell_adds_up(const struct row_cell *cell);
/* Returns the part in a sum of such cells: "self", "self_ps"; compared "base", "now", "delta". */
const char *cell_own_part(const struct row_cell *cell);
/* True when the cell is written in microseconds. */
bool cell_is_micros(const struct row_cell *cell);
/* Returns the unit of a cell's numbers: "us", "B"; NULL: not a number. Static text. */
const char *cell_unit(const struct row_cell *cell);

/* Sets keys and parts of the cells for R's columns. WITH_PS: times also have cells in picoseconds
 * if the profile's clock is finer than a microsecond. */
void row_cells_init(struct row_cells *c, struct result *r, bool with_ps);
/* Sets up the same cells as FROM, which may belong to another thread.  Neither this nor filling
 * them changes R. */
void row_cells_copy(struct row_cells *c, const struct row_cells *from);
/* Fills all cells for ROW, which has DEPTH displayed ancestors.  Rows come in display order,
 * starting anywhere. */
void row_cells_fill(struct row_cells *c, row_id row, uint32_t depth);
/* Allows the next row to be any row. */
void row_cells_restart(struct row_cells *c);
/* Fills cell I of ROW only; rows come in any order. */
void row_cells_fill_one(struct row_cells *c, size_t i, row_id row, uint32_t depth);
void row_cells_done(struct row_cells *c);

/* Appends the cell as text: lists are joined by '|', shapes by 'x', names are escaped (utf8.h). */
void cell_text(struct strbuf *sb, const struct row_cell *cell);

/* For output.check: rejects fields without cells (tensor values, input types of the op view). */
bool row_cells_check(const char *output, const struct result *r, struct err *err);
