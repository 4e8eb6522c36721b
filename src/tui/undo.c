/* undo.c: states of the screen for undo and redo. */
#include "tui/undo.h"

#include "tui/app.h"

struct snapshot undo_snapshot(struct app *a)
{
    struct snapshot s = {.reverse = a->nav.reverse, .spec.view = a->doc.requested.view};
    struct view_state *state = a->doc.result ? app_view(a) : NULL;

    options_copy(&s.spec.options, &a->doc.requested.options);
    if (state && state->tree && a->doc.result->view_id == a->doc.requested.view) {
        s.tree = tree_ref(state->tree);
        s.folds = folds_ref(state->folds);
        s.cursor = app_row(a);
        s.top = state->top;
    }
    return s;
}

void undo_forget(struct snapshot *s)
{
    options_done(&s->spec.options);
    tree_unref(s->tree);
    folds_unref(s->folds);
}

static void forget_all(snapshot_list *list)
{
    for (size_t i = 0; i < list->n; i++)
        undo_forget(&list->data[i]);
    list->n = 0;
}

/* The current state for a list: the pending one, else the displayed one. */
static struct snapshot take_current(struct app *a)
{
    struct undo *u = &a->nav.undo;

    if (!u->is_pending) {
        u->n_steps = 0;
        return undo_snapshot(a);
    }
    u->is_pending = false;
    return u->pending;
}

void undo_remember(struct app *a)
{
    struct undo *u = &a->nav.undo;
    struct snapshot now = take_current(a);

    forget_all(&u->future);
    if (u->past.n == UNDO_MAX) {
        undo_forget(&u->past.data[0]);
        memmove(u->past.data, u->past.data + 1, --u->past.n * sizeof *u->past.data);
    }
    vec_push(&u->past, now);
}

/* Exchanges PRESENT for its neighbour in DIRECTION. False if it has none. */
static bool shift(struct undo *u, struct snapshot *present, int direction)
{
    snapshot_list *from = direction < 0 ? &u->past : &u->future;
    snapshot_list *to = direction < 0 ? &u->future : &u->past;

    if (!from->n)
        return false;
    vec_push(to, *present);
    *present = from->data[--from->n];
    u->n_steps += direction;
    return true;
}

bool undo_step(struct app *a, int direction)
{
    struct undo *u = &a->nav.undo;

    if ((direction < 0 ? u->past.n : u->future.n) == 0)
        return false;
    u->pending = take_current(a);
    u->is_pending = true;
    shift(u, &u->pending, direction);
    app_try(a, u->pending.spec.view, &u->pending.spec.options);
    return true;
}

/* Copies the options of S with the current inputs. */
static void copy_options(struct options *to, const struct snapshot *s, const struct options *now)
{
    options_copy(to, &s->spec.options);
    array_each(const struct option, opt, option_table, option_table_n) {
        struct strbuf value = {0};
        struct err err = {0};

        if (opt->stages == STAGE_LOAD) {
            option_print(&value, now, opt);
            option_set(to, opt, sb_text(&value), &err);
        }
        err_done(&err);
        sb_done(&value);
    }
}

void undo_go(struct app *a, const struct snapshot *s)
{
    struct undo *u = &a->nav.undo;
    struct snapshot to = *s;

    copy_options(&to.spec.options, s, &a->doc.requested.options);
    to.tree = s->tree ? tree_ref(s->tree) : NULL;
    to.folds = s->tree ? folds_ref(s->folds) : NULL;
    undo_remember(a);
    u->pending = to;
    u->is_pending = true;
    app_try(a, to.spec.view, &u->pending.spec.options);
}

void undo_abandon(struct app *a)
{
    struct undo *u = &a->nav.undo;

    if (!u->is_pending)
        return;
    while (u->n_steps && shift(u, &u->pending, u->n_steps < 0 ? 1 : -1))
        ;
    u->is_pending = false;
    undo_forget(&u->pending);
}

void undo_drop(struct app *a)
{
    if (undo_step(a, -1))
        undo_forget(&a->nav.undo.future.data[--a->nav.undo.future.n]);
}

