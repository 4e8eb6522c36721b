/* task_watch.c: detects changed files. */
#include "tui/tasks/task_jobs.h"

struct watch_job {
    struct file_stamps stamps; /* from before reading */
    const char *changed;       /* path of a changed file, of `stamps` */
};

static bool watch_start(struct app *a, void *arg)
{
    struct watch_job *job = arg;

    file_stamps_copy(&job->stamps, &a->doc.loader.stamps);
    return !a->doc.loader.said_changed;
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

static void watch_done(void *arg)
{
    file_stamps_done(&((struct watch_job *)arg)->stamps);
}

const struct task watch_task = {.queue = QUEUE_READ, .depends = DEPENDS_ON_PROFILE,
                                .job_bytes = sizeof(struct watch_job), .start = watch_start,
                                .run = watch_run, .apply = watch_apply, .done = watch_done,
                                .is_quiet = true};
