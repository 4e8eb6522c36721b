/* compare.c: differences between two results, row by row. */
#include "tui/compare.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "model/format.h"
#include "tui/ask_jobs.h"
#include "view/childmap.h"

/* The rows of FROM that have the same path of names as those of TO. */
static void match_rows(const struct tree *to, const struct tree *from, row_id *row)
{
    struct intern names;
    struct childmap children = {0};

    intern_init(&names);
    for (row_id i = 1; i < from->n_rows; i++) {
        const struct text name = tree_text(from, i);
        row_id *slot = childmap_at(&children, from->parent[i],
                                   intern_put(&names, name.bytes, name.len));

        if (!*slot)
            *slot = i;
    }
    row[0] = 0;
    for (row_id i = 1; i < to->n_rows; i++) {
        const struct text name = tree_text(to, i);
        const strid id = intern_find(&names, name.bytes, name.len);
        const row_id parent = row[to->parent[i]];
        row_id *slot = id == STRID_NONE || parent == ROW_NONE
                           ? NULL
                           : childmap_at(&children, parent, id);

        row[i] = slot && *slot ? *slot : ROW_NONE;
    }
    childmap_done(&children);
    intern_done(&names);
}

static void forget_base(struct compare *c)
{
    result_free(c->base);
    free(c->row);
    c->base = NULL;
    c->row = NULL;
    c->made_for = NULL;
}

void compare_done(struct compare *c)
{
    forget_base(c);
    session_close(c->session);
    words_done(&c->files);
    free(c->name);
    memset(c, 0, sizeof *c);
}

void compare_stop(struct app *a)
{
    ask_cancel(a); /* the worker may be reading the other profile */
    compare_done(&a->compare);
    ask_result(a);
}

static void take(struct app *a, struct answer *answer)
{
    struct compare *c = &a->compare;

    a->asker.comparing = false;
    if (answer->session) {
        c->session = answer->session;
        answer->session = NULL;
    }
    if (!answer->result) {
        app_say_err(a, &answer->err);
        compare_done(c);
        return;
    }
    c->base = answer->result;
    answer->result = NULL;
    c->row = xcalloc(a->result->tree->n_rows, sizeof *c->row);
    if (c->base->tree != a->result->tree)
        match_rows(a->result->tree, c->base->tree, c->row);
    else
        for (row_id i = 0; i < a->result->tree->n_rows; i++)
            c->row[i] = i;
    c->made_for = a->result;
}

static void *run(void *arg, struct cancel_mark cancel)
{
    struct ask_job *job = arg;
    struct answer *answer = answer_new(take);
    struct query *query = job->query;

    if (job->files.n) {
        struct options inputs;

        options_init(&inputs);
        answer->session = session_open(&inputs, (const char *const *)job->files.items,
                                       job->files.n, NULL, cancel, &answer->err);
        options_done(&inputs);
        if (!answer->session)
            return answer;
        query = answer->session->query;
    }
    answer->result = query_run(query, job->spec.view, &job->spec.options, cancel, &answer->err);
    return answer;
}

void ask_submit_compare(struct app *a)
{
    struct compare *c = &a->compare;
    struct ask_job *job = ask_job_new(a);

    forget_base(c);
    if (c->session)
        job->query = c->session->query;
    for (size_t i = 0; !c->session && i < c->files.n; i++)
        words_add(&job->files, c->files.items[i]);
    if (!c->session && !c->files.n)
        job->spec.options.step = c->step;
    ask_submit(a, run, job);
    a->asker.comparing = true;
}

static void begin(struct app *a, char *name)
{
    a->compare.on = true;
    a->compare.name = name;
    if (!a->asker.running && !a->asker.exporting)
        ask_submit_compare(a);
}

void compare_step(struct app *a, int64_t step)
{
    struct strbuf name = {0};

    compare_done(&a->compare);
    a->compare.step = step;
    sb_addf(&name, step < 0 ? "the average" : "step %" PRId64, step);
    begin(a, sb_take(&name));
}

void compare_files(struct app *a, const char *files)
{
    struct words words = {0};
    struct err err = {0};

    if (!words_split(files, &words, &err)) {
        app_say_err(a, &err);
        return;
    }
    compare_done(&a->compare);
    a->compare.files = words;
    if (words.n)
        begin(a, xstrdup(files));
}

bool compare_is_seen(const struct app *a)
{
    return a->compare.base && a->compare.made_for == a->result;
}

void compare_cell(const struct app *a, row_id row, enum metric_id m, struct strbuf *sb)
{
    const struct compare *c = &a->compare;
    const bool own = a->result->view->is_list && row;
    const int64_t *now = own ? a->result->self[m] : a->result->total[m];
    const int64_t *then = own ? c->base->self[m] : c->base->total[m];
    int64_t difference;

    if (c->row[row] == ROW_NONE || !c->base->kept[c->row[row]]) {
        sb_adds(sb, "new");
        return;
    }
    difference = now[row] - then[c->row[row]];
    if (difference > 0)
        sb_addc(sb, '+');
    else if (difference < 0)
        sb_addc(sb, '-');
    format_value(sb, metrics[m].unit, difference < 0 ? -difference : difference);
}
