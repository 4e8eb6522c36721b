/* cmd_fold.c: folding: changes the display, never sums. */
#include "tui/commands/cmd.h"
#include "tui/tasks/loading.h"
#include "tui/tasks/tasks.h"
#include "tui/undo.h"

/* Sets the folds to F (given), which differ at and below the row under the cursor. */
static void put_folds(struct app *a, struct folds *f)
{
    folds_unref(app_view(a)->folds);
    app_view(a)->folds = f;
    rows_build(a->nav.rows, a->doc.result, f, a->nav.reverse, NULL);
}

static void fold_one(struct app *a, bool open)
{
    const row_id row = app_row(a);
    struct folds *f = folds_copy(app_view(a)->folds);

    if (open)
        folds_open_chain(f, a->doc.result, row);
    else
        folds_set(f, row, false);
    undo_remember(a);
    put_folds(a, f);
}

static void fold_below(struct app *a, bool open)
{
    enum { ROWS_AT_ONCE = 16384 };
    const row_id row = app_row(a), end = a->doc.result->tree->end[row];
    struct folds *f;

    if (end - row > ROWS_AT_ONCE) {
        folds_request(a, (struct fold_wish){.kind = FOLD_WISH_BELOW, .row = row, .open = open});
        return;
    }
    f = folds_copy(app_view(a)->folds);
    folds_set_range(f, row, end, open);
    undo_remember(a);
    put_folds(a, f);
}

/* Loads the body of a call. False if there is none to load. */
static bool fold_load(struct app *a)
{
    const node_id call = app_cut_call(a, app_row(a));
    struct folds *f;

    if (call == NODE_NONE)
        return false;
    f = folds_copy(app_view(a)->folds);
    folds_set(f, app_row(a), true);
    put_folds(a, f);
    load_call(a, call);
    return true;
}

void cmd_fold(struct app *a, int op)
{
    const struct row_entry e = rows_at(a->nav.rows, a->nav.cursor);
    const bool is_open = e.flags & ROW_OPEN;
    const bool below = op == FOLD_OPEN_ALL || op == FOLD_CLOSE_ALL || op == FOLD_TOGGLE_ALL;
    const bool open = op == FOLD_OPEN || op == FOLD_OPEN_ALL ||
                      ((op == FOLD_TOGGLE || op == FOLD_TOGGLE_ALL) && !is_open);

    if (open && (is_open || !(e.flags & ROW_HAS_CHILDREN)) && fold_load(a))
        return;
    if (!(e.flags & ROW_HAS_CHILDREN)) {
        if (!open && e.depth) { /* as in vim: closes the fold around the row */
            a->nav.cursor = e.parent_at;
            fold_one(a, false);
        } else {
            app_print(a, ROLE_DIM, "nothing is below this row");
        }
    } else if (below) {
        fold_below(a, open);
    } else if (is_open != open) {
        fold_one(a, open);
    } else {
        app_print(a, ROLE_DIM, open ? "this row is open" : "this row is folded");
    }
}

void cmd_fold_level(struct app *a, int level)
{
    folds_request(a, (struct fold_wish){.kind = FOLD_WISH_LEVEL, .level = (uint32_t)level});
}

void cmd_fold_everything(struct app *a, int open)
{
    folds_request(a, (struct fold_wish){.kind = FOLD_WISH_EVERYTHING, .open = open != 0});
}

void cmd_fold_more(struct app *a, int direction)
{
    folds_request(a, (struct fold_wish){.kind = FOLD_WISH_NEXT, .open = direction > 0});
}
