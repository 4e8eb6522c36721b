/* task_runs.c: the list of runs is made again, and their steps are counted, beside the screen. */
#include <stdlib.h>

#include "base/xalloc.h"
#include "tui/tasks/task_jobs.h"

struct runs_job {
    char *folder;         /* to look for runs in; NULL: a run is counted */
    struct log_runs runs; /* what was found */
    struct log_run run;   /* its path is the job's own */
};

static bool runs_can_start(const struct app *a)
{
    return !load_is_open(a);
}

/* One run at a time: what is to be opened meanwhile does not wait for all of them. */
static void *runs_start(struct app *a)
{
    const struct runs_seen *seen = &a->runs_seen;
    struct runs_job *job;

    if (!runs_menu_is_open(a) || (!seen->is_old && seen->n_counted >= seen->runs.list.n))
        return NULL;
    job = xcalloc(1, sizeof *job);
    if (seen->is_old) {
        job->folder = xstrdup(seen->folder);
        return job;
    }
    job->run = seen->runs.list.data[seen->n_counted];
    job->run.path = xstrdup(job->run.path);
    return job;
}

static void runs_run(void *arg, struct cancel_mark cancel)
{
    struct runs_job *job = arg;
    struct err ignored = {0}; /* who opens it is told */

    if (job->folder)
        runs_find(&job->runs, job->folder, cancel);
    else
        run_count_steps(&job->run, cancel, &ignored);
    err_done(&ignored);
}

static void runs_apply(struct app *a, void *arg)
{
    struct runs_job *job = arg;

    if (job->folder)
        runs_menu_renew(a, &job->runs);
    else
        runs_menu_counted(a, job->run.n_steps);
    task_want(a, TASK_RUNS);
}

static void runs_free(void *arg)
{
    struct runs_job *job = arg;

    free(job->folder);
    runs_done(&job->runs);
    free(job->run.path);
    free(job);
}

const struct task runs_task = {.lane = LANE_READ,
                               .can_start = runs_can_start,
                               .start = runs_start,
                               .run = runs_run,
                               .apply = runs_apply,
                               .free = runs_free};
