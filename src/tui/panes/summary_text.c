/* summary_text.c: the summary page, computed in the background. */
#include "tui/panes/pane.h"

#include <string.h>

#include "base/utf8.h"
#include "model/format.h"
#include "session/summary/summary.h"
#include "tui/app.h"
#include "tui/dialogs/textview.h"
#include "tui/tasks/loading.h"
#include "tui/tasks/task_jobs.h"
#include "tui/tasks/tasks.h"

enum { LABEL_AT = 2, VALUE_AT = 40, NARROW_VALUE_AT = 28, NARROW_COLS = 100 };

static const char title[] = "Summary";

/* Appends the figures and words of TEXT from column COL on. */
static void put_value(struct lines *l, int col, int cols, const char *text, size_t len)
{
    struct strbuf escaped = {0}, spaced = {0};

    utf8_escape(&escaped, text, len);
    format_spaced_text(&spaced, sb_text(&escaped));
    lines_wrapped(l, col ? ROLE_TEXT : ROLE_TITLE, col, cols, sb_text(&spaced));
    EACH(sb_done, &escaped, &spaced);
}

static void put_label(struct lines *l, const struct strbuf *text, int cols)
{
    struct strbuf escaped = {0};

    utf8_escape(&escaped, sb_text(text), text->len);
    lines_fit(l, ROLE_DIM, sb_text(&escaped), escaped.len, cols);
    sb_done(&escaped);
}

static void put_all(struct lines *l, const struct summary *s, int cols)
{
    const int value_at = cols < NARROW_COLS ? NARROW_VALUE_AT : VALUE_AT;

    if (s->verdict) {
        lines_next(l);
        put_value(l, 0, cols, s->verdict, strlen(s->verdict));
        lines_next(l);
    }
    for (size_t i = 0; i < s->n; i++) {
        const struct summary_line *line = &s->lines[i];
        const size_t first = l->v.n;

        if (!i || strcmp(line->section, s->lines[i - 1].section) != 0) {
            if (i)
                lines_next(l);
            lines_next(l);
            lines_puts(l, ROLE_TITLE, line->section);
        }
        lines_next(l);
        lines_tab(l, LABEL_AT);
        put_label(l, &line->label, value_at - 1);
        put_value(l, value_at, cols, sb_text(&line->value), line->value.len);
        for (size_t k = first; k < l->v.n && line->node != NODE_NONE; k++)
            l->v.data[k].link = (struct link){.kind = LINK_NODE, .node = line->node};
    }
}

/* Adds the progress of loading. */
static void put_loading(struct app *a, struct lines *l)
{
    struct strbuf text = {0};

    if (!a->doc.loader.is_part)
        return;
    load_text(a, &text);
    lines_next(l);
    lines_puts(l, ROLE_NOTE, sb_text(&text));
    lines_next(l);
    sb_done(&text);
}

void summary_open(struct app *a, int arg UNUSED)
{
    struct lines l = {0};

    lines_next(&l);
    lines_puts(&l, ROLE_DIM, "\u2026");
    textview_open(a, title, &l, true);
    task_request(a, TASK_SUMMARY);
}

/* Shows S on the page if it is still open. */
static void summary_show(struct app *a, const struct summary *s)
{
    struct lines *l = textview_lines(a, title);

    if (!l)
        return;
    lines_clear(l);
    put_loading(a, l);
    put_all(l, s, a->ui.canvas.cols - 6);
}

void summary_renew(struct app *a)
{
    if (textview_lines(a, title))
        task_request(a, TASK_SUMMARY);
}

struct summary_job {
    struct query_request request; /* about the displayed result */
    struct summary *summary;
    struct err err;
};

static void summary_run(void *arg, struct cancel_mark cancel)
{
    struct summary_job *job = arg;
    struct err uncounted = {0}; /* if counting fails, the summary has recorded counts */
    struct result *r = query_request_run(&job->request, cancel, &job->err);

    if (r) {
        job->summary = summary_new(job->request.profile, result_flops(r, &uncounted),
                                   &job->request.spec.options);
        summary_comparison(job->summary, r);
    }
    result_free(r);
    err_done(&uncounted);
}

static void summary_apply(struct app *a, void *arg)
{
    struct summary_job *job = arg;

    if (job->summary)
        summary_show(a, job->summary);
    else
        app_print_err(a, &job->err);
}

/* The page stays open, so the summary is computed later. */
static void summary_cancelled(struct app *a)
{
    a->doc.tasks.wanted[TASK_SUMMARY] = true;
}

static void summary_done(void *arg)
{
    struct summary_job *job = arg;

    summary_free(job->summary);
    err_done(&job->err);
}

const struct task summary_task = {.queue = QUEUE_QUERY, .user_waits = true, .resumes = true,
                                  .can_start = task_has_result,
                                  .depends = DEPENDS_ON_PROFILE | DEPENDS_ON_RESULT,
                                  .job_bytes = sizeof(struct summary_job), .query = QUERY_DISPLAYED,
                                  .run = summary_run, .apply = summary_apply,
                                  .cancelled = summary_cancelled, .done = summary_done};
