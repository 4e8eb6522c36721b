/* compare.c: differences between two results, row by row. */
#include "tui/panes/compare.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/satmath.h"
#include "base/xalloc.h"
#include "model/format.h"
#include "tui/tasks/ask_jobs.h"

void compare_forget(struct compare *c)
{
    result_free(c->base);
    c->base = NULL;
    rowmap_done(&c->rows);
    c->made_for = NULL;
}

void compare_done(struct compare *c)
{
    compare_forget(c);
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
    c->rows = answer->rows;
    memset(&answer->rows, 0, sizeof answer->rows);
    c->made_for = a->result;
}

static void *run(void *arg, struct cancel_mark cancel)
{
    struct ask_job *job = arg;
    struct answer *answer = answer_new(take);
    struct query *query = job->query;

    if (job->files.n) {
        struct options inputs; /* the other files are read as those that are seen */

        options_copy(&inputs, &job->spec.options);
        options_drop_files(&inputs);
        answer->session = session_open(&inputs, (const char *const *)job->files.items,
                                       job->files.n, NULL, cancel, &answer->err);
        options_done(&inputs);
        if (!answer->session)
            return answer;
        query = answer->session->query;
    }
    answer->result = query_run(query, job->spec.view, &job->spec.options, cancel, &answer->err);
    if (answer->result)
        rowmap_make(&answer->rows, job->tree, (struct tree *)(uintptr_t)answer->result->tree);
    return answer;
}

void ask_submit_compare(struct app *a)
{
    struct compare *c = &a->compare;
    struct ask_job *job = ask_job_new(a);

    compare_forget(c);
    job->tree = tree_ref((struct tree *)(uintptr_t)a->result->tree);
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
    const row_id there = c->rows.row[row];
    bool saturated = false;
    int64_t difference;

    if (there == ROW_NONE || !c->base->kept[there]) {
        sb_adds(sb, "new");
        return;
    }
    difference = sat_sub(now[row], then[there], &saturated);
    if (difference > 0)
        sb_addc(sb, '+');
    else if (difference < 0)
        sb_addc(sb, '-');
    difference = difference < 0 ? sat_sub(0, difference, &saturated) : difference;
    format_value(sb, metrics[m].unit, difference);
}
