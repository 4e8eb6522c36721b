/* app_show.c: displays results. */
#include <string.h>

#include "tui/app.h"
#include "tui/commands/cmd.h"
#include "tui/drill.h"
#include "tui/panes/pane.h"
#include "tui/places.h"
#include "tui/rows/figures.h"
#include "tui/tables/table_pane.h"
#include "tui/tasks/tasks.h"
#include "tui/ui_state.h"
#include "tui/undo.h"

/* Folds of a view that is displayed for the first time: those of COUNTS, else new ones. */
static struct folds *first_folds(struct app *a, struct result *r, const struct row_counts *counts)
{
    struct folds *folds;

    if (counts && counts->tree == r->tree)
        return folds_ref(counts->folds);
    folds = folds_new(r->tree->n_rows);
    folds_open_first(folds, r, figure_primary(&r->options));
    ui_state_open_folds(a, r->view_id, r->tree, folds);
    return folds;
}

/* Sets folds and cursor of R's view. Returns the row of the cursor. */
static row_id settle_view(struct app *a, struct result *r, const struct row_counts *counts)
{
    struct view_state *state = &a->nav.views[r->view_id];
    struct tree *tree = tree_ref((struct tree *)(uintptr_t)r->tree);

    if (!state->tree) {
        state->folds = first_folds(a, r, counts);
    } else if (state->tree != tree) {
        struct folds *folds = folds_remap(state->folds, state->tree, tree);

        folds_unref(state->folds);
        state->folds = folds;
    }
    tree_unref(state->tree);
    state->tree = tree;
    if (state->cursor >= tree->n_rows)
        state->cursor = 0;
    return state->cursor;
}

/* The row of the anchor in R, else FALLBACK. */
static row_id row_at_anchor(struct app *a, const struct result *r, row_id fallback)
{
    const row_id row = a->nav.anchor == NODE_NONE ? ROW_NONE
                       : r->view_id == VIEW_CODE
                           ? user_code_row(r->tree, a->nav.anchor, a->nav.goes_to_frame)
                           : r->tree->row_of_node[a->nav.anchor];

    /* The cursor stays on a group that contains the node. */
    if (row == ROW_NONE || (fallback && row >= fallback && row < r->tree->end[fallback]))
        return fallback;
    return row;
}

static bool has_note(const struct result *r, const char *line)
{
    for (size_t i = 0; i < r->notes.n; i++)
        if (strcmp(r->notes.data[i].text, line) == 0)
            return true;
    return false;
}

/* Reports the last note of R that OLD, the previous result, did not have. */
static void show_new_note(struct app *a, const struct result *old, const struct result *r)
{
    for (size_t i = r->notes.n; i-- > 0;)
        if (!old || !has_note(old, r->notes.data[i].text)) {
            app_print(a, ROLE_NOTE, "%s", r->notes.data[i].text);
            return;
        }
}

/* True when R is the result of a query with options O. */
static bool result_matches(const struct result *r, const struct options *o)
{
    struct options asked = r->options;

    asked.step = r->asked_step;
    asked.diff_step = r->asked_diff_step;
    return options_equal(&asked, o);
}

static void forget_kept(struct view_state *state)
{
    rows_clear(state->rows);
    result_free(state->kept);
    state->kept = NULL;
}

/* Makes R the displayed result. Returns the result to free; may be NULL. */
static struct result *exchange_result(struct app *a, struct result *r)
{
    struct view_state *view = &a->nav.views[r->view_id];
    struct result *old = a->doc.result, *superseded = old;

    if (old && rows_result(a->nav.rows) == old)
        app_view(a)->cursor = app_row(a);
    if (old && old->view_id != r->view_id) {
        superseded = view->kept == r ? NULL : view->kept;
        view->kept = NULL;
        a->nav.views[old->view_id].kept = old;
    }
    a->doc.result = r;
    a->doc.generation.result++;
    a->doc.generation.tree += !old || old->tree != r->tree;
    a->nav.rows = view->rows;
    return superseded;
}

