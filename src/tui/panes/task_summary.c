/* task_summary.c: computes the summary page in the background. */
#include <stdlib.h>

#include "base/xalloc.h"
#include "session/summary/summary.h"
#include "tui/panes/pane.h"
#include "tui/tasks/task_jobs.h"

struct summary_job {
    struct query_request request; /* about the displayed result */
    struct summary *summary;
    struct err err;
};

static void *summary_start(struct app *a)
{
    struct summary_job *job = xcalloc(1, sizeof *job);

    query_request_of_displayed(&job->request, a);
    return job;
}

static void summary_run(void *arg, struct cancel_mark cancel)
{
    struct summary_job *job = arg;
    struct err uncounted = {0}; /* if counting fails, the summary has recorded counts */
    struct result *r = query_request_run(&job->request, cancel, &job->err);

    if (r) {
        job->summary = summary_new(job->request.profile, result_flops(r, &uncounted),
                                   &job->request.spec.options);
        summary_comparison(job->summary, r);
    }
    result_free(r);
    err_done(&uncounted);
}

static void summary_apply(struct app *a, void *arg)
{
    struct summary_job *job = arg;

    if (job->summary)
        summary_show(a, job->summary);
    else
        app_print_err(a, &job->err);
}

/* The page stays open, so the summary is computed later. */
static void summary_cancelled(struct app *a)
{
    a->doc.tasks.wanted[TASK_SUMMARY] = true;
}

static void summary_free_job(void *arg)
{
    struct summary_job *job = arg;

    query_request_done(&job->request);
    summary_free(job->summary);
    err_done(&job->err);
    free(job);
}

const struct task summary_task = {.queue = QUEUE_QUERY, .user_waits = true, .resumes = true,
                                  .can_start = task_has_result,
                                  .depends = DEPENDS_ON_PROFILE | DEPENDS_ON_RESULT,
                                  .start = summary_start, .run = summary_run,
                                  .apply = summary_apply, .cancelled = summary_cancelled,
                                  .free = summary_free_job};
