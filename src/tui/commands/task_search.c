/* task_search.c: finds the rows that a search matches. */
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "model/events.h"
#include "tui/commands/cmd.h"
#include "tui/tasks/task_jobs.h"

struct search_job {
    struct query_request request; /* about the displayed result */
    char *list;               /* list of regexes */
    bool wants_strings;       /* the displayed picture shows names that are not rows */
    uint32_t *before;         /* see query_count_matches(); NULL: failed */
    uint8_t *strings;         /* see struct search */
    struct err err;
};

static bool search_start(struct app *a, void *arg)
{
    struct search_job *job = arg;
    struct strbuf list = {0};

    if (!a->nav.search.regexes)
        return false;
    search_list(&a->nav.search, &list);
    job->list = sb_take(&list);
    job->wants_strings = search_in_picture(a);
    return true;
}

/* Matches the string ID unless SEEN, which has a flag per string, is set. */
static void match_string(struct search_job *job, const struct regexes *regexes, uint8_t *seen,
                         strid id)
{
    const struct text text = intern_string(&job->request.profile->strings, id);

    if (!seen[id])
        job->strings[id] = regexes_match(regexes, text.bytes, text.len) >= 0;
    seen[id] = 1;
}

/* The same for a string of the baseline. */
static void match_base(struct search_job *job, const struct regexes *regexes, uint8_t *seen,
                       strid string)
{
    const struct text text = intern_string(&job->request.base->strings, string);
    const strid id = intern_find(&job->request.profile->strings, text.bytes, text.len);

    if (id != STRID_NONE)
        match_string(job, regexes, seen, id);
}

/* Matches the names and types of nodes, and the names of events of both sides. */
static void match_strings(struct search_job *job, struct cancel_mark cancel)
{
    const struct profile *p = job->request.profile;
    const struct event_store *base = job->request.base ? job->request.base->events : NULL;
    uint8_t *seen = xcalloc(p->strings.n, 1);
    struct regexes *regexes = regexes_new(job->list, &job->err);

    job->strings = xcalloc(p->strings.n, 1);
    for (uint32_t node = 0; regexes && node < p->n_nodes && !cancel_asked(cancel); node++) {
        match_string(job, regexes, seen, p->name[node]);
        match_string(job, regexes, seen, p->op[node]);
    }
    for (uint32_t k = 0; regexes && p->events && k < p->events->n_kinds && !cancel_asked(cancel);
         k++)
        match_string(job, regexes, seen, p->events->kinds[k].name);
    for (uint32_t k = 0; regexes && base && k < base->n_kinds && !cancel_asked(cancel); k++)
        match_base(job, regexes, seen, base->kinds[k].name);
    regexes_free(regexes);
    free(seen);
}

static void search_run(void *arg, struct cancel_mark cancel)
{
    struct search_job *job = arg;
    struct result *r = query_request_run(&job->request, cancel, &job->err);

    if (!r)
        return;
    job->before = xcalloc((size_t)r->tree->n_rows + 1, sizeof *job->before);
    if (!query_count_matches(job->request.query, r, job->list, job->before, cancel, &job->err)) {
        free(job->before);
        job->before = NULL;
    } else if (job->wants_strings) {
        match_strings(job, cancel);
    }
    result_free(r);
}

static bool search_is_same(const struct app *a, const void *arg)
{
    const struct search_job *job = arg;
    struct strbuf list = {0};
    bool is_same;

    search_list(&a->nav.search, &list);
    is_same = a->nav.search.regexes && strcmp(sb_text(&list), job->list) == 0;
    sb_done(&list);
    return is_same;
}

static void search_apply(struct app *a, void *arg)
{
    struct search_job *job = arg;

    if (!job->before) {
        if (job->err.kind != ERR_CANCELLED)
            a->nav.search.then = 0; /* no matches will arrive */
        err_prefix(&job->err, "search '%s'", sb_text(&a->nav.search.text));
        app_print_err(a, &job->err);
        return;
    }
    search_set_matches(&a->nav.search, a->doc.result, job->before, job->strings);
    job->before = NULL;
    job->strings = NULL;
    search_arrived(a);
}

static void search_job_done(void *arg)
{
    struct search_job *job = arg;

    EACH(free, job->list, job->before, job->strings);
    err_done(&job->err);
}

const struct task search_task = {.queue = QUEUE_QUERY, .resumes = true,
                                 .can_start = task_has_result,
                                 .depends = DEPENDS_ON_PROFILE | DEPENDS_ON_RESULT,
                                 .is_same = search_is_same, .job_bytes = sizeof(struct search_job),
                                 .query = QUERY_DISPLAYED, .start = search_start,
                                 .run = search_run, .apply = search_apply, .done = search_job_done};
