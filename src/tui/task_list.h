/* task_list.h: the list of tasks, and which of them run. */
#pragma once

#include <stdint.h>

#include "tui/worker.h"

/* All tasks: id and record. Within a queue more urgent tasks come first, and end less urgent
 * ones. */
#define TASK_LIST(X)                                                                               \
    X(TASK_EXPORT, export_task)   /* exports a view to a file */                                   \
    X(TASK_REPORT, report_task)   /* writes the notes to a file */                                 \
    X(TASK_RESULT, result_task)   /* runs the requested query */                                   \
    X(TASK_FOLDS, folds_task)     /* folds over the whole tree */                                  \
    X(TASK_NOTE, note_task)       /* finds the row of a note */                                    \
    X(TASK_PREVIEW, preview_task) /* computes the effect of an option */                           \
    X(TASK_RENAMES, renames_task) /* matches nodes by typed rules */                               \
    X(TASK_SEARCH, search_task)   /* finds the rows that a search matches */                       \
    X(TASK_SUMMARY, summary_task) /* computes the summary page */                                    \
    X(TASK_PICTURE, picture_task) /* computes a picture */                                         \
    X(TASK_RANGE, range_task)     /* prepares the query of a time range */                         \
    X(TASK_VERDICT, verdict_task) /* computes the verdict of the header */                          \
    X(TASK_FIGURES, figures_task) /* computes data for the details */                             \
    X(TASK_ADVICE, advice_task)   /* runs the checkers */                                          \
    X(TASK_LOAD, load_task)       /* reads the files */                                            \
    X(TASK_RUNS, runs_task)       /* lists runs and counts their steps */                          \
    X(TASK_CLOSE, close_task)     /* frees a session */                                            \
    X(TASK_WATCH, watch_task)     /* detects changed files */                                      \
    X(TASK_SOURCE, source_task)   /* reads a source line */

/* Generations of the displayed profile, tree and result: each counts changes. */
struct stamp {
    uint32_t profile, tree, result;
};

/* Generations that a job depends on (bits). */
enum { DEPENDS_ON_PROFILE = 1, DEPENDS_ON_TREE = 2, DEPENDS_ON_RESULT = 4 };

#define TASK_ID(id, record) id,
enum task_id { TASK_NONE, TASK_LIST(TASK_ID) TASK_COUNT };
#undef TASK_ID

/* A zeroed struct has no tasks. */
struct tasks {
    bool wanted[TASK_COUNT];          /* starts when more urgent tasks have ended */
    enum task_id running[QUEUE_COUNT]; /* until it is applied; TASK_NONE: nothing */
};
