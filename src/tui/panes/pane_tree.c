/* pane_tree.c: the tree pane: column heads, visible rows, hidden rows. */
#include <inttypes.h>

#include "tui/action.h"
#include "tui/drill.h"
#include "tui/panes/columns.h"
#include "tui/panes/names.h"
#include "tui/panes/pane.h"
#include "tui/places.h"
#include "tui/tasks/loading.h"
#include "view/delta.h"
#include "view/explain/explain.h"

enum { MARK_COLS = 1, FLAG_COLS = 2 };

/* Writes TEXT right-aligned so that it ends before END. */
static void draw_right_aligned(struct area a, int row, int begin, int end,
                               const struct strbuf *text,
                               enum role role)
{
    const int cols = text_cols(sb_text(text), text->len);
    const int room = end - begin;
    struct area box = area_sub(a, row, begin, 1, room);

    area_put(box, 0, cols < room ? room - cols : 0, sb_text(text), text->len, role);
}

/* Number of columns by which names are moved left to make room for the selected name. */
static uint32_t indent_shift(const struct nav *nav, int name_cols)
{
    const uint32_t room = name_cols > 8 ? (uint32_t)name_cols / 2 : 4;
    const uint32_t depth = rows_at(nav->rows, nav->cursor).depth;

    return depth > room ? depth - room : 0;
}

/* "!" for advice, "?" for doubtful figures. */
static const char *row_flag(struct doc *doc, row_id row)
{
    const node_id node = doc->result->view->is_multi ? NODE_NONE
        : tree_node(doc->result->tree, row);
    size_t n = 0;

    if (node == NODE_NONE)
        return NULL;
    if (doc->advice && advice_of_node(doc->advice, node, &n) && n)
        return "!";
    return doc->result->accounted[row] && figure_doubt(doc->result, node) ? "?" : NULL;
}

/* Indentation of the name of E, of COLS for names. */
static uint32_t indent_of(const struct row_entry *e, uint32_t shift, int cols)
{
    const uint32_t max = cols > 8 ? (uint32_t)cols - 8 : 0;
    const uint32_t indent = e->depth > shift ? e->depth - shift : 0;

    return indent < max ? indent : max;
}

/* Data for drawing the rows in the window. */
struct tree_window {
    struct fitted_columns columns;
    struct shown_names names; /* one for each row */
    uint32_t shift; /* see indent_shift() */
};

static void fill_names(struct app *a, struct tree_window *w, size_t top, int n_rows)
{
    const int cols = w->columns.name_cols;

    for (size_t i = top; i < rows_count(a->nav.rows) && i < top + (size_t)n_rows; i++) {
        const struct row_entry e = rows_at(a->nav.rows, i);

        names_add(&a->doc, &w->names, &e,
                  cols - MARK_COLS - (int)indent_of(&e, w->shift, cols) - 2 - FLAG_COLS);
    }
    names_cut(&a->doc, &w->names);
}

static void draw_name(struct app *a, struct area where, int row, const struct row_entry *e,
                      const struct tree_window *w, enum role role)
{
    const int cols = w->columns.name_cols;
    const uint32_t indent = indent_of(e, w->shift, cols);
    const struct strbuf *name = names_text(&w->names, (size_t)row);
    const char *flag;
    const bool is_cut = app_cut_call(a, e->row) != NODE_NONE;
    const char *glyph = e->flags & ROW_HAS_CHILDREN
                            ? (e->flags & ROW_OPEN ? "\u25be " : "\u25b8 ")
                            : (is_cut ? "\u25b9 " : "  ");

    if (e->flags & ROW_LIFTED && indent)
        area_puts(where, row, MARK_COLS + (int)indent - 1, ":", ROLE_NOTE);
    area_puts(where, row, MARK_COLS + (int)indent, glyph, role);
    flag = row_flag(&a->doc, e->row);
    if (flag)
        area_puts(where, row, cols - 1, flag, ROLE_NOTE);
    if (note_on_row(a, e->row))
        area_puts(where, row, cols - FLAG_COLS, ";", ROLE_NOTE);
    area_put(where, row, MARK_COLS + (int)indent + 2, sb_text(name), name->len,
             search_matches(&a->nav.search, a->doc.result, e->row) ? ROLE_MATCH : role);
}

