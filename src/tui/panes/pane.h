/* pane.h: the three panes: each draws itself and moves its cursor. */
#ifndef TFPROF_TUI_PANE_H
#define TFPROF_TUI_PANE_H

#include "tui/panes/lines.h"
#include "tui/dialogs/overlay.h"

enum pane_id { PANE_TREE, PANE_DETAILS, PANE_OPTIONS, PANE_COUNT };

struct pane {
    const char *name;
    unsigned context;
    void (*draw)(struct app *a);
    void (*move)(struct app *a, enum move move);
    void (*open)(struct app *a); /* Enter */
    /* A click on a row of the pane, counted from its top. */
    void (*click)(struct app *a, int row, int col);
    /* Of a picture; NULL: always, nothing. */
    bool (*fits)(const struct app *a); /* there is something to draw */
    void (*status)(struct app *a, struct strbuf *sb); /* what is under its cursor */
    void (*side)(struct app *a, int direction); /* moves its cursor left (-1) or right (1) */
};

extern const struct pane panes[PANE_COUNT]; /* by pane_id */
/* What stands in the place of ID: a picture in that of the tree, when one is on. */
const struct pane *pane_of(const struct app *a, enum pane_id id);

/* The details pane: lines made for one row of one result. */
struct details {
    struct lines lines;
    const struct result *result;
    row_id row;
    int cols;
    size_t at, top;
    int page; /* lines seen at the last drawing */
};

void pane_tree_draw(struct app *a);
/* Appends the name of ROW as the tree shows it, in at most COLS columns. */
void pane_tree_name(struct app *a, row_id row, int cols, struct strbuf *sb);
void pane_tree_move(struct app *a, enum move move);
void pane_tree_open(struct app *a);
void pane_tree_click(struct app *a, int row, int col);
/* Counts the rows that a new result hides, and by which options. */
void pane_tree_count_hidden(struct app *a);
void pane_details_draw(struct app *a);
void pane_details_move(struct app *a, enum move move);
void pane_details_open(struct app *a);
void pane_details_click(struct app *a, int row, int col);
/* How many rows it takes, its head included: of all options when it has the focus, else of those
 * that were changed. */
int pane_options_rows(const struct app *a);
void pane_options_draw(struct app *a);
void pane_options_move(struct app *a, enum move move);
void pane_options_open(struct app *a);
void pane_options_click(struct app *a, int row, int col);
void pane_options_reset(struct app *a); /* the option under the cursor */

/* Fills the lines for ROW of the result, COLS wide (details.c). */
void details_fill(struct app *a, struct lines *l, row_id row, int cols);
/* The same in one row, for narrow screens. */
void details_brief(struct app *a, struct area where);

#endif
