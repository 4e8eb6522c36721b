/* task_verdict.c: computes the verdict of the header when a profile is displayed. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "activity/verdict.h"
#include "base/xalloc.h"
#include "tui/tasks/loading.h"
#include "tui/tasks/task_jobs.h"
#include "view/pictures/timeline_text.h"

struct verdict_job {
    struct question question; /* about the displayed result */
    struct verdict *verdict;
};

static bool verdict_is_due(const struct app *a)
{
    return !a->doc.verdict && !load_is_open(a);
}

static void *verdict_start(struct app *a)
{
    struct verdict_job *job = xcalloc(1, sizeof *job);

    question_of_displayed(&job->question, a);
    return job;
}

/* What the timeline says of the displayed step, where nothing tells what devices do: executions of ops. */
static void add_words(struct verdict_job *job, struct cancel_mark cancel)
{
    const struct profile *p = job->question.profile;
    struct strbuf text = {0}, words = {0};
    struct timeline *l;

    if (p->events || !timeline_exists(p))
        return;
    l = timeline_new(p, &job->question.spec.options, TIMELINE_BY_TYPE, NULL, cancel);
    if (l)
        timeline_alone_text(l, &words);
    if (words.len) {
        if (p->n_steps > 1)
            sb_addf(&text, "step %" PRId64 "  ", l->step);
        sb_adds(&text, sb_text(&words));
        job->verdict->text = sb_take(&text);
    }
    sb_done(&words);
    timeline_free(l);
    sb_done(&text);
}

/* Computes the verdict of the whole profile, as in the summary. */
static void verdict_run(void *arg, struct cancel_mark cancel)
{
    const struct selection_request all = {.step = STEP_ALL, .rank = RANK_ALL};
    struct verdict_job *job = arg;
    struct err err = {0};

    job->verdict = xcalloc(1, sizeof *job->verdict);
    if (!verdict_make(job->verdict, job->question.profile, &all, false, cancel, &err))
        memset(job->verdict, 0, sizeof *job->verdict); /* nothing of it is displayed */
    else if (!job->verdict->text)
        add_words(job, cancel);
    err_done(&err);
}

static void verdict_apply(struct app *a, void *arg)
{
    struct verdict_job *job = arg;

    verdict_free(a->doc.verdict);
    a->doc.verdict = job->verdict;
    a->ui.is_drawn &= !job->verdict || !job->verdict->text;
    job->verdict = NULL;
}

static void verdict_free_job(void *arg)
{
    struct verdict_job *job = arg;

    verdict_free(job->verdict);
    question_done(&job->question);
    free(job);
}

const struct task verdict_task = {.queue = QUEUE_QUERY, .is_due = verdict_is_due,
                                  .can_start = task_has_result, .depends = DEPENDS_ON_PROFILE,
                                  .start = verdict_start, .run = verdict_run,
                                  .apply = verdict_apply, .free = verdict_free_job,
                                  .is_quiet = true};