/* Draws the cell of ROW in COLUMN, starting at COL. */
static void draw_cell(struct app *a, struct area where, int row, const struct row_entry *e, int col,
                      const struct column_spec *column)
{
    const enum role role = result_compares(a->doc.result) && delta_is_noise(a->doc.result, e->row)
                               ? ROLE_DIM
                               : column_role(a, column, e->row);
    const bool has_bar = column->kind == COLUMN_SHARE && !a->ui.tree.dim;
    struct strbuf cell = {0};

    column_cell(a, column, e->row, e->parent, &cell);
    draw_right_aligned(where, row, col, col + column->cols, &cell, has_bar ? ROLE_BAR : role);
    if (has_bar)
        area_paint(where, row, col, COLUMN_PERCENT_COLS, role);
    sb_done(&cell);
}

static void draw_row(struct app *a, struct area where, int row, size_t i,
                     const struct tree_window *w)
{
    const struct fitted_columns *columns = &w->columns;
    const struct row_entry e = rows_at(a->nav.rows, i);
    const bool at = i == a->nav.cursor;
    const bool marked = places_is_marked(a, a->doc.result->view_id, e.row);
    const enum role cursor = a->ui.focus == PANE_TREE ? ROLE_CURSOR : ROLE_CURSOR_BLURRED;
    const bool dim = a->ui.tree.dim ||
                     (result_compares(a->doc.result) && delta_is_noise(a->doc.result, e.row));
    const enum role text = dim ? ROLE_DIM : marked ? ROLE_MARK : ROLE_TEXT;
    int col = columns->name_cols;

    draw_name(a, where, row, &e, w, text);
    for (int c = 0; c < columns->n; c++) {
        draw_cell(a, where, row, &e, col + 1, &columns->v[c]);
        col += 1 + columns->v[c].cols;
    }
    if (at)
        area_paint(where, row, 0, where.cols, cursor);
    area_puts(where, row, 0, at ? ">" : marked ? "*" : " ",
              at ? cursor : marked ? ROLE_MARK : ROLE_TEXT);
    if (result_compares(a->doc.result) && delta_mark(a->doc.result->sides[e.row]) != ' ')
        area_put(where, row, 1, &(char){delta_mark(a->doc.result->sides[e.row])}, 1,
                 at ? cursor : text);
    if (at)
        area_cursor(where, row, 3 + (int)(e.depth > w->shift ? e.depth - w->shift : 0), false);
}

/* Draws the number of columns that do not fit: "< 1  2 more >", before the first one. */
static void draw_more(struct app *a, struct area where, const struct fitted_columns *columns)
{
    int col = columns->name_cols;
    struct strbuf text = {0};

    if (columns->n_after) {
        sb_addf(&text, "%d more >", columns->n_after);
        col -= (int)text.len;
        area_puts(where, 0, col, sb_text(&text), ROLE_KEY);
        app_hit(a, where, 0, col, (int)text.len, action_find("columns-right"), 0);
    }
    if (columns->n_before) {
        sb_clear(&text);
        sb_addf(&text, "< %d  ", columns->n_before);
        col -= (int)text.len;
        area_puts(where, 0, col, sb_text(&text), ROLE_KEY);
        app_hit(a, where, 0, col, (int)text.len, action_find("columns-left"), 0);
    }
    sb_done(&text);
}

static void draw_heads(struct app *a, const struct fitted_columns *columns)
{
    struct area where = layout_area(&a->ui.canvas, a->ui.layout.heads);
    const int order = a->doc.result->options.order_by;
    int col = columns->name_cols;

    area_fill(where, 0, 0, where.cols, ' ', ROLE_HEADER);
    area_puts(where, 0, 1, order < ORDER_METRIC ? (a->nav.reverse ? "NAME v" : "NAME ^") : "NAME",
              order < ORDER_METRIC ? ROLE_SORT : ROLE_HEADER);
    app_hit(a, where, 0, 1, 6, NULL, ORDER_NAME);
    draw_more(a, where, columns);
    array_each(const struct column_spec, column, columns->v, columns->n) {
        struct strbuf whole = {0}, head = {0};

        column_head(a, column, &whole);
        text_cut_middle(&head, sb_text(&whole), whole.len, column->cols);
        sb_done(&whole);
        draw_right_aligned(where, 0, col + 1, col + 1 + column->cols, &head,
                           column_is_sorted(&a->doc, column) ? ROLE_SORT : ROLE_HEADER);
        if (column->field < METRIC_COUNT)
            app_hit(a, where, 0, col + 1, column->cols, NULL, column_order(column));
        col += 1 + column->cols;
        sb_done(&head);
    }
}

