/* tasks.c: chooses which task runs next. */
#include "tui/tasks/tasks.h"

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "tui/tasks/loading.h"
#include "tui/tasks/task_jobs.h"
#include "tui/undo.h"

#define ROW(id, record) [id] = &record,
static const struct task *const table[TASK_COUNT] = {TASK_LIST(ROW)};
#undef ROW

/* ---- jobs */

/* Sets Q, which is zeroed, to the requested view and options. */
static void set_requested(struct query_request *q, const struct app *a)
{
    q->query = a->doc.session ? a->doc.session->query : NULL;
    q->profile = a->doc.session ? a->doc.session->profile : NULL;
    q->spec.view = a->doc.requested.view;
    options_copy(&q->spec.options, &a->doc.requested.options);
}

/* Sets Q to the displayed view, which must exist. */
static void set_displayed(struct query_request *q, const struct app *a)
{
    q->query = a->doc.session->query;
    q->profile = a->doc.session->profile;
    q->now = a->doc.session->now;
    q->base = a->doc.session->base;
    q->comparison = a->doc.session->comparison;
    q->spec.view = a->doc.result->view_id;
    options_copy(&q->spec.options, &a->doc.result->options);
}

struct table_request query_request_of_table(const struct query_request *q, struct cancel_mark cancel)
{
    return (struct table_request){.profile = q->now, .now = q->now, .base = q->base,
                                  .options = &q->spec.options, .query = q->query, .cancel = cancel};
}

struct result *query_request_run(const struct query_request *q, struct cancel_mark cancel, struct err *err)
{
    return query_run(q->query, q->spec.view, &q->spec.options, cancel, err);
}

bool task_has_result(const struct app *a)
{
    return a->doc.result != NULL;
}

/* A job with its task, passed to the worker and back. */
struct task_job {
    enum task_id id;
    struct stamp stamp;
    void *job;
};

void *task_new_job(const struct app *a, enum task_id id)
{
    void *job = xcalloc(1, table[id]->job_bytes);

    if (table[id]->query == QUERY_REQUESTED)
        set_requested(job, a);
    else if (table[id]->query == QUERY_DISPLAYED)
        set_displayed(job, a);
    return job;
}

static void free_job(enum task_id id, void *job)
{
    if (job && table[id]->done)
        table[id]->done(job);
    if (job && table[id]->query != NO_QUERY)
        options_done(&((struct query_request *)job)->spec.options);
    free(job);
}

static void task_job_free(void *arg)
{
    struct task_job *p = arg;

    free_job(p->id, p->job);
    free(p);
}

/* Returns a new task_job, because the worker frees its argument. */
static void *run_task_job(void *arg, struct cancel_mark cancel)
{
    struct task_job *p = arg;
    struct task_job *back = xcalloc(1, sizeof *back);

    table[p->id]->run(p->job, cancel);
    *back = *p;
    p->job = NULL;
    return back;
}

/* ---- running tasks */

/* Before task ID cancels the task that runs in QUEUE: requests that task again if it resumes. */
static void reschedule_running(struct app *a, enum queue queue, enum task_id id)
{
    struct tasks *t = &a->doc.tasks;
    const enum task_id ended = t->running[queue];

    if (ended != id && ended && table[ended]->resumes)
        t->wanted[ended] = true;
}

void task_cancel_queue(struct app *a, enum task_id id)
{
    const enum queue queue = table[id]->queue;

    reschedule_running(a, queue, id);
    worker_cancel(a->doc.worker, queue);
    a->doc.tasks.running[queue] = TASK_NONE;
}

void task_begin(struct app *a, enum task_id id, void *job)
{
    struct tasks *t = &a->doc.tasks;
    const enum queue queue = table[id]->queue;
    struct task_job *p = xcalloc(1, sizeof *p);

    reschedule_running(a, queue, id);
    t->running[queue] = id;
    p->id = id;
    p->stamp = a->doc.generation;
    p->job = job;
    worker_submit(a->doc.worker, queue, (struct job){.run = run_task_job,
                                                .arg = p,
                                                .free_arg = task_job_free,
                                                .free_result = task_job_free});
}

/* True when ID may begin now. If a cached result is about to be displayed, only TASK_RESULT may. */
static bool may_begin(const struct app *a, enum task_id id)
{
    const struct task *task = table[id];
    const enum task_id running = a->doc.tasks.running[task->queue];

    if (a->doc.kept_is_due && id != TASK_RESULT)
        return false;
    if (task->can_start && !task->can_start(a))
        return false;
    if (running == id)
        return !task->keeps_running || !task->keeps_running(a);
    return !running || id < running;
}

void task_start(struct app *a, enum task_id id)
{
    void *job = task_new_job(a, id);

    a->doc.tasks.wanted[id] = false;
    if (!table[id]->start || table[id]->start(a, job))
        task_begin(a, id, job);
    else
        free_job(id, job);
}

void task_request(struct app *a, enum task_id id)
{
    a->doc.tasks.wanted[id] = true;
    if (may_begin(a, id))
        task_start(a, id);
}

void task_stop(struct app *a, enum task_id id)
{
    const enum queue queue = table[id]->queue;

    a->doc.tasks.wanted[id] = false;
    if (a->doc.tasks.running[queue] != id)
        return;
    worker_cancel(a->doc.worker, queue);
    a->doc.tasks.running[queue] = TASK_NONE;
}

bool task_runs(const struct app *a, enum task_id id)
{
    return a->doc.tasks.running[table[id]->queue] == id;
}

