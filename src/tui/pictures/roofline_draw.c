/* roofline_draw.c: draws roofs and points on logarithmic scales. */
#include "model/format.h"
#include "tui/pictures/roofline_draw.h"

#include <math.h>
#include <stdlib.h>

#include "base/utf8.h"
#include "base/xalloc.h"

enum {
    DOT_COLS = 2, DOT_ROWS = 4, /* dots of a braille cell */
    SCALE_COLS = 9,             /* width of the scale */
    AXIS_ROWS = 1,
    LABEL_COLS_MAX = 24,
};

/* The plot within the tree's area and the use of its cells. */
struct plot {
    const struct roofline *l;
    struct area where;
    int rows, cols;
    uint8_t *dots; /* [rows * cols] braille patterns; heap */
    bool *taken;   /* [rows * cols] used by a point or a name; heap */
};

static struct plot plot_of(const struct ui *ui)
{
    const struct layout *layout = &ui->layout;

    return (struct plot){
        .l = ui->roofline.roofline,
        .rows = layout->tree.rows > AXIS_ROWS ? layout->tree.rows - AXIS_ROWS : 1,
        .cols = layout->tree.cols > SCALE_COLS + 2 ? layout->tree.cols - SCALE_COLS - 1 : 1,
    };
}

/* Position of LOG on AXIS, from 0 to 1. */
static double part_of(struct roofline_axis axis, double log)
{
    return (log - axis.from) / (axis.to - axis.from);
}

/* Index of the part of AXIS, divided into N, that contains LOG. */
static int place_on(struct roofline_axis axis, double log, int n)
{
    const double place = part_of(axis, log) * n;

    return place < 0 ? 0 : place >= n ? n - 1 : (int)place;
}

static int col_of(const struct plot *p, double x)
{
    return place_on(p->l->x, x, p->cols);
}

static int row_of(const struct plot *p, double y)
{
    return p->rows - 1 - place_on(p->l->y, y, p->rows);
}

/* ---- roofs */

/* Sets a dot, counted from the left and from the top (Unicode, chapter 21.1). */
static void set_dot(struct plot *p, int row, int col)
{
    static const uint8_t bits[DOT_ROWS][DOT_COLS] = {
        {0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}};

    p->dots[row / DOT_ROWS * p->cols + col / DOT_COLS] |= bits[row % DOT_ROWS][col % DOT_COLS];
}

/* Draws the roof: one dot in each column, connected vertically. */
static void trace_roof(struct plot *p)
{
    const int n_rows = p->rows * DOT_ROWS, n_cols = p->cols * DOT_COLS;
    int before = -1;

    for (int col = 0; col < n_cols; col++) {
        const double x = p->l->x.from + (col + 0.5) / n_cols * (p->l->x.to - p->l->x.from);
        const double y = roofline_roof(p->l, x);
        int row;

        if (y < p->l->y.from || y > p->l->y.to)
            continue;
        row = n_rows - 1 - place_on(p->l->y, y, n_rows);
        for (int fill = before; fill > row + 1; fill--)
            set_dot(p, fill - 1, col);
        set_dot(p, row, col);
        before = row;
    }
}

static void draw_roof(struct ui *ui, struct plot *p)
{
    trace_roof(p);
    for (int row = 0; row < p->rows; row++)
        for (int col = 0; col < p->cols; col++)
            if (p->dots[row * p->cols + col])
                area_fill(p->where, row, SCALE_COLS + col, 1, 0x2800u + p->dots[row * p->cols + col],
                          ui->tree.dim ? ROLE_DIM : ROLE_BAR);
}

/* ---- scales */

static void draw_scale_y(const struct plot *p)
{
    static const char units[] = " kMGTPE";
    static const char *const tens[] = {"1", "10", "100"};
    const struct roofline_axis y = p->l->y;
    int last = -1;

    for (int decade = y.to; decade >= y.from; decade--) {
        const int row = row_of(p, decade);
        struct strbuf text = {0};

        if (row == last || decade < 0 || decade > 18)
            continue;
        last = row;
        sb_addf(&text, "%s%.1s", tens[decade % 3], &units[decade / 3]);
        area_put(p->where, row, SCALE_COLS - 1 - text_cols(sb_text(&text), text.len), sb_text(&text),
                 text.len, ROLE_DIM);
        sb_done(&text);
    }
}

