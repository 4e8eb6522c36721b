/* pane.h: the three panes. */
#pragma once

#include "base/strbuf.h"
#include "model/attr.h"
#include "term/canvas.h"
#include "tui/app.h"
#include "tui/move.h"
#include "view/build/tree.h"

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
/* Returns the pane displayed at ID; a displayed picture takes the place of the tree. */
const struct pane *pane_of(const struct app *a, enum pane_id id);

void pane_tree_draw(struct app *a);
/* Appends the name of ROW as the tree shows it, in at most COLS columns. */
void pane_tree_name(struct doc *doc, row_id row, int cols, struct strbuf *sb);
/* Appends "3/247 for /conv" if the cursor is on match 3, else the number of matches (known). */
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

/* Adds the lines for ROW of the displayed result, COLS wide (details.c). */
void details_fill(struct app *a, struct lines *l, row_id row, int cols);
/* Draws one line about the row under the cursor, for narrow screens. */
void details_brief(struct app *a, struct area where);

/* Appends VALUE: `SAME`, 3x3, [1, 2, 2, 1], DT_FLOAT, float 3x3 tensor. Long lists and strings
 * are cut. Bytes from the file are not escaped. */
void attr_value_text(struct strbuf *sb, const struct attr_value *value);

/* Draws the profile's name, framework, devices, steps with their times, and number of nodes. Parts
 * that do not fit are omitted. */
void header_draw(struct app *a);
/* Draws the verdict, a bar per device if it fits, and at the end the key of the view that explains
 * it; a sign until it is computed. */
void verdict_row_draw(struct app *a);

/* Returns the width of the strip of step durations on a screen of SCREEN_COLS: one column per step,
 * or per several steps; 0 for fewer than two steps. */
int step_strip_cols(const struct doc *doc, int screen_cols);
/* Appends the legend: steps per column, number of outliers (SHORT: "2!"). Appends nothing until the
 * times are known. */
void step_strip_legend(const struct doc *doc, int cols, bool is_short, struct strbuf *sb);
/* Draws the strip from LEFT on. A click on a column shows its longest step. */
void step_strip_draw(struct app *a, struct area where, int row, int left, int cols);

struct summary;

/* Opens the page of the summary. A task fills it. */
void summary_open(struct app *a, int arg);
/* Rewrites the page, if it is open, for another profile. */
void summary_renew(struct app *a);
