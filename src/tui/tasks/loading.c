/* loading.c: loads files in the background. */
#include "tui/tasks/loading.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "session/first_options.h"
#include "tui/action.h"
#include "tui/tasks/task_jobs.h"
#include "tui/tasks/tasks.h"
#include "tui/ui_state.h"

struct load_job {
    struct options options;
    struct words files;
    bool graph_first; /* read the graph, or a part, first if that is worthwhile */
    struct load_begun *begun; /* a load to continue; NULL: read everything */
    struct load_progress *progress; /* shown on the screen */
    struct session *session; /* NULL: failed */
    bool is_part; /* more will be read */
    bool is_run;          /* a run chosen from a list */
    bool offers_runs;     /* only list the runs if there are several */
    struct log_runs runs; /* runs to choose from */
    struct first_facts facts; /* of SESSION */
    struct file_stamps stamps; /* of the files read */
    struct err err;
};

/* Forgets a repeated load: the displayed profile is complete. */
static void forget_repeated_load(struct load_watch *l)
{
    l->is_again = l->is_reload = l->other_is_run = false;
    words_done(&l->other);
}

/* Handles the end of loading: all files are read or one failed. */
static void end_loading(struct app *a, struct load_job *job)
{
    if (job->session)
        return;
    if (a->doc.loader.is_again || job->is_run) { /* the displayed profile is complete */
        forget_repeated_load(&a->doc.loader);
        app_print_err(a, &job->err);
        request_reset(a);
        if (job->is_run)
            action_run(a, action_find("runs"));
        return;
    }
    /* The error is reported after the screen has closed, and immediately if a part is displayed. */
    a->doc.failure = job->err;
    memset(&job->err, 0, sizeof job->err);
    a->ui.status = err_status(a->doc.failure.kind);
    if (a->doc.session)
        app_print(a, ROLE_ERROR, "E: %s", err_text(&a->doc.failure));
    else
        a->ui.quit = true;
}

static struct session *take_session(struct load_job *job)
{
    struct session *session = job->session;

    job->session = NULL;
    return session;
}

/* Adapts options that the user has not set to the loaded data. */
static void adapt_options(struct app *a, const struct load_job *job)
{
    struct load_watch *l = &a->doc.loader;

    if (l->is_again && !l->other.n)
        return;
    for (size_t i = 0; a->doc.session && i < option_table_n; i++)
        if (!option_equal(&a->doc.requested.options, &l->suited, &option_table[i]))
            words_add(&l->given, option_table[i].name);
    first_options(&a->doc.requested.options, &l->given, &job->facts, job->is_part);
    options_done(&l->suited);
    options_copy(&l->suited, &a->doc.requested.options);
    l->facts = job->facts;
}

const char *load_part_name(const struct app *a)
{
    return !a->doc.loader.is_part                  ? NULL
           : a->doc.session->profile->n_recorders ? "a part of the trace"
                                                   : "the graph alone";
}

static void report_part_only(struct app *a)
{
    err_set(&a->doc.failure, ERR_CANCELLED, "loading was stopped: this is %s", load_part_name(a));
}

static void take_stamps(struct app *a, struct load_job *job)
{
    file_stamps_done(&a->doc.loader.stamps);
    a->doc.loader.stamps = job->stamps;
    job->stamps = (struct file_stamps){.list = {0}};
    a->doc.loader.said_changed = false;
}

/* Shows the runs that JOB has found. */
static void show_runs(struct app *a, struct load_job *job)
{
    task_stop(a, TASK_RUNS);
    listed_runs_done(&a->doc.listed_runs);
    a->doc.listed_runs = (struct listed_runs){.folder = xstrdup(job->files.items[0]),
                                              .runs = job->runs, .is_new = true};
    job->runs = (struct log_runs){.is_cut = false};
    action_run(a, action_find("runs"));
}

static void load_apply(struct app *a, void *arg)
{
    struct load_job *job = arg;

    if (job->runs.list.n) {
        forget_repeated_load(&a->doc.loader);
        request_reset(a);
        show_runs(a, job);
        return;
    }
    if (!job->is_part)
        end_loading(a, job);
    if (!job->session)
        return;
    if (!job->is_part && atomic_load(&job->progress->n_left_out))
        err_set(&a->doc.failure, ERR_CANCELLED,
                "loading was stopped: %" PRIuFAST32 " of %" PRIuFAST32
                " files were read", atomic_load(&job->progress->n_read),
                atomic_load(&job->progress->n_read) + atomic_load(&job->progress->n_left_out));
    if (a->doc.loader.other.n) {
        options_drop_files(&a->doc.requested.options);
        options_drop_files(&a->doc.loader.suited);
    }
    adapt_options(a, job);
    take_stamps(a, job);
    if (a->doc.session) {
        a->doc.incoming = take_session(job);
        task_request(a, TASK_RESULT);
        return;
    }
    a->doc.session = take_session(job);
    a->doc.generation.profile++;
    a->doc.loader.is_part = job->is_part;
    a->doc.loader.begun = job->begun;
    job->begun = NULL;
    ui_state_restore(a);
    task_request(a, TASK_RESULT);
    if (!job->is_part)
        return;
    if (atomic_load(&job->progress->stop_asked))
        report_part_only(a);
    else
        task_request(a, TASK_LOAD);
}

