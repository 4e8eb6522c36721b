/* ask.c: jobs for the worker and what is done with their answers. */
#include "tui/ask.h"

#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "base/xalloc.h"
#include "export/output.h"
#include "tui/app.h"
#include "tui/keep.h"

enum { JOB_LOAD, JOB_RESULT, JOB_PREVIEW, JOB_EXPORT, JOB_ADVICE };

/* ---- loading */

struct load_job {
    struct options options;
    struct words files;
    struct load_progress *progress;
};

struct loaded {
    struct session *session;
    struct err err;
};

static void load_job_free(void *arg)
{
    struct load_job *job = arg;

    options_done(&job->options);
    words_done(&job->files);
    free(job);
}

static void loaded_free(void *result)
{
    struct loaded *l = result;

    session_close(l->session);
    err_done(&l->err);
    free(l);
}

static void *load_run(void *arg, struct cancel_mark cancel)
{
    struct load_job *job = arg;
    struct loaded *l = xcalloc(1, sizeof *l);

    l->session = session_open(&job->options, (const char *const *)job->files.items, job->files.n,
                              job->progress, cancel, &l->err);
    return l;
}

void ask_load(struct app *a, const struct command_line *cl)
{
    struct load_job *job = xcalloc(1, sizeof *job);

    options_copy(&job->options, &cl->options);
    for (size_t i = 0; i < cl->files.n; i++)
        words_add(&job->files, cl->files.items[i]);
    job->progress = &a->loader.progress;
    a->loader.running = true;
    worker_submit(a->worker, (struct job){.kind = JOB_LOAD,
                                          .run = load_run,
                                          .arg = job,
                                          .free_arg = load_job_free,
                                          .free_result = loaded_free});
}

static void take_loaded(struct app *a, struct loaded *l)
{
    a->loader.running = false;
    if (l->session) {
        a->session = l->session;
        l->session = NULL;
        keep_restore(a);
        ask_result(a);
    } else {
        /* Without a profile there is nothing to look at: the reason is said
         * where a message lasts, behind the screen. */
        a->failure = l->err;
        memset(&l->err, 0, sizeof l->err);
        a->status = err_status(a->failure.kind);
        a->quit = true;
    }
    loaded_free(l);
}

/* ---- aggregating */

struct result_job {
    struct query *query;
    struct spec spec;
    int64_t (*now_us)(void);
    /* of a preview */
    const struct option *option;
    char *value;
    struct tree *tree; /* with a reference: whose names the regexes meet */
    /* of an export */
    char *file;
    const struct profile *profile;
};

struct answer {
    struct result *result;
    struct err err;
    int64_t took_us;
    struct preview *preview;
    char *file;      /* that was written; NULL: it was not */
    struct advice *advice;
};

static void preview_free(struct preview *p)
{
    if (!p)
        return;
    for (size_t i = 0; i < p->n_items; i++)
        free(p->items[i].first);
    free(p->items);
    free(p->value);
    result_free(p->result);
    free(p);
}

static void result_job_free(void *arg)
{
    struct result_job *job = arg;

    options_done(&job->spec.options);
    tree_unref(job->tree);
    free(job->value);
    free(job->file);
    free(job);
}

static void answer_free(void *result)
{
    struct answer *answer = result;

    result_free(answer->result);
    preview_free(answer->preview);
    free(answer->file);
    advice_free(answer->advice);
    err_done(&answer->err);
    free(answer);
}

static void *result_run(void *arg, struct cancel_mark cancel)
{
    struct result_job *job = arg;
    struct answer *answer = xcalloc(1, sizeof *answer);
    const int64_t begin = job->now_us ? job->now_us() : 0;

    answer->result =
        query_run(job->query, job->spec.view, &job->spec.options, cancel, &answer->err);
    answer->took_us = job->now_us ? job->now_us() - begin : -1;
    return answer;
}

static struct result_job *result_job_new(struct app *a)
{
    struct result_job *job = xcalloc(1, sizeof *job);

    job->query = a->session->query;
    job->spec.view = a->wanted.view;
    job->now_us = a->now_us;
    options_copy(&job->spec.options, &a->wanted.options);
    return job;
}

