/* task_range.c: prepares the first query of a time range while the user chooses it: memory for
 * another set of columns, and the starts of steps. */
#include "tui/tasks/task_jobs.h"

/* The query keeps what later ranges need. */
static bool range_start(struct app *a, void *request)
{
    struct query_request *q = request;

    q->spec.options.time_range = (struct time_range){.from_ps = 0, .to_ps = 1};
    return a->ui.timeline.chooses_range && time_range_is_all(a->doc.result->options.time_range);
}

static void range_run(void *request, struct cancel_mark cancel)
{
    struct err err = {0};

    result_free(query_request_run(request, cancel, &err));
    err_done(&err);
}

const struct task range_task = {.queue = QUEUE_QUERY, .can_start = task_has_result,
                                .job_bytes = sizeof(struct query_request), .query = QUERY_DISPLAYED,
                                .start = range_start, .run = range_run, .is_quiet = true};