/* Draws the decades of the axis that fit. */
static void draw_scale_x(const struct plot *p)
{
    static const char name[] = "FLOP/B";
    const struct roofline_axis x = p->l->x;
    int free_from = SCALE_COLS;

    area_puts(p->where, p->rows, 0, "FLOP/s", ROLE_DIM);
    for (int decade = x.from; decade <= x.to; decade++) {
        const int col = SCALE_COLS + col_of(p, decade);
        struct strbuf text = {0};

        sb_addf(&text, "%g", pow(10, decade));
        if (col >= free_from && col + (int)(text.len + sizeof name) < p->where.cols) {
            area_put(p->where, p->rows, col, sb_text(&text), text.len, ROLE_DIM);
            free_from = col + (int)text.len + 1;
        }
        sb_done(&text);
    }
    area_puts(p->where, p->rows, p->where.cols - (int)sizeof name, name, ROLE_DIM);
}

/* ---- points */

static enum role role_of(const struct ui *ui, size_t point)
{
    const struct roofline_point *p = &ui->roofline.roofline->points.data[point];

    if (point == ui->roofline.at)
        return ui->focus == PANE_TREE ? ROLE_CURSOR : ROLE_CURSOR_BLURRED;
    if (roofs_excess(&ui->roofline.roofline->roofs, p->flops_per_second, p->bytes_per_second))
        return ROLE_HOT;
    if (ui->tree.dim || p->bound == BOUND_LATENCY)
        return ROLE_DIM;
    return p->bound == BOUND_COMPUTE ? ROLE_GROUP_1 : ROLE_GROUP_2;
}

/* True when COLS cells from COL on are within the plot and, with IS_FREE, unused. */
static bool has_room(const struct plot *p, int row, int col, int cols, bool is_free)
{
    if (col < 0 || col + cols > p->cols)
        return false;
    for (int i = col; i < col + cols && is_free; i++)
        if (p->taken[row * p->cols + i] || p->dots[row * p->cols + i])
            return false;
    return true;
}

/* The column for a name of COLS columns right of a point, else left of it; -1: no room. */
static int name_col(const struct plot *p, int row, int col, int cols, bool is_free)
{
    if (has_room(p, row, col + 1, cols + 2, is_free))
        return col + 2;
    return has_room(p, row, col - 2 - cols, cols + 2, is_free) ? col - 1 - cols : -1;
}

static void draw_name(struct app *a, struct plot *p, size_t point)
{
    const struct roofline_point *at = &p->l->points.data[point];
    const struct profile *profile = a->doc.result->profile;
    const int row = row_of(p, at->y), col = col_of(p, at->x);
    const bool chosen = point == a->ui.roofline.at;
    struct strbuf name = {0}, fit = {0};
    int cols, left;

    utf8_escape(&name, profile_text(profile, at->op), intern_len(&profile->strings, at->op));
    text_cut_middle(&fit, sb_text(&name), name.len, LABEL_COLS_MAX);
    cols = text_cols(sb_text(&fit), fit.len);
    left = name_col(p, row, col, cols, true);
    if (left < 0 && chosen)
        left = name_col(p, row, col, cols, false);
    if (left >= 0) {
        area_put(p->where, row, SCALE_COLS + left, sb_text(&fit), fit.len,
                 chosen ? ROLE_TITLE : ROLE_TEXT);
        for (int i = left; i < left + cols; i++)
            p->taken[row * p->cols + i] = true;
    }
    EACH(sb_done, &name, &fit);
}

static void draw_point(struct ui *ui, struct plot *p, size_t point)
{
    const struct roofline_point *at = &p->l->points.data[point];
    const int row = row_of(p, at->y), col = col_of(p, at->x);

    area_fill(p->where, row, SCALE_COLS + col, 1, 0x25cf, role_of(ui, point)); /* ● */
    p->taken[row * p->cols + col] = true;
    if (point == ui->roofline.at)
        area_cursor(p->where, row, SCALE_COLS + col, false);
}

