/* ask_preview.c: trying an option: what it would do, how its regexes match. */
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "base/xalloc.h"
#include "tui/tasks/ask_jobs.h"

void preview_free(struct preview *p)
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

static void take(struct app *a, struct answer *answer)
{
    a->asker.previewing = false;
    preview_free(a->asker.preview);
    a->asker.preview = answer->preview;
    answer->preview = NULL;
}

static void *run(void *arg, struct cancel_mark cancel)
{
    struct ask_job *job = arg;
    struct answer *answer = answer_new(take);
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
        p->gave_up = regexes_gave_up(regexes);
        regexes_free(regexes);
    }
    if (option_set(&job->spec.options, job->option, job->value, &answer->err))
        p->result =
            query_run(job->query, job->spec.view, &job->spec.options, cancel, &answer->err);
    return answer;
}

void ask_submit_preview(struct app *a)
{
    struct ask_job *job = ask_job_new(a);

    job->option = a->asker.option;
    job->value = a->asker.value;
    job->tree = tree_ref((struct tree *)(uintptr_t)a->result->tree);
    a->asker.option = NULL;
    a->asker.value = NULL;
    ask_submit(a, run, job);
    a->asker.previewing = true;
}

void ask_preview(struct app *a, const struct option *option, const char *value)
{
    if (!a->session || !a->result)
        return;
    free(a->asker.value);
    a->asker.option = option;
    a->asker.value = xstrdup(value);
    if (!a->asker.running && !a->asker.exporting) /* a wish to see something goes first */
        ask_submit_preview(a);
}
