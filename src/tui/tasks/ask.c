/* ask.c: questions to the worker, its answers, and what is asked next. */
#include "tui/tasks/ask.h"

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "tui/tasks/ask_jobs.h"

struct ask_job *ask_job_new(struct app *a)
{
    struct ask_job *job = xcalloc(1, sizeof *job);

    job->query = a->session ? a->session->query : NULL;
    job->profile = a->session ? a->session->profile : NULL;
    job->spec.view = a->wanted.view;
    job->now_us = a->now_us;
    options_copy(&job->spec.options, &a->wanted.options);
    return job;
}

struct ask_job *ask_job_of_seen(struct app *a)
{
    struct ask_job *job = ask_job_new(a);

    options_done(&job->spec.options);
    options_copy(&job->spec.options, &a->result->options);
    job->spec.view = a->result->view_id;
    return job;
}

static void job_free(void *arg)
{
    struct ask_job *job = arg;

    options_done(&job->spec.options);
    words_done(&job->files);
    tree_unref(job->tree);
    for (int v = 0; v < VIEW_COUNT; v++)
        tree_unref(job->seen[v]);
    session_close(job->session);
    session_close(job->compared);
    groups_unref(job->groups);
    free(job->value);
    free(job->file);
    free(job);
}

struct answer *answer_new(void (*take)(struct app *a, struct answer *answer))
{
    struct answer *answer = xcalloc(1, sizeof *answer);

    answer->take = take;
    return answer;
}

static void answer_free(void *arg)
{
    struct answer *answer = arg;

    result_free(answer->result); /* before the session it is from */
    preview_free(answer->preview);
    advice_free(answer->advice);
    for (int v = 0; v < VIEW_COUNT; v++)
        rowmap_done(&answer->maps[v]);
    rowmap_done(&answer->rows);
    groups_unref(answer->groups);
    consumers_done(&answer->consumers);
    gaps_done(&answer->gaps);
    free(answer->before);
    summary_free(answer->summary);
    session_close(answer->session);
    free(answer->file);
    err_done(&answer->err);
    free(answer);
}

/* A new question ends them; what somebody waits for is sent again. */
static void none_runs(struct app *a)
{
    struct asker *k = &a->asker;

    k->search_waits |= k->searching;
    k->summary_waits |= k->summing;
    k->summing = k->searching = k->previewing = k->comparing = k->advising = k->figuring = false;
}

static void submit(struct app *a, enum lane lane,
                   void *(*run)(void *arg, struct cancel_mark cancel), struct ask_job *job)
{
    worker_submit(a->worker, lane, (struct job){.run = run,
                                                .arg = job,
                                                .free_arg = job_free,
                                                .free_result = answer_free});
}

void ask_submit(struct app *a, void *(*run)(void *arg, struct cancel_mark cancel),
                struct ask_job *job)
{
    none_runs(a);
    submit(a, LANE_ASK, run, job);
}

void ask_submit_reading(struct app *a, void *(*run)(void *arg, struct cancel_mark cancel),
                        struct ask_job *job)
{
    submit(a, LANE_READ, run, job);
}

void ask_want_seen(struct app *a)
{
    const int64_t step = a->wanted.options.step;

    undo_abandon(a);
    if (!a->result)
        return;
    options_done(&a->wanted.options);
    options_copy(&a->wanted.options, &a->result->options);
    a->wanted.view = a->result->view_id;
    if (a->loader.is_part) /* a step that is still to come stays wanted */
        a->wanted.options.step = step;
}

typedef void submit_fn(struct app *a);

/* What nobody waits for and is not there yet; NULL: nothing. */
static submit_fn *next_in_peace(const struct app *a)
{
    if (!a->result || worker_busy(a->worker, LANE_ASK))
        return NULL;
    if (a->figures_made_for != a->result)
        return ask_submit_figures;
    if (a->compare.on && a->compare.made_for != a->result)
        return ask_submit_compare;
    return !a->advice && !ask_is_loading(a) ? ask_submit_advice : NULL;
}

bool ask_rests(const struct app *a)
{
    enum { LARGE_NODES = 50000 };

    return !a->idle && !(a->sync_wanted && !a->sync_early) && next_in_peace(a) &&
           a->result->profile->n_nodes > LARGE_NODES;
}

void ask_take(struct app *a)
{
    submit_fn *next;
    struct job_done done;

    while (worker_take(a->worker, &done)) {
        struct answer *answer = done.result;

        answer->take(a, answer);
        answer_free(answer);
    }
    if (worker_busy(a->worker, LANE_ASK))
        return;
    if (a->loader.rest_waits)
        ask_load_rest(a);
    if (!a->result)
        return;
    /* Nothing is under way: what can wait has its turn. */
    if (a->asker.again)
        ask_result(a);
    else if (a->asker.option)
        ask_submit_preview(a);
    else if (a->asker.search_waits && a->search.regexes)
        ask_submit_search(a);
    else if (a->asker.summary_waits)
        ask_submit_summary(a);
    else if (!ask_rests(a) && (next = next_in_peace(a)))
        next(a);
}

bool ask_busy(const struct app *a)
{
    return ask_is_loading(a) || (a->asker.search_waits && a->search.regexes) || a->asker.summary_waits || a->asker.running || a->asker.again || a->asker.exporting ||
           worker_busy(a->worker, LANE_ASK);
}

bool ask_is_awaited(const struct app *a)
{
    const struct asker *k = &a->asker;

    return k->running || k->again || k->exporting || k->previewing || k->comparing ||
           k->summing || k->summary_waits || a->search.then;
}

bool ask_cancel(struct app *a)
{
    if (!ask_is_awaited(a) || !worker_cancel(a->worker, LANE_ASK))
        return a->loader.running && ask_stop_loading(a);
    if (a->asker.comparing)
        a->compare.on = false;
    a->asker.running = a->asker.again = a->asker.exporting = false;
    none_runs(a);
    a->search.then = 0;
    ask_want_seen(a);
    if (a->incoming) /* it comes all the same */
        ask_result(a);
    return true;
}

void ask_done(struct app *a)
{
    preview_free(a->asker.preview);
    free(a->asker.value);
}
