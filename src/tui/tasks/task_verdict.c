/* task_verdict.c: computes the verdict of the header when a profile is displayed. */
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "model/format.h"
#include "tui/tasks/loading.h"
#include "tui/tasks/task_jobs.h"
#include "view/pictures/memory_picture.h"
#include "view/pictures/timeline_text.h"

struct verdict_job {
    struct query_request request; /* about the displayed result */
    struct verdict *verdict;
};

static bool verdict_is_due(const struct app *a)
{
    return !a->doc.verdict && !load_is_open(a);
}

/* Writes "12 us" of TEXT, heap, as the screen does: "12 \u00b5s". */
static char *with_units(char *text)
{
    struct strbuf sb = {0};

    if (!text)
        return NULL;
    for (const char *at = text; *at; at++) {
        const bool is_micros = at > text + 1 && at[-1] == ' ' && at[-2] >= '0' && at[-2] <= '9' &&
                               at[0] == 'u' && at[1] == 's' && strchr(" );,", at[2]);

        sb_add(&sb, is_micros ? "\u00b5" : at, is_micros ? strlen("\u00b5") : 1);
    }
    free(text);
    return sb_take(&sb);
}

/* Inputs without events and runs, as memory snapshots, have a line about memory. */
static void describe_memory(struct verdict *v, const struct profile *p, struct cancel_mark cancel)
{
    struct strbuf line = {0}, text = {0};

    memory_line(&line, p, cancel);
    format_spaced_text(&text, sb_text(&line));
    if (text.len)
        v->text = sb_take(&text);
    v->evidence = "memory";
    EACH(sb_done, &line, &text);
}

/* Computes the verdict of the whole profile, as in the summary. */
static void verdict_run(void *arg, struct cancel_mark cancel)
{
    struct verdict_job *job = arg;
    const struct query_request *q = &job->request;
    struct err err = {0};

    job->verdict = xcalloc(1, sizeof *job->verdict);
    if (!verdict_make_of_run(job->verdict, q->now, &q->spec.options, cancel, &err))
        memset(job->verdict, 0, sizeof *job->verdict); /* nothing of it is displayed */
    job->verdict->text = with_units(job->verdict->text);
    if (!job->verdict->text && q->now->memory)
        describe_memory(job->verdict, q->now, cancel);
    err_done(&err);
}

static void verdict_apply(struct app *a, void *arg)
{
    struct verdict_job *job = arg;

    verdict_free(a->doc.verdict);
    a->doc.verdict = job->verdict;
    a->ui.is_drawn &= !a->ui.layout_choice.verdict && !a->doc.verdict->text;
    job->verdict = NULL;
}

static void verdict_job_done(void *arg)
{
    verdict_free(((struct verdict_job *)arg)->verdict);
}

const struct task verdict_task = {.queue = QUEUE_QUERY, .is_due = verdict_is_due,
                                  .can_start = task_has_result, .depends = DEPENDS_ON_PROFILE,
                                  .job_bytes = sizeof(struct verdict_job), .query = QUERY_DISPLAYED,
                                  .run = verdict_run, .apply = verdict_apply,
                                  .done = verdict_job_done, .is_quiet = true};
