/* flame_pane.c: draws the flame graph and moves in it. Its cursor is the tree's. */
#include "model/format.h"
#include "tui/action.h"
#include "tui/panes/cells.h"
#include "tui/panes/compare.h"
#include "tui/panes/picture.h"
#include "view/delta.h"

enum {
    MIN_COLS = 2,   /* minimum width of a cell for one row */
    LABEL_MIN = 3,  /* minimum width of a cell with a name */
    SHARE_COLS = 7, /* " 12.3% " */
};

/* ---- zoom */

static row_id zoom_of(const struct flame_pane *p)
{
    return p->zooms.n ? p->zooms.data[p->zooms.n - 1] : 0;
}

/* True when the displayed ROW is at or below TOP, and near enough to have a cell. */
static bool lies_below(const struct result *r, row_id row, row_id top)
{
    for (int level = 0; row != top; level++) {
        if (!row || level == FLAME_LEVELS_MAX - 1)
            return false;
        row = result_parent(r, row);
    }
    return true;
}

/* The row to zoom to so that a very deep cursor is visible. */
static row_id row_above(const struct result *r, row_id row)
{
    for (int level = 0; row && level < FLAME_LEVELS_MAX / 2; level++)
        row = result_parent(r, row);
    return row;
}

/* Drops zooms that do not contain the cursor or are hidden. */
static void drop_stale_zooms(struct app *a)
{
    struct flame_pane *p = &a->ui.flame_graph;
    const struct result *r = a->doc.result;
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

/* Computes the picture for COLS columns if it is out of date. */
static void fit_zoom(struct app *a, int cols)
{
    struct flame_pane *p = &a->ui.flame_graph;
    struct flame_shape shape = {.metric = figure_primary(&a->doc.result->options), .cols = cols,
                                 .min_cols = MIN_COLS};

    drop_stale_zooms(a);
    shape.top = zoom_of(p);
    if (p->made_for == a->doc.generation.result && p->flame_graph.shape.top == shape.top &&
        p->flame_graph.shape.metric == shape.metric && p->flame_graph.shape.cols == cols)
        return;
    flame_graph_make(&p->flame_graph, a->doc.result, shape);
    p->made_for = a->doc.generation.result;
}

static bool fits(const struct doc *doc)
{
    return doc->result && !doc->result->view->is_list &&
           figure_primary(&doc->result->options) < METRIC_COUNT;
}

/* ---- drawing */

static double share_of(const struct doc *doc, int64_t figure)
{
    const int64_t whole = doc->result->total[figure_primary(&doc->result->options)][0];

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
        delta_change(delta_of(a->doc.result, a->ui.flame_graph.flame_graph.shape.metric, row));

    return change == CHANGE_NONE ? otherwise : roles[change];
}

static enum role role_of(const struct app *a, const struct flame_cell *cell, bool odd, bool at)
{
    if (at)
        return a->ui.focus == PANE_TREE ? ROLE_CURSOR : ROLE_CURSOR_BLURRED;
    if (cell->n_rows == 1 && search_matches(&a->nav.search, a->doc.result, cell->row))
        return ROLE_MATCH;
    if (a->ui.tree.dim || cell->n_rows > 1)
        return ROLE_DIM;
    if (result_compares(a->doc.result))
        return change_role(a, cell->row, odd ? ROLE_CELL_OTHER : ROLE_CELL);
    return odd ? ROLE_CELL_OTHER : ROLE_CELL;
}

static void draw_label(struct app *a, struct area where, int row, const struct flame_cell *cell,
                       enum role role)
{
    struct strbuf text = {0};
    const int room = cell->cols - 1;
    size_t name_len;
    int cols;

    pane_tree_name(&a->doc, cell->row, room, &text);
    name_len = text.len;
    cols = text_cols(sb_text(&text), text.len);
    if (result_compares(a->doc.result)) {
        sb_addc(&text, ' ');
        compare_cell(a->doc.result, cell->row, a->ui.flame_graph.flame_graph.shape.metric, &text);
        if (text_cols(sb_text(&text), text.len) > room)
            sb_truncate(&text, name_len);
    } else if (cols + SHARE_COLS <= room) {
        sb_addf(&text, " %.1f%%", 100 * share_of(&a->doc, cell->figure));
    }
    area_put(area_sub(where, row, cell->col + 1, 1, room), 0, 0, sb_text(&text), text.len, role);
    sb_done(&text);
}

/* Draws "17 rows 1.20ms" in the middle of a joined cell if it fits. */
static void draw_sum(struct area where, int row, const struct flame_cell *cell, enum metric_id m,
                     enum role role)
{
    struct strbuf text = {0};
    int cols;

    sb_addf(&text, " %u rows ", cell->n_rows);
    format_spaced(&text, metrics[m].unit, cell->figure);
    sb_addc(&text, ' ');
    cols = text_cols(sb_text(&text), text.len);
    if (cols + 2 <= cell->cols)
        area_put(where, row, cell->col + (cell->cols - cols) / 2, sb_text(&text), text.len, role);
    sb_done(&text);
}

static void draw_cell(struct app *a, struct area where, int row, const struct flame_cell *cell,
                      enum role role)
{
    if (cell->n_rows > 1) {
        area_fill(where, row, cell->col, cell->cols, 0x2591, role); /* ░ */
        draw_sum(where, row, cell, a->ui.flame_graph.flame_graph.shape.metric, role);
        return;
    }
    area_fill(where, row, cell->col, cell->cols, ' ', role);
    area_fill(where, row, cell->col, 1, 0x258f, role); /* ▏ */
    if (cell->cols >= LABEL_MIN)
        draw_label(a, where, row, cell, role);
}

static void draw_head(struct app *a)
{
    struct area where = layout_area(&a->ui.canvas, a->ui.layout.heads);
    const struct flame_pane *p = &a->ui.flame_graph;
    const enum metric_id m = p->flame_graph.shape.metric;
    struct strbuf text = {0}, fit_text = {0};

    sb_addf(&text, "FLAME GRAPH  width: %s  of ", metrics[m].name);
    pane_tree_name(&a->doc, zoom_of(p), where.cols / 2, &text);
    sb_adds(&text, "  ");
    cell_add(a, zoom_of(p), m, CELL_TOTAL, &text);
    sb_adds(&text, result_compares(a->doc.result) ? "  red: more, blue: less" : "");
    if (p->flame_graph.n_levels > a->ui.layout.tree.rows)
        sb_addf(&text, "  levels %d to %d of %d", p->top, p->top + a->ui.layout.tree.rows - 1,
                p->flame_graph.n_levels);
    text_cut_end(&fit_text, sb_text(&text), text.len, where.cols - 1);
    area_fill(where, 0, 0, where.cols, ' ', ROLE_HEADER);
    area_put(where, 0, 1, sb_text(&fit_text), fit_text.len, ROLE_HEADER);
    EACH(sb_done, &text, &fit_text);
}

/* The first level of a window of N_ROWS that contains level AT. */
static int scroll_levels(struct flame_pane *p, int at, int n_rows)
{
    return (int)scroll_to((size_t)p->top, (size_t)at, (size_t)p->flame_graph.n_levels, n_rows);
}

static void draw(struct app *a)
{
    struct area where = layout_area(&a->ui.canvas, a->ui.layout.tree);
    struct flame_pane *p = &a->ui.flame_graph;
    const struct flame_cell *at;
    int level = 0;

    fit_zoom(a, where.cols);
    at = flame_graph_find(&p->flame_graph, a->doc.result, app_row(a), &level);
    p->top = scroll_levels(p, level, where.rows);
    draw_head(a);
    for (int row = 0; row < where.rows && p->top + row < p->flame_graph.n_levels; row++) {
        size_t n;
        const struct flame_cell *cells = flame_level(&p->flame_graph, p->top + row, &n);

        for (size_t c = 0; c < n; c++)
            draw_cell(a, where, row, &cells[c],
                      role_of(a, &cells[c], (c + (size_t)(p->top + row)) % 2, &cells[c] == at));
    }
    if (at)
        area_cursor(where, level - p->top, at->col, false);
    else
        area_printf(where, 1, 2, ROLE_NOTE, "%s is 0: nothing to draw (S: fields)",
                    metrics[p->flame_graph.shape.metric].name);
}

/* Appends "Conv2D  self 1.20ms  total 3.40ms  12.3% of root" or "17 rows, 1.20ms, 0.1% of root". */
static void status(struct app *a, struct strbuf *sb)
{
    const enum metric_id m = a->ui.flame_graph.flame_graph.shape.metric;
    const row_id row = app_row(a);
    int level;
    const struct flame_cell *cell = flame_graph_find(&a->ui.flame_graph.flame_graph, a->doc.result,
                                                     row, &level);
    int64_t figure = a->doc.result->total[m][row];

    if (cell && cell->n_rows > 1) {
        sb_addf(sb, "%u rows too narrow to draw: ", cell->n_rows);
        format_spaced(sb, metrics[m].unit, cell->figure);
        figure = cell->figure;
    } else {
        pane_tree_name(&a->doc, row, 40, sb);
        sb_adds(sb, cell_state(a, row, m, CELL_SELF) == CELL_NONE ? "" : "  self ");
        cell_add(a, row, m, CELL_SELF, sb);
        sb_adds(sb, "  total ");
        cell_add(a, row, m, CELL_TOTAL, sb);
        if (result_compares(a->doc.result)) {
            sb_addc(sb, ' ');
            compare_cell(a->doc.result, row, m, sb);
        }
    }
    sb_addf(sb, "  %.1f%% of root", 100 * share_of(&a->doc, figure));
}

/* ---- moving */

static const struct flame_cell *cell_at_cursor(struct app *a, int *level)
{
    fit_zoom(a, a->ui.layout.tree.cols);
    return flame_graph_find(&a->ui.flame_graph.flame_graph, a->doc.result, app_row(a), level);
}

static void side(struct app *a, int direction)
{
    const struct flame_graph *i = &a->ui.flame_graph.flame_graph;
    int level;
    const struct flame_cell *at = cell_at_cursor(a, &level);
    const struct flame_cell *cells;
    size_t n;

    if (!at)
        return;
    cells = flame_level(i, level, &n);
    if ((direction < 0 && at > cells) || (direction > 0 && at < cells + n - 1))
        app_peek(a, at[direction].row);
}

/* The first cell below AT, which is on LEVEL; NULL: none. */
static const struct flame_cell *below(const struct flame_graph *i, const struct flame_cell *at,
                                       int level)
{
    const struct flame_cell *child = NULL;

    for (int col = at->col; !child && at->n_rows == 1 && col < at->col + at->cols; col++)
        child = flame_graph_at(i, level + 1, col);
    return child;
}

/* Moves N levels down (negative: up) at once, since each move may unfold rows. */
static void move_levels(struct app *a, int n)
{
    const struct flame_graph *i = &a->ui.flame_graph.flame_graph;
    int level;
    const struct flame_cell *at = cell_at_cursor(a, &level), *next = at;

    for (; n && next; n += n < 0 ? 1 : -1) {
        at = next;
        next = n < 0 ? flame_graph_at(i, level - 1, at->col) : below(i, at, level);
        level += n < 0 ? -1 : 1;
    }
    at = next ? next : at;
    if (at)
        app_peek(a, at->row);
}

static void move(struct app *a, enum move move)
{
    const int page = a->ui.layout.tree.rows;

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
        move_levels(a, -FLAME_LEVELS_MAX);
        break;
    case MOVE_LAST:
        move_levels(a, FLAME_LEVELS_MAX);
        break;
    }
}

