/* task_figures.c: what the details say beside the columns, once there is nothing
 * more urgent: all metrics, counts, groups, consumers. */
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "tui/panes/groups.h"
#include "tui/tasks/task_jobs.h"

struct figures_job {
    struct question question; /* about what is seen */
    struct groups *before;    /* made before, with a reference; NULL: none */
    bool has_consumers;       /* these are there already */
    struct result *result;
    struct groups *groups;
    struct consumers consumers;
    struct uncounted uncounted;
};

static bool figures_are_due(const struct app *a)
{
    return a->figures_made_for != a->result;
}

static void *figures_start(struct app *a)
{
    struct figures_job *job = xcalloc(1, sizeof *job);

    question_of_seen(&job->question, a);
    job->before = groups_ref(a->groups);
    job->has_consumers = a->consumers.begin != NULL;
    return job;
}

static void make_groups(struct figures_job *job, struct cancel_mark cancel)
{
    const enum metric_id m = figure_primary(&job->question.spec.options);
    struct err err = {0};
    struct result *mine;

    if (groups_fit(job->before, job->result, m)) {
        job->groups = groups_ref(job->before);
        return;
    }
    mine = question_run(&job->question, cancel, &err);
    if (mine)
        job->groups = groups_new(mine, m, job->before, cancel);
    err_done(&err);
}

static void figures_run(void *arg, struct cancel_mark cancel)
{
    struct figures_job *job = arg;
    struct question *q = &job->question;
    struct err err = {0};

    job->result =
        query_run_all_figures(q->query, q->spec.view, &q->spec.options, cancel, &err);
    if (!job->result) { /* counting can fail: the rest is as good */
        err_done(&err);
        job->result = question_run(q, cancel, &err);
    }
    err_done(&err);
    if (!job->result)
        return;
    uncounted_make(&job->uncounted, job->result);
    if (!job->has_consumers && !cancel_asked(cancel))
        consumers_build(&job->consumers, q->profile);
    make_groups(job, cancel);
}

static void figures_apply(struct app *a, void *arg)
{
    struct figures_job *job = arg;

    a->figures_made_for = a->result;
    a->details.result = NULL; /* they have more to say */
    if (!job->result)
        return;
    result_take_figures(a->result, job->result);
    uncounted_done(&a->uncounted);
    a->uncounted = job->uncounted;
    memset(&job->uncounted, 0, sizeof job->uncounted);
    groups_unref(a->groups);
    a->groups = groups_ref(job->groups);
    if (job->consumers.begin) {
        consumers_done(&a->consumers);
        a->consumers = job->consumers;
        memset(&job->consumers, 0, sizeof job->consumers);
    }
}

static void figures_free(void *arg)
{
    struct figures_job *job = arg;

    question_done(&job->question);
    groups_unref(job->before);
    groups_unref(job->groups);
    consumers_done(&job->consumers);
    uncounted_done(&job->uncounted);
    result_free(job->result);
    free(job);
}

const struct task figures_task = {.lane = LANE_QUERY,
                                  .is_due = figures_are_due,
                                  .can_start = task_has_result,
                                  .start = figures_start,
                                  .run = figures_run,
                                  .apply = figures_apply,
                                  .free = figures_free};

bool figures_are_seen(const struct app *a)
{
    return a->result && a->figures_made_for == a->result && a->groups;
}
