/* task_verdict.c: computes the verdict of the header when a profile is displayed. */
#include <stdlib.h>
#include <string.h>

#include "activity/verdict.h"
#include "base/xalloc.h"
#include "tui/tasks/loading.h"
#include "tui/tasks/task_jobs.h"

struct verdict_job {
    const struct profile *profile;
    struct verdict *verdict;
};

static bool verdict_is_due(const struct app *a)
{
    return !a->doc.verdict && !load_is_open(a);
}

static void *verdict_start(struct app *a)
{
    struct verdict_job *job = xcalloc(1, sizeof *job);

    job->profile = a->doc.session->profile;
    return job;
}

/* Computes the verdict of the whole profile, as in the summary. */
static void verdict_run(void *arg, struct cancel_mark cancel)
{
    const struct selection_request all = {.step = STEP_ALL, .rank = RANK_ALL};
    struct verdict_job *job = arg;
    struct err err = {0};

    job->verdict = xcalloc(1, sizeof *job->verdict);
    if (!verdict_make(job->verdict, job->profile, &all, false, cancel, &err))
        memset(job->verdict, 0, sizeof *job->verdict); /* nothing of it is displayed */
    err_done(&err);
}

static void verdict_apply(struct app *a, void *arg)
{
    struct verdict_job *job = arg;

    verdict_free(a->doc.verdict);
    a->doc.verdict = job->verdict;
    a->ui.is_drawn &= !job->verdict || !job->verdict->text;
    job->verdict = NULL;
}

static void verdict_free_job(void *arg)
{
    struct verdict_job *job = arg;

    verdict_free(job->verdict);
    free(job);
}

const struct task verdict_task = {.queue = QUEUE_QUERY, .is_due = verdict_is_due,
                                  .can_start = task_has_result, .depends = DEPENDS_ON_PROFILE,
                                  .start = verdict_start, .run = verdict_run,
                                  .apply = verdict_apply, .free = verdict_free_job,
                                  .is_quiet = true};
