/* task_export.c: exports a view in the background. */
#include <stdlib.h>

#include "base/xalloc.h"
#include "export/output.h"
#include "tui/tasks/loading.h"
#include "tui/tasks/task_jobs.h"
#include "tui/tasks/tasks.h"

struct export_job {
    struct query_request request;
    const struct table *table; /* NULL: the view */
    char *file;
    bool is_written;
    struct err err; /* error of writing */
};

static void write_table(struct export_job *job, const struct output_spec *spec,
                        struct cancel_mark cancel)
{
    const struct table_request request = query_request_of_table(&job->request, cancel);

    job->request.spec.options.order_by = ORDER_TOTAL; /* the displayed one orders the tree */
    job->is_written = output_make_table(spec, job->table, &request, NULL, &job->err);
}

static void export_run(void *arg, struct cancel_mark cancel)
{
    struct export_job *job = arg;
    struct query_request *q = &job->request;
    struct output_spec spec;
    struct output_request request;
    struct result *r;

    if (!output_parse(q->spec.options.output, &spec, &job->err))
        return;
    if (job->table) {
        write_table(job, &spec, cancel);
        output_spec_done(&spec);
        return;
    }
    output_adjust_options(spec.output, &q->spec.options);
    r = query_request_run(q, cancel, &job->err);
    request = (struct output_request){
        .spec = &spec, .result = r, .query = q->query, .inputs = q->profile, .cancel = cancel};
    job->is_written = r && output_fits(spec.output, r->view_id, r, &job->err) &&
                      output_make(&request, &job->err);
    result_free(r);
    output_spec_done(&spec);
}

static void export_apply(struct app *a, void *arg)
{
    struct export_job *job = arg;

    const char *part = load_part_name(a);

    if (job->is_written)
        app_print(a, ROLE_TEXT, "written%s%s: %s", part ? " of " : "", part ? part : "", job->file);
    else
        app_print_err(a, &job->err);
}

static void export_done(void *arg)
{
    struct export_job *job = arg;

    free(job->file);
    err_done(&job->err);
}

const struct task export_task = {.queue = QUEUE_QUERY, .user_waits = true,
                                 .job_bytes = sizeof(struct export_job), .query = QUERY_DISPLAYED,
                                 .run = export_run, .apply = export_apply, .done = export_done};

void export_begin(struct app *a, const struct options *options, const struct table *table,
                  const char *file)
{
    struct export_job *job = task_new_job(a, TASK_EXPORT);

    options_done(&job->request.spec.options);
    options_copy(&job->request.spec.options, options);
    job->table = table;
    job->file = xstrdup(file);
    task_begin(a, TASK_EXPORT, job);
}
