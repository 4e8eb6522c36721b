/* roofline_svg.c: draws the roofline of a result as an SVG element: a circle for each operation
 * type on logarithmic scales, below the roofs. */

#include <math.h>

#include "export/pictures/svg_parts.h"
#include "export/rows/figure_choice.h"
#include "model/format.h"
#include "view/pictures/roofline.h"

enum {
    LEFT_PX = 90, TOP_PX = 2 * SVG_LINE_PX, /* origin of the plot */
    PLOT_PX = SVG_WIDTH_PX - LEFT_PX - 20, PLOT_HEIGHT_PX = 560,
    HEIGHT_PX = TOP_PX + PLOT_HEIGHT_PX + 2 * SVG_LINE_PX,
    ROOF_STEPS = 240, /* segments of the line, which has one bend */
    NAMES_MAX = 40,   /* points with names, longest time first */
    NAME_COLS = 40,
    NAME_ROOM_PX = 290, /* points nearer than this to the right edge have their names on the left */
    LEAST_RADIUS_PX = 3, MORE_RADIUS_PX = 13, /* LEAST: radius at a share of 0; MORE is added at
                                               * a share of 1 */
};

struct plot {
    struct outbuf *out;
    const struct result *result;
    const struct roofline *l;
    struct strbuf scratch;
};

static double part_of(struct roofline_axis axis, double log)
{
    return (log - axis.from) / (axis.to - axis.from);
}

static double x_of(const struct plot *p, double log)
{
    return LEFT_PX + part_of(p->l->x, log) * PLOT_PX;
}

static double y_of(const struct plot *p, double log)
{
    return TOP_PX + (1 - part_of(p->l->y, log)) * PLOT_HEIGHT_PX;
}

/* Appends "tfprof op types, average of all steps; roofs: ...". */
static void add_head(struct plot *p)
{
    struct strbuf *sb = &p->out->text, roofs = {0};

    sb_addf(sb, "<text class=\"head\" x=\"%d\" y=\"%d\">tfprof roofline of %zu op types, ",
            LEFT_PX, SVG_BASE_PX, p->l->points.n);
    svg_step(sb, p->result->options.step);
    if (p->l->n_rateless)
        sb_addf(sb, "; %u without FLOPs and bytes", p->l->n_rateless);
    sb_adds(sb, "</text>\n");
    if (!p->l->points.n)
        return;
    roofs_text(&roofs, p->result->profile, &p->l->roofs);
    sb_addf(sb, "<text class=\"head\" x=\"%d\" y=\"%d\">", LEFT_PX, SVG_LINE_PX + SVG_BASE_PX);
    svg_name(sb, (struct text){sb_text(&roofs), (uint32_t)roofs.len}, SVG_TITLE_COLS);
    sb_adds(sb, "</text>\n");
    sb_done(&roofs);
}

static void add_scales(struct plot *p)
{
    struct strbuf *sb = &p->out->text;
    const double bottom = TOP_PX + PLOT_HEIGHT_PX, right = LEFT_PX + PLOT_PX;

    for (int decade = p->l->x.from; decade <= p->l->x.to; decade++)
        sb_addf(sb,
                "<line class=\"grid\" x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%.1f\"/>"
                "<text class=\"head\" x=\"%.1f\" y=\"%.1f\">%g</text>\n",
                x_of(p, decade), TOP_PX, x_of(p, decade), bottom, x_of(p, decade),
                bottom + SVG_BASE_PX, pow(10, decade));
    for (int decade = p->l->y.from; decade <= p->l->y.to; decade++)
        sb_addf(sb,
                "<line class=\"grid\" x1=\"%d\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>"
                "<text class=\"head\" x=\"2\" y=\"%.1f\">%g</text>\n",
                LEFT_PX, y_of(p, decade), right, y_of(p, decade), y_of(p, decade),
                pow(10, decade));
    sb_addf(sb, "<text class=\"head\" x=\"%d\" y=\"%.1f\">flop/byte, upwards flop/s</text>\n", LEFT_PX,
            bottom + SVG_LINE_PX + SVG_BASE_PX);
}

static void add_roof(struct plot *p)
{
    struct strbuf *sb = &p->out->text;

    sb_adds(sb, "<polyline class=\"roof\" points=\"");
    for (int i = 0; i <= ROOF_STEPS; i++) {
        const double x = p->l->x.from + (double)i / ROOF_STEPS * (p->l->x.to - p->l->x.from);
        const double y = roofline_roof(p->l, x);

        if (y >= p->l->y.from && y <= p->l->y.to)
            sb_addf(sb, "%.1f,%.1f ", x_of(p, x), y_of(p, y));
    }
    sb_adds(sb, "\"/>\n");
}

/* Appends "Conv2D: 803.36ms, 12.5%, 21.94G flop/s, 56.84 flop/byte, compute, 100.00% of its
 * roof". */
static void add_title(struct plot *p, const struct roofline_point *at)
{
    struct strbuf *sb = &p->out->text, *text = &p->scratch;

    sb_adds(sb, "<title>");
    svg_name(sb, intern_string(&p->result->profile->strings, at->op), SVG_TITLE_COLS);
    sb_adds(text, ": ");
    format_value(text, metrics[METRIC_MICROS].unit, at->micros_ps);
    sb_addf(text, ", %.1f%%, ", 100 * figure_share(at->micros_ps, p->l->all_ps));
    format_value(text, metrics[METRIC_FLOPS_PER_SECOND].unit, at->flops_per_second);
    sb_adds(text, " flop/s, ");
    format_value(text, metrics[METRIC_INTENSITY].unit, at->intensity);
    sb_addf(text, " flop/byte, %s, %.2f%% of its roof", bound_names[at->bound],
            (double)at->roof_percent / MILLION);
    svg_move_text(sb, text);
    sb_adds(sb, "</title>");
}

static void add_point(struct plot *p, size_t i)
{
    const struct roofline_point *at = &p->l->points.data[i];
    const double x = x_of(p, at->x), y = y_of(p, at->y);
    struct strbuf *sb = &p->out->text;
    /* The area of a circle is proportional to the share of time. */
    const double radius =
        LEAST_RADIUS_PX + MORE_RADIUS_PX * sqrt(figure_share(at->micros_ps, p->l->all_ps));

    sb_addf(sb, "<g><circle class=\"%s\" cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\">",
            bound_names[at->bound], x, y, radius);
    add_title(p, at);
    sb_adds(sb, "</circle>");
    if (i < NAMES_MAX) {
        const bool left = x > SVG_WIDTH_PX - NAME_ROOM_PX;

        sb_addf(sb, "<text class=\"head\"%s x=\"%.1f\" y=\"%.1f\">",
                left ? " text-anchor=\"end\"" : "", left ? x - radius - 1 : x + radius + 1,
                y - radius - 1);
        svg_name(sb, intern_string(&p->result->profile->strings, at->op), NAME_COLS);
        sb_adds(sb, "</text>");
    }
    sb_adds(sb, "</g>\n");
}

void roofline_svg_write(struct outbuf *out, struct result *r)
{
    struct roofline *l = roofline_new(r, (struct cancel_mark){0});
    struct plot p = {.out = out, .result = r, .l = l};

    svg_begin(&out->text, true, HEIGHT_PX);
    add_head(&p);
    if (l->points.n) {
        add_scales(&p);
        add_roof(&p);
    }
    /* Draws the points with the longest time last, on top. */
    for (size_t i = l->points.n; i-- > 0 && outbuf_step(out);)
        add_point(&p, i);
    svg_end(&out->text);
    sb_done(&p.scratch);
    roofline_free(l);
}