/* Sets "24 rows hidden: 19 min_micros, 5 hide_name_regexes (x why)". */
void pane_tree_count_hidden(struct app *a)
{
    struct strbuf *sb = &a->doc.hidden;
    uint64_t all = 0;
    bool first = true;

    sb_clear(sb);
    for (int why = WHY_SHOWN + 1; why < WHY_COUNT; why++)
        all += rows_n_why(a->nav.rows, (enum why)why);
    if (!all)
        return;
    figure_grouped(sb, all);
    sb_adds(sb, all == 1 ? " row hidden: " : " rows hidden: ");
    for (int why = WHY_SHOWN + 1; why < WHY_COUNT; why++) {
        const uint32_t n = rows_n_why(a->nav.rows, (enum why)why);

        if (!n)
            continue;
        sb_adds(sb, !first ? ", " : "");
        first = false;
        figure_grouped(sb, n);
        sb_addf(sb, " %s", why_option((unsigned)why));
    }
    sb_adds(sb, " (x why)");
}

void pane_tree_add_matches(const struct app *a, struct strbuf *sb)
{
    const uint32_t count = search_count(&a->nav.search);
    const uint32_t number = search_number(&a->nav.search, app_row(a), a->nav.reverse);

    if (number) {
        figure_grouped(sb, number);
        sb_addc(sb, '/');
    }
    figure_grouped(sb, count);
    if (!number)
        sb_adds(sb, count == 1 ? " match" : " matches");
    sb_addf(sb, " for /%s", sb_text(&a->nav.search.text));
}

static void draw_foot(struct app *a)
{
    struct area where = layout_area(&a->ui.canvas, a->ui.layout.tree_foot);
    struct strbuf text = {0};

    if (where.rows < 2)
        return;
    area_put(where, 0, 1, sb_text(&a->doc.hidden), a->doc.hidden.len, ROLE_NOTE);
    area_printf(where, 1, 1, ROLE_DIM, "row %zu/%zu", a->nav.cursor + 1, rows_count(a->nav.rows));
    if (search_is_known(&a->nav.search, a->doc.result)) {
        pane_tree_add_matches(a, &text);
        area_printf(where, 1, 24, ROLE_DIM, "n/N %s", sb_text(&text));
    }
    sb_done(&text);
}

/* Explains why there are no rows. */
static void draw_empty(struct app *a, struct area where, int row)
{
    struct strbuf text = {0};
    struct lines l = {0};

    if (a->doc.loader.is_part) { /* rows may still come */
        load_text(a, &text);
        lines_paragraph(&l, ROLE_NOTE, where.cols - 4, sb_text(&text));
        sb_clear(&text);
    }
    if (explain_empty(a->doc.result, &text)) {
        lines_paragraph(&l, ROLE_NOTE, where.cols - 4, sb_text(&text));
        lines_paragraph(&l, ROLE_DIM, where.cols - 4, "u undoes, o edits the options");
    }
    for (size_t i = 0; i < l.v.n && row + 1 + (int)i < where.rows; i++)
        lines_draw_one(&l, i, area_sub(where, row + 1 + (int)i, 3, 1, where.cols - 3), 0);
    lines_done(&l);
    sb_done(&text);
}

/* Draws the progress of loading until there are rows. */
static void draw_loading(struct app *a, struct area where)
{
    struct load_progress *p = &a->doc.loader.progress;
    const char *what = atomic_load(&p->what);
    const uint64_t done = atomic_load(&p->bytes_done), total = atomic_load(&p->bytes_total);
    struct strbuf bar = {0};

    if (a->doc.session || !load_is_open(a)) {
        area_puts(where, 1, 2,
                  a->doc.session            ? "building the rows ..."
                  : a->doc.listed_runs.folder ? "no run is open: O lists them"
                                        : "nothing to show",
                  ROLE_TITLE);
        return;
    }
    area_printf(where, 1, 2, ROLE_TITLE, "reading %s", what ? what : "...");
    if (total) {
        figure_bar(&bar, (double)done / (double)total, 30);
        area_put(where, 3, 2, sb_text(&bar), bar.len, ROLE_BAR);
        area_printf(where, 3, 34, ROLE_TEXT, "%.1f of %.1f MB  %.0f %%", (double)done / 1e6,
                    (double)total / 1e6, 100.0 * (double)done / (double)total);
    } else {
        area_puts(where, 3, 2, "input size unknown", ROLE_DIM);
    }
    area_printf(where, 5, 2, ROLE_TEXT, "%" PRIuFAST32 " nodes so far", atomic_load(&p->n_nodes));
    area_puts(where, 7, 2, "Esc or ^C stops and keeps what has been read; q quits", ROLE_DIM);
    sb_done(&bar);
}