bool task_is_open(const struct app *a, enum task_id id)
{
    return a->doc.tasks.wanted[id] || task_runs(a, id);
}

/* ---- the next task */

/* The idle task that is due and may begin; TASK_NONE. */
static enum task_id due_task(const struct app *a)
{
    for (enum task_id id = TASK_NONE + 1; id < TASK_COUNT; id++)
        if (table[id]->is_due && !a->doc.tasks.running[table[id]->queue] && may_begin(a, id) &&
            table[id]->is_due(a))
            return id;
    return TASK_NONE;
}

bool tasks_are_deferred(const struct app *a)
{
    enum { LARGE_NODES = 50000 };

    return !a->ui.input.idle && !(a->ui.input.sync_wanted && !a->ui.input.sync_early) &&
        due_task(a) &&
           a->doc.result->profile->n_nodes > LARGE_NODES;
}

bool tasks_are_running(const struct app *a)
{
    for (int queue = 0; queue < QUEUE_COUNT; queue++)
        if (a->doc.tasks.running[queue])
            return true;
    return false;
}

/* Forgets wanted tasks when no running task can wake the screen for them. */
static void forget_unstartable(struct app *a)
{
    if (tasks_are_running(a) || a->doc.kept_is_due)
        return;
    memset(a->doc.tasks.wanted, 0, sizeof a->doc.tasks.wanted);
    a->nav.search.then = 0;
}

void tasks_start(struct app *a)
{
    enum task_id due;

    for (enum task_id id = TASK_NONE + 1; id < TASK_COUNT; id++)
        if (a->doc.tasks.wanted[id] && !a->doc.tasks.running[table[id]->queue] && may_begin(a, id))
            task_start(a, id);
    if (!tasks_are_deferred(a) && (due = due_task(a)))
        task_start(a, due);
    forget_unstartable(a);
}

/* True when something that the job depends on has changed since it began. */
static bool is_stale(const struct app *a, const struct task_job *p)
{
    const struct task *task = table[p->id];
    const struct stamp now = a->doc.generation;

    return (task->depends & DEPENDS_ON_PROFILE && p->stamp.profile != now.profile) ||
           (task->depends & DEPENDS_ON_TREE && p->stamp.tree != now.tree) ||
           (task->depends & DEPENDS_ON_RESULT && p->stamp.result != now.result) ||
           (task->is_same && !task->is_same(a, p->job));
}

void tasks_apply_results(struct app *a)
{
    struct job_done done;

    while (worker_take(a->doc.worker, &done)) {
        struct task_job *p = done.result;

        a->doc.tasks.running[table[p->id]->queue] = TASK_NONE;
        a->ui.is_drawn &= table[p->id]->is_quiet;
        if (is_stale(a, p))
            a->doc.tasks.wanted[p->id] |= table[p->id]->resumes;
        else if (table[p->id]->apply)
            table[p->id]->apply(a, p->job);
        task_job_free(p);
    }
    tasks_start(a);
}

bool tasks_are_busy(const struct app *a)
{
    for (enum task_id id = TASK_NONE + 1; id < TASK_COUNT; id++)
        if (a->doc.tasks.wanted[id])
            return true;
    return load_is_open(a) || a->doc.tasks.running[QUEUE_QUERY] || task_runs(a, TASK_SOURCE) ||
           task_runs(a, TASK_WATCH) || task_runs(a, TASK_RUNS);
}

bool tasks_are_working(const struct app *a)
{
    for (enum task_id id = TASK_NONE + 1; id < TASK_COUNT; id++)
        if (!table[id]->is_quiet && task_is_open(a, id))
            return true;
    return load_is_open(a);
}

static bool user_waits(const struct app *a, enum task_id id)
{
    return table[id]->user_waits && (!table[id]->waits_while || table[id]->waits_while(a));
}

bool tasks_are_awaited(const struct app *a)
{
    for (enum task_id id = TASK_NONE + 1; id < TASK_COUNT; id++)
        if (user_waits(a, id) && task_is_open(a, id))
            return true;
    return a->nav.search.then;
}

void request_reset(struct app *a)
{
    const int64_t step = a->doc.requested.options.step;

    undo_abandon(a);
    if (!a->doc.result)
        return;
    options_done(&a->doc.requested.options);
    options_copy(&a->doc.requested.options, &a->doc.result->options);
    a->doc.requested.options.step = a->doc.result->asked_step;
    a->doc.requested.options.diff_step = a->doc.result->asked_diff_step;
    a->doc.requested.view = a->doc.result->view_id;
    if (a->doc.loader.is_part) /* keeps a step that is still being read */
        a->doc.requested.options.step = step;
}

bool tasks_cancel(struct app *a)
{
    struct tasks *t = &a->doc.tasks;
    const enum task_id running = t->running[QUEUE_QUERY];

    if (!running || !tasks_are_awaited(a))
        return load_stop(a);
    task_stop(a, running);
    for (enum task_id id = TASK_NONE + 1; id < TASK_COUNT; id++)
        if (user_waits(a, id))
            t->wanted[id] = false;
    if (table[running]->resumes && !user_waits(a, running))
        t->wanted[running] = true;
    if (table[running]->cancelled)
        table[running]->cancelled(a);
    a->nav.search.then = 0;
    request_reset(a);
    if (a->doc.incoming) /* the incoming profile is still displayed */
        task_request(a, TASK_RESULT);
    app_print(a, ROLE_NOTE, "stopped");
    return true;
}
