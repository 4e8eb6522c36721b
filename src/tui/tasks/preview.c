/* preview.c: computes the effect of an option and the matches of its regexes. */
#include "tui/tasks/preview.h"

#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "base/xalloc.h"
#include "tui/tasks/task_jobs.h"
#include "tui/tasks/tasks.h"

void preview_free(struct preview *p)
{
    if (!p)
        return;
    for (size_t i = 0; i < p->n_items; i++)
        free(p->items[i].first);
    EACH(free, p->items, p->value);
    result_free(p->result);
    free(p);
}

struct preview_job {
    struct query_request request;
    struct tree *tree; /* of the displayed result, with a reference */
    struct preview *preview;
};

struct name_matching {
    const struct regexes *regexes;
    struct preview *preview;
    struct cancel_mark cancel;
};

static void match_name(struct name_matching *c, const char *name, size_t len)
{
    c->preview->n_names++;
    for (size_t i = 0; i < c->preview->n_items; i++) {
        struct regex_matches *item = &c->preview->items[i];

        if (!regexes_match_item(c->regexes, i, name, len))
            continue;
        if (!item->n_matches++) {
            struct strbuf first = {0};

            utf8_escape(&first, name, len);
            item->first = sb_take(&first);
        }
    }
}

/* Matches the names that OPTION applies to. */
static void match_names(struct name_matching *c, const struct tree *t, const struct option *option)
{
    const struct profile *p = t->profile;
    const bool of_types = strcmp(option->name, "account_type_regexes") == 0;
    const bool of_devices = strcmp(option->name, "device_regexes") == 0;

    if (of_types || of_devices) {
        for (node_id node = 0; node < p->n_nodes && !cancel_asked(c->cancel); node++) {
            const strid id = of_types ? p->op[node] : p->device[node];

            match_name(c, intern_text(&p->strings, id), intern_len(&p->strings, id));
        }
        return;
    }
    for (row_id row = 1; row < t->n_rows && !(row % 4096 == 0 && cancel_asked(c->cancel)); row++)
        match_name(c, tree_name(t, row), tree_name_len(t, row));
}

/* Matches the regexes of P's value. False if they are invalid. */
static bool match_regexes(struct preview *p, const struct tree *tree, struct cancel_mark cancel)
{
    struct err err = {0};
    struct regexes *regexes = regexes_new(p->value, &err);
    struct name_matching c = {regexes, p, cancel};

    err_done(&err);
    if (!regexes)
        return false;
    p->n_items = regexes_count(regexes);
    p->items = xcalloc(p->n_items + 1, sizeof *p->items);
    match_names(&c, tree, p->option);
    p->gave_up = regexes_gave_up(regexes);
    regexes_free(regexes);
    return true;
}

static bool preview_start(struct app *a, void *arg)
{
    struct preview_job *job = arg;

    job->tree = tree_ref((struct tree *)(uintptr_t)a->doc.result->tree);
    job->preview = xcalloc(1, sizeof *job->preview);
    job->preview->option = a->doc.trial.option;
    job->preview->value = xstrdup(a->doc.trial.value);
    return true;
}

static void preview_run(void *arg, struct cancel_mark cancel)
{
    struct preview_job *job = arg;
    struct preview *p = job->preview;
    struct err err = {0};

    if (p->option->kind == OPT_REGEXES && !match_regexes(p, job->tree, cancel))
        return;
    if (option_set(&job->request.spec.options, p->option, p->value, &err))
        p->result = query_request_run(&job->request, cancel, &err);
    err_done(&err);
}

static bool preview_is_same(const struct app *a, const void *arg)
{
    const struct preview *p = ((const struct preview_job *)arg)->preview;

    return p->option == a->doc.trial.option && strcmp(p->value, a->doc.trial.value) == 0;
}

static void preview_apply(struct app *a, void *arg)
{
    struct preview_job *job = arg;

    preview_free(a->doc.trial.preview);
    a->doc.trial.preview = job->preview;
    job->preview = NULL;
}

static void preview_done(void *arg)
{
    struct preview_job *job = arg;

    tree_unref(job->tree);
    preview_free(job->preview);
}

const struct task preview_task = {.queue = QUEUE_QUERY, .user_waits = true,
                                  .can_start = task_has_result,
                                  .depends = DEPENDS_ON_PROFILE | DEPENDS_ON_RESULT,
                                  .is_same = preview_is_same,
                                  .job_bytes = sizeof(struct preview_job), .query = QUERY_REQUESTED,
                                  .start = preview_start, .run = preview_run,
                                  .apply = preview_apply, .done = preview_done};

void preview_request(struct app *a, const struct option *option, const char *value)
{
    if (!a->doc.result)
        return;
    free(a->doc.trial.value);
    a->doc.trial.option = option;
    a->doc.trial.value = xstrdup(value);
    task_request(a, TASK_PREVIEW);
}

void trial_done(struct trial *t)
{
    preview_free(t->preview);
    free(t->value);
}
