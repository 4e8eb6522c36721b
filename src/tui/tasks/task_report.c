/* task_report.c: writes the notes as a document in the background. */
#include <stdlib.h>

#include "base/xalloc.h"
#include "session/row_notes.h"
#include "tui/tasks/task_jobs.h"
#include "tui/tasks/tasks.h"

struct report_job {
    struct query_request request; /* about the displayed result */
    struct row_notes notes;   /* a copy */
    char *command;
    const char *output; /* a constant */
    char *file;
    bool is_written;
    struct err err; /* error of writing */
};

static void report_run(void *arg, struct cancel_mark cancel)
{
    struct report_job *job = arg;
    struct output_spec spec = {.output = output_find(job->output), .outfile = job->file};
    struct result *r = query_request_run(&job->request, cancel, &job->err);
    struct words summary = {0};

    if (!r)
        return;
    row_notes_summary(&summary, r);
    job->is_written = output_make(
        &(struct output_request){
            .spec = &spec,
            .notes = &(struct note_report){job->command, job->notes.v.data, job->notes.v.n,
                                           (const char *const *)summary.items, summary.n},
            .inputs = job->request.profile,
            .cancel = cancel},
        &job->err);
    words_done(&summary);
    result_free(r);
}

static void report_apply(struct app *a, void *arg)
{
    struct report_job *job = arg;

    if (job->is_written)
        app_print(a, ROLE_TEXT, "written: %s, %zu note%s", job->file, job->notes.v.n,
                  job->notes.v.n == 1 ? "" : "s");
    else
        app_print_err(a, &job->err);
}

static void report_done(void *arg)
{
    struct report_job *job = arg;

    row_notes_done(&job->notes);
    EACH(free, job->command, job->file);
    err_done(&job->err);
}

const struct task report_task = {.queue = QUEUE_QUERY, .user_waits = true,
                                 .job_bytes = sizeof(struct report_job), .query = QUERY_DISPLAYED,
                                 .run = report_run, .apply = report_apply, .done = report_done};

void report_begin(struct app *a, const char *output, const char *file)
{
    struct report_job *job = task_new_job(a, TASK_REPORT);
    struct strbuf command = {0};

    row_notes_copy(&job->notes, &a->doc.notes.rows);
    session_print_command(&command, a->doc.session, a->doc.result->view_id,
                          &a->doc.result->options);
    job->command = sb_take(&command);
    job->output = output;
    job->file = xstrdup(file);
    task_begin(a, TASK_REPORT, job);
}