static void submit(struct app *a, int kind, void *(*run)(void *arg, struct cancel_mark cancel),
                   struct result_job *job)
{
    worker_submit(a->worker, (struct job){.kind = kind,
                                          .run = run,
                                          .arg = job,
                                          .free_arg = result_job_free,
                                          .free_result = answer_free});
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
    a->asker.previewing = a->asker.advising = false; /* the newer job drops them */
    submit(a, JOB_RESULT, result_run, result_job_new(a));
}

static void take_result(struct app *a, struct answer *answer)
{
    a->asker.running = false;
    if (answer->result) {
        a->result_us = answer->took_us;
        app_show_result(a, answer->result);
        answer->result = NULL;
    } else if (answer->err.kind != ERR_CANCELLED) {
        app_say_err(a, &answer->err);
        undo_abandon(a);
        if (a->result) { /* what is asked for is what is seen again */
            options_done(&a->wanted.options);
            options_copy(&a->wanted.options, &a->result->options);
            a->wanted.view = a->result->view_id;
        }
    }
    answer_free(answer);
    if (a->asker.again)
        ask_result(a);
}

/* ---- previews */

struct coach {
    const struct regexes *regexes;
    struct preview *preview;
    struct cancel_mark cancel;
};

static void coach_name(struct coach *c, const char *name, size_t len)
{
    c->preview->n_names++;
    for (size_t i = 0; i < c->preview->n_items; i++) {
        struct coach_item *item = &c->preview->items[i];

        if (!regexes_match_item(c->regexes, i, name, len))
            continue;
        if (!item->n_matches++) {
            struct strbuf first = {0};

            utf8_escape(&first, name, len);
            item->first = sb_take(&first);
        }
    }
}

/* Shows the names that OPTION looks at to its regexes. */
static void coach_names(struct coach *c, const struct tree *t, const struct option *option)
{
    const struct profile *p = t->profile;
    const bool of_types = strcmp(option->name, "account_type_regexes") == 0;
    const bool of_devices = strcmp(option->name, "device_regexes") == 0;

    if (of_types || of_devices) {
        for (node_id node = 0; node < p->n_nodes && !cancel_asked(c->cancel); node++) {
            const strid id = of_types ? p->op[node] : p->device[node];

            coach_name(c, intern_text(&p->strings, id), intern_len(&p->strings, id));
        }
        return;
    }
    for (row_id row = 1; row < t->n_rows && !(row % 4096 == 0 && cancel_asked(c->cancel)); row++)
        coach_name(c, tree_name(t, row), tree_name_len(t, row));
}

static void *preview_run(void *arg, struct cancel_mark cancel)
{
    struct result_job *job = arg;
    struct answer *answer = xcalloc(1, sizeof *answer);
    struct preview *p = xcalloc(1, sizeof *p);

    answer->preview = p;
    p->option = job->option;
    p->value = xstrdup(job->value);
    if (job->option->kind == OPT_REGEXES) {
        struct regexes *regexes = regexes_new(job->value, &answer->err);
        struct coach c = {regexes, p, cancel};

        if (!regexes)
            return answer;
        p->n_items = regexes_count(regexes);
        p->items = xcalloc(p->n_items + 1, sizeof *p->items);
        coach_names(&c, job->tree, job->option);
        regexes_free(regexes);
    }
    if (option_set(&job->spec.options, job->option, job->value, &answer->err))
        p->result =
            query_run(job->query, job->spec.view, &job->spec.options, cancel, &answer->err);
    return answer;
}

static void submit_preview(struct app *a)
{
    struct result_job *job = result_job_new(a);

    job->option = a->asker.option;
    job->value = a->asker.value;
    job->tree = tree_ref((struct tree *)(uintptr_t)a->result->tree);
    a->asker.option = NULL;
    a->asker.value = NULL;
    a->asker.previewing = true;
    submit(a, JOB_PREVIEW, preview_run, job);
}

void ask_preview(struct app *a, const struct option *option, const char *value)
{
    if (!a->session || !a->result)
        return;
    free(a->asker.value);
    a->asker.option = option;
    a->asker.value = xstrdup(value);
    if (!a->asker.running && !a->asker.exporting) /* a wish to see something goes first */
        submit_preview(a);
}

