/* ask_export.c: writing a view beside the screen. */
#include "base/xalloc.h"
#include "export/output.h"
#include "tui/tasks/ask_jobs.h"

static void take(struct app *a, struct answer *answer)
{
    a->asker.exporting = false;
    if (answer->file)
        app_say(a, ROLE_TEXT, "written%s: %s", a->loader.is_part ? " of the graph alone" : "",
                answer->file);
    else
        app_say_err(a, &answer->err);
}

static void *run(void *arg, struct cancel_mark cancel)
{
    struct ask_job *job = arg;
    struct answer *answer = answer_new(take);
    struct output_spec spec;
    struct output_request request;
    struct result *r;

    if (!output_parse(job->spec.options.output, &spec, &answer->err))
        return answer;
    r = query_run(job->query, job->spec.view, &job->spec.options, cancel, &answer->err);
    request = (struct output_request){
        .spec = &spec, .result = r, .query = job->query, .inputs = job->profile, .cancel = cancel};
    if (r && output_fits(spec.output, r->view_id, r, &answer->err) &&
        output_make(&request, &answer->err)) {
        answer->file = job->file;
        job->file = NULL;
    }
    result_free(r);
    output_spec_done(&spec);
    return answer;
}

void ask_export(struct app *a, const struct options *options, const char *file)
{
    struct ask_job *job = ask_job_new(a);

    options_done(&job->spec.options);
    options_copy(&job->spec.options, options);
    job->spec.view = a->result->view_id;
    job->file = xstrdup(file);
    a->asker.exporting = true;
    a->asker.again |= a->asker.running;
    a->asker.running = false;
    ask_submit(a, run, job);
}
