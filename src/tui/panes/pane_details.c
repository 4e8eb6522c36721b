/* pane_details.c: the details of the row under the cursor. */
#include "tui/app.h"
#include "tui/dialogs/textview.h"
#include "tui/panes/pane.h"
#include "tui/panes/picture.h"

static void refresh(struct app *a, int cols)
{
    struct details *d = &a->ui.details;
    const struct picture_ops *picture = picture_displayed(a);
    const row_id row = app_row(a);

    if (picture && picture->details) {
        lines_clear(&d->lines);
        d->lines.cols = cols;
        picture->details(a, &d->lines);
        d->result = NULL; /* not those of the tree's row */
        return;
    }
    if (d->result == a->doc.result && d->row == row && d->cols == cols)
        return;
    if (d->row != row)
        d->at = d->top = 0;
    d->result = a->doc.result;
    d->row = row;
    d->cols = cols;
    details_fill(a, &d->lines, row, cols);
}

void pane_details_draw(struct app *a)
{
    struct area where = layout_area(&a->ui.canvas, a->ui.layout.details);
    struct details *d = &a->ui.details;
    const bool focused = a->ui.focus == PANE_DETAILS;

    if (!a->doc.result || where.rows < 2)
        return;
    refresh(a, where.cols - 1);
    area_puts(where, 0, 1, "DETAILS", focused ? ROLE_TITLE : ROLE_HEADER);
    where = area_sub(where, 1, 0, where.rows - 1, where.cols);
    d->page = where.rows;
    if (d->at >= d->lines.v.n)
        d->at = d->lines.v.n ? d->lines.v.n - 1 : 0;
    d->top = scroll_to(d->top, d->at, d->lines.v.n, where.rows);
    for (int row = 0; row < where.rows && d->top + (size_t)row < d->lines.v.n; row++) {
        const size_t i = d->top + (size_t)row;

        lines_draw_one(&d->lines, i, area_sub(where, row, 1, 1, where.cols - 1), 0);
        if (focused && i == d->at) {
            area_paint(where, row, 0, where.cols, ROLE_CURSOR);
            area_cursor(where, row, 1, false);
        }
    }
}

void pane_details_move(struct app *a, enum move move)
{
    a->ui.details.at = move_index(move, a->ui.details.at, a->ui.details.lines.v.n,
                                  a->ui.details.page);
}

void pane_details_open(struct app *a)
{
    const struct details *d = &a->ui.details;

    if (d->at >= d->lines.v.n)
        return;
    if (d->lines.v.data[d->at].link.kind == LINK_NONE) {
        app_print(a, ROLE_DIM, "Enter follows devices, inputs, consumers and lines of code");
        return;
    }
    if (d->lines.v.data[d->at].link.kind == LINK_NODE && !a->ui.layout.wide)
        a->ui.focus = PANE_TREE;
    link_follow(a, d->lines.v.data[d->at].link);
}

void pane_details_click(struct app *a, int row, int col UNUSED)
{
    struct details *d = &a->ui.details;
    const size_t at = d->top + (size_t)(row - 1);

    if (row < 1 || at >= d->lines.v.n)
        return;
    if (d->at == at && a->ui.input.last_click_row == row)
        pane_details_open(a);
    a->ui.input.last_click_row = row;
    d->at = at;
}
