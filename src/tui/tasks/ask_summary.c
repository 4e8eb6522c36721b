/* ask_summary.c: the summary page is written beside the screen. */
#include "tui/tasks/ask_jobs.h"
#include "tui/panes/summary_text.h"

static void take(struct app *a, struct answer *answer)
{
    a->asker.summing = false;
    if (answer->summary)
        summary_show(a, answer->summary);
    else
        app_say_err(a, &answer->err);
}

static void *run(void *arg, struct cancel_mark cancel)
{
    struct ask_job *job = arg;
    struct answer *answer = answer_new(take);
    struct err uncounted = {0}; /* then the summary says what was recorded */
    struct result *r =
        query_run(job->query, job->spec.view, &job->spec.options, cancel, &answer->err);

    if (r)
        answer->summary = summary_new(job->profile, result_flops(r, &uncounted));
    result_free(r);
    err_done(&uncounted);
    return answer;
}

void ask_submit_summary(struct app *a)
{
    ask_submit(a, run, ask_job_of_seen(a));
    a->asker.summary_waits = false;
    a->asker.summing = true;
}

void ask_summary(struct app *a)
{
    a->asker.summary_waits = true;
    if (!a->asker.running && !a->asker.exporting)
        ask_submit_summary(a);
}
