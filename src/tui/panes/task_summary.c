/* task_summary.c: computes the summary page in the background. */
#include <stdlib.h>

#include "base/xalloc.h"
#include "session/summary/summary.h"
#include "tui/panes/pane.h"
#include "tui/tasks/task_jobs.h"

struct summary_job {
    struct question question; /* about the displayed result */
    struct summary *summary;
    struct err err;
};

static void *summary_start(struct app *a)
{
    struct summary_job *job = xcalloc(1, sizeof *job);

    question_of_displayed(&job->question, a);
    return job;
}

static void summary_run(void *arg, struct cancel_mark cancel)
{
    struct summary_job *job = arg;
    struct err uncounted = {0}; /* if counting fails, the summary has recorded counts */
    struct result *r = question_run(&job->question, cancel, &job->err);

    if (r) {
        job->summary = summary_new(job->question.profile, result_flops(r, &uncounted),
                                   &job->question.spec.options);
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

    question_done(&job->question);
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
