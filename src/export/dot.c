/* dot.c: the output dot: the displayed nodes of the graph view and what flows
 * between them, for graphviz. */
#include <inttypes.h>
#include <string.h>

#include "base/utf8.h"
#include "export/figure_choice.h"
#include "export/outbuf.h"
#include "render/row.h"

/* Within double quotes only the quote and the backslash are special. */
static void add_quoted(struct strbuf *sb, const char *text, size_t len)
{
    struct strbuf plain = {0};

    utf8_escape(&plain, text, len);
    for (size_t i = 0; i < plain.len; i++) {
        if (plain.data[i] == '"' || plain.data[i] == '\\')
            sb_addc(sb, '\\');
        sb_addc(sb, plain.data[i]);
    }
    sb_done(&plain);
}

static void add_node(struct strbuf *sb, struct result *r, row_id row, int metric)
{
    const struct text name = tree_text(r->tree, row);
    struct strbuf fields = {0};

    sb_addf(sb, "  n%" PRIu32 " [label=\"", row);
    add_quoted(sb, name.bytes, name.len);
    render_fields(&fields, r, row);
    if (fields.len) {
        sb_adds(sb, "\\n");
        add_quoted(sb, fields.data, fields.len);
    }
    sb_done(&fields);
    sb_addc(sb, '"');
    if (metric >= 0) {
        const double share = figure_share(r->self[metric][row], r->total[metric][0]);

        /* From white to a light red, so that black text stays readable. */
        sb_addf(sb, ",fillcolor=\"0.02 %.3f 1.0\"", 0.6 * share);
    }
    sb_adds(sb, "];\n");
}

static bool is_shown(const struct result *r, row_id row)
{
    return row != ROW_NONE && row != 0 && r->why[row] == WHY_SHOWN;
}

/* Edges run as the data does, from source to consumer.  A displayed parent
 * that is reached over rows that are not displayed has a dotted edge. */
static void add_edges(struct strbuf *sb, const struct result *r, row_id row)
{
    const struct profile *p = r->profile;
    const struct tree *t = r->tree;
    const node_id node = tree_node(t, row);
    const row_id parent = r->shown_parent[row];

    if (node == NODE_NONE)
        return;
    for (uint32_t i = p->input_begin[node]; i < p->input_begin[node + 1]; i++) {
        const struct node_input *input = &p->inputs[i];
        const row_id source = input->source == NODE_NONE ? ROW_NONE : t->row_of_node[input->source];

        if (is_shown(r, source))
            sb_addf(sb, "  n%" PRIu32 " -> n%" PRIu32 "%s;\n", source, row,
                    input->own_index == INPUT_CONTROL ? " [style=dashed]" : "");
    }
    if (is_shown(r, parent) && t->parent[row] != parent)
        sb_addf(sb, "  n%" PRIu32 " -> n%" PRIu32 " [style=dotted];\n", row, parent);
}

static bool write_dot(struct result *r, int64_t step, struct sink *s, struct err *err)
{
    const int metric = figure_main(r);
    struct outbuf out;

    (void)step;
    if (metric >= 0)
        result_need(r, FIELD_BIT(metric));
    outbuf_init(&out, s, err);
    sb_adds(&out.text, "digraph tfprof {\n  node [shape=box,style=filled,fillcolor=white,"
                       "fontname=\"sans-serif\"];\n");
    for (int edges = 0; edges < 2; edges++) {
        struct result_walk walk;

        result_walk_init(&walk, r, 0);
        while (outbuf_step(&out) && result_walk_next(&walk)) {
            if (walk.row != 0 && edges)
                add_edges(&out.text, r, walk.row);
            else if (walk.row != 0)
                add_node(&out.text, r, walk.row, metric);
        }
        result_walk_done(&walk);
    }
    sb_adds(&out.text, "}\n");
    return outbuf_end(&out);
}

extern const struct output output_dot;

const struct output output_dot = {
    .name = "dot",
    .help = "the displayed nodes and what flows between them, for graphviz",
    .outfile = OUTFILE_OPTIONAL,
    .views = 1u << VIEW_GRAPH,
    .write = write_dot,
};