/* Draws points, longest time first, so that their names are placed first. The selected point
 * always has a name. */
static void draw_points(struct app *a, struct plot *p)
{
    const size_t chosen = a->ui.roofline.at;

    for (size_t i = p->l->points.n; i-- > 0;)
        draw_point(&a->ui, p, i);
    draw_name(a, p, chosen);
    draw_point(&a->ui, p, chosen);
    for (size_t i = 0; i < p->l->points.n; i++)
        if (i != chosen)
            draw_name(a, p, i);
}

/* ---- the picture */

/* Appends the roofs, with their sources if COLS columns have room for them. */
static void add_roofs(struct strbuf *sb, const struct app *a, int cols)
{
    const struct roofs *roofs = &a->ui.roofline.roofline->roofs;
    struct strbuf text = {0};

    roofs_text(&text, a->doc.result->profile, roofs);
    if (text_cols(sb_text(&text), text.len) > cols) {
        sb_clear(&text);
        roofs_rates_text(&text, roofs);
    }
    if (text_cols(sb_text(&text), text.len) <= cols - 2) /* two blanks are added */
        format_spaced_text(sb, sb_text(&text));
    sb_done(&text);
}

static void draw_head(struct app *a)
{
    struct area where = layout_area(&a->ui.canvas, a->ui.layout.heads);
    const struct roofline *l = a->ui.roofline.roofline;
    struct strbuf text = {0}, fit = {0};

    sb_addf(&text, "ROOFLINE  %zu type%s", l->points.n, l->points.n == 1 ? "" : "s");
    if (l->n_left_out)
        sb_addf(&text, ", %u with less time omitted", l->n_left_out);
    if (l->n_above)
        sb_addf(&text, ", %u > 100 %%", l->n_above);
    if (l->n_rateless)
        sb_addf(&text, ", %u not drawn", l->n_rateless);
    sb_adds(&text, "  ");
    add_roofs(&text, a, where.cols - 1 - (int)text.len);
    text_cut_end(&fit, sb_text(&text), text.len, where.cols - 1);
    area_fill(where, 0, 0, where.cols, ' ', ROLE_HEADER);
    area_put(where, 0, 1, sb_text(&fit), fit.len, ROLE_HEADER);
    EACH(sb_done, &text, &fit);
}

void roofline_draw(struct app *a)
{
    struct plot p = plot_of(&a->ui);

    p.where = layout_area(&a->ui.canvas, a->ui.layout.tree);
    if (!p.l) {
        area_puts(p.where, 1, 2, "summing operation types ...", ROLE_TITLE);
        return;
    }
    draw_head(a);
    if (!p.l->points.n) {
        const char *why = metric_unknown(a->doc.result->profile, METRIC_FLOAT_OPS);

        area_puts(p.where, 1, 2, "no operation type that is shown has time and FLOPs or bytes",
                  ROLE_NOTE);
        if (why)
            area_puts(p.where, 2, 2, why, ROLE_DIM);
        return;
    }
    p.dots = xcalloc((size_t)p.rows * (size_t)p.cols, sizeof *p.dots);
    p.taken = xcalloc((size_t)p.rows * (size_t)p.cols, sizeof *p.taken);
    draw_roof(&a->ui, &p);
    draw_scale_y(&p);
    draw_scale_x(&p);
    draw_points(a, &p);
    EACH(free, p.dots, p.taken);
}

size_t roofline_nearest(const struct ui *ui, int row, int col)
{
    const struct plot p = plot_of(ui);
    size_t nearest = 0;
    int least = INT32_MAX;

    for (size_t i = 0; i < p.l->points.n; i++) {
        const struct roofline_point *at = &p.l->points.data[i];
        const int down = 2 * (row_of(&p, at->y) - row), /* a cell is twice as high as wide */
                  right = SCALE_COLS + col_of(&p, at->x) - col;
        const int distance = down * down + right * right;

        if (distance < least) {
            least = distance;
            nearest = i;
        }
    }
    return nearest;
}
