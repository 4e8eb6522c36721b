/* loading.c: loading beside the screen. */
#include "tui/tasks/loading.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "session/first_options.h"
#include "tui/ui_state.h"
#include "tui/tasks/task_jobs.h"

struct load_job {
    struct options options;
    struct words files;
    bool graph_first; /* the graph alone, where that pays */
    struct load_progress *progress; /* of the screen */
    struct session *session; /* NULL: it failed */
    bool is_part; /* more is read after it */
    struct first_facts facts; /* of SESSION */
    struct err err;
};

/* The last file is read, or one of them cannot be. */
static void end_loading(struct app *a, struct load_job *job)
{
    if (job->session)
        return;
    if (a->loader.is_again) { /* what is seen is whole without it */
        a->loader.is_again = false;
        app_say_err(a, &job->err);
        want_seen(a);
        return;
    }
    /* The reason is said where a message lasts, behind the screen; here too
     * when there is a graph to look at. */
    a->failure = job->err;
    memset(&job->err, 0, sizeof job->err);
    a->status = err_status(a->failure.kind);
    if (a->session)
        app_say(a, ROLE_ERROR, "E: %s", err_text(&a->failure));
    else
        a->quit = true;
}

static struct session *take_session(struct load_job *job)
{
    struct session *session = job->session;

    job->session = NULL;
    return session;
}

/* Options that nobody set suit what was read: at first, and when more has come. */
static void suit_options(struct app *a, const struct load_job *job)
{
    struct load_watch *l = &a->loader;

    if (l->is_again)
        return;
    for (size_t i = 0; a->session && i < option_table_n; i++)
        if (!option_equal(&a->wanted.options, &l->suited, &option_table[i]))
            words_add(&l->said, option_table[i].name);
    first_options(&a->wanted.options, &l->said, &job->facts, job->is_part);
    options_done(&l->suited);
    options_copy(&l->suited, &a->wanted.options);
    l->facts = job->facts;
}

static void say_graph_alone(struct app *a)
{
    err_set(&a->failure, ERR_CANCELLED, "loading was stopped: this is the graph alone");
}

static void load_apply(struct app *a, void *arg)
{
    struct load_job *job = arg;

    if (!job->is_part)
        end_loading(a, job);
    if (!job->session)
        return;
    if (!job->is_part && atomic_load(&job->progress->n_left_out))
        err_set(&a->failure, ERR_CANCELLED, "loading was stopped: %" PRIuFAST32 " of %" PRIuFAST32
                " files were read", atomic_load(&job->progress->n_read),
                atomic_load(&job->progress->n_read) + atomic_load(&job->progress->n_left_out));
    suit_options(a, job);
    if (a->session) {
        a->incoming = take_session(job);
        task_want(a, TASK_RESULT);
        return;
    }
    a->session = take_session(job);
    a->loader.is_part = job->is_part;
    ui_state_restore(a);
    task_want(a, TASK_RESULT);
    if (!job->is_part)
        return;
    if (atomic_load(&job->progress->stop_asked))
        say_graph_alone(a);
    else
        task_want(a, TASK_LOAD);
}

/* What the graph alone does not have is read once that is drawn: the first rows have
 * all cores. */
static bool load_can_start(const struct app *a)
{
    return !a->tasks.running[LANE_QUERY];
}

static struct load_job *new_job(struct app *a, const struct words *files)
{
    struct load_job *job = xcalloc(1, sizeof *job);

    options_copy(&job->options, &a->wanted.options);
    for (size_t i = 0; i < files->n; i++)
        words_add(&job->files, files->items[i]);
    job->progress = &a->loader.progress;
    atomic_store(&job->progress->stop_asked, false);
    atomic_store(&job->progress->n_read, 0);
    atomic_store(&job->progress->n_runs_read, 0);
    atomic_store(&job->progress->n_left_out, 0);
    return job;
}

static void *load_start(struct app *a)
{
    return new_job(a, &a->session->files);
}

