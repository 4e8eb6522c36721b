/* task_runs.c: updates the list of runs and counts their steps in the background. */
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "tui/dialogs/runs_menu.h"
#include "tui/tasks/loading.h"
#include "tui/tasks/task_jobs.h"
#include "tui/tasks/tasks.h"

struct runs_job {
    char *folder;         /* folder to list; NULL: a run is counted */
    struct log_runs runs; /* runs found */
    struct log_run run;   /* its path is owned */
};

static bool runs_can_start(const struct app *a)
{
    return !load_is_open(a);
}

/* One run at a time, so that opening a run does not wait for all of them. */
static void *runs_start(struct app *a)
{
    const struct listed_runs *listed = &a->doc.listed_runs;
    struct runs_job *job;

    if (!runs_menu_is_open(a) || (!listed->is_old && listed->n_counted >= listed->runs.list.n))
        return NULL;
    job = xcalloc(1, sizeof *job);
    if (listed->is_old) {
        job->folder = xstrdup(listed->folder);
        return job;
    }
    job->run = listed->runs.list.data[listed->n_counted];
    job->run.path = xstrdup(job->run.path);
    return job;
}

static void runs_run(void *arg, struct cancel_mark cancel)
{
    struct runs_job *job = arg;
    struct err ignored = {0}; /* reported when the run is opened */

    if (job->folder)
        runs_find(&job->runs, job->folder, cancel);
    else
        run_count_steps(&job->run, cancel, &ignored);
    err_done(&ignored);
}

/* True when the list is still of the folder, or the run is the next one to count. */
static bool runs_are_same(const struct app *a, const void *arg)
{
    const struct runs_job *job = arg;
    const struct listed_runs *listed = &a->doc.listed_runs;

    if (job->folder)
        return listed->folder && strcmp(listed->folder, job->folder) == 0;
    return listed->n_counted < listed->runs.list.n &&
           strcmp(listed->runs.list.data[listed->n_counted].path, job->run.path) == 0;
}

static void runs_apply(struct app *a, void *arg)
{
    struct runs_job *job = arg;

    if (job->folder)
        runs_menu_renew(a, &job->runs);
    else
        runs_menu_counted(a, job->run.n_steps);
    task_request(a, TASK_RUNS);
}

static void runs_free(void *arg)
{
    struct runs_job *job = arg;

    free(job->folder);
    runs_done(&job->runs);
    EACH(free, job->run.path, job);
}

const struct task runs_task = {.queue = QUEUE_READ, .can_start = runs_can_start, .resumes = true,
                               .is_same = runs_are_same, .start = runs_start, .run = runs_run,
                               .apply = runs_apply, .free = runs_free};
