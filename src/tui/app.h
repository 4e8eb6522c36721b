/* app.h: the state of the screen.
 *
 * event -> action -> requested view -> worker -> result -> rows -> canvas
 *
 * The requested view differs from the displayed result while the worker runs. The last complete
 * result stays on the screen. */
#pragma once

#include "tui/doc.h"
#include "tui/nav.h"
#include "tui/rows/figures.h"
#include "tui/ui.h"

/* Each part of the state has one owner. */
struct app {
    struct nav nav; /* where the user is */
    struct doc doc; /* displayed data */
    struct ui ui;   /* how it is displayed */
};

/* Creates the screen for the files and options of CL. A takes ownership of terminal T and worker
 * W. Starts loading. */
struct app *app_new(const struct command_line *cl, struct term *t, struct worker *w);
void app_free(struct app *a);
/* Runs until the user quits or the terminal is closed. */
void app_run(struct app *a);

/* Displays a message in the status row. */
void app_print(struct app *a, enum role role, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Displays ERR as a message and clears it. */
void app_print_err(struct app *a, struct err *err);
/* Displays the first of NOTES, if any, and frees them. */
void app_print_notes(struct app *a, struct notes *notes);

/* The context that receives keys: one enum context bit. */
unsigned app_context(const struct app *a);

/* Displays R (given). Cursor and folds stay with their nodes. COUNTS are consumed if they match
 * its tree and folds. */
void app_show_result(struct app *a, struct result *r, struct row_counts *counts);
/* True when the last result of the requested view answers the request. */
bool app_has_cached(const struct app *a);
/* Displays that result when one is due. */
void app_show_cached(struct app *a);
/* Frees the cached results of all views, because the profile is replaced. */
void app_drop_cached(struct app *a);
/* Requests VIEW with OPTIONS (copied), as a step of undo. */
void app_change(struct app *a, enum view_id view, const struct options *options);
/* Sets one option from text. False with a message if the value is invalid. */
bool app_set(struct app *a, const char *option, const char *value);
/* As app_change(), but no step of undo: for text that is being typed, and for undo itself. */
void app_try(struct app *a, enum view_id view, const struct options *options);

/* State of the displayed view. */
struct view_state *app_view(struct app *a);
/* The row under the cursor; 0 (the root) without a result. */
row_id app_row(const struct app *a);
/* The node of ROW. For a row of several nodes, the member (without members: the node below) with
 * the largest figure. NODE_NONE for the root. */
node_id app_node_of(struct app *a, row_id row);
/* The node of ROW if it calls a function whose body is not loaded; else NODE_NONE. */
node_id app_cut_call(const struct app *a, row_id row);
/* Rebuilds the visible rows and puts the cursor on ROW. MADE may hold their counts. */
void app_rebuild_rows(struct app *a, row_id row, struct row_counts *made);
/* As app_go(), but keeps the anchor. With REMEMBER, unfolding is a step of undo. */
bool app_move_to(struct app *a, row_id row, bool remember);
/* Moves the cursor to ROW and unfolds its ancestors. If ROW is hidden, moves to its nearest
 * displayed ancestor and returns false. */
bool app_go(struct app *a, row_id row);
/* As app_go(), but unfolding is no step of undo: for searches that are being typed. */
bool app_peek(struct app *a, row_id row);
/* Moves the cursor to the row of NODE. Reports a node without a row. */
void app_go_node(struct app *a, node_id node);
/* Sets the folds of the displayed view to F (given), as a step of undo. COUNTS (consumed) are of
 * its rows with F. */
void app_set_folds(struct app *a, struct folds *f, struct row_counts *counts);

/* The command line that reproduces the screen. */
void app_command(const struct app *a, struct strbuf *sb);
/* Draws everything into a->ui.canvas (frame.c). */
void app_draw(struct app *a);
/* Makes these cells run ACTION when they are clicked. */
void app_hit(struct app *a, struct area where, int row, int left, int cols,
             const struct action *action, int arg);
/* Makes these cells call CALL with ARG when they are clicked. */
void app_hit_call(struct app *a, struct area where, int row, int left, int cols,
                  void (*call)(struct app *a, int arg), int arg);
