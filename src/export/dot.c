/* dot.c: the output dot: displayed nodes of the graph view and the edges between them, for
 * Graphviz. */
#include "export/output.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/compare.h"
#include "base/utf8.h"
#include "base/vec.h"
#include "base/xalloc.h"
#include "export/rows/figure_choice.h"
#include "export/rows/row_batches.h"
#include "render/row.h"

/* Escapes TEXT for double quotes; Graphviz also decodes HTML entities there. */
static void add_quoted(struct strbuf *sb, const char *text, size_t len)
{
    struct strbuf plain = {0};

    utf8_escape(&plain, text, len);
    for (size_t i = 0; i < plain.len; i++) {
        if (plain.data[i] == '"' || plain.data[i] == '\\')
            sb_addc(sb, '\\');
        sb_addc(sb, plain.data[i]);
        if (plain.data[i] == '&')
            sb_adds(sb, "amp;");
    }
    sb_done(&plain);
}

/* Settings for drawing nodes. */
struct drawing {
    struct row_printer printer;
    int metric; /* metric of the colour; -1: none */
    row_id *set_of; /* by row: the row of repeated layers that it is drawn as, else itself */
};

static void add_node(struct strbuf *sb, const struct drawing *d, row_id row)
{
    const struct result *r = d->printer.result;
    const struct text name = tree_text(r->tree, row);
    struct strbuf fields = {0};

    sb_addf(sb, "  n%" PRIu32 " [label=\"", row);
    add_quoted(sb, name.bytes, name.len);
    render_fields(&fields, &d->printer, row);
    if (fields.len) {
        sb_adds(sb, "\\n");
        add_quoted(sb, fields.data, fields.len);
    }
    sb_done(&fields);
    sb_addc(sb, '"');
    if (d->metric >= 0) {
        const double share = figure_share(r->self[d->metric][row], r->total[d->metric][0]);

        /* From white to light red, so that black text stays readable. */
        sb_addf(sb, ",fillcolor=\"0.02 %.3f 1.0\"", 0.6 * share);
    }
    sb_adds(sb, "];\n");
}

static bool is_shown(const struct result *r, row_id row)
{
    return row != ROW_NONE && row != 0 && r->why[row] == WHY_SHOWN;
}

COMPARE_VALUES(by_source, row_id)

/* Edges from source to consumer; parallel edges between repeated layers are merged. */
static void add_edges_of_repeats(struct strbuf *sb, const struct drawing *d, row_id set)
{
    const struct result *r = d->printer.result;
    const struct profile *p = r->profile;
    const struct tree *t = r->tree;
    VEC(row_id) sources = {0};

    for (row_id row = set; row < (t->n_repeats[set] ? t->end[set] : set + 1); row++) {
        const node_id node = tree_node(t, row);

        for (uint32_t i = node == NODE_NONE ? 0 : p->input_begin[node];
             node != NODE_NONE && i < p->input_begin[node + 1]; i++) {
            const node_id from = p->inputs[i].source;
            const row_id source = from == NODE_NONE ? ROW_NONE : t->row_of_node[from];

            if (source != ROW_NONE && is_shown(r, d->set_of[source]) && d->set_of[source] != set)
                vec_push(&sources, d->set_of[source]);
        }
    }
    if (sources.n)
        qsort(sources.data, sources.n, sizeof *sources.data, by_source);
    for (size_t i = 0; i < sources.n; i++)
        if (!i || sources.data[i] != sources.data[i - 1])
            sb_addf(sb, "  n%" PRIu32 " -> n%" PRIu32 ";\n", sources.data[i], set);
    vec_done(&sources);
}

/* Adds the edges of a row, and a dotted edge to its displayed parent if rows between them are
 * hidden. */
static void add_edges(struct strbuf *sb, const struct drawing *d, row_id row)
{
    const struct result *r = d->printer.result;
    const struct profile *p = r->profile;
    const struct tree *t = r->tree;
    const node_id node = tree_node(t, row);
    const row_id parent = r->shown_parent[row];

    if (d->set_of)
        add_edges_of_repeats(sb, d, row);
    for (uint32_t i = node == NODE_NONE ? 0 : p->input_begin[node];
         node != NODE_NONE && !d->set_of && i < p->input_begin[node + 1]; i++) {
        const struct node_input *input = &p->inputs[i];
        const row_id source = input->source == NODE_NONE ? ROW_NONE : t->row_of_node[input->source];

        if (is_shown(r, source))
            sb_addf(sb, "  n%" PRIu32 " -> n%" PRIu32 "%s;\n", source, row,
                    input->own_index == INPUT_CONTROL ? " [style=dashed]" : "");
    }
    if (is_shown(r, parent) && t->parent[row] != parent)
        sb_addf(sb, "  n%" PRIu32 " -> n%" PRIu32 " [style=dotted];\n", row, parent);
}

/* Assigns all rows below a displayed row of repeated layers to that row. */
static row_id *find_sets(const struct result *r)
{
    const struct tree *t = r->tree;
    row_id *set_of = t->n_repeats ? xcalloc(t->n_rows, sizeof *set_of) : NULL;

    for (row_id row = 1; set_of && row < t->n_rows; row++) {
        const row_id parent = t->parent[row], above = set_of[parent];

        set_of[row] = above != parent                                      ? above
                      : t->n_repeats[parent] && r->why[parent] == WHY_SHOWN ? parent
                                                                           : row;
    }
    return set_of;
}

/* Draws all rows except the root, which is not a node. */
static void draw_nodes(struct strbuf *sb, const struct printed_row *rows, size_t n, const void *arg)
{
    for (size_t i = 0; i < n; i++)
        if (rows[i].row)
            add_node(sb, arg, rows[i].row);
}

static void draw_edges(struct strbuf *sb, const struct printed_row *rows, size_t n, const void *arg)
{
    const struct drawing *d = arg;

    for (size_t i = 0; i < n; i++)
        if (rows[i].row)
            add_edges(sb, d, rows[i].row);
}

static bool write_dot(struct result *r, struct sink *s, struct err *err)
{
    struct drawing drawing = {.metric = figure_main(r)};
    struct outbuf out;
    bool can_share;

    if (drawing.metric >= 0)
        result_need(r, FIELD_BIT(drawing.metric));
    row_printer_init(&drawing.printer, r);
    drawing.set_of = find_sets(r);
    can_share = row_printer_can_share(&drawing.printer);
    outbuf_init(&out, s, err);
    sb_adds(&out.text, "digraph tfprof {\n  node [shape=box,style=filled,fillcolor=white,"
                       "fontname=\"sans-serif\"];\n");
    row_batches_write(&out, r, &(struct row_batches){draw_nodes, &drawing, can_share, 0});
    row_batches_write(&out, r, &(struct row_batches){draw_edges, &drawing, can_share, 0});
    sb_adds(&out.text, "}\n");
    free(drawing.set_of);
    return outbuf_end(&out);
}

const struct output output_dot = {
    .name = "dot",
    .help = "displayed nodes and the edges between them, for graphviz",
    .outfile = OUTFILE_OPTIONAL,
    .views = 1u << VIEW_GRAPH,
    .write = write_dot,
};
