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
    struct load_begun *begun; /* what then goes on; NULL: all is read afresh */
    struct load_progress *progress; /* of the screen */
    struct session *session; /* NULL: it failed */
    bool is_part; /* more is read after it */
    bool is_run;          /* one of a list */
    bool offers_runs;     /* nothing is read where one is to be chosen first */
    struct log_runs runs; /* those to choose from */
    struct first_facts facts; /* of SESSION */
    struct file_stamps stamps; /* of its files */
    struct err err;
};

/* What is seen is whole without what was read once more. */
static void forget_again(struct load_watch *l)
{
    l->is_again = l->is_reload = l->other_is_run = false;
    words_done(&l->other);
}

/* The last file is read, or one of them cannot be. */
static void end_loading(struct app *a, struct load_job *job)
{
    if (job->session)
        return;
    if (a->loader.is_again || job->is_run) { /* what is seen is whole without it */
        forget_again(&a->loader);
        app_say_err(a, &job->err);
        want_seen(a);
        if (job->is_run)
            runs_menu_open(a);
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

    if (l->is_again && !l->other.n)
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

static void take_stamps(struct app *a, struct load_job *job)
{
    file_stamps_done(&a->loader.stamps);
    a->loader.stamps = job->stamps;
    job->stamps = (struct file_stamps){.list = {0}};
    a->loader.said_changed = false;
}

static void load_apply(struct app *a, void *arg)
{
    struct load_job *job = arg;

    if (job->runs.list.n) {
        forget_again(&a->loader);
        want_seen(a);
        runs_menu_show(a, job->files.items[0], &job->runs);
        return;
    }
    if (!job->is_part)
        end_loading(a, job);
    if (!job->session)
        return;
    if (!job->is_part && atomic_load(&job->progress->n_left_out))
        err_set(&a->failure, ERR_CANCELLED, "loading was stopped: %" PRIuFAST32 " of %" PRIuFAST32
                " files were read", atomic_load(&job->progress->n_read),
                atomic_load(&job->progress->n_read) + atomic_load(&job->progress->n_left_out));
    if (a->loader.other.n) {
        options_drop_files(&a->wanted.options);
        options_drop_files(&a->loader.suited);
    }
    suit_options(a, job);
    take_stamps(a, job);
    if (a->session) {
        a->incoming = take_session(job);
        task_want(a, TASK_RESULT);
        return;
    }
    a->session = take_session(job);
    a->loader.is_part = job->is_part;
    a->loader.begun = job->begun;
    job->begun = NULL;
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
    const struct words *other = &a->loader.other;
    struct load_job *job = new_job(a, other->n ? other : &a->session->files);

    job->is_run = other->n && a->loader.other_is_run;
    job->offers_runs = other->n && !job->is_run;
    if (other->n) {
        options_drop_files(&job->options);
    } else {
        job->begun = a->loader.begun;
        a->loader.begun = NULL;
    }
    return job;
}

/* As they are before they are read, as far as their names are known. */
static void stamp_named(struct load_job *job)
{
    for (size_t i = 0; i < job->files.n; i++)
        file_stamps_add(&job->stamps, job->files.items[i]);
}

/* The rest, which options name and folders have. */
static void stamp_read(struct load_job *job)
{
    const struct profile *p = job->session->profile;

    for (size_t i = 0; i < p->n_files; i++)
        file_stamps_add(&job->stamps, p->files[i].path);
}

/* True when there are runs to choose from. */
static bool find_runs(struct load_job *job, struct cancel_mark cancel)
{
    return job->offers_runs && job->files.n == 1 &&
           runs_offer(&job->runs, job->files.items[0], cancel);
}

static void load_run(void *arg, struct cancel_mark cancel)
{
    struct load_job *job = arg;
    const char *const *files = (const char *const *)job->files.items;

    if (find_runs(job, cancel))
        return;
    stamp_named(job);
    if (job->graph_first) {
        job->session = session_open_graph(&job->options, files, job->files.n, job->progress,
                                          cancel, &job->begun, &job->err);
        job->is_part = job->session != NULL;
    }
    if (!job->session && !job->err.kind) {
        job->session = session_open_rest(job->begun, &job->options, files, job->files.n,
                                         job->progress, cancel, &job->err);
        job->begun = NULL;
    }
    if (!job->session)
        return;
    job->facts = first_facts(job->session->profile);
    stamp_read(job);
}

static void load_free(void *arg)
{
    struct load_job *job = arg;

    options_done(&job->options);
    words_done(&job->files);
    load_begun_free(job->begun);
    session_close(job->session);
    file_stamps_done(&job->stamps);
    runs_done(&job->runs);
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

    job->graph_first = job->offers_runs = true;
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

static bool is_reading(struct app *a)
{
    if (load_is_open(a))
        app_say(a, ROLE_NOTE, "the files are still being read");
    return load_is_open(a);
}

/* Whether all can be read once more; says so when not.  A pipe that was read would be waited for. */
static bool can_read_again(struct app *a)
{
    const char *stream = file_stamps_stream(&a->loader.stamps);

    if (is_reading(a))
        return false;
    if (stream)
        app_say(a, ROLE_NOTE, "%s can be read only once",
                strcmp(stream, "-") == 0 ? "standard input" : stream);
    return !stream;
}

void load_call(struct app *a, node_id call)
{
    if (!can_read_again(a))
        return;
    want_open(a, call);
    read_again(a);
}

void load_again(struct app *a, const struct options *options)
{
    if (!can_read_again(a))
        return;
    if (options != &a->wanted.options) {
        options_done(&a->wanted.options);
        options_copy(&a->wanted.options, options);
    }
    read_again(a);
}

void load_reload(struct app *a)
{
    if (!can_read_again(a))
        return;
    a->loader.is_reload = true;
    read_again(a);
}

static void read_other(struct app *a, const char *file, bool is_run)
{
    if (is_reading(a))
        return;
    words_done(&a->loader.other);
    words_add(&a->loader.other, file);
    a->loader.other_is_run = is_run;
    read_again(a);
}

void load_other(struct app *a, const char *file)
{
    read_other(a, file, false);
}

void load_run_of_folder(struct app *a, const char *path)
{
    struct words files = {0};
    struct load_job *job;

    if (a->session) {
        read_other(a, path, true);
        return;
    }
    words_add(&files, path);
    job = new_job(a, &files);
    job->graph_first = job->is_run = true;
    task_begin(a, TASK_LOAD, job);
    words_done(&files);
}

void load_watch_files(struct app *a)
{
    if (a->result && a->loader.stamps.list.n && !a->loader.said_changed && !load_is_open(a))
        task_want(a, TASK_WATCH);
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
        forget_again(&a->loader);
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
    load_begun_free(l->begun);
    words_done(&l->said);
    words_done(&l->other);
    file_stamps_done(&l->stamps);
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
    sb_adds(sb, a->loader.other.n    ? "reading the other file"
                : a->loader.is_again ? "reading the files again"
                                     : "loading all files");
    if (done < total) /* of pipes nobody knows how much is to come */
        sb_addf(sb, ": %u %%", (unsigned)((double)done * 100 / (double)total));
    if (what)
        sb_addf(sb, " (%s)", what);
}
