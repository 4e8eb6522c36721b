/* layout.c: divides the screen into rectangles. */
#include "tui/layout.h"

enum {
    WIDE_COLS = 100, /* minimum width for side panes */
    WIDE_ROWS = 24,
    TINY_COLS = 40,
    TINY_ROWS = 8,
    TABS_ROWS = 16, /* minimum height for a row of tabs */
    SIDE_MIN = 34,
    SIDE_MAX = 60,
    CHOSEN_SIDE_MIN = 20,
    CHOSEN_TREE_MIN = 40,
    DETAILS_SHARE = 60, /* minimum percentage of the side for details */
};

static void cut_side(struct layout *l, int top, int bottom, int cols, int side_cols, int option_rows)
{
    const int side = side_cols ? clamp(side_cols, CHOSEN_SIDE_MIN, cols - 1 - CHOSEN_TREE_MIN)
                               : clamp(cols / 3, SIDE_MIN, SIDE_MAX);
    const int rows = bottom - top;
    const int left = cols - side;
    const int share = clamp(rows * DETAILS_SHARE / 100, 12, rows);
    const int details = rows - option_rows > share ? rows - option_rows : share;

    l->divider = (struct rect){top, left - 1, rows, 1};
    l->details = (struct rect){top, left, details, side};
    l->options = (struct rect){top + details, left, rows - details, side};
}

/* Divides the rows from TOP to BOTTOM into heads, tree and its foot. */
static void cut_tree(struct layout *l, int top, int bottom, int cols)
{
    const int foot = l->wide ? 2 : 0;
    const int rows = bottom - top - 1 - foot;

    l->heads = (struct rect){top, 0, 1, cols};
    l->tree = (struct rect){top + 1, 0, rows > 0 ? rows : 0, cols};
    l->tree_foot = (struct rect){bottom - foot, 0, foot, cols};
    l->side = (struct rect){top, 0, bottom - top, cols};
}

bool layout_has_room(int rows, int cols)
{
    return cols >= WIDE_COLS && rows >= WIDE_ROWS;
}

struct layout layout_make(int rows, int cols, struct layout_choice choice, int option_rows,
                          int editor_rows)
{
    struct layout l = {.wide = layout_has_room(rows, cols) && !choice.zoomed,
                       .tiny = cols < TINY_COLS || rows < TINY_ROWS};
    int top = 0, bottom = rows;

    if (l.tiny) {
        l.tree = (struct rect){0, 0, rows, cols};
        return l;
    }
    l.header = (struct rect){top++, 0, 1, cols};
    if (rows >= TABS_ROWS && choice.verdict)
        l.verdict = (struct rect){top++, 0, 1, cols};
    if (rows >= TABS_ROWS)
        l.tabs = (struct rect){top++, 0, 1, cols};
    l.crumbs = (struct rect){top++, 0, 1, cols};
    l.footer = (struct rect){--bottom, 0, 1, cols};
    l.command = (struct rect){--bottom, 0, 1, cols};
    l.status = (struct rect){--bottom, 0, 1, cols};
    if (!l.wide && rows >= 14)
        l.brief = (struct rect){--bottom, 0, 1, cols};
    if (rows >= 12)
        l.rule = (struct rect){--bottom, 0, 1, cols};
    if (editor_rows > 0) {
        const int editor = clamp(editor_rows, 3, bottom - 5 > 3 ? bottom - 5 : 3);

        bottom -= editor;
        l.options = (struct rect){bottom, 0, editor, cols};
        l.wide = false;
        cut_tree(&l, top, bottom, cols);
    } else if (l.wide) {
        cut_side(&l, top, bottom, cols, choice.side_cols, option_rows);
        cut_tree(&l, top, bottom, l.divider.left);
    } else {
        cut_tree(&l, top, bottom, cols);
        l.details = l.options = l.side;
    }
    return l;
}

struct area layout_area(struct canvas *c, struct rect r)
{
    return area_sub(area_all(c), r.top, r.left, r.rows, r.cols);
}
