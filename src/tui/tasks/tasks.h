/* tasks.h: what runs beside the screen's thread, as a table.
 *
 * Who owns what:
 *
 *   screen's thread   struct app and all it points to; start() makes a job of it,
 *                     apply() moves what the job has made into it
 *   thread of a lane  the job, from start() to apply(), and the query of the session
 *                     it was made for (LANE_QUERY) or the profile that is being read
 *                     (LANE_READ); nothing of struct app
 *   either            profiles, trees, columns, folds: never changed once made, freed
 *                     with their last reference
 *
 * A job whose task was cancelled is freed where it ends; all others are freed on the
 * screen's thread. */
#ifndef TFPROF_TUI_TASKS_H
#define TFPROF_TUI_TASKS_H

#include "session/session.h"
#include "tui/tasks/worker.h"

struct app;

/* A view with options: what a screen shows. */
struct spec {
    enum view_id view;
    struct options options; /* owned */
};

/* All tasks: the id and the record, which stands beside its code.  In each lane the
 * more urgent comes first; it ends what is less urgent. */
#define TASK_LIST(X)                                                                               \
    X(TASK_EXPORT, export_task)   /* writes a view to a file */                                    \
    X(TASK_REPORT, report_task)   /* writes the notes to a file */                                 \
    X(TASK_RESULT, result_task)   /* aggregates what is wanted */                                  \
    X(TASK_FOLDS, folds_task)     /* folds as far as the whole tree */                             \
    X(TASK_NOTE, note_task)       /* finds the row of a note */                                    \
    X(TASK_PREVIEW, preview_task) /* tries an option before it is set */                           \
    X(TASK_RENAMES, renames_task) /* matches by rules that are typed */                            \
    X(TASK_SEARCH, search_task)   /* finds the rows that a search matches */                       \
    X(TASK_SUMMARY, summary_task) /* writes the summary page */                                    \
    X(TASK_MEMORY, memory_task)   /* computes the picture of memory */                             \
    X(TASK_LANES, lanes_task)     /* computes the lanes of a step */                               \
    X(TASK_ROOFLINE, roofline_task) /* sums the points of the roofline plot */                     \
    X(TASK_RANGE, range_task)     /* makes what a range of time needs, while it is chosen */       \
    X(TASK_FIGURES, figures_task) /* makes what the details say beside the columns */              \
    X(TASK_ADVICE, advice_task)   /* runs the checkers */                                          \
    X(TASK_LOAD, load_task)       /* reads the files */                                            \
    X(TASK_RUNS, runs_task)       /* counts the steps of the runs in a list */                     \
    X(TASK_CLOSE, close_task)     /* frees a session */                                            \
    X(TASK_WATCH, watch_task)     /* looks whether the files have changed */                       \
    X(TASK_SOURCE, source_task)   /* reads a line of code */

#define TASK_ID(id, record) id,
enum task_id { TASK_NONE, TASK_LIST(TASK_ID) TASK_COUNT };
#undef TASK_ID

struct task {
    enum lane lane;
    /* The user waits for it: what the user does not wait for gives way, and ^C ends it. */
    bool user_waits;
    /* Only while this holds: the task also runs ahead of need.  NULL: always. */
    bool (*waits_while)(const struct app *a);
    /* Wanted again when it is ended for a more urgent one, or for what ^C ended. */
    bool resumes;
    /* True when a run under way ends before another one of the task begins, which is
     * wanted meanwhile.  NULL: a new one ends it. */
    bool (*lets_finish)(const struct app *a);
    /* True when it is wanted without being asked for: it begins when nothing else is
     * wanted and, on a large profile, no key came for a moment.  NULL: never. */
    bool (*is_due)(const struct app *a);
    /* False: it waits, though it is wanted.  NULL: never. */
    bool (*can_start)(const struct app *a);
    /* A new job, on the screen's thread; NULL when there is nothing to do.  NULL itself
     * for a task that task_begin() is given a job for. */
    void *(*start)(struct app *a);
    /* Does JOB on the lane's thread; asks CANCEL often. */
    void (*run)(void *job, struct cancel_mark cancel);
    /* Takes what JOB has made, on the screen's thread. */
    void (*apply)(struct app *a, void *job);
    /* ^C ended it; may be NULL. */
    void (*cancelled)(struct app *a);
    void (*free)(void *job); /* any thread, whether it ran or not */
    /* What it makes is mostly nothing to see: apply() says when it is (a->is_drawn), and that
     * it runs is not shown. */
    bool is_quiet;
};

/* A zeroed struct: nothing runs. */
struct tasks {
    bool wanted[TASK_COUNT];          /* to begin when more urgent ones have ended */
    enum task_id running[LANE_COUNT]; /* TASK_NONE: nothing; until it is applied */
};

/* A result that takes longer than this is let finish before the next one. */
enum { QUICK_US = 30000 };

/* Wants ID, with what it starts from as it is when it begins: at once when nothing
 * more urgent runs. */
void task_want(struct app *a, enum task_id id);
/* Begins ID with JOB (given) at once; what runs in its lane is ended. */
void task_begin(struct app *a, enum task_id id, void *job);
/* Ends what runs in the lane of ID, as its job would have that there was no need for. */
void task_supersede(struct app *a, enum task_id id);
/* Ends ID, if it runs, and wants it no more. */
void task_stop(struct app *a, enum task_id id);
bool task_runs(const struct app *a, enum task_id id);
/* True while it runs or is wanted. */
bool task_is_open(const struct app *a, enum task_id id);

/* Begins what is next. */
void tasks_start(struct app *a);
/* Applies what has ended and begins what is next. */
void tasks_take(struct app *a);
/* True while anything runs or is wanted. */
bool tasks_are_busy(const struct app *a);
/* The same, but for those that are quiet. */
bool tasks_are_working(const struct app *a);
/* True while one runs or is wanted that the user waits for, who can do without the rest
 * of the details, and without advice, for a moment. */
bool tasks_are_awaited(const struct app *a);
/* True while something is due that has not begun, since keys come: on a large profile
 * the next one should not find a busy worker. */
bool tasks_rest(const struct app *a);
/* Ends what the user waits for and goes back to what is seen; false when there was
 * nothing. */
bool tasks_cancel(struct app *a);

/* Folds as WISH says, whose `tree` is filled in, beside the screen. */
struct fold_wish;
void folds_want(struct app *a, struct fold_wish wish);
/* Makes what is seen what is wanted. */
void want_seen(struct app *a);
/* True when all figures of what is seen are there, and what groups.h and consumers.h
 * know of it. */
bool figures_are_seen(const struct app *a);
/* Writes the view with OPTIONS, whose `output` names FILE, beside the screen. */
void export_begin(struct app *a, const struct options *options, const char *file);

#endif