/* The first row of a window of N_ROWS from TOP that shows row AT. It shows some rows around AT
 * if the cursor JUMPED or moved more than one row out of the window. */
static size_t keep_context(size_t top, size_t at, int n_rows, bool jumped)
{
    enum { CONTEXT_ROWS = 3 };
    const size_t rows = n_rows > 0 ? (size_t)n_rows : 1;

    if (rows <= 2 * CONTEXT_ROWS)
        return top;
    if (jumped ? at < top + CONTEXT_ROWS : at + 1 < top)
        return at > CONTEXT_ROWS ? at - CONTEXT_ROWS : 0;
    if (jumped ? at + CONTEXT_ROWS >= top + rows : at > top + rows)
        return at + 1 + CONTEXT_ROWS - rows;
    return top;
}

void pane_tree_draw(struct app *a)
{
    struct area where = layout_area(&a->ui.canvas, a->ui.layout.tree);
    struct view_state *state = app_view(a);
    struct tree_window w = {0};
    int row = 0;

    if (!a->doc.result) {
        draw_loading(a, where);
        return;
    }
    w.columns = columns_fit(a, where.cols);
    draw_heads(a, &w.columns);
    state->top = scroll_to(keep_context(state->top, a->nav.cursor, where.rows, a->nav.jumped),
                          a->nav.cursor,
                          rows_count(a->nav.rows), where.rows);
    a->nav.jumped = false;
    w.shift = indent_shift(&a->nav, w.columns.name_cols);
    fill_names(a, &w, state->top, where.rows);
    for (; row < (int)w.names.v.n; row++)
        draw_row(a, where, row, state->top + (size_t)row, &w);
    if (a->doc.result->n_shown == 0)
        draw_empty(a, where, row);
    draw_foot(a);
    names_done(&w.names);
}

void pane_tree_move(struct app *a, enum move move)
{
    if (!rows_count(a->nav.rows))
        return;
    a->nav.cursor = move_index(move, a->nav.cursor, rows_count(a->nav.rows),
                               a->ui.layout.tree.rows);
    app_view(a)->cursor = app_row(a);
    a->nav.anchor = NODE_NONE;
}

void pane_tree_open(struct app *a)
{
    const struct row_entry e = rows_at(a->nav.rows, a->nav.cursor);

    if (e.flags & ROW_HAS_CHILDREN)
        action_run(a, action_find("fold-toggle"));
    else if (app_cut_call(a, e.row) != NODE_NONE)
        action_run(a, action_find("fold-open"));
    else if (a->doc.result->view->is_list && e.row)
        drill_type(a, e.row);
    else
        a->ui.focus = PANE_DETAILS;
}

/* True when COL is on the triangle of row E. */
static bool is_triangle(struct row_entry e, uint32_t shift, int cols, int col)
{
    const int begin = MARK_COLS + (int)indent_of(&e, shift, cols);

    return e.flags & ROW_HAS_CHILDREN && col >= begin && col < begin + 2;
}

void pane_tree_click(struct app *a, int row, int col)
{
    const size_t at = app_view(a)->top + (size_t)row;
    const struct fitted_columns columns = columns_fit(a, a->ui.layout.tree.cols);
    const uint32_t shift = indent_shift(&a->nav, columns.name_cols);
    bool again;

    if (at >= rows_count(a->nav.rows))
        return;
    again = a->nav.cursor == at && a->ui.input.last_click_row == row;
    a->ui.input.last_click_row = row;
    a->nav.cursor = at;
    app_view(a)->cursor = app_row(a);
    a->nav.anchor = NODE_NONE;
    if (is_triangle(rows_at(a->nav.rows, at), shift, columns.name_cols, col)) {
        a->ui.input.last_click_row = -1; /* a third click does not count as another double click */
        action_run(a, action_find("fold-toggle"));
    } else if (again) {
        pane_tree_open(a);
    }
}
