/* act_fold.c: folding: what is seen, never what is summed. */
#include "tui/act.h"

/* A fold of one row splices the rows; the cursor stays. */
static void fold_one(struct app *a, bool open)
{
    const struct row_entry *e = &a->rows.v.data[a->cursor];
    struct folds *f = folds_copy(app_view(a)->folds);

    if (open)
        folds_open_chain(f, a->result, e->row);
    else
        folds_set(f, e->row, false);
    undo_remember(a);
    folds_unref(app_view(a)->folds);
    app_view(a)->folds = f;
    if (open)
        rows_open(&a->rows, a->cursor, f);
    else
        rows_close(&a->rows, a->cursor);
}

static void fold_below(struct app *a, bool open)
{
    const row_id row = app_row(a);
    struct folds *f = folds_copy(app_view(a)->folds);

    folds_set_range(f, row, a->result->tree->end[row], open);
    app_set_folds(a, f);
}

void act_fold(struct app *a, int op)
{
    const struct row_entry *e = &a->rows.v.data[a->cursor];
    const bool is_open = e->flags & ROW_OPEN;
    const bool below = op == FOLD_OPEN_ALL || op == FOLD_CLOSE_ALL || op == FOLD_TOGGLE_ALL;
    const bool open = op == FOLD_OPEN || op == FOLD_OPEN_ALL ||
                      ((op == FOLD_TOGGLE || op == FOLD_TOGGLE_ALL) && !is_open);

    if (!(e->flags & ROW_HAS_CHILDREN)) {
        if (!open && e->depth) { /* as in vim: the fold that holds the row */
            a->cursor = rows_parent(&a->rows, a->cursor);
            fold_one(a, false);
        } else {
            app_say(a, ROLE_DIM, "nothing is below this row");
        }
    } else if (below) {
        fold_below(a, open);
    } else if (is_open != open) {
        fold_one(a, open);
    } else {
        app_say(a, ROLE_DIM, open ? "this row is open" : "this row is folded");
    }
}

void act_fold_level(struct app *a, int level)
{
    struct folds *f = folds_copy(app_view(a)->folds);

    folds_set_level(f, a->result, (uint32_t)level);
    app_set_folds(a, f);
}

void act_fold_everything(struct app *a, int open)
{
    struct folds *f = folds_copy(app_view(a)->folds);

    folds_set_range(f, 0, a->result->tree->n_rows, open != 0);
    folds_set(f, 0, true);
    app_set_folds(a, f);
}

/* The deepest level that is open, or the highest that is closed. */
static uint32_t fold_level(const struct rows *rows, bool of_open)
{
    uint32_t level = of_open ? 0 : UINT32_MAX;

    for (size_t i = 0; i < rows->v.n; i++) {
        const struct row_entry *e = &rows->v.data[i];

        if (!(e->flags & ROW_HAS_CHILDREN))
            continue;
        if (of_open && (e->flags & ROW_OPEN) && e->depth > level)
            level = e->depth;
        if (!of_open && !(e->flags & ROW_OPEN) && e->depth < level)
            level = e->depth;
    }
    return level;
}

void act_fold_more(struct app *a, int direction)
{
    const uint32_t level = fold_level(&a->rows, direction < 0);

    if (direction > 0 && level == UINT32_MAX)
        app_say(a, ROLE_DIM, "everything is open");
    else if (direction < 0 && level == 0)
        app_say(a, ROLE_DIM, "everything is folded");
    else
        act_fold_level(a, direction > 0 ? (int)level + 1 : (int)level);
}