/* The rest is read only after the first part is drawn, so that drawing can use all cores. */
static bool load_can_start(const struct app *a)
{
    return !a->doc.tasks.running[QUEUE_QUERY];
}

static void fill_job(struct load_job *job, struct app *a, const struct words *files)
{
    options_copy(&job->options, &a->doc.requested.options);
    for (size_t i = 0; i < files->n; i++)
        words_add(&job->files, files->items[i]);
    job->progress = &a->doc.loader.progress;
    atomic_store(&job->progress->stop_asked, false);
    atomic_store(&job->progress->n_read, 0);
    atomic_store(&job->progress->n_runs_read, 0);
    atomic_store(&job->progress->n_left_out, 0);
}

static bool load_start(struct app *a, void *arg)
{
    const struct words *other = &a->doc.loader.other;
    struct load_job *job = arg;

    fill_job(job, a, other->n ? other : &a->doc.session->files);
    job->is_run = other->n && a->doc.loader.other_is_run;
    job->offers_runs = other->n && !job->is_run;
    if (other->n) {
        options_drop_files(&job->options);
    } else {
        job->begun = a->doc.loader.begun;
        a->doc.loader.begun = NULL;
    }
    return true;
}

/* Takes stamps of the files named by the user before they are read. */
static void stamp_named(struct load_job *job)
{
    for (size_t i = 0; i < job->files.n; i++)
        file_stamps_add(&job->stamps, job->files.items[i]);
}

/* Takes stamps of files found in options and folders. */
static void stamp_read(struct load_job *job)
{
    const struct profile *p = job->session->profile;

    for (size_t i = 0; i < p->n_files; i++)
        file_stamps_add(&job->stamps, p->files[i].path);
}

/* Finds runs. False if there is no choice. */
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

static void load_job_done(void *arg)
{
    struct load_job *job = arg;

    options_done(&job->options);
    words_done(&job->files);
    load_begun_free(job->begun);
    session_close(job->session);
    file_stamps_done(&job->stamps);
    runs_done(&job->runs);
    err_done(&job->err);
}

const struct task load_task = {.queue = QUEUE_READ, .can_start = load_can_start,
                               .job_bytes = sizeof(struct load_job), .start = load_start,
                               .run = load_run, .apply = load_apply, .done = load_job_done};

void load_begin(struct app *a, const struct command_line *cl)
{
    struct load_job *job = task_new_job(a, TASK_LOAD);

    fill_job(job, a, &cl->files);
    job->graph_first = job->offers_runs = true;
    options_init(&a->doc.loader.suited);
    for (size_t i = 0; i < cl->given.n; i++)
        words_add(&a->doc.loader.given, cl->given.items[i]);
    task_begin(a, TASK_LOAD, job);
}

/* Adds CALL to -open_calls. */
static void add_open_call(struct app *a, node_id call)
{
    const struct option *opt = option_find("open_calls");
    const struct profile *p = a->doc.session->profile;
    const char *name = profile_text(p, p->name[call]);
    struct strbuf value = {0};
    struct err err = {0};

    option_print(&value, &a->doc.requested.options, opt);
    sb_adds(&value, value.len ? "," : "");
    for (size_t i = 0; i < intern_len(&p->strings, p->name[call]); i++) {
        if (name[i] == ',')
            sb_addc(&value, '\\');
        sb_addc(&value, name[i]);
    }
    if (!option_set(&a->doc.requested.options, opt, sb_text(&value), &err))
        app_print_err(a, &err);
    sb_done(&value);
}

static void read_again(struct app *a)
{
    a->doc.loader.is_again = true;
    task_start(a, TASK_LOAD);
}

static bool is_reading(struct app *a)
{
    if (load_is_open(a))
        app_print(a, ROLE_NOTE, "the files are still being read");
    return load_is_open(a);
}

/* True when all files can be read again; else reports why not. A consumed pipe would block. */
static bool can_read_again(struct app *a)
{
    const char *stream = file_stamps_stream(&a->doc.loader.stamps);

    if (is_reading(a))
        return false;
    if (stream)
        app_print(a, ROLE_NOTE, "%s can be read only once",
                  strcmp(stream, "-") == 0 ? "standard input" : stream);
    return !stream;
}

void load_call(struct app *a, node_id call)
{
    if (!can_read_again(a))
        return;
    add_open_call(a, call);
    read_again(a);
}