/* Zooms to the selected cell; of joined siblings to their parent. */
static void zoom_in(struct app *a)
{
    struct flame_pane *p = &a->ui.flame_graph;
    int level;
    const struct flame_cell *at = cell_at_cursor(a, &level);
    row_id row;

    if (!at)
        return;
    row = at->n_rows > 1 ? at->parent : at->row;
    if (row == zoom_of(p)) {
        app_print(a, ROLE_DIM, at->n_rows > 1 ? "these cells are too narrow at any zoom; F shows the tree"
                                              : "this cell is the root of the picture");
        return;
    }
    vec_push(&p->zooms, row);
    p->top = 0;
}

static bool unzoom(struct app *a)
{
    struct flame_pane *p = &a->ui.flame_graph;

    if (!p->zooms.n)
        return false;
    p->zooms.n--;
    return true;
}

static void click(struct app *a, int row, int col)
{
    const struct flame_cell *cell;
    int level;

    fit_zoom(a, a->ui.layout.tree.cols);
    cell = flame_graph_at(&a->ui.flame_graph.flame_graph, a->ui.flame_graph.top + row, col);
    if (!cell)
        return;
    if (cell == cell_at_cursor(a, &level))
        zoom_in(a);
    else
        app_peek(a, cell->row);
}

static void forget(struct ui *ui)
{
    struct flame_pane *p = &ui->flame_graph;

    flame_graph_done(&p->flame_graph);
    tree_unref(p->tree);
    vec_done(&p->zooms);
    *p = (struct flame_pane){.tree = NULL};
}

const struct picture_ops flame_picture = {
    .pane = {"flame-graph", CTX_FLAME, draw, move, zoom_in, click},
    .fits = fits,
    .status = status,
    .side = side,
    .back = unzoom,
    .forget = forget,
};
