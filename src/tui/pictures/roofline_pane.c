/* roofline_pane.c: moves from point to point in the roofline plot. */
#include "tui/pictures/roofline_pane.h"

#include "base/utf8.h"
#include "model/format.h"
#include "tui/commands/action.h"
#include "tui/commands/cmd.h"
#include "tui/pictures/roofline_draw.h"

bool roofline_pane_wants(const struct app *a)
{
    return pane_of(a, PANE_TREE) == &roofline_pane && !a->layout.tiny && !a->roofline.is_fresh;
}

static bool fits(const struct app *a)
{
    return a->result;
}

static bool has_points(const struct app *a)
{
    return a->roofline.roofline && a->roofline.roofline->points.n;
}

/* The point of the type that was chosen; without one that which took most time. */
static void go_to_type(struct roofline_pane *p)
{
    p->at = 0;
    for (size_t i = 0; i < p->roofline->points.n; i++)
        if (p->roofline->points.data[i].op == p->op)
            p->at = i;
}

void roofline_pane_take(struct app *a, struct roofline *l)
{
    roofline_free(a->roofline.roofline);
    a->roofline.roofline = l;
    a->roofline.is_fresh = true;
    go_to_type(&a->roofline);
}

void roofline_pane_renew(struct roofline_pane *p)
{
    p->is_fresh = false;
}

void roofline_pane_forget(struct roofline_pane *p)
{
    roofline_free(p->roofline);
    *p = (struct roofline_pane){.roofline = NULL};
}

/* " 803.36ms 11.9%  compute 100.0% of roof  21.94G flop/s  113.60 flop/byte". */
static void add_figures(struct strbuf *sb, const struct roofline *l, const struct roofline_point *p)
{
    sb_addc(sb, ' ');
    format_time(sb, p->micros_ps);
    sb_addf(sb, " %.1f%%  %s %.1f%% of roof  ",
            l->all_ps > 0 ? 100 * (double)p->micros_ps / (double)l->all_ps : 0.0,
            bound_names[p->bound], (double)p->roof_percent / MILLION);
    format_value(sb, UNIT_RATE, p->flops_per_second);
    sb_adds(sb, " flop/s  ");
    format_value(sb, UNIT_MILLIONTHS, p->intensity);
    sb_adds(sb, " flop/byte");
}

/* The name is cut first: it stands beside the point as well. */
static void status(struct app *a, struct strbuf *sb)
{
    enum { NAME_COLS_MIN = 8, BORDER_COLS = 3 };
    const struct profile *profile = a->result->profile;
    const struct roofline_point *p;
    struct strbuf name = {0}, figures = {0};
    int cols;

    if (!has_points(a))
        return;
    p = &a->roofline.roofline->points.data[a->roofline.at];
    add_figures(&figures, a->roofline.roofline, p);
    cols = a->layout.status.cols - BORDER_COLS - (int)figures.len;
    utf8_escape(&name, profile_text(profile, p->op), intern_len(&profile->strings, p->op));
    text_cut_middle(sb, sb_text(&name), name.len, cols > NAME_COLS_MIN ? cols : NAME_COLS_MIN);
    sb_adds(sb, sb_text(&figures));
    sb_done(&name);
    sb_done(&figures);
}

/* ---- moving */

static void go_to(struct app *a, size_t point)
{
    a->roofline.at = point;
    a->roofline.op = a->roofline.roofline->points.data[point].op;
}

/* Where the point under the cursor is among the points of ORDER. */
static size_t place_in(const struct app *a, const uint32_t *order)
{
    size_t i = 0;

    while (order[i] != a->roofline.at)
        i++;
    return i;
}

static void move(struct app *a, enum move move)
{
    enum { POINTS_PER_PAGE = 10 };
    const struct roofline *l = a->roofline.roofline;

    if (has_points(a))
        go_to(a, l->by_rate.data[move_index(move, place_in(a, l->by_rate.data), l->by_rate.n,
                                            POINTS_PER_PAGE)]);
}

static void side(struct app *a, int direction)
{
    const struct roofline *l = a->roofline.roofline;

    if (has_points(a))
        go_to(a, l->by_intensity.data[move_index(direction < 0 ? MOVE_UP : MOVE_DOWN,
                                                 place_in(a, l->by_intensity.data),
                                                 l->by_intensity.n, 1)]);
}

/* Shows the type in the op view. */
static void open_type(struct app *a)
{
    node_id node;

    if (!has_points(a))
        return;
    node = a->roofline.roofline->points.data[a->roofline.at].node;
    a->picture = NULL;
    if (a->wanted.view == VIEW_OP && a->result->view_id == VIEW_OP) {
        app_go_node(a, node);
        return;
    }
    places_jump(a);
    a->anchor = node;
    app_change(a, VIEW_OP, &a->wanted.options);
}

static void click(struct app *a, int row, int col)
{
    size_t point;

    if (!has_points(a))
        return;
    point = roofline_nearest(a, row, col);
    if (point == a->roofline.at)
        open_type(a);
    else
        go_to(a, point);
}

void cmd_roofline(struct app *a, int arg)
{
    struct roofline_pane *p = &a->roofline;
    const node_id node = app_node_of(a, app_row(a));

    (void)arg;
    a->focus = PANE_TREE;
    if (a->picture == &roofline_pane) {
        a->picture = NULL;
        return;
    }
    a->picture = &roofline_pane;
    if (node < a->result->profile->n_nodes)
        p->op = a->result->profile->op[node];
    if (p->roofline)
        go_to_type(p);
    if (roofline_pane_wants(a))
        task_want(a, TASK_ROOFLINE);
}

const struct pane roofline_pane = {
    "roofline", CTX_ROOFLINE, roofline_draw, move, open_type, click,
    .fits = fits, .status = status, .side = side,
};
