/* pane_options.c: the options pane. Enter edits an option. */
#include "tui/app.h"
#include "tui/dialogs/option_rows.h"
#include "tui/dialogs/options_editor.h"
#include "tui/panes/pane.h"

static void draw_option(struct app *a, struct area where, int row, size_t i)
{
    const struct option *opt = option_row(i);
    const bool changed = !option_is_default(&a->doc.requested.options, opt);
    const enum role role = changed ? ROLE_CHANGED : ROLE_TEXT;
    struct strbuf value = {0}, fit = {0};
    const int name_cols = text_cols(opt->name, strlen(opt->name));
    const int room = where.cols - name_cols - 6;

    option_row_value(&value, &a->doc.requested.options, opt);
    text_cut_middle(&fit, sb_text(&value), value.len, room);
    area_puts(where, row, 1, changed ? "*" : " ", role);
    area_puts(where, row, 3, opt->name, role);
    area_put(where, row, where.cols - 1 - text_cols(sb_text(&fit), fit.len), sb_text(&fit), fit.len,
             role);
    if (a->ui.focus == PANE_OPTIONS && !a->ui.top && i == a->ui.option_at) {
        area_paint(where, row, 0, where.cols, ROLE_CURSOR);
        area_cursor(where, row, 3, false);
    }
    EACH(sb_done, &value, &fit);
}

int pane_options_rows(const struct app *a)
{
    return a->ui.focus == PANE_OPTIONS ? 1 + (int)option_rows_n() : 1;
}

void pane_options_draw(struct app *a)
{
    struct area where = layout_area(&a->ui.canvas, a->ui.layout.options);
    const size_t changed = option_rows_changed(&a->doc.requested.options, a->doc.requested.view);
    const size_t n = option_rows_n();
    size_t top;

    if (where.rows < 1)
        return;
    area_fill(where, 0, 0, where.cols, 0x2500, ROLE_FRAME);
    area_puts(where, 0, 1, " OPTIONS (o) ",
              a->ui.focus == PANE_OPTIONS ? ROLE_TITLE : ROLE_HEADER);
    if (changed)
        area_printf(where, 0, where.cols - 12, ROLE_CHANGED, " %zu changed ", changed);
    where = area_sub(where, 1, 0, where.rows - 1, where.cols);
    top = scroll_to(0, a->ui.option_at, n, where.rows);
    for (int row = 0; row < where.rows && top + (size_t)row < n; row++)
        draw_option(a, where, row, top + (size_t)row);
}

void pane_options_move(struct app *a, enum move move)
{
    a->ui.option_at = move_index(move, a->ui.option_at, option_rows_n(),
                                 a->ui.layout.options.rows - 1);
}

void pane_options_open(struct app *a)
{
    options_editor_open(a, 1);
}

void pane_options_click(struct app *a, int row, int col UNUSED)
{
    const size_t top = scroll_to(0, a->ui.option_at, option_rows_n(),
                                 a->ui.layout.options.rows - 1);
    const size_t at = top + (size_t)(row - 1);

    if (row < 1 || at >= option_rows_n())
        return;
    if (a->ui.option_at == at && a->ui.input.last_click_row == row)
        pane_options_open(a);
    a->ui.input.last_click_row = row;
    a->ui.option_at = at;
}