static void load_run(void *arg, struct cancel_mark cancel)
{
    struct load_job *job = arg;
    const char *const *files = (const char *const *)job->files.items;

    if (job->graph_first) {
        job->session = session_open_graph(&job->options, files, job->files.n, job->progress,
                                          cancel, &job->err);
        job->is_part = job->session != NULL;
    }
    if (!job->session && !job->err.kind)
        job->session = session_open(&job->options, files, job->files.n, job->progress, cancel,
                                    &job->err);
    if (job->session)
        job->facts = first_facts(job->session->profile);
}

static void load_free(void *arg)
{
    struct load_job *job = arg;

    options_done(&job->options);
    words_done(&job->files);
    session_close(job->session);
    err_done(&job->err);
    free(job);
}

const struct task load_task = {.lane = LANE_READ,
                               .can_start = load_can_start,
                               .start = load_start,
                               .run = load_run,
                               .apply = load_apply,
                               .free = load_free};

void load_begin(struct app *a, const struct command_line *cl)
{
    struct load_job *job = new_job(a, &cl->files);

    job->graph_first = true;
    options_init(&a->loader.suited);
    for (size_t i = 0; i < cl->said.n; i++)
        words_add(&a->loader.said, cl->said.items[i]);
    task_begin(a, TASK_LOAD, job);
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

static void read_again(struct app *a)
{
    a->loader.is_again = true;
    task_begin(a, TASK_LOAD, load_start(a));
}

void load_call(struct app *a, node_id call)
{
    if (load_is_open(a)) {
        app_say(a, ROLE_NOTE, "the files are still being read");
        return;
    }
    want_open(a, call);
    read_again(a);
}

void load_again(struct app *a, const struct options *options)
{
    if (load_is_open(a)) {
        app_say(a, ROLE_NOTE, "the files are still being read");
        return;
    }
    options_done(&a->wanted.options);
    options_copy(&a->wanted.options, options);
    read_again(a);
}

/* True when files have been read whole that are not seen yet: a stop may keep them. */
static bool has_unseen(const struct app *a)
{
    const struct load_progress *p = &a->loader.progress;

    return atomic_load(a->session ? &p->n_runs_read : &p->n_read) > 0;
}

bool load_stop(struct app *a)
{
    if (!task_is_open(a, TASK_LOAD))
        return false;
    if (!a->loader.is_again && has_unseen(a) && !atomic_exchange(&a->loader.progress.stop_asked, true)) {
        app_say(a, ROLE_NOTE, "no further file will be read after this one; once more stops at once");
        return true;
    }
    task_stop(a, TASK_LOAD);
    a->ahead.n = 0;
    if (a->loader.is_again) {
        a->loader.is_again = false;
        want_seen(a);
    } else if (a->session) {
        say_graph_alone(a);
    } else {
        err_set(&a->failure, ERR_CANCELLED, "loading was stopped before a file was read whole");
    }
    app_say(a, ROLE_NOTE, "stopped");
    return true;
}

void load_first_options(const struct app *a, struct options *o)
{
    static const struct words none = {NULL, 0, 0};

    first_options(o, &none, &a->loader.facts, a->loader.is_part);
}

void load_done(struct load_watch *l)
{
    words_done(&l->said);
    options_done(&l->suited);
}

bool load_is_open(const struct app *a)
{
    return task_is_open(a, TASK_LOAD) || a->incoming;
}

void load_text(const struct app *a, struct strbuf *sb)
{
    const struct load_progress *p = &a->loader.progress;
    const char *what = atomic_load(&p->what);
    const uint64_t done = atomic_load(&p->bytes_done), total = atomic_load(&p->bytes_total);

    if (a->failure.kind) {
        sb_adds(sb, err_text(&a->failure));
        return;
    }
    sb_adds(sb, a->loader.is_again ? "reading the files again"
                                   : "loading all files");
    if (done < total) /* of pipes nobody knows how much is to come */
        sb_addf(sb, ": %u %%", (unsigned)((double)done * 100 / (double)total));
    if (what)
        sb_addf(sb, " (%s)", what);
}
