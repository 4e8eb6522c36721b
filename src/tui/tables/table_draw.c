/* table_draw.c: draws the displayed table: headings, the columns that fit, and the rows in the
 * window. */
#include <string.h>

#include "export/tables/table_writer.h"
#include "tui/lines.h"
#include "tui/move.h"
#include "tui/tables/sheet.h"
#include "tui/tables/table_pane.h"

enum {
    GAP_COLS = 2,
    MARK_COLS = 1, /* right margin: sign for more columns, or for the order */
    FIRST_COLS_MIN = 24, /* minimum width of the first column, which is cut but never omitted */
    LAST_COLS_MIN = 12,  /* minimum width of the last column, if it has texts */
    TEXT_COLS_MAX = 32,  /* maximum width of other text columns */
};

/* Displayed columns of the sheet, from left to right. */
struct fitted {
    size_t column[64];
    int left[64], cols[64];
    size_t n;
    bool is_all; /* no column is omitted on the right */
};

static int wanted_cols(const struct sheet_column *c)
{
    return c->is_text && c->cols > TEXT_COLS_MAX ? TEXT_COLS_MAX : c->cols;
}

/* Fits whole columns: the first one, which takes the remaining width, and as many others as fit
 * after SHIFT of them. */
static void fit(const struct sheet *s, size_t shift, int cols, struct fitted *f)
{
    const size_t max = sizeof f->column / sizeof *f->column;
    int first = s->columns.n ? s->columns.data[0].cols : 0;
    int used = 0;

    cols -= MARK_COLS;
    memset(f, 0, sizeof *f);
    f->is_all = true;
    if (!s->columns.n)
        return;
    f->n = 1;
    for (size_t i = 1 + shift; i < s->columns.n && f->n < max; i++) {
        const int least = first < FIRST_COLS_MIN ? first : FIRST_COLS_MIN;
        int room = cols - used - least - 1;
        int want = wanted_cols(&s->columns.data[i]) + GAP_COLS;

        if (s->columns.data[i].is_hidden)
            continue;
        f->is_all &= want <= room;
        if (!f->is_all) /* only a wide first column gives up room */
            room -= (first < TEXT_COLS_MAX ? first : TEXT_COLS_MAX) - least;
        if (!f->is_all && (!s->columns.data[i].is_text || room < LAST_COLS_MIN + GAP_COLS))
            break;
        KEEP_MIN(want, room);
        used += want;
        f->column[f->n] = i;
        f->cols[f->n++] = want - GAP_COLS;
        if (!f->is_all)
            break;
    }
    KEEP_MIN(first, cols - used - 1);
    f->cols[0] = first;
    f->left[0] = 1;
    for (size_t k = 1; k < f->n; k++)
        f->left[k] = f->left[k - 1] + f->cols[k - 1] + GAP_COLS;
}

static void put_cell(struct area where, int row, const struct fitted *f, size_t k, bool is_text,
                     const char *text, size_t len, enum role role)
{
    struct strbuf cut = {0};
    int col = f->left[k];

    text_cut_middle(&cut, text, len, f->cols[k]);
    if (!is_text)
        col += f->cols[k] - text_cols(sb_text(&cut), cut.len);
    area_put(where, row, col, sb_text(&cut), cut.len, role);
    sb_done(&cut);
}

static void click_head(struct app *a, int column)
{
    struct table_pane *p = &a->ui.table;

    if (p->order == column + 1)
        table_pane_reverse(a);
    else
        table_pane_sort(a, column + 1 - p->order);
}

static void draw_heads(struct app *a, struct area where, const struct fitted *f)
{
    const struct sheet *s = a->ui.table.sheet;

    for (size_t k = 0; k < f->n; k++) {
        const struct sheet_column *c = &s->columns.data[f->column[k]];
        const bool sorted = s->sorted_by == (int)f->column[k];
        struct strbuf head = {0};

        sb_adds(&head, table_column_head(&c->column));
        for (char *at = head.data; at && *at; at++)
            *at = (char)(*at >= 'a' && *at <= 'z' ? *at - 'a' + 'A' : *at);
        put_cell(where, 0, f, k, c->is_text, sb_text(&head), head.len,
                 sorted ? ROLE_TITLE : ROLE_HEADER);
        if (sorted)
            area_fill(where, 0, f->left[k] + f->cols[k], 1, s->ascending ? 0x25b4 : 0x25be, ROLE_TITLE);
        app_hit_call(a, where, 0, f->left[k], f->cols[k], click_head, (int)f->column[k]);
        sb_done(&head);
    }
    if (!f->is_all)
        area_puts(where, 0, where.cols - 1, "\u203a", ROLE_DIM);
}