/* Discards data derived from the previous result. */
static void discard_derived(struct app *a, const struct result *r)
{
    hidden_frames_done(&a->doc.hidden_frames);
    hidden_frames_init(&a->doc.hidden_frames, r->profile, r->options.hide_frames);
    source_text_forget(&a->doc.source);
    a->ui.tree.dim = false;
    a->ui.details.result = NULL;
    a->doc.figures_made_for = NULL;
    if (!uncounted_fit(&a->doc.uncounted, r))
        uncounted_done(&a->doc.uncounted);
    search_forget(&a->nav.search);
    a->doc.tasks.wanted[TASK_SEARCH] = a->nav.search.regexes != NULL;
}

/* The row for the cursor in R: ROW, unless undo, a goal or another view choose one. */
static row_id choose_row(struct app *a, const struct result *r, row_id row, bool is_other_view)
{
    if (undo_restore_pending(a)) {
        row = app_view(a)->cursor;
    } else if (a->nav.goal.set && a->nav.goal.view == r->view_id) {
        row = place_row(a->nav.goal, r->tree);
        a->nav.anchor = NODE_NONE;
    } else if (is_other_view) {
        row = row_at_anchor(a, r, row);
    }
    a->nav.goal.set = false;
    a->nav.goes_to_frame = NULL;
    return row;
}

static void place_cursor(struct app *a, const struct result *r, row_id row, bool is_other_view)
{
    if (a->nav.goes_to_hottest) {
        a->nav.anchor = NODE_NONE;
        app_move_to(a, hottest_leaf(a, 0), false);
    } else if (row && row < r->tree->n_rows && !app_move_to(a, row, false) && is_other_view) {
        app_print(a, ROLE_NOTE, "the selected node is not shown here: x explains why");
    }
    a->nav.goes_to_hottest = false;
}

void app_show_result(struct app *a, struct result *r, struct row_counts *counts)
{
    const struct result *old = a->doc.result;
    const bool is_other_view = old && old->view_id != r->view_id;
    struct result *superseded = exchange_result(a, r);
    row_id row;

    discard_derived(a, r);
    row = choose_row(a, r, settle_view(a, r, counts), is_other_view);
    app_rebuild_rows(a, 0, counts);
    place_cursor(a, r, row, is_other_view);
    pane_tree_count_hidden(a);
    show_new_note(a, old, r);
    result_free(superseded);
    /* Frees results of other options, which take much memory, and of another profile. */
    for (int v = 0; v < VIEW_COUNT; v++)
        if (a->nav.views[v].kept &&
            (a->nav.views[v].kept->profile != r->profile ||
             !result_matches(a->nav.views[v].kept, &a->doc.requested.options)))
            forget_kept(&a->nav.views[v]);
}

bool app_has_cached(const struct app *a)
{
    const struct result *kept = a->nav.views[a->doc.requested.view].kept;

    return kept && result_matches(kept, &a->doc.requested.options);
}

void app_show_cached(struct app *a)
{
    if (!a->doc.kept_is_due)
        return;
    a->doc.kept_is_due = false;
    if (!app_has_cached(a)) { /* the profile has been replaced */
        task_request(a, TASK_RESULT);
        return;
    }
    a->doc.result_us = a->ui.now_us ? 0 : -1;
    app_show_result(a, a->nav.views[a->doc.requested.view].kept, NULL);
}

void app_drop_cached(struct app *a)
{
    for (int v = 0; v < VIEW_COUNT; v++)
        forget_kept(&a->nav.views[v]);
}

void app_command(const struct app *a, struct strbuf *sb)
{
    struct session before = {.files = a->doc.files};

    const struct session *s = a->doc.session ? a->doc.session : &before;
    const struct spec *spec = &a->doc.requested;

    if (table_pane_is_on(a))
        session_print_table_command(sb, s, table_view_get(a->ui.table.view),
                                    table_pane_is_check(a) ? a->ui.table.rules : NULL, spec->view,
                                    &spec->options);
    else
        session_print_command(sb, s, spec->view, &spec->options);
}
