/* picture.h: interface of the pictures (flame graph, timeline, ...).
 *
 * A picture is displayed instead of the tree and shares its cursor. The flame graph is computed
 * while it is drawn, the others by a task. To add one, write a record and a row of VIEW_LIST. */
#pragma once

#include "tui/panes/pane.h"
#include "tui/tasks/task_jobs.h"

struct picture_job {
    struct query_request request; /* query for the displayed result */
    const struct picture_ops *ops;
    uint32_t made_for;        /* generation of the displayed result */
    void *parameters;              /* returned by new_parameters() */
    void *made;               /* returned by make() */
};

struct picture_ops {
    struct pane pane;
    /* True when the displayed result has data for the picture. */
    bool (*fits)(const struct doc *doc);
    /* Appends a description of the cell under the cursor. */
    void (*status)(struct app *a, struct strbuf *sb);
    /* Moves the cursor left (-1) or right (1). */
    void (*side)(struct app *a, int direction);
    /* Handles the wheel at a cell of the picture: DIRECTION -1 is up or left, 1 down or right;
     * SIDEWAYS: horizontal. Also handles dragging by COLS columns. False: rows are scrolled
     * instead. May be NULL. */
    bool (*wheel)(struct app *a, int direction, bool sideways, int col);
    void (*drag)(struct app *a, int cols);
    /* Called when the user chooses the picture; may be NULL. */
    void (*shown)(struct app *a);
    /* Appends the lines of the details pane. NULL: those of the tree's row. */
    void (*details)(struct app *a, struct lines *l);
    /* Appends at most COLS columns about the selection, for screens without the details pane. NULL:
     * those of the tree's row. */
    void (*brief)(const struct app *a, int cols, struct strbuf *sb);
    /* Leaves a state of the picture (Esc and Backspace). False: it has none. May be NULL. */
    bool (*cancel)(struct app *a);
    bool (*back)(struct app *a);
    /* Goes to the next (1) or previous (-1) match of the search, or the first one from its start
     * (0), and reports it. NULL: matches are rows of the tree. */
    void (*find)(struct app *a, int direction);
    void (*find_begins)(struct app *a);
    /* Frees data of a profile that is replaced. */
    void (*forget)(struct ui *ui);

    /* The following members are NULL unless a task computes the picture. */

    /* True when the picture is missing or out of date. */
    bool (*is_stale)(const struct app *a);
    /* Returns the parameters of the picture other than the result; NULL: none. */
    void *(*new_parameters)(const struct app *a);
    void (*free_parameters)(void *parameters);
    /* Computes the picture in the background; NULL when cancelled. */
    void *(*make)(const struct picture_job *job, struct cancel_mark cancel);
    void (*made_free)(void *made);
    /* False: JOB no longer computes the requested picture. */
    bool (*is_same)(const struct app *a, const struct picture_job *job);
    /* Displays the picture of JOB (consumed). */
    void (*take)(struct app *a, const struct picture_job *job);
    bool is_made_ahead; /* computed in advance when no other task is due */
    bool keeps_running;   /* if stale, it is recomputed after the running job ends */
};

/* Displays picture ID, an enum picture_id, or returns from it to the tree. */
void cmd_picture(struct app *a, int id);
/* Returns picture ID, an enum picture_id. */
const struct picture_ops *picture_get(int id);
/* Returns the displayed picture; NULL: the tree is displayed. */
const struct picture_ops *picture_displayed(const struct app *a);
/* Starts computing the displayed picture if it is out of date. */
void picture_renew(struct app *a);
/* Frees data of a profile that is replaced. */
void pictures_forget(struct ui *ui);
/* Returns the displayed picture if out of date, else one to compute in advance; NULL: none. */
const struct picture_ops *picture_stale(const struct app *a);
