/* runs_menu.c: the list of runs of a log folder, updated in the background. Enter opens one. */
#include "tui/dialogs/runs_menu.h"

#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "base/xalloc.h"
#include "session/runs_text.h"
#include "tui/app.h"
#include "tui/dialogs/menu.h"
#include "tui/tasks/loading.h"
#include "tui/tasks/task_jobs.h"
#include "tui/tasks/tasks.h"

static void choose_run(struct app *a, intptr_t at)
{
    task_stop(a, TASK_RUNS);
    load_run_of_folder(a, a->doc.listed_runs.runs.list.data[at].path);
}

static struct menu *find_menu(const struct app *a)
{
    for (struct overlay *o = a->ui.top; o; o = o->below) {
        struct menu *m = menu_from(o);

        if (m && m->choose == choose_run)
            return m;
    }
    return NULL;
}

bool runs_menu_is_open(const struct app *a)
{
    return find_menu(a) != NULL;
}

static void add_run(struct menu *m, const struct listed_runs *listed, size_t i)
{
    const struct log_run *run = &listed->runs.list.data[i];
    struct strbuf name = {0}, label = {0}, facts = {0};

    run_name(&name, run, listed->folder);
    utf8_escape(&label, sb_text(&name), name.len);
    run_facts(&facts, run);
    menu_add(m, (intptr_t)i, sb_text(&label), sb_text(&facts));
    EACH(sb_done, &name, &label, &facts);
}

/* Shows the known list. The cursor stays. */
static void show(struct app *a)
{
    const struct listed_runs *listed = &a->doc.listed_runs;
    struct menu *m = find_menu(a);
    const size_t at = m ? m->overlay.at : 0;

    if (m)
        overlay_remove(a, &m->overlay);
    m = menu_open(a, "Runs: Enter opens one, O lists them again", choose_run);
    for (size_t i = 0; i < listed->runs.list.n; i++)
        add_run(m, listed, i);
    m->overlay.at = at < m->items.n ? at : 0;
    task_request(a, TASK_RUNS);
}

static void report_cut(struct app *a)
{
    if (a->doc.listed_runs.runs.is_cut)
        app_print(a, ROLE_NOTE, "%s has too many folders: only some were searched",
                  a->doc.listed_runs.folder);
}

void runs_menu_open(struct app *a, int arg UNUSED)
{
    const struct profile *p = a->doc.session ? a->doc.session->profile : NULL;
    struct listed_runs *listed = &a->doc.listed_runs;

    if (!listed->folder) {
        char *around = p && p->n_files ? runs_folder_around(p->files[0].path) : NULL;

        if (!around) {
            app_print(a, ROLE_NOTE, "no log folder is open");
            return;
        }
        listed->folder = around;
    }
    listed->is_old = !listed->is_new;
    listed->is_new = false;
    report_cut(a);
    show(a);
}

static bool is_same(const struct log_run *x, const struct log_run *y)
{
    return strcmp(x->path, y->path) == 0 && x->size_bytes == y->size_bytes &&
           x->changed_s == y->changed_s;
}

/* Replaces the known runs by RUNS (consumed) if they differ. */
static void runs_menu_renew(struct app *a, struct log_runs *runs)
{
    struct listed_runs *listed = &a->doc.listed_runs;
    bool is_new = listed->runs.list.n != runs->list.n;

    listed->is_old = false;
    for (size_t i = 0; i < runs->list.n && !is_new; i++)
        is_new = !is_same(&listed->runs.list.data[i], &runs->list.data[i]);
    if (!runs->list.n)
        app_print(a, ROLE_NOTE, "%s: has no runs: neither captures nor event files",
                  listed->folder);
    if (!is_new)
        return;
    runs_done(&listed->runs);
    listed->runs = *runs;
    listed->n_counted = 0;
    *runs = (struct log_runs){.is_cut = false};
    report_cut(a);
    if (runs_menu_is_open(a))
        show(a);
}

/* Sets the number of steps of the next uncounted run, and shows it. */
static void runs_menu_counted(struct app *a, int64_t n_steps)
{
    struct listed_runs *listed = &a->doc.listed_runs;
    const size_t i = listed->n_counted++;
    struct menu *m = find_menu(a);
    struct strbuf facts = {0};
    struct menu_item *item;

    listed->runs.list.data[i].n_steps = n_steps;
    if (!m)
        return;
    item = &m->items.data[i];
    run_facts(&facts, &listed->runs.list.data[i]);
    free(item->note);
    item->note = sb_take(&facts);
}

struct runs_job {
    char *folder;         /* folder to list; NULL: a run is counted */
    struct log_runs runs; /* runs found */
    struct log_run run;   /* its path is owned */
};

static bool runs_can_start(const struct app *a)
{
    return !load_is_open(a);
}

/* One run at a time, so that opening a run does not wait for all of them. */
static bool runs_start(struct app *a, void *arg)
{
    const struct listed_runs *listed = &a->doc.listed_runs;
    struct runs_job *job = arg;

    if (!runs_menu_is_open(a) || (!listed->is_old && listed->n_counted >= listed->runs.list.n))
        return false;
    if (listed->is_old) {
        job->folder = xstrdup(listed->folder);
        return true;
    }
    job->run = listed->runs.list.data[listed->n_counted];
    job->run.path = xstrdup(job->run.path);
    return true;
}

static void runs_run(void *arg, struct cancel_mark cancel)
{
    struct runs_job *job = arg;
    struct err ignored = {0}; /* reported when the run is opened */

    if (job->folder)
        runs_find(&job->runs, job->folder, cancel);
    else
        run_count_steps(&job->run, cancel, &ignored);
    err_done(&ignored);
}

/* True when the list is still of the folder, or the run is the next one to count. */
static bool runs_are_same(const struct app *a, const void *arg)
{
    const struct runs_job *job = arg;
    const struct listed_runs *listed = &a->doc.listed_runs;

    if (job->folder)
        return listed->folder && strcmp(listed->folder, job->folder) == 0;
    return listed->n_counted < listed->runs.list.n &&
           strcmp(listed->runs.list.data[listed->n_counted].path, job->run.path) == 0;
}

static void runs_apply(struct app *a, void *arg)
{
    struct runs_job *job = arg;

    if (job->folder)
        runs_menu_renew(a, &job->runs);
    else
        runs_menu_counted(a, job->run.n_steps);
    task_request(a, TASK_RUNS);
}

static void runs_job_done(void *arg)
{
    struct runs_job *job = arg;

    EACH(free, job->folder, job->run.path);
    runs_done(&job->runs);
}

const struct task runs_task = {.queue = QUEUE_READ, .can_start = runs_can_start, .resumes = true,
                               .is_same = runs_are_same, .job_bytes = sizeof(struct runs_job),
                               .start = runs_start, .run = runs_run, .apply = runs_apply,
                               .done = runs_job_done};
