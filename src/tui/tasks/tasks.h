/* tasks.h: the table of background tasks.
 *
 * Ownership:
 *
 * screen's thread: struct app and everything it points to. start() fills in a job; apply() moves
 * the job's results into struct app.
 *
 * thread of a queue: the job from start() to apply(), and the query of its session (QUEUE_QUERY)
 * or the profile that is being read (QUEUE_READ). It never accesses struct app.
 *
 * any thread: profiles, trees, columns and folds, which are immutable and freed with their last
 * reference.
 *
 * The job of a cancelled task is freed by its thread, all others by the screen's thread. */
#pragma once

#include "session/session.h"
#include "tui/spec.h"
#include "tui/task_list.h"

struct app;

struct task {
    enum queue queue;
    /* A foreground task: it ends background tasks, and ^C cancels it. */
    bool user_waits;
    /* Foreground only while this returns true. NULL: always. */
    bool (*waits_while)(const struct app *a);
    /* Restarted after a more urgent task, or ^C of another task, ended it, or its job was stale. */
    bool resumes;
    /* True when a running job must end before the task starts again. NULL: starting again
     * cancels it. */
    bool (*keeps_running)(const struct app *a);
    /* True when the task must run without a request: it starts when nothing else is wanted and,
     * on a large profile, no key came for a while. NULL: never. */
    bool (*is_due)(const struct app *a);
    /* False: a wanted task waits. NULL: never. */
    bool (*can_start)(const struct app *a);
    /* DEPENDS_ON_ bits. A job is stale when one of these has changed since it began. Stale jobs
     * are dropped, so apply() checks nothing. */
    unsigned depends;
    /* False: JOB is stale because its request (row, options, typed text) has changed. NULL:
     * always true. */
    bool (*is_same)(const struct app *a, const void *job);
    /* Bytes of a job, which are 0 before start(). */
    size_t job_bytes;
    /* The query that is set before start(); unless NO_QUERY, a job begins with a struct
     * query_request (task_jobs.h). */
    enum task_query { NO_QUERY, QUERY_REQUESTED, QUERY_DISPLAYED } query;
    /* Fills in JOB, in the screen's thread. False: there is nothing to do. NULL: always true. */
    bool (*start)(struct app *a, void *job);
    /* Runs JOB in the queue's thread; checks CANCEL often. */
    void (*run)(void *job, struct cancel_mark cancel);
    /* Moves the results of JOB into A, in the screen's thread. NULL: it has none. */
    void (*apply)(struct app *a, void *job);
    /* Called after ^C ended it; may be NULL. */
    void (*cancelled)(struct app *a);
    /* Frees what JOB owns, in any thread, whether it ran or not. NULL: only its query. */
    void (*done)(void *job);
    /* Its results are mostly invisible: apply() clears is_drawn if they are visible, and the
     * status row does not report it. */
    bool is_quiet;
};

/* A query that takes longer than this is not cancelled by the next one. */
enum { QUICK_US = 30000 };

/* Requests ID: starts it now, or after more urgent tasks. The job is made at its start. */
void task_request(struct app *a, enum task_id id);
/* Starts ID now, if it has anything to do. Cancels the task that runs in its queue. */
void task_start(struct app *a, enum task_id id);
/* Returns a job of ID without start(), and starts ID with it as task_start() does. */
void *task_new_job(const struct app *a, enum task_id id);
void task_begin(struct app *a, enum task_id id, void *job);
/* Cancels the task that runs in the queue of ID, although ID starts no job. */
void task_cancel_queue(struct app *a, enum task_id id);
/* Cancels ID and its request. */
void task_stop(struct app *a, enum task_id id);
bool task_runs(const struct app *a, enum task_id id);
/* True while ID runs or is wanted. */
bool task_is_open(const struct app *a, enum task_id id);

/* Starts the next tasks. Forgets wanted tasks that cannot start if nothing runs whose end could
 * change that. */
void tasks_start(struct app *a);
/* Applies the jobs that have ended, or drops them if they are stale. Then starts the next tasks. */
void tasks_apply_results(struct app *a);
/* True while a thread runs a task, whose end will wake the screen. */
bool tasks_are_running(const struct app *a);
/* True while any task but reading ahead runs or is wanted. */
bool tasks_are_busy(const struct app *a);
/* As tasks_are_busy() without quiet tasks. */
bool tasks_are_working(const struct app *a);
/* True while a foreground task runs or is wanted. */
bool tasks_are_awaited(const struct app *a);
/* True while a due task waits because keys are being typed on a large profile. */
bool tasks_are_deferred(const struct app *a);
/* Cancels the foreground tasks and resets the request to the displayed view. False: none. */
bool tasks_cancel(struct app *a);

/* Closes S (given) in the background. */
void session_close_later(struct app *a, struct session *s);
/* Applies WISH to the displayed tree in the background. Sets `tree` of WISH. */
struct fold_wish;
void folds_request(struct app *a, struct fold_wish wish);
/* Resets the requested view to the displayed one. */
void request_reset(struct app *a);
/* True when all figures, groups and consumers of the displayed result are computed. */
bool figures_are_ready(const struct app *a);
/* Exports the displayed view, or TABLE, with OPTIONS, whose `output` contains FILE, in the
 * background. */
struct table;
void export_begin(struct app *a, const struct options *options, const struct table *table,
                  const char *file);