static void take_preview(struct app *a, struct answer *answer)
{
    a->asker.previewing = false;
    preview_free(a->asker.preview);
    a->asker.preview = answer->preview;
    answer->preview = NULL;
    answer_free(answer);
}

/* ---- exports */

static void *export_run(void *arg, struct cancel_mark cancel)
{
    struct result_job *job = arg;
    struct answer *answer = xcalloc(1, sizeof *answer);
    struct output_spec spec;
    struct result *r;

    if (!output_parse(job->spec.options.output, &spec, &answer->err))
        return answer;
    r = query_run(job->query, job->spec.view, &job->spec.options, cancel, &answer->err);
    if (r && output_fits(spec.output, r->view_id, r, &answer->err) &&
        output_make(&spec, r, NULL, job->profile, NULL, &answer->err)) {
        answer->file = job->file;
        job->file = NULL;
    }
    result_free(r);
    output_spec_done(&spec);
    return answer;
}

void ask_export(struct app *a, const struct options *options, const char *file)
{
    struct result_job *job = result_job_new(a);

    options_done(&job->spec.options);
    options_copy(&job->spec.options, options);
    job->spec.view = a->result->view_id;
    job->file = xstrdup(file);
    job->profile = a->session->profile;
    a->asker.exporting = true;
    a->asker.again |= a->asker.running;
    a->asker.running = a->asker.previewing = a->asker.advising = false;
    submit(a, JOB_EXPORT, export_run, job);
}

static void take_export(struct app *a, struct answer *answer)
{
    a->asker.exporting = false;
    if (answer->file)
        app_say(a, ROLE_TEXT, "written: %s", answer->file);
    else
        app_say_err(a, &answer->err);
    answer_free(answer);
    if (a->asker.again)
        ask_result(a);
}

/* ---- advice: once, when there is nothing else to do */

static void *advice_run(void *arg, struct cancel_mark cancel)
{
    struct result_job *job = arg;
    struct answer *answer = xcalloc(1, sizeof *answer);

    answer->advice = advise_run(job->profile, job->query, cancel, &answer->err);
    return answer;
}

static void ask_advice(struct app *a)
{
    struct result_job *job;

    if (a->advice || !a->result)
        return;
    job = result_job_new(a);
    job->profile = a->session->profile;
    a->asker.advising = true;
    submit(a, JOB_ADVICE, advice_run, job);
}

static void take_advice(struct app *a, struct answer *answer)
{
    a->asker.advising = false;
    a->advice = answer->advice;
    answer->advice = NULL;
    a->details.result = NULL; /* it has something to say there */
    answer_free(answer);
}

/* ---- all of them */

static void (*const takers[])(struct app *, struct answer *) = {
    [JOB_RESULT] = take_result,
    [JOB_PREVIEW] = take_preview,
    [JOB_EXPORT] = take_export,
    [JOB_ADVICE] = take_advice,
};

void ask_take(struct app *a)
{
    struct job_done done;

    while (worker_take(a->worker, &done)) {
        if (done.kind == JOB_LOAD)
            take_loaded(a, done.result);
        else
            takers[done.kind](a, done.result);
    }
    if (worker_busy(a->worker) || !a->result)
        return;
    if (a->asker.option)
        submit_preview(a);
    else
        ask_advice(a);
}

bool ask_busy(const struct app *a)
{
    return a->loader.running || a->asker.running || a->asker.again || a->asker.previewing ||
           a->asker.exporting || worker_busy(a->worker);
}

bool ask_cancel(struct app *a)
{
    if (!worker_cancel(a->worker))
        return false;
    if (a->loader.running) {
        a->loader.running = false;
        a->status = err_status(ERR_CANCELLED);
        a->quit = true;
    }
    a->asker.running = a->asker.again = a->asker.previewing = false;
    a->asker.exporting = a->asker.advising = false;
    undo_abandon(a);
    if (a->result) {
        options_done(&a->wanted.options);
        options_copy(&a->wanted.options, &a->result->options);
        a->wanted.view = a->result->view_id;
    }
    return true;
}

void ask_done(struct app *a)
{
    preview_free(a->asker.preview);
    free(a->asker.value);
}