void load_again(struct app *a, const struct options *options)
{
    if (!can_read_again(a))
        return;
    if (options != &a->doc.requested.options) {
        options_done(&a->doc.requested.options);
        options_copy(&a->doc.requested.options, options);
    }
    read_again(a);
}

void load_reload(struct app *a, int arg UNUSED)
{
    if (!can_read_again(a))
        return;
    a->doc.loader.is_reload = true;
    read_again(a);
}

void load_other(struct app *a, const char *file, bool is_run)
{
    if (is_reading(a))
        return;
    words_done(&a->doc.loader.other);
    words_add(&a->doc.loader.other, file);
    a->doc.loader.other_is_run = is_run;
    read_again(a);
}

void load_run_of_folder(struct app *a, const char *path)
{
    struct words files = {0};
    struct load_job *job;

    if (a->doc.session) {
        load_other(a, path, true);
        return;
    }
    words_add(&files, path);
    job = task_new_job(a, TASK_LOAD);
    fill_job(job, a, &files);
    job->graph_first = job->is_run = true;
    task_begin(a, TASK_LOAD, job);
    words_done(&files);
}

void load_watch_files(struct app *a)
{
    if (a->doc.result && a->doc.loader.stamps.list.n && !a->doc.loader.said_changed &&
        !load_is_open(a))
        task_request(a, TASK_WATCH);
}

/* True when complete files are not displayed yet: stopping can keep them. */
static bool has_unseen(const struct app *a)
{
    const struct load_progress *p = &a->doc.loader.progress;

    return atomic_load(a->doc.session ? &p->n_runs_read : &p->n_read) > 0;
}

bool load_stop(struct app *a)
{
    if (!task_is_open(a, TASK_LOAD))
        return false;
    if (!a->doc.loader.is_again && has_unseen(a) &&
        !atomic_exchange(&a->doc.loader.progress.stop_asked, true)) {
        app_print(a, ROLE_NOTE, "loading stops after this file; press again to stop now");
        return true;
    }
    task_stop(a, TASK_LOAD);
    a->ui.input.ahead.n = 0;
    if (a->doc.loader.is_again) {
        forget_repeated_load(&a->doc.loader);
        request_reset(a);
    } else if (a->doc.session) {
        report_part_only(a);
    } else {
        err_set(&a->doc.failure, ERR_CANCELLED, "loading stopped before a file was complete");
    }
    app_print(a, ROLE_NOTE, "stopped");
    return true;
}

void load_first_options(const struct app *a, struct options *o)
{
    static const struct words none = {NULL, 0, 0};

    for (size_t i = 0; i < option_table_n; i++) {
        struct err err = {0};

        if (option_table[i].stages != STAGE_LOAD && option_table[i].default_text)
            option_set(o, &option_table[i], option_table[i].default_text, &err);
        err_done(&err);
    }
    first_options(o, &none, &a->doc.loader.facts, a->doc.loader.is_part);
}

void load_discard(struct app *a)
{
    struct session *gone = a->doc.incoming;

    if (!a->doc.result) {
        gone = a->doc.session;
        a->doc.session = a->doc.incoming;
        a->doc.generation.profile++;
        a->doc.loader.is_part = false;
    }
    a->doc.incoming = NULL;
    forget_repeated_load(&a->doc.loader);
    session_close_later(a, gone);
}

void load_done(struct load_watch *l)
{
    load_begun_free(l->begun);
    EACH(words_done, &l->given, &l->other);
    file_stamps_done(&l->stamps);
    options_done(&l->suited);
}

void listed_runs_done(struct listed_runs *listed)
{
    runs_done(&listed->runs);
    free(listed->folder);
    *listed = (struct listed_runs){.folder = NULL};
}

bool load_is_open(const struct app *a)
{
    return task_is_open(a, TASK_LOAD) || a->doc.incoming;
}

void load_text(const struct app *a, struct strbuf *sb)
{
    const struct load_progress *p = &a->doc.loader.progress;
    const char *what = atomic_load(&p->what);
    const uint64_t done = atomic_load(&p->bytes_done), total = atomic_load(&p->bytes_total);

    if (a->doc.failure.kind) {
        sb_adds(sb, err_text(&a->doc.failure));
        return;
    }
    if (a->doc.loader.is_part && a->doc.session->profile->n_recorders)
        sb_adds(sb, "a part of the file, totals are partial; ");
    sb_adds(sb, a->doc.loader.other.n    ? "reading the other file"
                : a->doc.loader.is_again ? "reading the files again"
                                     : "loading all files");
    if (done < total) /* the size of pipes is unknown */
        sb_addf(sb, ": %u %%", (unsigned)((double)done * 100 / (double)total));
    if (what)
        sb_addf(sb, " (%s)", what);
}
