/* roofline_pane.c: moves between the points of the roofline plot. */
#include "base/utf8.h"
#include "model/format.h"
#include "tui/action.h"
#include "tui/panes/picture.h"
#include "tui/pictures/roofline_draw.h"
#include "tui/places.h"

static bool fits(const struct doc *doc)
{
    return doc->result;
}

static bool has_points(const struct ui *ui)
{
    return ui->roofline.roofline && ui->roofline.roofline->points.n;
}

/* Selects the point of the chosen type, else the one with the most time. */
static void go_to_type(struct roofline_pane *p)
{
    p->at = 0;
    for (size_t i = 0; i < p->roofline->points.n; i++)
        if (p->roofline->points.data[i].op == p->op)
            p->at = i;
}

/* Appends " 803.36 ms 11.9% compute 100.0% of roof 21.94 GFLOP/s 113.60 FLOP/B"; for a point
 * above the roof the likely cause instead of the rates. */
static void add_figures(struct strbuf *sb, const struct roofline *l, const struct roofline_point *p)
{
    const char *excess = roofs_excess(&l->roofs, p->flops_per_second, p->bytes_per_second);

    sb_addc(sb, ' ');
    format_spaced(sb, UNIT_TIME_PS, p->micros_ps);
    sb_addf(sb, " %.1f%%  %s %.1f%% of roof%s",
            l->all_ps > 0 ? 100 * (double)p->micros_ps / (double)l->all_ps : 0.0,
            bound_names[p->bound], (double)p->roof_percent / MILLION, excess ? ": " : "  ");
    if (excess) {
        sb_adds(sb, excess);
        return;
    }
    format_spaced(sb, UNIT_RATE, p->float_ops ? p->flops_per_second : p->bytes_per_second);
    format_rate_unit(sb, p->float_ops ? "flop/s " : "byte/s ");
    if (p->float_ops && p->bytes_accessed) {
        format_spaced(sb, UNIT_MILLIONTHS, p->intensity);
        sb_adds(sb, " FLOP/B");
    } else {
        sb_adds(sb, p->float_ops ? "bytes unknown" : "no FLOPs");
    }
}

/* The name is shortened first, because the plot shows it too. */
static void status(struct app *a, struct strbuf *sb)
{
    enum { NAME_COLS_MIN = 8, BORDER_COLS = 3 };
    const struct profile *profile = a->doc.result->profile;
    const struct roofline_point *p;
    struct strbuf name = {0}, figures = {0};
    int cols;

    if (!has_points(&a->ui))
        return;
    p = &a->ui.roofline.roofline->points.data[a->ui.roofline.at];
    add_figures(&figures, a->ui.roofline.roofline, p);
    cols = a->ui.layout.status.cols - BORDER_COLS - (int)figures.len;
    utf8_escape(&name, profile_text(profile, p->op), intern_len(&profile->strings, p->op));
    text_cut_middle(sb, sb_text(&name), name.len, cols > NAME_COLS_MIN ? cols : NAME_COLS_MIN);
    sb_adds(sb, sb_text(&figures));
    EACH(sb_done, &name, &figures);
}

/* ---- moving */

static void go_to(struct ui *ui, size_t point)
{
    ui->roofline.at = point;
    ui->roofline.op = ui->roofline.roofline->points.data[point].op;
}

/* Index of the selected point in ORDER. */
static size_t place_in(const struct ui *ui, const uint32_t *order)
{
    size_t i = 0;

    while (order[i] != ui->roofline.at)
        i++;
    return i;
}

static void move(struct app *a, enum move move)
{
    enum { POINTS_PER_PAGE = 10 };
    const struct roofline *l = a->ui.roofline.roofline;

    if (has_points(&a->ui))
        go_to(&a->ui,
              l->by_rate.data[move_index(move, place_in(&a->ui, l->by_rate.data), l->by_rate.n,
                                            POINTS_PER_PAGE)]);
}

static void side(struct app *a, int direction)
{
    const struct roofline *l = a->ui.roofline.roofline;

    if (has_points(&a->ui))
        go_to(&a->ui, l->by_intensity.data[move_index(direction < 0 ? MOVE_UP : MOVE_DOWN,
                                                 place_in(&a->ui, l->by_intensity.data),
                                                 l->by_intensity.n, 1)]);
}

/* Shows the type in the op view. */
static void open_type(struct app *a)
{
    node_id node;

    if (!has_points(&a->ui))
        return;
    node = a->ui.roofline.roofline->points.data[a->ui.roofline.at].node;
    a->ui.picture = NULL;
    if (a->doc.requested.view == VIEW_OP && a->doc.result->view_id == VIEW_OP) {
        app_go_node(a, node);
        return;
    }
    places_jump(a);
    a->nav.anchor = node;
    app_change(a, VIEW_OP, &a->doc.requested.options);
}

static void click(struct app *a, int row, int col)
{
    size_t point;

    if (!has_points(&a->ui))
        return;
    point = roofline_nearest(&a->ui, row, col);
    if (point == a->ui.roofline.at)
        open_type(a);
    else
        go_to(&a->ui, point);
}

/* Selects the type of the row under the cursor. */
static void shown(struct app *a)
{
    struct roofline_pane *p = &a->ui.roofline;
    const node_id node = app_node_of(a, app_row(a));

    if (node < a->doc.result->profile->n_nodes)
        p->op = a->doc.result->profile->op[node];
    if (p->roofline)
        go_to_type(p);
}

/* ---- computing it */

static bool is_stale(const struct app *a)
{
    return a->ui.roofline.made_for != a->doc.generation.result;
}

static void *make(const struct picture_job *job, struct cancel_mark cancel)
{
    struct roofline *l = NULL;
    struct err err = {0};
    struct result *r = query_request_run(&job->request, cancel, &err);

    if (r)
        l = roofline_new(r, cancel);
    result_free(r);
    err_done(&err);
    return l;
}

static void made_free(void *made)
{
    roofline_free(made);
}

static bool is_same(const struct app *a, const struct picture_job *job)
{
    return job->made_for == a->doc.generation.result;
}

static void take(struct app *a, const struct picture_job *job)
{
    struct roofline_pane *p = &a->ui.roofline;

    roofline_free(p->roofline);
    p->roofline = job->made;
    p->made_for = job->made_for;
    go_to_type(p);
}

static void forget(struct ui *ui)
{
    roofline_free(ui->roofline.roofline);
    ui->roofline = (struct roofline_pane){.roofline = NULL};
}

const struct picture_ops roofline_picture = {
    .pane = {"roofline", CTX_ROOFLINE, roofline_draw, move, open_type, click},
    .fits = fits,
    .status = status,
    .side = side,
    .shown = shown,
    .forget = forget,
    .is_stale = is_stale,
    .make = make,
    .made_free = made_free,
    .is_same = is_same,
    .take = take,
};
