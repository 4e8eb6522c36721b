/* task_range.c: prepares the first query of a time range while the user chooses it: memory for
 * another set of columns, and the starts of steps. */
#include <stdlib.h>

#include "base/xalloc.h"
#include "tui/tasks/task_jobs.h"

/* The query keeps what later ranges need. */
static void *range_start(struct app *a)
{
    struct query_request *q;

    if (!a->ui.timeline.chooses_range || !time_range_is_all(a->doc.result->options.time_range))
        return NULL;
    q = xcalloc(1, sizeof *q);
    query_request_of_displayed(q, a);
    q->spec.options.time_range = (struct time_range){.from_ps = 0, .to_ps = 1};
    return q;
}

static void range_run(void *request, struct cancel_mark cancel)
{
    struct err err = {0};

    result_free(query_request_run(request, cancel, &err));
    err_done(&err);
}

static void range_apply(struct app *a, void *request)
{
    (void)a, (void)request;
}

static void range_free(void *request)
{
    query_request_done(request);
    free(request);
}

const struct task range_task = {.queue = QUEUE_QUERY, .can_start = task_has_result,
                                .start = range_start, .run = range_run, .apply = range_apply,
                                .free = range_free, .is_quiet = true};
