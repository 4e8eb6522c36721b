/* picture.h: what the pictures have in common.
 *
 * A picture is displayed instead of the tree and shares its cursor.  The flame graph is computed
 * while it is drawn, the others by a task.  To add one, write a record and a row of PICTURE_LIST. */
#pragma once

#include "tui/panes/pane.h"
#include "tui/tasks/task_jobs.h"

#define PICTURE_LIST(X)                                                                            \
    X(PICTURE_FLAME_GRAPH, flame_picture)                                                          \
    X(PICTURE_MEMORY, memory_picture)                                                              \
    X(PICTURE_TIMELINE, timeline_picture)                                                          \
    X(PICTURE_ROOFLINE, roofline_picture)                                                          \
    X(PICTURE_TABLE, table_picture)

#define PICTURE_ID(id, record) id,
enum picture_id { PICTURE_LIST(PICTURE_ID) PICTURE_COUNT };
#undef PICTURE_ID

struct picture_job {
    const struct picture_ops *ops;
    struct question question; /* about the displayed result */
    uint32_t made_for;        /* generation of that result */
    void *asked;              /* see ask() */
    void *made;               /* see make() */
};

struct picture_ops {
    struct pane pane;
    /* True when the displayed result has something to draw. */
    bool (*fits)(const struct doc *doc);
    /* Appends what is under the cursor. */
    void (*status)(struct app *a, struct strbuf *sb);
    /* Moves the cursor left (-1) or right (1). */
    void (*side)(struct app *a, int direction);
    /* The wheel at a cell of the picture: up or left (-1), down or right (1), turned sideways or not;
     * and the mouse dragged by COLS columns.  False: rows are scrolled.  May be NULL. */
    bool (*wheel)(struct app *a, int direction, bool sideways, int col);
    void (*drag)(struct app *a, int cols);
    /* Called when the user chooses the picture; may be NULL. */
    void (*shown)(struct app *a);
    /* Esc and Backspace: leave a state of the picture.  False: there is none.  May be NULL. */
    bool (*cancel)(struct app *a);
    bool (*back)(struct app *a);
    /* Goes to the next match of the search (1), the one before (-1), or the first one from where the
     * search began (0), and reports it.  NULL: matches are rows of the tree. */
    void (*find)(struct app *a, int direction);
    void (*find_begins)(struct app *a);
    /* Frees what was computed from a profile that is replaced. */
    void (*forget)(struct ui *ui);

    /* For pictures that a task computes; the other ones have none of these. */

    /* True when the picture is missing or out of date. */
    bool (*is_stale)(const struct app *a);
    /* What the picture depends on besides the result; NULL: nothing. */
    void *(*ask)(const struct app *a);
    void (*asked_free)(void *asked);
    /* Computes the picture in the background; NULL when cancelled. */
    void *(*make)(const struct picture_job *job, struct cancel_mark cancel);
    void (*made_free)(void *made);
    /* False: the picture is to be another one now. */
    bool (*is_same)(const struct app *a, const struct picture_job *job);
    /* Displays what JOB has made (given). */
    void (*take)(struct app *a, const struct picture_job *job);
    bool is_made_ahead; /* computed before it is chosen, when nothing else is to be done */
    bool lets_finish;   /* a stale picture waits for the running job */
};

/* The picture ID, an enum picture_id. */
const struct picture_ops *picture_get(int id);
/* The picture that is displayed; NULL: the tree is. */
const struct picture_ops *picture_displayed(const struct app *a);
/* Starts computing the displayed picture if it is out of date. */
void picture_renew(struct app *a);
/* Frees what was computed from a profile that is replaced. */
void pictures_forget(struct ui *ui);
/* The displayed picture if it is out of date, else one that is computed in advance; NULL: none. */
const struct picture_ops *picture_stale(const struct app *a);
