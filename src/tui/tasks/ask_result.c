/* ask_result.c: aggregating what is wanted. */
#include <string.h>

#include "tui/tasks/ask_jobs.h"
#include "tui/exchange.h"

/* "loaded: 3 steps, OpLogProto": what came beside the first N_SEEN files. */
static void say_loaded(struct app *a, size_t n_seen)
{
    const struct profile *p = a->session->profile;
    struct strbuf text = {0};

    if (p->n_steps)
        sb_addf(&text, "%u step%s", p->n_steps, p->n_steps == 1 ? "" : "s");
    for (size_t i = n_seen; i < p->n_files; i++) {
        const char *format = p->files[i].format;
        const int len = (int)strcspn(format, ",");

        if (strncmp(format, "RunMetadata", (size_t)len) != 0) /* the steps */
            sb_addf(&text, "%s%.*s", text.len ? ", " : "", len, format);
    }
    app_say(a, ROLE_TEXT, "loaded: %s", text.len ? sb_text(&text) : "all files");
    sb_done(&text);
}

static void take(struct app *a, struct answer *answer)
{
    struct result *r = answer->result;

    answer->result = NULL;
    a->asker.running = false;
    if (r) {
        a->result_us = answer->took_us;
        if (a->incoming && r->profile == a->incoming->profile) {
            const size_t n_seen = a->session->profile->n_files;
            const uint32_t n_nodes = a->session->profile->n_nodes;

            exchange_session(a, answer->maps, r);
            if (a->loader.is_again)
                app_say(a, ROLE_TEXT, "%u nodes more", a->session->profile->n_nodes - n_nodes);
            else
                say_loaded(a, n_seen);
            a->loader.is_again = false;
        } else {
            app_show_result(a, r);
        }
        if (!load_check(r->profile, &answer->err))
            app_say_err(a, &answer->err);
    } else if (answer->err.kind != ERR_CANCELLED) {
        app_say_err(a, &answer->err);
        ask_want_seen(a);
        if (a->incoming && a->wanted.options.step >= 0) { /* a step that did not come */
            a->wanted.options.step = -1;
            ask_result(a);
        }
    }
}

/* Where the rows of the trees seen are in those of the new profile. */
static void map_rows(struct ask_job *job, struct answer *answer, struct cancel_mark cancel)
{
    for (int v = 0; v < VIEW_ADVISE && answer->result; v++) {
        struct result *r = answer->result;

        if (!job->seen[v])
            continue;
        if (r->view_id != (enum view_id)v)
            r = query_run(job->query, (enum view_id)v, &job->spec.options, cancel, &answer->err);
        if (r)
            rowmap_make(&answer->maps[v], job->seen[v], (struct tree *)(uintptr_t)r->tree);
        if (r != answer->result)
            result_free(r);
        if (!r) { /* all or nothing */
            result_free(answer->result);
            answer->result = NULL;
        }
    }
}

static void *run(void *arg, struct cancel_mark cancel)
{
    struct ask_job *job = arg;
    struct answer *answer = answer_new(take);
    const int64_t begin = job->now_us ? job->now_us() : 0;

    answer->result =
        query_run(job->query, job->spec.view, &job->spec.options, cancel, &answer->err);
    answer->took_us = job->now_us ? job->now_us() - begin : -1;
    map_rows(job, answer, cancel);
    return answer;
}

/* The question goes to the profile with all files: what is seen comes along. */
static void ask_incoming(struct app *a, struct ask_job *job)
{
    job->query = a->incoming->query;
    job->profile = a->incoming->profile;
    for (int v = 0; v < VIEW_COUNT; v++)
        job->seen[v] = a->views[v].tree ? tree_ref(a->views[v].tree) : NULL;
}

void ask_result(struct app *a)
{
    struct ask_job *job;

    if (!a->session)
        return;
    if (a->asker.exporting ||
        (a->asker.running && (a->result_us > QUICK_US || (a->result && a->incoming)))) {
        a->asker.again = true;
        return;
    }
    a->asker.again = false;
    a->asker.running = true;
    job = ask_job_new(a);
    if (a->incoming)
        ask_incoming(a, job);
    else if (a->loader.is_part && !profile_has_step(job->profile, job->spec.options.step))
        job->spec.options.step = -1; /* it is still being read */
    ask_submit(a, run, job);
}
