/* compare.c: differences between two results, row by row. */
#include "tui/panes/compare.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/satmath.h"
#include "base/xalloc.h"
#include "model/format.h"
#include "tui/tasks/task_jobs.h"

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
    task_stop(a, TASK_COMPARE);
    compare_done(&a->compare);
    task_want(a, TASK_RESULT);
}

struct compare_job {
    struct question question;
    struct tree *tree;   /* of what is seen, with a reference */
    struct words files;  /* to load first; none: the question has its query */
    /* Of these, or the other profile with a reference: it may be forgotten before the job
     * has ended.  NULL: this one. */
    struct session *session;
    struct result *result;   /* NULL: it failed */
    struct rowmap rows;      /* from what is seen to it */
    struct err err;
};

static bool compare_is_due(const struct app *a)
{
    return a->compare.on && a->compare.made_for != a->result;
}

static void *compare_start(struct app *a)
{
    struct compare *c = &a->compare;
    struct compare_job *job = xcalloc(1, sizeof *job);

    compare_forget(c);
    question_init(&job->question, a);
    job->tree = tree_ref((struct tree *)(uintptr_t)a->result->tree);
    job->session = session_ref(c->session);
    if (c->session)
        job->question.query = c->session->query;
    for (size_t i = 0; !c->session && i < c->files.n; i++)
        words_add(&job->files, c->files.items[i]);
    if (!c->session && !c->files.n)
        job->question.spec.options.step = c->step;
    return job;
}

static void compare_run(void *arg, struct cancel_mark cancel)
{
    struct compare_job *job = arg;

    if (job->files.n) {
        struct options inputs; /* the other files are read as those that are seen */

        options_copy(&inputs, &job->question.spec.options);
        options_drop_files(&inputs);
        job->session = session_open(&inputs, (const char *const *)job->files.items, job->files.n,
                                    NULL, cancel, &job->err);
        options_done(&inputs);
        if (!job->session)
            return;
        job->question.query = job->session->query;
    }
    job->result = question_run(&job->question, cancel, &job->err);
    if (job->result)
        rowmap_make(&job->rows, job->tree, (struct tree *)(uintptr_t)job->result->tree);
}

static void compare_apply(struct app *a, void *arg)
{
    struct compare_job *job = arg;
    struct compare *c = &a->compare;

    if (job->session) {
        session_close(c->session);
        c->session = job->session;
        job->session = NULL;
    }
    if (!job->result) {
        app_say_err(a, &job->err);
        compare_done(c);
        return;
    }
    c->base = job->result;
    job->result = NULL;
    c->rows = job->rows;
    memset(&job->rows, 0, sizeof job->rows);
    c->made_for = a->result;
}

static void compare_cancelled(struct app *a)
{
    a->compare.on = false;
}

static void compare_free(void *arg)
{
    struct compare_job *job = arg;

    question_done(&job->question);
    tree_unref(job->tree);
    words_done(&job->files);
    rowmap_done(&job->rows);
    result_free(job->result); /* before the session it is from */
    session_close(job->session);
    err_done(&job->err);
    free(job);
}

const struct task compare_task = {.lane = LANE_QUERY,
                                  .user_waits = true,
                                  .is_due = compare_is_due,
                                  .can_start = task_has_result,
                                  .start = compare_start,
                                  .run = compare_run,
                                  .apply = compare_apply,
                                  .cancelled = compare_cancelled,
                                  .free = compare_free};

static void begin(struct app *a, char *name)
{
    a->compare.on = true;
    a->compare.name = name;
    task_want(a, TASK_COMPARE);
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
    figure_value(sb, metrics[m].unit, difference);
}
