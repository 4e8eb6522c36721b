/* ask_advice.c: the checkers, once, when there is nothing else to do. */
#include "tui/tasks/ask_jobs.h"

static void take(struct app *a, struct answer *answer)
{
    a->asker.advising = false;
    a->advice = answer->advice;
    answer->advice = NULL;
    a->details.result = NULL; /* it has something to say there */
}

static void *run(void *arg, struct cancel_mark cancel)
{
    struct ask_job *job = arg;
    struct answer *answer = answer_new(take);

    answer->advice = advise_run(job->profile, job->query, cancel, &answer->err);
    return answer;
}

void ask_submit_advice(struct app *a)
{
    ask_submit(a, run, ask_job_new(a));
    a->asker.advising = true;
}
