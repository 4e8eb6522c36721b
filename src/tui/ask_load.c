/* ask_load.c: loading beside the screen. */
#include <string.h>

#include "tui/ask_jobs.h"
#include "tui/keep.h"

static void take(struct app *a, struct answer *answer)
{
    a->loader.running = false;
    if (answer->session) {
        a->session = answer->session;
        answer->session = NULL;
        keep_restore(a);
        ask_result(a);
        return;
    }
    /* Without a profile there is nothing to look at: the reason is said where
     * a message lasts, behind the screen. */
    a->failure = answer->err;
    memset(&answer->err, 0, sizeof answer->err);
    a->status = err_status(a->failure.kind);
    a->quit = true;
}

static void *run(void *arg, struct cancel_mark cancel)
{
    struct ask_job *job = arg;
    struct answer *answer = answer_new(take);

    answer->session =
        session_open(&job->spec.options, (const char *const *)job->files.items, job->files.n,
                     job->progress, cancel, &answer->err);
    return answer;
}

void ask_load(struct app *a, const struct command_line *cl)
{
    struct ask_job *job = ask_job_new(a);

    for (size_t i = 0; i < cl->files.n; i++)
        words_add(&job->files, cl->files.items[i]);
    job->progress = &a->loader.progress;
    a->loader.running = true;
    ask_submit(a, run, job);
}
