/* tasks.c: which task runs, and which is next. */
#include "tui/tasks/tasks.h"

#include <stdlib.h>

#include "base/xalloc.h"
#include "tui/tasks/loading.h"
#include "tui/tasks/task_jobs.h"

#define ROW(id, record) [id] = &record,
static const struct task *const table[TASK_COUNT] = {TASK_LIST(ROW)};
#undef ROW

/* ---- jobs */

void question_init(struct question *q, const struct app *a)
{
    q->query = a->session ? a->session->query : NULL;
    q->profile = a->session ? a->session->profile : NULL;
    q->spec.view = a->wanted.view;
    options_copy(&q->spec.options, &a->wanted.options);
}

void question_of_seen(struct question *q, const struct app *a)
{
    q->query = a->session->query;
    q->profile = a->session->profile;
    q->spec.view = a->result->view_id;
    options_copy(&q->spec.options, &a->result->options);
}

void question_done(struct question *q)
{
    options_done(&q->spec.options);
}

struct result *question_run(struct question *q, struct cancel_mark cancel, struct err *err)
{
    return query_run(q->query, q->spec.view, &q->spec.options, cancel, err);
}

bool task_has_result(const struct app *a)
{
    return a->result != NULL;
}

/* A job on its way to the thread of its lane, and back. */
struct parcel {
    enum task_id id;
    void *job;
};

static void parcel_free(void *arg)
{
    struct parcel *p = arg;

    if (p->job)
        table[p->id]->free(p->job);
    free(p);
}

/* What comes back is a parcel of its own: the worker frees the other one. */
static void *run_parcel(void *arg, struct cancel_mark cancel)
{
    struct parcel *p = arg;
    struct parcel *back = xcalloc(1, sizeof *back);

    table[p->id]->run(p->job, cancel);
    *back = *p;
    p->job = NULL;
    return back;
}

/* ---- what runs */

/* What is ended in LANE for ID is wanted again, where it resumes. */
static void give_way(struct app *a, enum lane lane, enum task_id id)
{
    struct tasks *t = &a->tasks;
    const enum task_id ended = t->running[lane];

    if (ended != id && ended && table[ended]->resumes)
        t->wanted[ended] = true;
}

void task_supersede(struct app *a, enum task_id id)
{
    const enum lane lane = table[id]->lane;

    give_way(a, lane, id);
    worker_cancel(a->worker, lane);
    a->tasks.running[lane] = TASK_NONE;
}

void task_begin(struct app *a, enum task_id id, void *job)
{
    struct tasks *t = &a->tasks;
    const enum lane lane = table[id]->lane;
    struct parcel *p = xcalloc(1, sizeof *p);

    give_way(a, lane, id);
    t->running[lane] = id;
    p->id = id;
    p->job = job;
    worker_submit(a->worker, lane, (struct job){.run = run_parcel,
                                                .arg = p,
                                                .free_arg = parcel_free,
                                                .free_result = parcel_free});
}

/* True when ID may begin now.  What was seen before is soon the result: what others would do for
 * the present one would come too late. */
static bool may_begin(const struct app *a, enum task_id id)
{
    const struct task *task = table[id];
    const enum task_id running = a->tasks.running[task->lane];

    if (a->comes_kept && id != TASK_RESULT)
        return false;
    if (task->can_start && !task->can_start(a))
        return false;
    if (running == id)
        return !task->lets_finish || !task->lets_finish(a);
    return !running || id < running;
}

static void start(struct app *a, enum task_id id)
{
    void *job;

    a->tasks.wanted[id] = false;
    job = table[id]->start(a);
    if (job)
        task_begin(a, id, job);
}

void task_want(struct app *a, enum task_id id)
{
    a->tasks.wanted[id] = true;
    if (may_begin(a, id))
        start(a, id);
}

void task_stop(struct app *a, enum task_id id)
{
    const enum lane lane = table[id]->lane;

    a->tasks.wanted[id] = false;
    if (a->tasks.running[lane] != id)
        return;
    worker_cancel(a->worker, lane);
    a->tasks.running[lane] = TASK_NONE;
}

bool task_runs(const struct app *a, enum task_id id)
{
    return a->tasks.running[table[id]->lane] == id;
}

bool task_is_open(const struct app *a, enum task_id id)
{
    return a->tasks.wanted[id] || task_runs(a, id);
}

/* ---- what is next */

/* What is due and may begin; TASK_NONE: nothing. */
static enum task_id due_task(const struct app *a)
{
    for (enum task_id id = TASK_NONE + 1; id < TASK_COUNT; id++)
        if (table[id]->is_due && !a->tasks.running[table[id]->lane] && may_begin(a, id) &&
            table[id]->is_due(a))
            return id;
    return TASK_NONE;
}

bool tasks_rest(const struct app *a)
{
    enum { LARGE_NODES = 50000 };

    return !a->idle && !(a->sync_wanted && !a->sync_early) && due_task(a) &&
           a->result->profile->n_nodes > LARGE_NODES;
}

void tasks_start(struct app *a)
{
    enum task_id due;

    for (enum task_id id = TASK_NONE + 1; id < TASK_COUNT; id++)
        if (a->tasks.wanted[id] && !a->tasks.running[table[id]->lane] && may_begin(a, id))
            start(a, id);
    if (!tasks_rest(a) && (due = due_task(a)))
        start(a, due);
}

void tasks_take(struct app *a)
{
    struct job_done done;

    while (worker_take(a->worker, &done)) {
        struct parcel *p = done.result;

        a->tasks.running[table[p->id]->lane] = TASK_NONE;
        a->is_drawn &= table[p->id]->is_quiet;
        table[p->id]->apply(a, p->job);
        parcel_free(p);
    }
    tasks_start(a);
}

bool tasks_are_busy(const struct app *a)
{
    for (enum task_id id = TASK_NONE + 1; id < TASK_COUNT; id++)
        if (a->tasks.wanted[id])
            return true;
    return load_is_open(a) || a->tasks.running[LANE_QUERY] || task_runs(a, TASK_SOURCE) ||
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
    return a->search.then;
}

void want_seen(struct app *a)
{
    const int64_t step = a->wanted.options.step;

    undo_abandon(a);
    if (!a->result)
        return;
    options_done(&a->wanted.options);
    options_copy(&a->wanted.options, &a->result->options);
    a->wanted.options.step = a->result->asked_step;
    a->wanted.options.diff_step = a->result->asked_diff_step;
    a->wanted.view = a->result->view_id;
    if (a->loader.is_part) /* a step that is still to come stays wanted */
        a->wanted.options.step = step;
}

bool tasks_cancel(struct app *a)
{
    struct tasks *t = &a->tasks;
    const enum task_id running = t->running[LANE_QUERY];

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
    a->search.then = 0;
    want_seen(a);
    if (a->incoming) /* it comes all the same */
        task_want(a, TASK_RESULT);
    app_say(a, ROLE_NOTE, "stopped");
    return true;
}
