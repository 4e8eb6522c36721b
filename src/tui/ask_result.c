/* ask_result.c: aggregating what is wanted. */
#include "tui/ask_jobs.h"

static void take(struct app *a, struct answer *answer)
{
    a->asker.running = false;
    if (answer->result) {
        a->result_us = answer->took_us;
        app_show_result(a, answer->result);
        answer->result = NULL;
    } else if (answer->err.kind != ERR_CANCELLED) {
        app_say_err(a, &answer->err);
        ask_want_seen(a);
    }
}

static void *run(void *arg, struct cancel_mark cancel)
{
    struct ask_job *job = arg;
    struct answer *answer = answer_new(take);
    const int64_t begin = job->now_us ? job->now_us() : 0;

    answer->result =
        query_run(job->query, job->spec.view, &job->spec.options, cancel, &answer->err);
    answer->took_us = job->now_us ? job->now_us() - begin : -1;
    return answer;
}

void ask_result(struct app *a)
{
    if (!a->session)
        return;
    if (a->asker.exporting || (a->asker.running && a->result_us > QUICK_US)) {
        a->asker.again = true;
        return;
    }
    a->asker.again = false;
    a->asker.running = true;
    ask_submit(a, run, ask_job_new(a));
}