bool undo_restore_pending(struct app *a)
{
    struct undo *u = &a->nav.undo;
    struct snapshot *s = &u->pending;
    struct view_state *state = app_view(a);

    if (!u->is_pending || a->doc.result->view_id != s->spec.view)
        return false;
    u->is_pending = false;
    a->nav.reverse = s->reverse;
    if (s->tree) {
        struct folds *folds = folds_remap(s->folds, s->tree, state->tree);

        folds_unref(state->folds);
        state->folds = folds;
        state->cursor = s->cursor;
        state->top = s->top;
    }
    undo_forget(s);
    return true;
}

struct folds *undo_pending_folds(const struct app *a, enum view_id view)
{
    const struct snapshot *s = &a->nav.undo.pending;
    const bool fits = a->nav.undo.is_pending && s->spec.view == view && s->tree;

    return fits && s->tree == a->nav.views[view].tree ? s->folds : NULL;
}

void undo_difference(struct strbuf *sb, const struct snapshot *a, const struct snapshot *b)
{
    const size_t before = sb->len;

    if (a->spec.view != b->spec.view)
        sb_addf(sb, "%s view", view_names[b->spec.view]);
    array_each(const struct option, opt, option_table, option_table_n) {
        if (opt->stands_for || option_equal(&a->spec.options, &b->spec.options, opt))
            continue;
        sb_addf(sb, "%s-%s ", sb->len > before ? " " : "", opt->name);
        option_print(sb, &b->spec.options, opt);
    }
    if (sb->len == before)
        sb_adds(sb, a->reverse != b->reverse ? "order reversed" : "folds");
}

void undo_done(struct undo *u)
{
    forget_all(&u->past);
    forget_all(&u->future);
    if (u->is_pending)
        undo_forget(&u->pending);
    EACH(vec_done, &u->past, &u->future);
}

/* Folds of a tree, shared by many states. */
struct shared_folds {
    const struct folds *from; /* with a reference */
    struct folds *to;
};

static struct folds *remap_folds(struct shared_folds *last, const struct rowmap *m, struct folds *f)
{
    if (last->from != f) {
        EACH(folds_unref, (struct folds *)(uintptr_t)last->from, last->to);
        last->from = folds_ref(f);
        last->to = rowmap_folds(m, f);
    }
    folds_unref(f);
    return folds_ref(last->to);
}

static void remap_snapshot(struct snapshot *s, const struct rowmap *maps, struct shared_folds *last)
{
    const struct rowmap *m = &maps[s->spec.view];

    if (!s->tree)
        return;
    if (m->from == s->tree) {
        s->folds = remap_folds(last, m, s->folds);
        s->cursor = rowmap_row(m, s->cursor);
        tree_unref(s->tree);
        s->tree = tree_ref(m->to);
        return;
    }
    /* The tree was built with other options: only options and view are kept. */
    tree_unref(s->tree);
    folds_unref(s->folds);
    s->tree = NULL;
    s->folds = NULL;
}

void undo_remap_state(struct snapshot *s, const struct rowmap *maps)
{
    struct shared_folds last = {NULL, NULL};

    remap_snapshot(s, maps, &last);
    EACH(folds_unref, (struct folds *)(uintptr_t)last.from, last.to);
}

void undo_remap(struct undo *u, const struct rowmap *maps)
{
    struct shared_folds last = {NULL, NULL};

    for (size_t i = 0; i < u->past.n; i++)
        remap_snapshot(&u->past.data[i], maps, &last);
    for (size_t i = 0; i < u->future.n; i++)
        remap_snapshot(&u->future.data[i], maps, &last);
    if (u->is_pending)
        remap_snapshot(&u->pending, maps, &last);
    EACH(folds_unref, (struct folds *)(uintptr_t)last.from, last.to);
}

void undo_set_option(struct undo *u, const struct option *option, const struct options *from)
{
    snapshot_list *const lists[] = {&u->past, &u->future};
    struct strbuf value = {0};
    struct err err = {0};

    option_print(&value, from, option);
    for (size_t k = 0; k < 2; k++)
        for (size_t i = 0; i < lists[k]->n; i++)
            option_set(&lists[k]->data[i].spec.options, option, sb_text(&value), &err);
    if (u->is_pending)
        option_set(&u->pending.spec.options, option, sb_text(&value), &err);
    err_done(&err);
    sb_done(&value);
}