static void draw_row(const struct sheet *s, struct area where, int row, size_t i,
                     const struct fitted *f)
{
    if (s->marks.n)
        area_fill(where, row, 0, 1, (uint32_t)s->marks.data[s->order.data[i]], ROLE_NUMBER);
    for (size_t k = 0; k < f->n; k++) {
        const struct sheet_cell *cell = sheet_cell(s, i, f->column[k]);
        const bool is_text = s->columns.data[f->column[k]].is_text;

        put_cell(where, row, f, k, is_text, cell->text.bytes, cell->text.len,
                 cell->kind == VALUE_IS_NONE ? ROLE_DIM : is_text ? ROLE_TEXT : ROLE_NUMBER);
    }
}

static void draw_rows(struct app *a, struct area where, const struct fitted *f)
{
    struct table_pane *p = &a->ui.table;

    p->page = where.rows;
    p->top = scroll_to(p->top, p->at, p->sheet->order.n, where.rows);
    for (int row = 0; row < where.rows && p->top + (size_t)row < p->sheet->order.n; row++) {
        const size_t i = p->top + (size_t)row;

        draw_row(p->sheet, where, row, i, f);
        if (i == p->at) {
            area_paint(where, row, 0, where.cols, ROLE_CURSOR);
            area_cursor(where, row, 0, false);
        }
    }
}

/* Draws TEXT, why there are no rows, in as many lines as it takes. */
static void draw_reason(struct area where, const char *text)
{
    struct lines lines = {0};

    lines_paragraph(&lines, ROLE_NOTE, where.cols, text);
    for (size_t i = 0; i < lines.v.n && (int)i < where.rows; i++)
        lines_draw_one(&lines, i, where, (int)i);
    lines_done(&lines);
}

void table_draw(struct app *a)
{
    struct area heads = layout_area(&a->ui.canvas, a->ui.layout.heads);
    struct area where = layout_area(&a->ui.canvas, a->ui.layout.tree);
    struct area foot = layout_area(&a->ui.canvas, a->ui.layout.tree_foot);
    struct table_pane *p = &a->ui.table;
    struct fitted f;

    if (!p->sheet || p->sheet->table != table_view_get(p->view)) {
        area_printf(where, 0, 1, ROLE_DIM, "computing %s ...", table_view_get(p->view)->name);
        return;
    }
    if (p->sheet->needs || !p->sheet->n_rows) {
        draw_reason(area_sub(where, 0, 1, where.rows, where.cols - 2),
                    p->sheet->needs ? p->sheet->needs : "no rows");
        return;
    }
    fit(p->sheet, p->shift, where.cols, &f);
    while (p->shift && f.is_all) { /* scrolls no further than the last columns need */
        struct fitted more;

        fit(p->sheet, p->shift - 1, where.cols, &more);
        if (!more.is_all)
            break;
        p->shift--;
        f = more;
    }
    p->columns_follow = !f.is_all;
    draw_heads(a, heads, &f);
    draw_rows(a, where, &f);
    if (!p->sheet->order.n)
        area_puts(where, 0, 1, "no row matches the filter: f changes it", ROLE_NOTE);
    if (foot.rows)
        area_puts(foot, foot.rows - 1, 1, p->sheet->help, ROLE_DIM);
}

void table_brief(const struct app *a, int cols, struct strbuf *sb)
{
    const struct sheet *s = a->ui.table.sheet;
    const struct sheet_cell *first = sheet_cell(s, a->ui.table.at, 0);
    struct fitted f;
    size_t next = 1; /* index in F of the next displayed column */

    fit(s, a->ui.table.shift, a->ui.layout.tree.cols, &f);
    text_cut_middle(sb, first->text.bytes, first->text.len, cols * 2 / 5);
    for (size_t i = 1; i < s->columns.n; i++) {
        const size_t before = sb->len;

        if (next < f.n && f.column[next] == i) {
            next++;
            continue;
        }
        sb_addf(sb, "  %s %s", table_column_head(&s->columns.data[i].column),
                sheet_cell(s, a->ui.table.at, i)->text.bytes);
        if (text_cols(sb_text(sb), sb->len) > cols)
            sb_truncate(sb, before);
    }
}
