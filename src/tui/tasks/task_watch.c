/* task_watch.c: detects changed files. */
#include <stdlib.h>

#include "base/xalloc.h"
#include "tui/tasks/task_jobs.h"

struct watch_job {
    struct file_stamps stamps; /* from before reading */
    const char *changed;       /* path of a changed file, of `stamps` */
};

static void *watch_start(struct app *a)
{
    struct watch_job *job;

    if (a->doc.loader.said_changed)
        return NULL;
    job = xcalloc(1, sizeof *job);
    file_stamps_copy(&job->stamps, &a->doc.loader.stamps);
    return job;
}

static void watch_run(void *arg, struct cancel_mark cancel UNUSED)
{
    struct watch_job *job = arg;

    job->changed = file_stamps_changed(&job->stamps);
}

static void watch_apply(struct app *a, void *arg)
{
    const struct watch_job *job = arg;

    if (!job->changed)
        return;
    a->doc.loader.said_changed = true;
    app_print(a, ROLE_NOTE, "%s has changed: F5 reads it again", job->changed);
}

static void watch_free(void *arg)
{
    struct watch_job *job = arg;

    file_stamps_done(&job->stamps);
    free(job);
}

const struct task watch_task = {.queue = QUEUE_READ, .depends = DEPENDS_ON_PROFILE,
                                .start = watch_start, .run = watch_run, .apply = watch_apply,
                                .free = watch_free, .is_quiet = true};
