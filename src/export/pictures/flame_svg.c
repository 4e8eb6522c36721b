/* flame_svg.c: draws the flame graph of a result as an SVG element: the cells of the screen's flame
 * graph, one column per pixel. */

#include "export/rows/figure_choice.h"

#include "export/pictures/svg_parts.h"
#include "model/format.h"
#include "view/delta.h"
#include "view/pictures/flame_graph.h"

enum {
    MIN_CELL_PX = 2,   /* adjacent siblings that are narrower share a cell, as on the screen */
    MIN_LABEL_PX = 24, /* minimum width of a cell with a name */
    LABEL_GAP_PX = 3,  /* distance from the edge to the name */
};

struct picture {
    struct outbuf *out;
    struct result *result;
    struct flame_graph flame_graph;
    int n_levels; /* levels drawn */
    struct strbuf scratch;
};

/* Number of levels with at most FLAME_SVG_CELLS_MAX cells. */
static int levels_drawn(const struct flame_graph *i)
{
    int level = 0;

    while (level < i->n_levels && i->level_begin.data[level + 1] <= FLAME_SVG_CELLS_MAX)
        level++;
    return level;
}

/* Appends "tfprof scope view width: micros 6.45sec step 4 levels 1 to 40 of 52". */
static void add_head(struct picture *p)
{
    const enum metric_id m = p->flame_graph.shape.metric;
    struct strbuf *sb = &p->out->text;

    sb_addf(sb, "<text class=\"head\" x=\"%d\" y=\"%d\">tfprof %s view, width: %s, ", LABEL_GAP_PX,
            SVG_BASE_PX, view_names[p->result->view_id], metrics[m].name);
    svg_step(sb, p->result->options.step);
    if (p->n_levels < p->flame_graph.n_levels)
        sb_addf(sb, ", levels 1 to %d of %d", p->n_levels, p->flame_graph.n_levels);
    sb_adds(sb, result_compares(p->result) ? "; red: more, blue: less" : "");
    sb_adds(sb, !p->n_levels ? ": 0, nothing to draw" : "");
    sb_adds(sb, "</text>\n");
}

/* Appends ", base 1.20ms, +0.10ms (+8.3%)". */
static void add_change(struct strbuf *sb, const struct result *r, enum metric_id m, row_id row)
{
    const struct delta d = delta_of(r, m, row);

    sb_adds(sb, ", base ");
    format_value(sb, metrics[m].unit, d.base);
    sb_adds(sb, ", ");
    format_delta(sb, metrics[m].unit, d.delta);
    if (d.base)
        sb_addf(sb, " (%+.1f%%)", delta_percent(d));
}

/* Appends the tooltip: "unit_1/conv: self 1.00ms, total 1.20ms, 12.3%", or "17 rows too narrow to
 * draw: total 80us, 0.1%". */
static void add_title(struct picture *p, const struct flame_cell *cell)
{
    const struct result *r = p->result;
    const enum metric_id m = p->flame_graph.shape.metric;
    struct strbuf *sb = &p->out->text, *text = &p->scratch;

    sb_adds(sb, "<title>");
    if (cell->n_rows > 1)
        sb_addf(sb, "%u rows too narrow to draw", cell->n_rows);
    else
        svg_name(sb, tree_text(r->tree, cell->row), SVG_TITLE_COLS);
    sb_adds(text, ": ");
    if (cell->n_rows == 1 && result_has_self(r, cell->row)) {
        sb_adds(text, "self ");
        format_value(text, metrics[m].unit, r->self[m][cell->row]);
        sb_adds(text, ", ");
    }
    sb_adds(text, "total ");
    format_value(text, metrics[m].unit, cell->figure);
    sb_addf(text, ", %.1f%%", 100 * figure_share(cell->figure, r->total[m][p->flame_graph.shape.top]));
    if (cell->n_rows == 1 && result_compares(r))
        add_change(text, r, m, cell->row);
    svg_move_text(sb, text);
    sb_adds(sb, "</title>");
}

static const char *class_of(const struct picture *p, const struct flame_cell *cell, bool odd)
{
    static const char *const of_change[] = {
        [CHANGE_SHRANK_MUCH] = "shrank-much",
        [CHANGE_SHRANK] = "shrank",
        [CHANGE_GREW] = "grew",
        [CHANGE_GREW_MUCH] = "grew-much",
    };
    enum change change = CHANGE_NONE;

    if (cell->n_rows > 1)
        return "joined";
    if (result_compares(p->result))
        change = delta_change(delta_of(p->result, p->flame_graph.shape.metric, cell->row));
    if (change != CHANGE_NONE)
        return of_change[change];
    return odd ? "odd" : "even";
}

static void add_cell(struct picture *p, const struct flame_cell *cell, int level, bool odd)
{
    struct strbuf *sb = &p->out->text;
    const int y = (level + 1) * SVG_LINE_PX;

    sb_addf(sb, "<g><rect class=\"%s\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\">",
            class_of(p, cell, odd), cell->col, y, cell->cols, SVG_LINE_PX);
    add_title(p, cell);
    sb_adds(sb, "</rect>");
    if (cell->n_rows == 1 && cell->cols >= MIN_LABEL_PX) {
        sb_addf(sb, "<text x=\"%d\" y=\"%d\">", cell->col + LABEL_GAP_PX, y + SVG_BASE_PX);
        svg_name(sb, row_short_name(p->result, cell->row), svg_cols(cell->cols - LABEL_GAP_PX));
        sb_adds(sb, "</text>");
    }
    sb_adds(sb, "</g>\n");
}

void flame_svg_write(struct outbuf *out, struct result *r, enum metric_id metric, bool alone)
{
    const struct flame_shape shape = {
        .metric = metric, .cols = SVG_WIDTH_PX, .min_cols = MIN_CELL_PX};
    struct picture p = {.out = out, .result = r};

    flame_graph_make(&p.flame_graph, r, shape);
    p.n_levels = levels_drawn(&p.flame_graph);
    svg_begin(&out->text, alone, (p.n_levels + 1) * SVG_LINE_PX);
    add_head(&p);
    for (int level = 0; level < p.n_levels; level++) {
        size_t n;
        const struct flame_cell *cells = flame_level(&p.flame_graph, level, &n);

        for (size_t at = 0; at < n && outbuf_step(out); at++)
            add_cell(&p, &cells[at], level, (at + (size_t)level) % 2);
    }
    svg_end(&out->text);
    sb_done(&p.scratch);
    flame_graph_done(&p.flame_graph);
}
