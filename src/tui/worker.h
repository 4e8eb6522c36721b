/* worker.h: two threads: one reads files, one runs queries.
 *
 * The newest job of a thread wins: submitting cancels the running one and replaces the waiting
 * one. A result is passed whole, by pointer.
 *
 * worker_submit(w, QUEUE_QUERY, (struct job){.run = aggregate, .arg = request, ...}); ...
 * EVENT_WAKE: while (worker_take(w, &done)) use(done); */
#pragma once

#include <stdbool.h>

#include "base/cancel.h"
#include "base/err.h"

enum queue {
    QUEUE_QUERY,  /* queries and everything computed from a loaded profile */
    QUEUE_READ, /* reading of files */
    QUEUE_COUNT
};

struct job {
    int kind; /* for the caller, returned with the result */
    /* Runs on the worker's thread. It checks CANCEL often; when cancelled it may return NULL or
     * a partial result. */
    void *(*run)(void *arg, struct cancel_mark cancel);
    void *arg;                         /* owned by the worker */
    void (*free_arg)(void *arg);       /* NULL: nothing to free */
    void (*free_result)(void *result); /* for results that are not taken */
};

struct job_done {
    int kind;
    void *result; /* result of `run`, owned by the caller of worker_take() */
};

struct worker;

/* Starts the threads, with the screen's signals blocked. NULL with ERR (input) if the system has
 * no thread or descriptor left. */
struct worker *worker_new(struct err *err);
/* Cancels all jobs, waits for the threads and frees results that were not taken. */
void worker_free(struct worker *w);
/* A descriptor that is readable when worker_take() has a result. */
int worker_fd(const struct worker *w);
/* Cancels the running job of QUEUE, drops the waiting one (its argument is freed) and a result
 * not taken, and runs JOB next. */
void worker_submit(struct worker *w, enum queue queue, struct job job);
/* Cancels the running job of QUEUE and drops the waiting one and a result not taken. False if
 * there was none of these. */
bool worker_cancel(struct worker *w, enum queue queue);
/* Takes the result of the newest job of a queue, if one is done. Results of cancelled jobs are
 * never returned. */
bool worker_take(struct worker *w, struct job_done *done);
/* True while a job of QUEUE runs or waits or its result is not taken. */
bool worker_busy(struct worker *w, enum queue queue);
