/* ask_figures.c: what the details say beside the columns, once there is nothing
 * more urgent: all metrics, counts, groups, readers. */
#include <string.h>

#include "tui/tasks/ask_jobs.h"

static void take(struct app *a, struct answer *answer)
{
    a->asker.figuring = false;
    a->figures_made_for = a->result;
    a->details.result = NULL; /* they have more to say */
    if (!answer->result)
        return;
    result_take_figures(a->result, answer->result);
    gaps_done(&a->gaps);
    a->gaps = answer->gaps;
    memset(&answer->gaps, 0, sizeof answer->gaps);
    groups_unref(a->groups);
    a->groups = groups_ref(answer->groups);
    if (answer->consumers.begin) {
        consumers_done(&a->consumers);
        a->consumers = answer->consumers;
        memset(&answer->consumers, 0, sizeof answer->consumers);
    }
}

static void *run(void *arg, struct cancel_mark cancel)
{
    struct ask_job *job = arg;
    struct answer *answer = answer_new(take);
    const enum metric_id m = figure_primary(&job->spec.options);
    struct result *mine;

    answer->result = query_run_all_figures(job->query, job->spec.view, &job->spec.options, cancel,
                                           &answer->err);
    if (!answer->result) { /* counting can fail: the rest is as good */
        err_done(&answer->err);
        answer->result =
            query_run(job->query, job->spec.view, &job->spec.options, cancel, &answer->err);
    }
    if (!answer->result)
        return answer;
    gaps_make(&answer->gaps, answer->result);
    if (!job->has_consumers && !cancel_asked(cancel))
        consumers_build(&answer->consumers, job->profile);
    if (groups_fit(job->groups, answer->result, m)) {
        answer->groups = groups_ref(job->groups);
        return answer;
    }
    mine = query_run(job->query, job->spec.view, &job->spec.options, cancel, &answer->err);
    if (mine)
        answer->groups = groups_new(mine, m, job->groups, cancel);
    return answer;
}

void ask_submit_figures(struct app *a)
{
    struct ask_job *job = ask_job_of_seen(a);

    job->groups = groups_ref(a->groups);
    job->has_consumers = a->consumers.begin != NULL;
    ask_submit(a, run, job);
    a->asker.figuring = true;
}

bool ask_has_figures(const struct app *a)
{
    return a->result && a->figures_made_for == a->result && a->groups;
}
