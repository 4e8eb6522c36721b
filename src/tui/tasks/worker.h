/* worker.h: two threads beside the screen: one reads files, one aggregates what
 * has been read.
 *
 * The newest job of a thread wins: submitting asks the running one to stop and
 * replaces the one that waits.  A result is handed over whole, by pointer; the
 * screen keeps showing the last one until it takes the next.
 *
 *     worker_submit(w, LANE_QUERY, (struct job){.run = aggregate, .arg = request, ...});
 *     ... EVENT_WAKE:
 *     while (worker_take(w, &done)) use(done);
 */
#ifndef TFPROF_TUI_WORKER_H
#define TFPROF_TUI_WORKER_H

#include <stdbool.h>

#include "base/cancel.h"
#include "base/err.h"

enum lane {
    LANE_QUERY,  /* what the person waits for */
    LANE_READ, /* what comes when it comes */
    LANE_COUNT
};

struct job {
    int kind; /* the caller's; comes back with the result */
    /* Runs on the worker's thread; asks CANCEL often and returns NULL or
     * whatever it has when it is asked to stop. */
    void *(*run)(void *arg, struct cancel_mark cancel);
    void *arg;                         /* given to the worker */
    void (*free_arg)(void *arg);       /* NULL: nothing to free */
    void (*free_result)(void *result); /* for results that nobody takes */
};

struct job_done {
    int kind;
    void *result; /* what run returned; the taker owns it */
};

struct worker;

/* Starts the threads (all signals masked: they belong to the screen).  NULL
 * with ERR (input) when the system has no thread or descriptor left. */
struct worker *worker_new(struct err *err);
/* Cancels, waits for the threads and frees what nobody took. */
void worker_free(struct worker *w);
/* Readable when worker_take() has something. */
int worker_fd(const struct worker *w);
/* Cancels the running job of LANE, drops the waiting one (its arg is freed) and
 * any result not taken, and runs JOB next. */
void worker_submit(struct worker *w, enum lane lane, struct job job);
/* Cancels the running job of LANE, drops the waiting one and a result not
 * taken; nothing is reported for them.  False when there was none of these. */
bool worker_cancel(struct worker *w, enum lane lane);
/* Takes the result of the newest job of a lane, if one is done.  Results of
 * jobs that were asked to stop are never given. */
bool worker_take(struct worker *w, struct job_done *done);
/* True while a job of LANE runs or waits or a result is not taken: the screen
 * is not yet what the last key asked for. */
bool worker_busy(struct worker *w, enum lane lane);

#endif
