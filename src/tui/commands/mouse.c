/* mouse.c: mouse events. Everything can also be done with keys. */

#include "tui/action.h"

#include "tui/commands/cmd.h"
#include "tui/dialogs/overlay.h"
#include "tui/panes/pane.h"
#include "tui/panes/picture.h"

enum { WHEEL_ROWS = 3 };

static bool inside(struct rect r, int row, int col)
{
    return row >= r.top && row < r.top + r.rows && col >= r.left && col < r.left + r.cols;
}

/* The pane under the pointer; PANE_COUNT: none. */
static enum pane_id pane_at(const struct app *a, int row, int col)
{
    const struct layout *l = &a->ui.layout;

    if (!l->wide)
        return inside(a->ui.focus == PANE_TREE ? l->tree : l->side, row, col) ? a->ui.focus
            : PANE_COUNT;
    if (inside(l->tree, row, col))
        return PANE_TREE;
    if (inside(l->details, row, col))
        return PANE_DETAILS;
    return inside(l->options, row, col) ? PANE_OPTIONS : PANE_COUNT;
}

static bool click_hit(struct app *a, int row, int col)
{
    for (size_t i = a->ui.hits.n; i-- > 0;) {
        const struct hit hit = a->ui.hits.data[i];

        if (row != hit.row || col < hit.left || col >= hit.left + hit.cols)
            continue;
        if (hit.call)
            hit.call(a, hit.arg);
        else if (hit.action)
            action_run(a, hit.action);
        else
            sort_click(a, hit.arg);
        return true;
    }
    return false;
}

static void on_press(struct app *a, int row, int col)
{
    enum pane_id pane;
    struct rect where;

    if (click_hit(a, row, col))
        return;
    if (a->ui.top) {
        if (a->ui.top->ops->click)
            a->ui.top->ops->click(a->ui.top, a, row, col);
        return;
    }
    pane = pane_at(a, row, col);
    if (pane == PANE_COUNT || !a->doc.result)
        return;
    where = pane == PANE_TREE      ? a->ui.layout.tree
            : pane == PANE_DETAILS ? a->ui.layout.details
                                   : a->ui.layout.options;
    a->ui.focus = pane;
    pane_of(a, pane)->click(a, row - where.top, col - where.left);
}

/* Passes the wheel to the picture under the pointer; false: not handled. */
static bool wheel_in_picture(struct app *a, enum mouse_kind kind, int row, int col)
{
    const struct picture_ops *picture = a->ui.top ? NULL : picture_displayed(a);

    return picture && picture->wheel && pane_at(a, row, col) == PANE_TREE &&
           picture->wheel(a, kind == MOUSE_WHEEL_UP || kind == MOUSE_WHEEL_LEFT ? -1 : 1,
                          kind == MOUSE_WHEEL_LEFT || kind == MOUSE_WHEEL_RIGHT,
                          col - a->ui.layout.tree.left);
}

static void on_wheel(struct app *a, enum mouse_kind kind, int row, int col)
{
    const enum move move = kind == MOUSE_WHEEL_UP ? MOVE_UP : MOVE_DOWN;
    const enum pane_id pane = pane_at(a, row, col);

    if (wheel_in_picture(a, kind, row, col))
        return;
    for (int i = 0; i < WHEEL_ROWS; i++) {
        if (a->ui.top)
            cmd_move(a, (int)move);
        else if (pane != PANE_COUNT && a->doc.result)
            pane_of(a, pane)->move(a, move);
    }
}

/* Moves a picture by the columns between press and release. */
static void on_release(struct app *a, int col)
{
    const struct picture_ops *picture = a->ui.top ? NULL : picture_displayed(a);

    if (picture && picture->drag && a->ui.input.pressed_col >= 0 &&
        col != a->ui.input.pressed_col)
        picture->drag(a, col - a->ui.input.pressed_col);
    a->ui.input.pressed_col = -1;
}

void mouse_event(struct app *a, const struct term_event *ev)
{
    switch (ev->mouse.kind) {
    case MOUSE_PRESS:
        a->ui.input.pressed_col = ev->mouse.button == 1 && !a->ui.top &&
                                          pane_at(a, ev->mouse.row, ev->mouse.col) == PANE_TREE
                                      ? ev->mouse.col
                                      : -1;
        if (ev->mouse.button == 1)
            on_press(a, ev->mouse.row, ev->mouse.col);
        break;
    case MOUSE_WHEEL_UP:
    case MOUSE_WHEEL_DOWN:
        on_wheel(a, ev->mouse.kind, ev->mouse.row, ev->mouse.col);
        break;
    case MOUSE_WHEEL_LEFT:
    case MOUSE_WHEEL_RIGHT:
        if (!wheel_in_picture(a, ev->mouse.kind, ev->mouse.row, ev->mouse.col) && !a->ui.top &&
            a->doc.result && a->ui.focus == PANE_TREE)
            cmd_columns(a, ev->mouse.kind == MOUSE_WHEEL_LEFT ? -1 : 1);
        break;
    case MOUSE_RELEASE:
        on_release(a, ev->mouse.col);
        break;
    }
}
