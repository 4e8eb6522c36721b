/* icicle_pane.c: draws the icicle plot and moves its cursor, which is that of the tree. */
#include "tui/pictures/icicle_pane.h"

#include "tui/commands/action.h"
#include "tui/commands/cmd.h"
#include "tui/panes/cells.h"
#include "tui/panes/compare.h"
#include "view/delta.h"

enum {
    MIN_COLS = 2,   /* of a cell that is drawn alone */
    LABEL_MIN = 3,  /* of one that has a name */
    SHARE_COLS = 7, /* " 12.3% " */
};

void icicle_pane_forget(struct icicle_pane *p)
{
    p->result = NULL;
}

void icicle_pane_done(struct icicle_pane *p)
{
    icicle_done(&p->icicle);
    tree_unref(p->tree);
    vec_done(&p->zooms);
}

/* ---- what it is of */

static row_id zoom_of(const struct icicle_pane *p)
{
    return p->zooms.n ? p->zooms.data[p->zooms.n - 1] : 0;
}

/* True when the displayed ROW lies at or below TOP, and not so far that it has no cell. */
static bool lies_below(const struct result *r, row_id row, row_id top)
{
    for (int level = 0; row != top; level++) {
        if (!row || level == ICICLE_LEVELS_MAX - 1)
            return false;
        row = result_parent(r, row);
    }
    return true;
}

/* The row to be on top for the cursor to be seen when it is very deep. */
static row_id row_above(const struct result *r, row_id row)
{
    for (int level = 0; row && level < ICICLE_LEVELS_MAX / 2; level++)
        row = result_parent(r, row);
    return row;
}

/* Leaves zooms that do not hold the cursor, or are not displayed any more. */
static void settle_zoom(struct app *a)
{
    struct icicle_pane *p = &a->icicle;
    const struct result *r = a->result;
    const row_id cursor = app_row(a);

    if (p->tree != r->tree) {
        tree_unref(p->tree);
        p->tree = tree_ref((struct tree *)(uintptr_t)r->tree);
        p->zooms.n = 0;
    }
    while (p->zooms.n && (r->why[zoom_of(p)] != WHY_SHOWN || !lies_below(r, cursor, zoom_of(p))))
        p->zooms.n--;
    if (!lies_below(r, cursor, zoom_of(p)))
        vec_push(&p->zooms, row_above(r, cursor));
}

/* Makes the picture for COLS columns when it is not there yet. */
static void fit(struct app *a, int cols)
{
    struct icicle_pane *p = &a->icicle;
    struct icicle_shape shape = {.metric = figure_primary(&a->result->options), .cols = cols,
                                 .min_cols = MIN_COLS};

    settle_zoom(a);
    shape.top = zoom_of(p);
    if (p->result == a->result && p->icicle.shape.top == shape.top &&
        p->icicle.shape.metric == shape.metric && p->icicle.shape.cols == cols)
        return;
    icicle_make(&p->icicle, a->result, shape);
    p->result = a->result;
}

static bool fits(const struct app *a)
{
    return a->result && !a->result->view->is_list &&
           figure_primary(&a->result->options) < METRIC_COUNT;
}

/* ---- drawing */

static double share_of(const struct app *a, int64_t figure)
{
    const int64_t whole = a->result->total[figure_primary(&a->result->options)][0];

    return whole > 0 ? (double)figure / (double)whole : 0;
}

static enum role change_role(const struct app *a, row_id row, enum role otherwise)
{
    static const enum role roles[] = {
        [CHANGE_SHRANK_MUCH] = ROLE_SHRANK_MUCH,
        [CHANGE_SHRANK] = ROLE_SHRANK,
        [CHANGE_GREW] = ROLE_GREW,
        [CHANGE_GREW_MUCH] = ROLE_GREW_MUCH,
    };
    const enum change change =
        delta_change(delta_of(a->result, a->icicle.icicle.shape.metric, row));

    return change == CHANGE_NONE ? otherwise : roles[change];
}

static enum role role_of(const struct app *a, const struct icicle_cell *cell, bool odd, bool at)
{
    if (at)
        return a->focus == PANE_TREE ? ROLE_CURSOR : ROLE_CURSOR_BLURRED;
    if (cell->n_rows == 1 && search_matches(a, cell->row))
        return ROLE_MATCH;
    if (a->dim_tree || cell->n_rows > 1)
        return ROLE_DIM;
    if (result_compares(a->result))
        return change_role(a, cell->row, odd ? ROLE_CELL_OTHER : ROLE_CELL);
    return odd ? ROLE_CELL_OTHER : ROLE_CELL;
}

static void draw_label(struct app *a, struct area where, int row, const struct icicle_cell *cell,
                       enum role role)
{
    struct strbuf text = {0};
    const int room = cell->cols - 1;
    size_t name_len;
    int cols;

