/* task_lanes.c: the lanes of a step are computed beside the screen. */
#include <stdlib.h>

#include "base/xalloc.h"
#include "tui/tasks/loading.h"
#include "tui/tasks/task_jobs.h"

struct lanes_job {
    struct question question;
    enum lane_group_by by;
    struct lanes *lanes;
};

/* Wanted, or likely to be: then nobody has to wait who asks for lanes. */
static bool lanes_are_due(const struct app *a)
{
    return lanes_pane_wants(a) ||
           (!load_is_open(a) && figures_are_seen(a) && lanes_pane_is_stale(a));
}

/* What is being made is what is wanted: a result that changes it ends it. */
static bool lanes_let_finish(const struct app *a)
{
    (void)a;
    return true;
}

static void *lanes_start(struct app *a)
{
    struct lanes_job *job;

    if (!lanes_pane_is_stale(a))
        return NULL;
    job = xcalloc(1, sizeof *job);
    question_of_seen(&job->question, a);
    job->by = a->lanes.by;
    return job;
}

static void lanes_run(void *arg, struct cancel_mark cancel)
{
    struct lanes_job *job = arg;

    const struct spec *spec = &job->question.spec;
    struct result *r = NULL;
    struct err err = {0};

    if (lanes_need_result(spec->view, &spec->options, job->by))
        r = question_run(&job->question, cancel, &err);
    if (r || !err.text)
        job->lanes = lanes_new(job->question.profile, &spec->options, job->by, r, cancel);
    result_free(r);
    err_done(&err);
}

static void lanes_apply(struct app *a, void *arg)
{
    struct lanes_job *job = arg;

    if (job->lanes && job->question.profile == a->result->profile) {
        a->is_drawn &= !lanes_pane_is_on(a);
        lanes_pane_take(a, job->lanes);
        job->lanes = NULL;
    }
}

static void lanes_free_job(void *arg)
{
    struct lanes_job *job = arg;

    lanes_free(job->lanes);
    question_done(&job->question);
    free(job);
}

const struct task lanes_task = {.lane = LANE_QUERY,
                                .user_waits = true,
                                .waits_while = lanes_pane_is_on,
                                .lets_finish = lanes_let_finish,
                                .is_due = lanes_are_due,
                                .can_start = task_has_result,
                                .start = lanes_start,
                                .run = lanes_run,
                                .apply = lanes_apply,
                                .free = lanes_free_job,
                                .is_quiet = true};
