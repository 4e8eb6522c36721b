/* html.c: the output html: one self-contained page with pictures and the rows as a collapsible tree
 * with bars and figures. */
#include "export/output.h"

#include "export/note_report.h"
#include "export/pictures/svg_parts.h"
#include "export/rows/figure_choice.h"
#include "export/rows/row_cells.h"
#include "export/sinks/escape.h"
#include "export/sinks/outbuf.h"
#include "export/tables/table_writer.h"
#include "model/format.h"
#include "view/delta.h"

/* Browsers lay out nested elements recursively, so deeper rows are not nested. */
enum { NESTED_MAX = 200, OPEN_LEVELS = 2 };

/* Widths of columns and the gaps between them. */
enum { NAME_REM = 21, BAR_REM = 9, FIGURE_REM = 10 };

static const char page_styles[] =
    /* Every row is as wide as the page, which is as wide as its columns. */
    ".r{display:flex;gap:1rem;white-space:nowrap;border-bottom:1px solid #8883}\n"
    ".r>span{box-sizing:border-box;overflow:hidden;text-overflow:ellipsis}\n"
    ".r:hover{background:#8882}\n"
    "summary{cursor:pointer;list-style:none}\n"
    ".n{flex:1 0 20rem;width:20rem}\n"
    ".n::before{content:'\\00A0\\00A0'}\n"
    "summary>.r>.n::before{content:'\\25B8\\00A0'}\n"
    "details[open]>summary>.r>.n::before{content:'\\25BE\\00A0'}\n"
    ".f{flex:none;width:9rem;text-align:right;font-variant-numeric:tabular-nums}\n"
    ".b{flex:none;width:8rem}\n"
    ".b i{display:block;height:.7em;margin-top:.5em;background:#d55a}\n"
    ".h{font-weight:600;position:sticky;top:0;background:Canvas}\n"
    "</style>\n";

static void add_cell(struct strbuf *sb, const struct row_cell *cell, struct strbuf *scratch)
{
    const bool is_number = cell->kind == CELL_INT || cell->kind == CELL_MILLIONTHS;

    sb_clear(scratch);
    if (is_number && cell_is_delta(cell))
        format_delta(scratch, metrics[cell->field].unit, cell->number);
    else if (is_number && cell->field >= 0 && cell->field < METRIC_COUNT)
        format_value(scratch, metrics[cell->field].unit, cell->number);
    else if (cell->kind == CELL_NONE && cell->part)
        sb_adds(scratch, "--");
    else
        cell_text(scratch, cell);
    sb_adds(sb, "<span class=\"f\">");
    markup_add(sb, sb_text(scratch), scratch->len);
    sb_adds(sb, "</span>");
}

struct page {
    struct outbuf out;
    struct row_cells cells;
    struct strbuf scratch;
    int metric;     /* metric of the bars */
    const int64_t *figures; /* by row: value of its bar */
    uint32_t depth; /* number of open <details> */
};

/* Appends flame graph and timeline. */
static void add_pictures(struct page *page)
{
    struct result *r = page->cells.result;

    if (!r->view->is_list)
        flame_svg_write(&page->out, r, (enum metric_id)page->metric, false);
    timeline_svg_write(&page->out, r);
}

static void add_title(struct page *page)
{
    const struct result *r = page->cells.result;
    struct strbuf *sb = &page->out.text;

    sb_adds(sb, markup_page_head);
    sb_adds(sb, svg_styles);
    sb_adds(sb, page_styles);
    sb_addf(sb,
            "<title>tfprof %s</title></head><body style=\"min-width:%zurem\">\n<h1>tfprof: %s view, ",
            view_names[r->view_id], NAME_REM + BAR_REM + (page->cells.n - page->cells.n_own) * FIGURE_REM,
            view_names[r->view_id]);
    svg_step(sb, r->options.step);
    sb_adds(sb, "</h1>\n");
}

