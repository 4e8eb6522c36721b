/* task_picture.c: computes pictures in the background. */
#include "tui/panes/picture.h"

static bool picture_is_due(const struct app *a)
{
    return picture_stale(a);
}

/* The user waits for the displayed picture, not for one that is computed in advance. */
static bool picture_is_awaited(const struct app *a)
{
    const struct picture_ops *stale = picture_stale(a);

    return stale && stale == picture_displayed(a);
}

static bool picture_keeps_running(const struct app *a)
{
    return a->doc.picture_computed->keeps_running && a->doc.picture_computed == picture_stale(a);
}

static bool picture_start(struct app *a, void *arg)
{
    const struct picture_ops *ops = picture_stale(a);
    struct picture_job *job = arg;

    if (!ops)
        return false;
    job->ops = ops;
    job->made_for = a->doc.generation.result;
    job->parameters = ops->new_parameters ? ops->new_parameters(a) : NULL;
    a->doc.picture_computed = ops;
    return true;
}

static void picture_run(void *arg, struct cancel_mark cancel)
{
    struct picture_job *job = arg;

    job->made = job->ops->make(job, cancel);
}

static bool picture_is_same(const struct app *a, const void *arg)
{
    const struct picture_job *job = arg;

    return !job->made || job->ops->is_same(a, job);
}

static void picture_apply(struct app *a, void *arg)
{
    struct picture_job *job = arg;

    if (!job->made)
        return;
    a->ui.is_drawn &= picture_displayed(a) != job->ops;
    job->ops->take(a, job);
    job->made = NULL;
}

static void picture_done(void *arg)
{
    struct picture_job *job = arg;

    if (job->parameters)
        job->ops->free_parameters(job->parameters);
    if (job->made)
        job->ops->made_free(job->made);
}

const struct task picture_task = {.queue = QUEUE_QUERY, .user_waits = true,
                                  .waits_while = picture_is_awaited,
                                  .keeps_running = picture_keeps_running, .is_due = picture_is_due,
                                  .can_start = task_has_result, .depends = DEPENDS_ON_PROFILE,
                                  .is_same = picture_is_same,
                                  .job_bytes = sizeof(struct picture_job), .query = QUERY_DISPLAYED,
                                  .start = picture_start, .run = picture_run,
                                  .apply = picture_apply, .done = picture_done, .is_quiet = true};
