/* runs_menu.c: the runs of a log folder as a list, of which Enter opens one. */
#include "tui/dialogs/runs_menu.h"

#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "base/xalloc.h"
#include "session/runs_text.h"
#include "tui/app.h"
#include "tui/dialogs/menu.h"

static void choose_run(struct app *a, intptr_t at)
{
    task_stop(a, TASK_RUNS);
    load_run_of_folder(a, a->runs_seen.runs.list.data[at].path);
}

static struct menu *find_menu(const struct app *a)
{
    for (struct overlay *o = a->top; o; o = o->below) {
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

static void add_run(struct menu *m, const struct runs_seen *seen, size_t i)
{
    const struct log_run *run = &seen->runs.list.data[i];
    struct strbuf name = {0}, label = {0}, facts = {0};

    run_name(&name, run, seen->folder);
    utf8_escape(&label, sb_text(&name), name.len);
    run_facts(&facts, run);
    menu_add(m, (intptr_t)i, sb_text(&label), sb_text(&facts));
    sb_done(&name);
    sb_done(&label);
    sb_done(&facts);
}

/* The list as it is known, with the cursor where it was. */
static void show(struct app *a)
{
    const struct runs_seen *seen = &a->runs_seen;
    struct menu *m = find_menu(a);
    const size_t at = m ? m->at : 0;

    if (m)
        overlay_remove(a, &m->overlay);
    m = menu_open(a, "Runs: Enter opens one, O lists them again", choose_run);
    for (size_t i = 0; i < seen->runs.list.n; i++)
        add_run(m, seen, i);
    m->at = at < m->items.n ? at : 0;
    task_want(a, TASK_RUNS);
}

static void set_folder(struct app *a, const char *folder)
{
    task_stop(a, TASK_RUNS);
    runs_seen_done(&a->runs_seen);
    a->runs_seen.folder = xstrdup(folder);
}

void runs_menu_show(struct app *a, const char *folder, struct log_runs *runs)
{
    set_folder(a, folder);
    runs_menu_renew(a, runs);
    show(a);
}

void runs_menu_open(struct app *a)
{
    const struct profile *p = a->session ? a->session->profile : NULL;

    if (!a->runs_seen.folder) {
        char *around = p && p->n_files ? runs_folder_around(p->files[0].path) : NULL;

        if (!around) {
            app_say(a, ROLE_NOTE, "no file has been read whose neighbours could be listed");
            return;
        }
        set_folder(a, around);
        free(around);
    }
    a->runs_seen.is_old = true;
    show(a);
}

static bool is_same(const struct log_run *x, const struct log_run *y)
{
    return strcmp(x->path, y->path) == 0 && x->size_bytes == y->size_bytes &&
           x->changed_s == y->changed_s;
}

void runs_menu_renew(struct app *a, struct log_runs *runs)
{
    struct runs_seen *seen = &a->runs_seen;
    bool is_new = seen->runs.list.n != runs->list.n;

    seen->is_old = false;
    for (size_t i = 0; i < runs->list.n && !is_new; i++)
        is_new = !is_same(&seen->runs.list.data[i], &runs->list.data[i]);
    if (!runs->list.n)
        app_say(a, ROLE_NOTE, "%s: has no runs: neither captures nor event files", seen->folder);
    if (!is_new)
        return;
    if (runs->is_cut)
        app_say(a, ROLE_NOTE, "there are more folders below %s than are looked into", seen->folder);
    runs_done(&seen->runs);
    seen->runs = *runs;
    seen->n_counted = 0;
    *runs = (struct log_runs){.is_cut = false};
    if (runs_menu_is_open(a))
        show(a);
}

void runs_menu_counted(struct app *a, int64_t n_steps)
{
    struct runs_seen *seen = &a->runs_seen;
    const size_t i = seen->n_counted++;
    struct menu *m = find_menu(a);
    struct strbuf facts = {0};
    struct menu_item *item;

    seen->runs.list.data[i].n_steps = n_steps;
    if (!m)
        return;
    item = &m->items.data[i];
    run_facts(&facts, &seen->runs.list.data[i]);
    free(item->note);
    item->note = sb_take(&facts);
}

void runs_seen_done(struct runs_seen *seen)
{
    runs_done(&seen->runs);
    free(seen->folder);
    *seen = (struct runs_seen){.folder = NULL};
}