static void add_heads(struct page *page)
{
    struct strbuf *sb = &page->out.text;

    sb_adds(sb, "<div class=\"r h\"><span class=\"n\">name</span>");
    sb_addf(sb, "<span class=\"b\">%s %s</span>",
            page->figures == page->cells.result->self[page->metric] ? "self" : "total",
            field_get(page->metric)->name);
    for (size_t i = page->cells.n_own; i < page->cells.n; i++) {
        const struct row_cell *cell = &page->cells.cells[i];

        sb_addf(sb, "<span class=\"f\">%s%s%s</span>", cell->key, cell->part ? " " : "",
                cell->part ? cell->part : "");
    }
    sb_adds(sb, "</div>\n");
}

static void add_row(struct page *page, row_id row, uint32_t depth)
{
    const struct result *r = page->cells.result;
    struct strbuf *sb = &page->out.text;

    row_cells_fill(&page->cells, row, depth);
    sb_addf(sb, "<span class=\"n\" style=\"padding-left:%uem\" title=\"",
            depth < NESTED_MAX ? depth : NESTED_MAX);
    sb_clear(&page->scratch);
    cell_text(&page->scratch, &page->cells.cells[CELL_NAME]);
    markup_add(sb, sb_text(&page->scratch), page->scratch.len);
    sb_adds(sb, "\">");
    if (result_compares(r) && delta_mark(r->sides[row]) != ' ')
        sb_addf(sb, "%c ", delta_mark(r->sides[row]));
    markup_add(sb, sb_text(&page->scratch), page->scratch.len);
    sb_addf(sb, "</span><span class=\"b\"><i style=\"width:%.1f%%\"></i></span>",
            100.0 * figure_share(page->figures[row], r->total[page->metric][0]));
    for (size_t i = page->cells.n_own; i < page->cells.n; i++)
        add_cell(sb, &page->cells.cells[i], &page->scratch);
}

static void close_branches(struct page *page, uint32_t depth)
{
    for (; page->depth > depth; page->depth--)
        sb_adds(&page->out.text, "</details>\n");
}

/* A row with displayed children is the summary of a <details> element. */
static void add_branch(struct page *page, row_id row, uint32_t depth)
{
    struct strbuf *sb = &page->out.text;
    uint32_t n;

    close_branches(page, depth);
    result_output_children(page->cells.result, row, &n);
    if (n && depth < NESTED_MAX) {
        sb_addf(sb, "<details%s><summary><div class=\"r\">", depth < OPEN_LEVELS ? " open" : "");
        add_row(page, row, depth);
        sb_adds(sb, "</div></summary>\n");
        page->depth = depth + 1;
    } else {
        sb_adds(sb, "<div class=\"r\">");
        add_row(page, row, depth);
        sb_adds(sb, "</div>\n");
    }
}

static bool write_html(struct result *r, struct sink *s, struct err *err)
{
    struct page page = {.metric = figure_main(r)};
    struct result_walk walk;

    outbuf_init(&page.out, s, err);
    row_cells_init(&page.cells, r, false);
    result_need(r, FIELD_BIT(page.metric));
    /* In a list totals are running sums. */
    page.figures = r->view->is_list ? r->self[page.metric] : r->total[page.metric];
    add_title(&page);
    add_pictures(&page);
    add_heads(&page);
    result_walk_init(&walk, r, 0);
    while (outbuf_step(&page.out) && result_walk_next(&walk))
        add_branch(&page, walk.row, walk.depth);
    result_walk_done(&walk);
    close_branches(&page, 0);
    sb_adds(&page.out.text, "</body></html>\n");
    row_cells_done(&page.cells);
    sb_done(&page.scratch);
    return outbuf_end(&page.out);
}

/* Refuses results without a metric for the bars. */
static bool check_html(const char *name, const struct result *r, struct err *err)
{
    return figure_to_draw(name, r, err) >= 0 && row_cells_check(name, r, err);
}

const struct output output_html = {
    .name = "html",
    .help = "a page for a browser: pictures and a tree that can be folded",
    .outfile = OUTFILE_OPTIONAL,
    .compares = true,
    .views = OUTPUT_TREE_VIEWS,
    .check = check_html,
    .write = write_html,
    .write_notes = note_report_html,
    .table = &table_html,
};
