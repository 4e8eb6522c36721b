/* task_roofline.c: the points of the roofline plot are summed beside the screen. */
#include <stdlib.h>

#include "base/xalloc.h"
#include "tui/tasks/loading.h"
#include "tui/tasks/task_jobs.h"

struct roofline_job {
    struct question question;
    struct roofline *roofline;
};

static bool roofline_is_due(const struct app *a)
{
    return roofline_pane_wants(a);
}

static void *roofline_start(struct app *a)
{
    struct roofline_job *job;

    if (!roofline_pane_wants(a))
        return NULL;
    job = xcalloc(1, sizeof *job);
    question_of_seen(&job->question, a);
    return job;
}

static void roofline_run(void *arg, struct cancel_mark cancel)
{
    struct roofline_job *job = arg;
    struct err err = {0};
    struct result *r = question_run(&job->question, cancel, &err);

    if (r)
        job->roofline = roofline_new(r, cancel);
    result_free(r);
    err_done(&err);
}

static void roofline_apply(struct app *a, void *arg)
{
    struct roofline_job *job = arg;

    if (job->roofline && job->question.profile == a->result->profile) {
        roofline_pane_take(a, job->roofline);
        job->roofline = NULL;
    }
}

static void roofline_free_job(void *arg)
{
    struct roofline_job *job = arg;

    roofline_free(job->roofline);
    question_done(&job->question);
    free(job);
}

const struct task roofline_task = {.lane = LANE_QUERY,
                                   .user_waits = true,
                                   .is_due = roofline_is_due,
                                   .can_start = task_has_result,
                                   .start = roofline_start,
                                   .run = roofline_run,
                                   .apply = roofline_apply,
                                   .free = roofline_free_job};
