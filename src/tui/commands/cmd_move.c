/* cmd_move.c: cursor, panes, marks and the jump list. */
#include "base/utf8.h"

#include "tui/commands/cmd.h"
#include "tui/dialogs/menu.h"
#include "tui/dialogs/options_editor.h"
#include "tui/panes/picture.h"
#include "tui/places.h"
#include "view/delta.h"

void cmd_move(struct app *a, int move)
{
    struct overlay *o = a->ui.top;

    if (!o)
        pane_of(a, a->ui.focus)->move(a, (enum move)move);
    else if (o->ops->move)
        o->ops->move(o, a, (enum move)move);
}

void cmd_left(struct app *a, int arg UNUSED)
{
    const struct row_entry e = rows_at(a->nav.rows, a->nav.cursor);

    if (e.flags & ROW_OPEN && e.row) {
        cmd_fold(a, FOLD_CLOSE);
        return;
    }
    a->nav.cursor = e.parent_at;
    a->nav.anchor = NODE_NONE;
}

void cmd_right(struct app *a, int arg UNUSED)
{
    const struct row_entry e = rows_at(a->nav.rows, a->nav.cursor);

    if (!(e.flags & ROW_HAS_CHILDREN) && app_cut_call(a, e.row) == NODE_NONE)
        app_print(a, ROLE_DIM, "nothing is below this row; Enter shows its details");
    else if (e.flags & ROW_OPEN)
        pane_tree_move(a, MOVE_DOWN);
    else
        cmd_fold(a, FOLD_OPEN);
}

/* What ROW costs; of a comparison what it costs more than in the baseline. */
static int64_t cost_of(const struct result *r, row_id row, enum metric_id m)
{
    return result_compares(r) ? delta_of(r, m, row).delta
           : r->view->is_list ? r->self[m][row]
                              : r->total[m][row];
}

/* The child of ROW with the largest cost; ROW_NONE if none has any. */
static row_id costliest_child(struct app *a, row_id row, enum metric_id m)
{
    uint32_t n;
    const row_id *children = result_children(a->doc.result, row, &n);
    row_id best = ROW_NONE;
    int64_t most = 0;

    for (uint32_t i = 0; i < n; i++) {
        const int64_t cost = cost_of(a->doc.result, children[i], m);

        best = cost > most ? children[i] : best;
        most = cost > most ? cost : most;
    }
    return best;
}

row_id hottest_leaf(struct app *a, row_id row)
{
    enum { LEVELS_MOST = 1000 }; /* a chain of nodes may be a million long */
    const enum metric_id m = figure_primary(&a->doc.result->options);

    for (int level = 0; m < METRIC_COUNT && level < LEVELS_MOST; level++) {
        const row_id next = costliest_child(a, row, m);

        if (next == ROW_NONE)
            break;
        row = next;
    }
    return row;
}

void cmd_hottest(struct app *a, int arg UNUSED)
{
    const enum metric_id m = figure_primary(&a->doc.result->options);
    const row_id row = app_row(a);
    const row_id leaf = hottest_leaf(a, a->doc.result->view->is_list ? 0 : row);
    const bool is_compared = result_compares(a->doc.result);

    a->ui.focus = PANE_TREE;
    if (leaf == row) {
        app_print(a, ROLE_DIM, is_compared ? "no row below this one has more %s than in the baseline"
                                           : "no row below this one has %s", metrics[m].name);
        return;
    }
    places_jump(a);
    app_go(a, leaf);
    app_print(a, ROLE_TEXT, is_compared ? "the largest increase at each level (Backspace goes back)"
                                        : "the most expensive row at each level (Backspace goes back)");
}

void cmd_open(struct app *a, int arg UNUSED)
{
    pane_of(a, a->ui.focus)->open(a);
}

void cmd_side(struct app *a, int direction)
{
    picture_displayed(a)->side(a, direction);
}

void cmd_pane(struct app *a, int direction)
{
    a->ui.focus = (enum pane_id)(((int)a->ui.focus + direction + PANE_COUNT) % PANE_COUNT);
}

void cmd_pane_to(struct app *a, int pane)
{
    a->ui.focus = (enum pane_id)pane;
}

void cmd_zoom(struct app *a, int arg UNUSED)
{
    a->ui.layout_choice.zoomed = !a->ui.layout_choice.zoomed;
    a->nav.zoomed_at = a->nav.places.at;
    if (a->ui.layout_choice.zoomed)
        app_print(a, ROLE_TEXT, "the %s alone; Z shows all panes, Tab the next one",
                  pane_of(a, a->ui.focus)->name);
}

void cmd_border(struct app *a, int direction)
{
    enum { STEP_COLS = 4 };
    const int before = a->ui.layout.details.cols;

    a->ui.layout_choice.side_cols = before - direction * STEP_COLS;
    a->ui.layout = layout_make(a->ui.canvas.rows, a->ui.canvas.cols, a->ui.layout_choice, 0, 0);
    a->ui.layout_choice.side_cols = a->ui.layout.details.cols;
    if (a->ui.layout.details.cols == before)
        app_print(a, ROLE_DIM, "the border is at its limit");
}

void cmd_jump(struct app *a, int direction)
{
    const struct picture_ops *picture = a->ui.focus == PANE_TREE ? picture_displayed(a) : NULL;

    if (direction < 0 && picture && picture->back && picture->back(a))
        return;
    if (direction < 0 && a->ui.layout_choice.zoomed && a->nav.zoomed_at == a->nav.places.at)
        a->ui.layout_choice.zoomed = false; /* the cursor has not jumped since the pane was
                                             * zoomed */
    else if (!places_travel(a, direction))
        app_print(a, ROLE_NOTE,
                  direction < 0 ? "no earlier position" : "no later position");
}

static void set_letter(struct app *a, int letter)
{
    if (letter == '\'')
        return;
    a->nav.places.letters[letter - 'a'] = place_here(a);
    app_print(a, ROLE_TEXT, "mark %c is here", letter);
}

static void go_letter(struct app *a, int letter)
{
    const struct place *place;

    if (letter == '\'') {
        cmd_jump(a, -1);
        return;
    }
    place = &a->nav.places.letters[letter - 'a'];
    if (!place->set) {
        app_print(a, ROLE_NOTE, "mark %c is not set: m%c sets it", letter, letter);
        return;
    }
    places_jump(a);
    place_go(a, *place);
}

void cmd_mark_set(struct app *a, int arg UNUSED)
{
    letter_open(a, "set mark", set_letter);
}

void cmd_mark_go(struct app *a, int arg UNUSED)
{
    letter_open(a, "go to mark", go_letter);
}

void cmd_mark_row(struct app *a, int arg UNUSED)
{
    places_toggle_mark(a);
    pane_tree_move(a, MOVE_DOWN);
}

static void go_marked(struct app *a, intptr_t i)
{
    places_jump(a);
    place_go(a, a->nav.places.marked.data[i]);
}

void cmd_marks(struct app *a, int arg UNUSED)
{
    struct menu *m = menu_open(a, "Marked rows", go_marked);

    for (size_t i = 0; i < a->nav.places.marked.n; i++) {
        const struct place *place = &a->nav.places.marked.data[i];
        const struct tree *t = a->nav.views[place->view].tree;
        struct strbuf name = {0};

        if (t && place->row < t->n_rows)
            utf8_escape(&name, tree_name(t, place->row), tree_name_len(t, place->row));
        menu_add(m, (intptr_t)i, sb_text(&name), view_names[place->view]);
        sb_done(&name);
    }
}
