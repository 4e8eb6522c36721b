/* app_go.c: moves the cursor of the tree. */
#include "tui/app.h"

#include "tui/places.h"
#include "tui/rows/groups.h"
#include "tui/tasks/tasks.h"
#include "tui/undo.h"

node_id app_node_of(struct app *a, row_id row)
{
    const struct tree *t = a->doc.result->tree;

    if (!row)
        return NODE_NONE;
    if (a->nav.anchor != NODE_NONE && t->row_of_node[a->nav.anchor] == row)
        return a->nav.anchor;
    if (figures_are_ready(a))
        return groups_costliest(a->doc.groups, row);
    /* While figures are missing, returns the first member. */
    return t->member_begin[row] < t->member_begin[t->end[row]]
               ? profile_node_of_part(t->profile, t->members[t->member_begin[row]])
               : NODE_NONE;
}

/* The nearest displayed row at or above ROW. */
static row_id displayed(const struct result *r, row_id row)
{
    while (row && r->why[row] != WHY_SHOWN)
        row = result_parent(r, row);
    return row;
}

void app_rebuild_rows(struct app *a, row_id row, struct row_counts *made)
{
    struct view_state *state = app_view(a);
    size_t at;

    rows_build(a->nav.rows, a->doc.result, state->folds, a->nav.reverse, made);
    at = rows_find(a->nav.rows, row);
    a->nav.cursor = at == SIZE_MAX ? 0 : at;
    state->cursor = app_row(a);
}

bool app_move_to(struct app *a, row_id row, bool remember)
{
    struct view_state *state = app_view(a);
    const row_id there = displayed(a->doc.result, row);
    struct folds *folds;

    /* a search may have changed them */
    rows_build(a->nav.rows, a->doc.result, state->folds, a->nav.reverse, NULL);
    if (rows_find(a->nav.rows, there) == SIZE_MAX) {
        if (remember)
            undo_remember(a);
        folds = folds_copy(state->folds);
        folds_reveal(folds, a->doc.result, there);
        folds_unref(state->folds);
        state->folds = folds;
    }
    app_rebuild_rows(a, there, NULL);
    a->nav.jumped = true;
    return there == row;
}

bool app_go(struct app *a, row_id row)
{
    a->nav.anchor = NODE_NONE;
    return app_move_to(a, row, true);
}

bool app_peek(struct app *a, row_id row)
{
    a->nav.anchor = NODE_NONE;
    return app_move_to(a, row, false);
}

void app_go_node(struct app *a, node_id node)
{
    const struct tree *t = a->doc.result->tree;
    const row_id row = node < a->doc.result->profile->n_nodes ? t->row_of_node[node] : ROW_NONE;
    const strid name = a->doc.result->profile->name[node];

    places_jump(a);
    if (row == ROW_NONE)
        app_print(a, ROLE_NOTE, "%s has no row in the %s view",
                  profile_text(a->doc.result->profile, name), view_names[a->doc.result->view_id]);
    else if (!app_go(a, row))
        app_print(a, ROLE_NOTE, "%s is not shown (x explains why): this is its nearest displayed ancestor",
                  profile_text(a->doc.result->profile, name));
    a->nav.anchor = node;
}

void app_set_folds(struct app *a, struct folds *f, struct row_counts *counts)
{
    struct view_state *state = app_view(a);
    const row_id row = app_row(a);
    row_id visible = row;

    undo_remember(a);
    folds_unref(state->folds);
    state->folds = f;
    for (row_id up = a->doc.result->shown_parent[row]; up != ROW_NONE && row;
         up = a->doc.result->shown_parent[up])
        if (!folds_is_open(f, up))
            visible = up; /* the cursor moves to the row that was folded over it */
    app_rebuild_rows(a, visible, counts);
}