    pane_tree_name(a, cell->row, room, &text);
    name_len = text.len;
    cols = text_cols(sb_text(&text), text.len);
    if (result_compares(a->result)) {
        sb_addc(&text, ' ');
        compare_cell(a->result, cell->row, a->icicle.icicle.shape.metric, &text);
        if (text_cols(sb_text(&text), text.len) > room)
            sb_truncate(&text, name_len);
    } else if (cols + SHARE_COLS <= room) {
        sb_addf(&text, " %.1f%%", 100 * share_of(a, cell->figure));
    }
    area_put(area_sub(where, row, cell->col + 1, 1, room), 0, 0, sb_text(&text), text.len, role);
    sb_done(&text);
}

/* "17 rows 1.20ms" in the middle of a joined cell that has the room. */
static void draw_sum(struct area where, int row, const struct icicle_cell *cell, enum metric_id m,
                     enum role role)
{
    struct strbuf text = {0};
    int cols;

    sb_addf(&text, " %u rows ", cell->n_rows);
    figure_value(&text, metrics[m].unit, cell->figure);
    sb_addc(&text, ' ');
    cols = text_cols(sb_text(&text), text.len);
    if (cols + 2 <= cell->cols)
        area_put(where, row, cell->col + (cell->cols - cols) / 2, sb_text(&text), text.len, role);
    sb_done(&text);
}

static void draw_cell(struct app *a, struct area where, int row, const struct icicle_cell *cell,
                      enum role role)
{
    if (cell->n_rows > 1) {
        area_fill(where, row, cell->col, cell->cols, 0x2591, role); /* ░ */
        draw_sum(where, row, cell, a->icicle.icicle.shape.metric, role);
        return;
    }
    area_fill(where, row, cell->col, cell->cols, ' ', role);
    area_fill(where, row, cell->col, 1, 0x258f, role); /* ▏ */
    if (cell->cols >= LABEL_MIN)
        draw_label(a, where, row, cell, role);
}

static void draw_head(struct app *a)
{
    struct area where = layout_area(&a->canvas, a->layout.heads);
    const struct icicle_pane *p = &a->icicle;
    const enum metric_id m = p->icicle.shape.metric;
    struct strbuf text = {0}, fit_text = {0};

    sb_addf(&text, "ICICLE  width: %s  of ", metrics[m].name);
    pane_tree_name(a, zoom_of(p), where.cols / 2, &text);
    sb_adds(&text, "  ");
    cell_add(a, zoom_of(p), m, CELL_TOTAL, &text);
    if (result_compares(a->result))
        sb_adds(&text, "  red: more, blue: less");
    if (p->icicle.n_levels > a->layout.tree.rows)
        sb_addf(&text, "  levels %d to %d of %d", p->top, p->top + a->layout.tree.rows - 1,
                p->icicle.n_levels);
    text_cut_end(&fit_text, sb_text(&text), text.len, where.cols - 1);
    area_fill(where, 0, 0, where.cols, ' ', ROLE_HEADER);
    area_put(where, 0, 1, sb_text(&fit_text), fit_text.len, ROLE_HEADER);
    sb_done(&text);
    sb_done(&fit_text);
}

/* The first level of a window of N_ROWS in which level AT is seen. */
static int scroll_levels(struct icicle_pane *p, int at, int n_rows)
{
    return (int)scroll_to((size_t)p->top, (size_t)at, (size_t)p->icicle.n_levels, n_rows);
}

static void draw(struct app *a)
{
    struct area where = layout_area(&a->canvas, a->layout.tree);
    struct icicle_pane *p = &a->icicle;
    const struct icicle_cell *at;
    int level = 0;

    fit(a, where.cols);
    at = icicle_find(&p->icicle, a->result, app_row(a), &level);
    p->top = scroll_levels(p, level, where.rows);
    draw_head(a);
    for (int row = 0; row < where.rows && p->top + row < p->icicle.n_levels; row++) {
        size_t n;
        const struct icicle_cell *cells = icicle_level(&p->icicle, p->top + row, &n);

        for (size_t c = 0; c < n; c++)
            draw_cell(a, where, row, &cells[c],
                      role_of(a, &cells[c], (c + (size_t)(p->top + row)) % 2, &cells[c] == at));
    }
    if (at)
        area_cursor(where, level - p->top, at->col, false);
    else
        area_printf(where, 1, 2, ROLE_NOTE, "%s is 0: there is nothing to draw (S: fields)",
                    metrics[p->icicle.shape.metric].name);
}

