/* ask_search.c: finding the rows that a search matches. */
#include <stdlib.h>

#include "base/xalloc.h"
#include "tui/commands/act.h"
#include "tui/tasks/ask_jobs.h"

static void take(struct app *a, struct answer *answer)
{
    a->asker.searching = false;
    if (!answer->before) {
        if (answer->err.kind != ERR_CANCELLED)
            a->search.then = 0; /* nobody is to wait for it */
        err_prefix(&answer->err, "search '%s'", sb_text(&a->search.text));
        app_say_err(a, &answer->err);
        return;
    }
    search_take(a, answer->before);
    answer->before = NULL;
    search_arrived(a);
}

static void *run(void *arg, struct cancel_mark cancel)
{
    struct ask_job *job = arg;
    struct answer *answer = answer_new(take);
    struct result *r =
        query_run(job->query, job->spec.view, &job->spec.options, cancel, &answer->err);

    if (!r)
        return answer;
    answer->before = xcalloc((size_t)r->tree->n_rows + 1, sizeof *answer->before);
    if (!query_count_matches(job->query, r, job->value, answer->before, cancel, &answer->err)) {
        free(answer->before);
        answer->before = NULL;
    }
    result_free(r);
    return answer;
}

void ask_submit_search(struct app *a)
{
    struct ask_job *job = ask_job_of_seen(a);
    struct strbuf list = {0};

    search_list(&a->search, &list);
    job->value = sb_take(&list);
    ask_submit(a, run, job);
    a->asker.search_waits = false;
    a->asker.searching = true;
}

void ask_search(struct app *a)
{
    a->asker.search_waits = true;
    if (a->result && !a->asker.running && !a->asker.exporting)
        ask_submit_search(a);
}
