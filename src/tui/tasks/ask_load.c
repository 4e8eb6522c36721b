/* ask_load.c: loading beside the screen. */
#include <string.h>

#include "tui/tasks/ask_jobs.h"
#include "tui/keep.h"

/* The last file is read, or one of them cannot be. */
static void end_loading(struct app *a, struct answer *answer)
{
    a->loader.running = false;
    if (answer->session)
        return;
    if (a->loader.is_again) { /* what is seen is whole without it */
        a->loader.is_again = false;
        app_say_err(a, &answer->err);
        ask_want_seen(a);
        return;
    }
    /* The reason is said where a message lasts, behind the screen; here too
     * when there is a graph to look at. */
    a->failure = answer->err;
    memset(&answer->err, 0, sizeof answer->err);
    a->status = err_status(a->failure.kind);
    if (a->session)
        app_say(a, ROLE_ERROR, "E: %s", err_text(&a->failure));
    else
        a->quit = true;
}

static struct session *take_session(struct answer *answer)
{
    struct session *session = answer->session;

    answer->session = NULL;
    return session;
}

static void take(struct app *a, struct answer *answer)
{
    if (!answer->is_part)
        end_loading(a, answer);
    if (!answer->session)
        return;
    if (a->session) {
        a->incoming = take_session(answer);
        ask_result(a);
        return;
    }
    a->session = take_session(answer);
    a->loader.is_part = a->loader.rest_waits = answer->is_part;
    keep_restore(a);
    ask_result(a);
}

static void *run_all(void *arg, struct cancel_mark cancel)
{
    struct ask_job *job = arg;
    struct answer *answer = answer_new(take);

    answer->session =
        session_open(&job->spec.options, (const char *const *)job->files.items, job->files.n,
                     job->progress, cancel, &answer->err);
    return answer;
}

static void *run_first(void *arg, struct cancel_mark cancel)
{
    struct ask_job *job = arg;
    struct err err = {0};
    struct session *session =
        session_open_graph(&job->spec.options, (const char *const *)job->files.items,
                           job->files.n, job->progress, cancel, &err);
    struct answer *answer;

    if (!session && !err.kind)
        return run_all(arg, cancel);
    answer = answer_new(take);
    answer->session = session;
    answer->is_part = session != NULL;
    answer->err = err;
    return answer;
}

static void submit(struct app *a, const struct words *files,
                   void *(*run)(void *arg, struct cancel_mark cancel))
{
    struct ask_job *job = ask_job_new(a);

    for (size_t i = 0; i < files->n; i++)
        words_add(&job->files, files->items[i]);
    job->progress = &a->loader.progress;
    a->loader.running = true;
    ask_submit_reading(a, run, job);
}

void ask_load(struct app *a, const struct command_line *cl)
{
    submit(a, &cl->files, run_first);
}

void ask_load_rest(struct app *a)
{
    a->loader.rest_waits = false;
    submit(a, &a->session->files, run_all);
}

/* Adds CALL to the calls that are open. */
static void want_open(struct app *a, node_id call)
{
    const struct option *opt = option_find("open_calls");
    const struct profile *p = a->session->profile;
    const char *name = profile_text(p, p->name[call]);
    struct strbuf value = {0};
    struct err err = {0};

    option_print(&value, &a->wanted.options, opt);
    if (value.len)
        sb_addc(&value, ',');
    for (size_t i = 0; i < intern_len(&p->strings, p->name[call]); i++) {
        if (name[i] == ',')
            sb_addc(&value, '\\');
        sb_addc(&value, name[i]);
    }
    if (!option_set(&a->wanted.options, opt, sb_text(&value), &err))
        app_say_err(a, &err);
    sb_done(&value);
}

void ask_open_call(struct app *a, node_id call)
{
    if (ask_is_loading(a)) {
        app_say(a, ROLE_NOTE, "the files are still being read");
        return;
    }
    want_open(a, call);
    a->loader.is_again = true;
    submit(a, &a->session->files, run_all);
}

bool ask_stop_loading(struct app *a)
{
    worker_cancel(a->worker, LANE_READ);
    a->loader.running = a->loader.rest_waits = false;
    if (a->loader.is_again) {
        a->loader.is_again = false;
        ask_want_seen(a);
    } else if (a->session) {
        err_set(&a->failure, ERR_CANCELLED, "loading was stopped: this is the graph alone");
    } else {
        a->status = err_status(ERR_CANCELLED);
        a->quit = true;
    }
    return true;
}

bool ask_is_loading(const struct app *a)
{
    return a->loader.running || a->incoming;
}

void ask_load_text(const struct app *a, struct strbuf *sb)
{
    const struct load_progress *p = &a->loader.progress;
    const char *what = atomic_load(&p->what);
    const uint64_t done = atomic_load(&p->bytes_done), total = atomic_load(&p->bytes_total);

    if (a->failure.kind) {
        sb_adds(sb, err_text(&a->failure));
        return;
    }
    sb_adds(sb, a->loader.is_again ? "reading the files again for the body of the call"
                                   : "loading all files");
    if (done < total) /* of pipes nobody knows how much is to come */
        sb_addf(sb, ": %u %%", (unsigned)((double)done * 100 / (double)total));
    if (what)
        sb_addf(sb, " (%s)", what);
}
