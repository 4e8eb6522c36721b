/* exchange.c: carrying what the screen remembers over to another profile. */
#include "tui/exchange.h"

#include <stdlib.h>
#include <string.h>

#include "tui/tasks/ask_jobs.h"
#include "tui/keep.h"
#include "tui/panes/summary_text.h"

static void forget(struct tree **tree, struct folds **folds)
{
    tree_unref(*tree);
    folds_unref(*folds);
    *tree = NULL;
    *folds = NULL;
}

static void carry_view(struct view_seen *seen, const struct rowmap *m)
{
    struct folds *folds;

    if (!seen->tree)
        return;
    if (seen->tree->n_rows == 1) { /* nothing was there to be seen */
        forget(&seen->tree, &seen->folds);
        *seen = (struct view_seen){.tree = NULL};
        return;
    }
    folds = rowmap_folds(m, seen->folds);
    folds_unref(seen->folds);
    seen->folds = folds;
    seen->cursor = rowmap_row(m, seen->cursor);
    tree_unref(seen->tree);
    seen->tree = tree_ref(m->to);
}

/* Folds of one tree that many states share. */
struct carried {
    const struct folds *from; /* with a reference while it is here */
    struct folds *to;
};

static struct folds *carry_folds(struct carried *last, const struct rowmap *m, struct folds *f)
{
    if (last->from != f) {
        folds_unref((struct folds *)(uintptr_t)last->from);
        folds_unref(last->to);
        last->from = folds_ref(f);
        last->to = rowmap_folds(m, f);
    }
    folds_unref(f);
    return folds_ref(last->to);
}

static void carry_snapshot(struct snapshot *s, const struct rowmap *maps, struct carried *last)
{
    const struct rowmap *m = &maps[s->spec.view];

    if (!s->tree)
        return;
    if (m->from == s->tree) {
        s->folds = carry_folds(last, m, s->folds);
        s->cursor = rowmap_row(m, s->cursor);
        tree_unref(s->tree);
        s->tree = tree_ref(m->to);
        return;
    }
    /* Of a tree that another option made: options and view are what is left. */
    forget(&s->tree, &s->folds);
}

static void carry_undo(struct undo *u, const struct rowmap *maps)
{
    struct carried last = {NULL, NULL};

    for (size_t i = 0; i < u->past.n; i++)
        carry_snapshot(&u->past.data[i], maps, &last);
    for (size_t i = 0; i < u->future.n; i++)
        carry_snapshot(&u->future.data[i], maps, &last);
    if (u->is_coming)
        carry_snapshot(&u->coming, maps, &last);
    folds_unref((struct folds *)(uintptr_t)last.from);
    folds_unref(last.to);
}

static void carry_place(struct place *place, const struct rowmap *maps)
{
    if (place->set && place->row && maps[place->view].from)
        place->row = rowmap_row(&maps[place->view], place->row);
}

static void carry_places(struct places *p, const struct rowmap *maps)
{
    for (size_t i = 0; i < p->jumps.n; i++)
        carry_place(&p->jumps.data[i], maps);
    for (size_t i = 0; i < p->marked.n; i++)
        carry_place(&p->marked.data[i], maps);
    for (int i = 0; i < PLACE_LETTERS; i++)
        carry_place(&p->letters[i], maps);
}

static void carry_search(struct search *s, const struct rowmap *maps)
{
    struct folds *folds;

    search_forget(s); /* its matches are looked for again */
    for (int v = 0; v < VIEW_COUNT && s->tree; v++) {
        const struct rowmap *m = &maps[v];

        if (m->from != s->tree)
            continue;
        folds = rowmap_folds(m, s->folds);
        folds_unref(s->folds);
        s->folds = folds;
        s->from = rowmap_row(m, s->from);
        tree_unref(s->tree);
        s->tree = tree_ref(m->to);
        return;
    }
    forget(&s->tree, &s->folds);
}

static void nothing(struct app *a, struct answer *answer)
{
    (void)a;
    (void)answer;
}

/* Does nothing: the job's end frees its sessions, beside the screen. */
static void *run(void *arg, struct cancel_mark cancel)
{
    (void)arg;
    (void)cancel;
    return answer_new(nothing);
}

static void close_beside(struct app *a, struct session *s, struct session *compared)
{
    struct ask_job *job = ask_job_new(a);

    job->session = s;
    job->compared = compared;
    ask_submit_reading(a, run, job);
}

/* What was opened stays open whatever is undone: it is part of what is loaded. */
static void carry_inputs(struct app *a)
{
    const struct option *opt = option_find("open_calls");
    snapshot_list *const lists[] = {&a->undo.past, &a->undo.future};
    struct strbuf value = {0};
    struct err err = {0};

    option_print(&value, &a->wanted.options, opt);
    for (size_t k = 0; k < 2; k++)
        for (size_t i = 0; i < lists[k]->n; i++)
            option_set(&lists[k]->data[i].spec.options, opt, sb_text(&value), &err);
    if (a->undo.is_coming)
        option_set(&a->undo.coming.spec.options, opt, sb_text(&value), &err);
    err_done(&err);
    sb_done(&value);
}

/* The same node in the profile that comes. */
static node_id carry_node(const struct app *a, node_id node)
{
    const struct profile *p = a->session->profile;

    if (node == NODE_NONE)
        return NODE_NONE;
    return profile_find(a->incoming->profile, profile_text(p, p->name[node]),
                        intern_len(&p->strings, p->name[node]));
}

void exchange_session(struct app *a, const struct rowmap *maps, struct result *result)
{
    struct session *old = a->session, *compared = NULL;

    if (a->result)
        app_view(a)->cursor = app_row(a);
    for (int v = 0; v < VIEW_COUNT; v++)
        carry_view(&a->views[v], &maps[v]);
    carry_undo(&a->undo, maps);
    carry_inputs(a);
    a->anchor = carry_node(a, a->anchor);
    carry_places(&a->places, maps);
    carry_place(&a->goal, maps);
    carry_search(&a->search, maps);
    rows_clear(a->rows);
    compare_forget(&a->compare);
    if (!a->loader.is_part) { /* what it is compared with is read again, too */
        compared = a->compare.session;
        a->compare.session = NULL;
    }
    consumers_done(&a->consumers);
    groups_unref(a->groups);
    a->groups = NULL;
    lines_clear(&a->details.lines);
    advice_free(a->advice);
    a->advice = NULL;
    preview_free(a->asker.preview);
    a->asker.preview = NULL;
    a->session = a->incoming;
    a->incoming = NULL;
    a->loader.is_part = false;
    keep_restore_marks(a);
    app_show_result(a, result);
    summary_renew(a);
    close_beside(a, old, compared);
}
