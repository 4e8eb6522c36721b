/* task_advice.c: runs the checkers when no other task is due. */
#include "tui/tasks/loading.h"
#include "tui/tasks/task_jobs.h"

struct advice_job {
    struct query_request request;
    struct advice *advice;
};

static bool advice_is_due(const struct app *a)
{
    return !a->doc.advice && !load_is_open(a);
}

static void advice_run(void *arg, struct cancel_mark cancel)
{
    struct advice_job *job = arg;
    struct err err = {0};

    job->advice = advise_run(job->request.profile, job->request.query, NULL, true, cancel, &err);
    err_done(&err);
}

static void advice_apply(struct app *a, void *arg)
{
    struct advice_job *job = arg;

    a->doc.advice = job->advice;
    job->advice = NULL;
    a->ui.details.result = NULL; /* updates the details */
}

static void advice_done(void *arg)
{
    advice_free(((struct advice_job *)arg)->advice);
}

const struct task advice_task = {.queue = QUEUE_QUERY, .is_due = advice_is_due,
                                 .can_start = task_has_result, .depends = DEPENDS_ON_PROFILE,
                                 .job_bytes = sizeof(struct advice_job), .query = QUERY_REQUESTED,
                                 .run = advice_run, .apply = advice_apply, .done = advice_done};
