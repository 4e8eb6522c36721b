/* task_renames.c: matches two profiles by rules that are being typed. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "tui/tasks/task_jobs.h"

struct renames_job {
    struct session *session; /* with a reference */
    char *typed;
    struct renames *renames; /* NULL: no rules */
    struct pairs_change change;
};

static bool renames_can_start(const struct app *a)
{
    return a->doc.session && a->doc.session->comparison && a->doc.renames_typed;
}

static bool renames_start(struct app *a, void *arg)
{
    struct renames_job *job = arg;
    struct err err = {0};

    job->session = session_ref(a->doc.session);
    job->typed = xstrdup(a->doc.renames_typed);
    if (*a->doc.renames_typed)
        job->renames = renames_new(a->doc.renames_typed, &err);
    err_done(&err); /* reported while they were typed */
    return true;
}

static void renames_try(void *arg, struct cancel_mark cancel)
{
    struct renames_job *job = arg;
    const struct session *s = job->session;
    struct pairs pairs;

    pairs_make(&pairs, s->base, s->now, job->renames, cancel);
    if (!cancel_asked(cancel))
        job->change = pairs_compare(&s->comparison->pairs, &pairs);
    pairs_done(&pairs);
}

static bool renames_are_same(const struct app *a, const void *arg)
{
    const struct renames_job *job = arg;

    return a->doc.renames_typed && strcmp(a->doc.renames_typed, job->typed) == 0;
}

static void renames_show(struct app *a, void *arg)
{
    const struct renames_job *job = arg;
    const struct pairs_change c = job->change;

    app_print(a, c.n_lost ? ROLE_NOTE : ROLE_TEXT,
              "%" PRIu32 " of %" PRIu32 " matched: %" PRIu32 " won, %" PRIu32 " lost, %" PRIu32
              " otherwise",
              c.n_matched, job->session->now->n_nodes, c.n_won, c.n_lost, c.n_other);
}

static void renames_done(void *arg)
{
    struct renames_job *job = arg;

    free(job->typed);
    renames_free(job->renames);
    session_close(job->session);
}

const struct task renames_task = {.queue = QUEUE_QUERY, .user_waits = true,
                                  .can_start = renames_can_start, .depends = DEPENDS_ON_PROFILE,
                                  .is_same = renames_are_same,
                                  .job_bytes = sizeof(struct renames_job),
                                  .start = renames_start, .run = renames_try,
                                  .apply = renames_show, .done = renames_done};