/* "Conv2D  self 1.20ms  total 3.40ms  12.3% of root", "17 rows, 1.20ms, 0.1% of root". */
static void status(struct app *a, struct strbuf *sb)
{
    const enum metric_id m = a->icicle.icicle.shape.metric;
    const row_id row = app_row(a);
    int level;
    const struct icicle_cell *cell = icicle_find(&a->icicle.icicle, a->result, row, &level);
    int64_t figure = a->result->total[m][row];

    if (cell && cell->n_rows > 1) {
        sb_addf(sb, "%u rows too narrow to draw: ", cell->n_rows);
        figure_value(sb, metrics[m].unit, cell->figure);
        figure = cell->figure;
    } else {
        pane_tree_name(a, row, 40, sb);
        sb_adds(sb, cell_state(a, row, m, CELL_SELF) == CELL_NONE ? "" : "  self ");
        cell_add(a, row, m, CELL_SELF, sb);
        sb_adds(sb, "  total ");
        cell_add(a, row, m, CELL_TOTAL, sb);
        if (result_compares(a->result)) {
            sb_addc(sb, ' ');
            compare_cell(a->result, row, m, sb);
        }
    }
    sb_addf(sb, "  %.1f%% of root", 100 * share_of(a, figure));
}

/* ---- moving */

static const struct icicle_cell *cell_at_cursor(struct app *a, int *level)
{
    fit(a, a->layout.tree.cols);
    return icicle_find(&a->icicle.icicle, a->result, app_row(a), level);
}

static void side(struct app *a, int direction)
{
    const struct icicle *i = &a->icicle.icicle;
    int level;
    const struct icicle_cell *at = cell_at_cursor(a, &level);
    const struct icicle_cell *cells;
    size_t n;

    if (!at)
        return;
    cells = icicle_level(i, level, &n);
    if ((direction < 0 && at > cells) || (direction > 0 && at < cells + n - 1))
        app_peek(a, at[direction].row);
}

/* The first cell right below AT, which is of LEVEL; NULL: none. */
static const struct icicle_cell *below(const struct icicle *i, const struct icicle_cell *at,
                                       int level)
{
    const struct icicle_cell *child = NULL;

    for (int col = at->col; !child && at->n_rows == 1 && col < at->col + at->cols; col++)
        child = icicle_at(i, level + 1, col);
    return child;
}

/* Goes N levels down, or up, at once: the tree takes its time for each row it opens. */
static void move_levels(struct app *a, int n)
{
    const struct icicle *i = &a->icicle.icicle;
    int level;
    const struct icicle_cell *at = cell_at_cursor(a, &level), *next = at;

    for (; n && next; n += n < 0 ? 1 : -1) {
        at = next;
        next = n < 0 ? icicle_at(i, level - 1, at->col) : below(i, at, level);
        level += n < 0 ? -1 : 1;
    }
    at = next ? next : at;
    if (at)
        app_peek(a, at->row);
}

static void move(struct app *a, enum move move)
{
    const int page = a->layout.tree.rows;

    switch (move) {
    case MOVE_UP:
        move_levels(a, -1);
        break;
    case MOVE_DOWN:
        move_levels(a, 1);
        break;
    case MOVE_PAGE_UP:
    case MOVE_HALF_UP:
        move_levels(a, move == MOVE_PAGE_UP ? -page : -page / 2);
        break;
    case MOVE_PAGE_DOWN:
    case MOVE_HALF_DOWN:
        move_levels(a, move == MOVE_PAGE_DOWN ? page : page / 2);
        break;
    case MOVE_FIRST:
        move_levels(a, -ICICLE_LEVELS_MAX);
        break;
    case MOVE_LAST:
        move_levels(a, ICICLE_LEVELS_MAX);
        break;
    }
}

/* Zooms to the cell under the cursor; to what siblings lie under when they are joined. */
static void zoom_in(struct app *a)
{
    struct icicle_pane *p = &a->icicle;
    int level;
    const struct icicle_cell *at = cell_at_cursor(a, &level);
    row_id row;

    if (!at)
        return;
    row = at->n_rows > 1 ? at->parent : at->row;
    if (row == zoom_of(p)) {
        app_say(a, ROLE_DIM, at->n_rows > 1 ? "these are too narrow at any zoom; F shows the tree"
                                            : "this is what the picture is of");
        return;
    }
    vec_push(&p->zooms, row);
    p->top = 0;
}

bool icicle_pane_unzoom(struct app *a)
{
    struct icicle_pane *p = &a->icicle;

    if (!p->zooms.n)
        return false;
    p->zooms.n--;
    return true;
}

static void click(struct app *a, int row, int col)
{
    const struct icicle_cell *cell;
    int level;

    fit(a, a->layout.tree.cols);
    cell = icicle_at(&a->icicle.icicle, a->icicle.top + row, col);
    if (!cell)
        return;
    if (cell == cell_at_cursor(a, &level))
        zoom_in(a);
    else
        app_peek(a, cell->row);
}

void cmd_icicle(struct app *a, int arg)
{
    (void)arg;
    a->focus = PANE_TREE;
    a->picture = a->picture == &icicle_pane ? NULL : &icicle_pane;
}

const struct pane icicle_pane = {
    "icicle", CTX_ICICLE, draw, move, zoom_in, click, .fits = fits, .status = status, .side = side,
};
