/* task_figures.c: computes what the details need in addition to the columns, after more urgent
 * tasks: all metrics, counts, groups, consumers. */
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "tui/rows/groups.h"
#include "tui/tasks/task_jobs.h"
#include "tui/tasks/tasks.h"

struct figures_job {
    struct query_request request; /* about the displayed result */
    struct groups *before;    /* previous groups, with a reference; NULL: none */
    bool has_consumers;       /* consumers are known already */
    struct result *result;
    struct groups *groups;
    struct consumers consumers;
    struct uncounted uncounted;
};

static bool figures_are_due(const struct app *a)
{
    return a->doc.figures_made_for != a->doc.result;
}

static bool figures_start(struct app *a, void *arg)
{
    struct figures_job *job = arg;

    job->before = groups_ref(a->doc.groups);
    job->has_consumers = a->doc.consumers.begin != NULL;
    return true;
}

static void make_groups(struct figures_job *job, struct cancel_mark cancel)
{
    const enum metric_id m = figure_primary(&job->request.spec.options);
    struct err err = {0};
    struct result *mine;

    if (groups_fit(job->before, job->result, m)) {
        job->groups = groups_ref(job->before);
        return;
    }
    mine = query_request_run(&job->request, cancel, &err);
    if (mine)
        job->groups = groups_new(mine, m, job->before, cancel);
    err_done(&err);
}

static void figures_run(void *arg, struct cancel_mark cancel)
{
    struct figures_job *job = arg;
    struct query_request *q = &job->request;
    struct err err = {0};

    job->result =
        query_run_all_figures(q->query, q->spec.view, &q->spec.options, cancel, &err);
    if (!job->result) { /* counting may fail: continues without counts */
        err_done(&err);
        job->result = query_request_run(q, cancel, &err);
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

    if (job->result && job->result->tree != a->doc.result->tree) {
        /* Another option changed the folding meanwhile, so the query built the tree again. Its
         * result is displayed first. */
        task_request(a, TASK_RESULT);
        return;
    }
    a->doc.figures_made_for = a->doc.result;
    a->ui.details.result = NULL; /* updates the details */
    if (!job->result)
        return;
    result_copy_figures(a->doc.result, job->result);
    uncounted_done(&a->doc.uncounted);
    a->doc.uncounted = job->uncounted;
    memset(&job->uncounted, 0, sizeof job->uncounted);
    groups_unref(a->doc.groups);
    a->doc.groups = groups_ref(job->groups);
    if (job->consumers.begin) {
        consumers_done(&a->doc.consumers);
        a->doc.consumers = job->consumers;
        memset(&job->consumers, 0, sizeof job->consumers);
    }
}

static void figures_done(void *arg)
{
    struct figures_job *job = arg;

    EACH(groups_unref, job->before, job->groups);
    consumers_done(&job->consumers);
    uncounted_done(&job->uncounted);
    result_free(job->result);
}

const struct task figures_task = {.queue = QUEUE_QUERY, .is_due = figures_are_due,
                                  .can_start = task_has_result,
                                  .depends = DEPENDS_ON_PROFILE | DEPENDS_ON_RESULT,
                                  .job_bytes = sizeof(struct figures_job), .query = QUERY_DISPLAYED,
                                  .start = figures_start, .run = figures_run,
                                  .apply = figures_apply, .done = figures_done};

bool figures_are_ready(const struct app *a)
{
    return a->doc.result && a->doc.figures_made_for == a->doc.result && a->doc.groups;
}
