/* pane.h: the three panes. */
#ifndef TFPROF_TUI_PANE_H
#define TFPROF_TUI_PANE_H

#include "tui/panes/lines.h"
#include "tui/move.h"

struct app;
struct doc;

enum pane_id { PANE_TREE, PANE_DETAILS, PANE_OPTIONS, PANE_COUNT };

struct pane {
    const char *name;
    unsigned context;
    void (*draw)(struct app *a);
    void (*move)(struct app *a, enum move move);
    void (*open)(struct app *a); /* Enter */
    /* A click on a row, counted from the top of the pane. */
    void (*click)(struct app *a, int row, int col);
};

extern const struct pane panes[PANE_COUNT]; /* by enum pane_id */
/* The pane displayed at ID: instead of the tree, a picture if one is on. */
const struct pane *pane_of(const struct app *a, enum pane_id id);

/* The details pane: lines about one row of one result. */
struct details {
    struct lines lines;
    const struct result *result;
    row_id row;
    int cols;
    size_t at, top;
    int page; /* visible lines at the last drawing */
};

void pane_tree_draw(struct app *a);
/* Appends the name of ROW as the tree shows it, in at most COLS columns. */
void pane_tree_name(struct doc *doc, row_id row, int cols, struct strbuf *sb);
/* Appends "3/247 for /conv" if the cursor is on match 3, else the number of matches, which must be
 * known. */
void pane_tree_add_matches(const struct app *a, struct strbuf *sb);
void pane_tree_move(struct app *a, enum move move);
void pane_tree_open(struct app *a);
void pane_tree_click(struct app *a, int row, int col);
/* Updates the text about hidden rows for a new result. */
void pane_tree_count_hidden(struct app *a);
void pane_details_draw(struct app *a);
void pane_details_move(struct app *a, enum move move);
void pane_details_open(struct app *a);
void pane_details_click(struct app *a, int row, int col);
/* Number of rows with its head: of all options if it has the focus, else of the changed ones. */
int pane_options_rows(const struct app *a);
void pane_options_draw(struct app *a);
void pane_options_move(struct app *a, enum move move);
void pane_options_open(struct app *a);
void pane_options_click(struct app *a, int row, int col);
void pane_options_reset(struct app *a); /* the selected option */

/* Adds the lines for ROW of the displayed result, COLS wide (details.c). */
void details_fill(struct app *a, struct lines *l, row_id row, int cols);
/* Draws one line about the row under the cursor, for narrow screens. */
void details_brief(struct app *a, struct area where);

#endif
