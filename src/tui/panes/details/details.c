/* details.c: everything known about a row, as lines. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "flops/flops.h"
#include "load/graph/attrs.h"
#include "model/format.h"
#include "render/row_facts.h"
#include "tui/app.h"
#include "tui/panes/cells.h"
#include "tui/panes/details/details_parts.h"
#include "tui/panes/pane.h"
#include "tui/rows/groups.h"
#include "tui/tasks/tasks.h"
#include "view/delta.h"

enum { LIST_MAX = 12, OP_FIGURE_COLS = 10 };

void details_text(struct lines *l, enum role role, const struct profile *p, strid id)
{
    lines_name(l, role, intern_text(&p->strings, id), intern_len(&p->strings, id));
}

/* Appends "?x20 inferred"; a long shape without the word. */
static void put_shape(struct lines *l, const struct known_shape *s)
{
    enum { INDEX_COLS = 4 };
    const char *origin = shape_origin_name(s->origin);
    struct strbuf sb = {0};

    if (s->origin != SHAPE_NOT_KNOWN) {
        format_dims(&sb, s->dims, s->n_dims);
        sb_addc(&sb, ' ');
    }
    lines_puts(l, ROLE_TEXT, sb_text(&sb));
    if (LABEL_COLS + INDEX_COLS + sb.len + strlen(origin) <= (size_t)l->cols)
        lines_puts(l, ROLE_DIM, origin);
    sb_done(&sb);
}

/* The operation counts with their shapes; NULL while they are computed or if -bind is wrong. */
static const struct flops *flops_of(const struct app *a)
{
    return figures_are_ready(a) ? result_flops_made(a->doc.result) : NULL;
}

/* ---- identity */

static void list_field(struct lines *l, const char *label, const text_list *list)
{
    struct strbuf sb = {0};

    for (size_t i = 0; i < list->n; i++) {
        if (!list->data[i].len)
            continue;
        sb_adds(&sb, sb.len ? ", " : "");
        utf8_escape(&sb, list->data[i].bytes, list->data[i].len);
    }
    if (sb.len) {
        lines_field(l, label, ROLE_TEXT, "%s", "");
        lines_fit(l, ROLE_TEXT, sb_text(&sb), sb.len, l->cols);
    }
    sb_done(&sb);
}

/* Enter restricts the view to the first device. */
static void device_field(struct lines *l, const text_list *devices)
{
    const size_t before = l->v.n;

    list_field(l, "device", devices);
    for (size_t i = 0; i < devices->n && l->v.n > before; i++)
        if (devices->data[i].len) {
            lines_link(l, (struct link){.kind = LINK_DEVICE, .device = devices->data[i]});
            return;
        }
}

/* Adds operation types and devices; for rows with many nodes only after they are computed. */
static void add_kinds(struct app *a, struct lines *l, row_id row, node_id node)
{
    const struct profile *p = a->doc.result->profile;
    const struct tree *t = a->doc.result->tree;
    const struct row_kinds *known = figures_are_ready(a) ? groups_kinds(a->doc.groups, row) : NULL;
    struct row_kinds kinds = {.row = row};

    if (known) {
        list_field(l, "types", &known->types);
        device_field(l, &known->devices);
        return;
    }
    if (a->doc.result->view->is_multi &&
        t->member_begin[row + 1] - t->member_begin[row] > GROUPS_MANY)
        return;
    row_types(a->doc.result, row, &kinds.types);
    for (size_t i = 0; node != NODE_NONE && i < kinds.types.n; i++)
        if (kinds.types.data[i].bytes == intern_text(&p->strings, p->op[node]) ||
            kinds.types.data[i].bytes == intern_text(&p->strings, p->device[node]))
            kinds.types.data[i].len = 0; /* shown on a line of its own */
    row_devices(a->doc.result, row, &kinds.devices);
    list_field(l, "types", &kinds.types);
    device_field(l, &kinds.devices);
    EACH(vec_done, &kinds.types, &kinds.devices);
}

static void add_kind(struct app *a, struct lines *l, row_id row)
{
    const struct profile *p = a->doc.result->profile;
    const node_id node = a->doc.result->view->is_multi ? NODE_NONE
        : tree_node(a->doc.result->tree, row);

    if (node != NODE_NONE) {
        lines_field(l, "op", ROLE_TEXT, "%s", "");
        details_text(l, ROLE_TEXT, p, p->op[node]);
    }
    add_kinds(a, l, row, node);
}

static void add_shapes(struct app *a, struct lines *l, node_id node)
{
    const struct profile *p = a->doc.result->profile;
    const struct known_shape *shapes;
    struct arena arena = {0};
    struct strbuf sb = {0};
    size_t n = flops_shapes(flops_of(a), p, node, LIST_MAX, &arena, &shapes);

    format_shape(&sb, p->shapes[p->shape[node]]);
    if (sb.len)
        lines_field(l, "shape", ROLE_TEXT, "%s", sb_text(&sb));
    for (size_t i = 0; i < n && i < LIST_MAX; i++) {
        lines_field(l, i ? "" : "outputs", ROLE_DIM, "%zu: ", i);
        put_shape(l, &shapes[i]);
    }
    if (n > LIST_MAX)
        lines_field(l, "", ROLE_DIM, "and %zu more", n - LIST_MAX);
    sb_done(&sb);
    arena_done(&arena);
}

/* ---- operation counts */

/* Adds the formula of the operation count, or why there is none. */
static void add_formula(struct app *a, struct lines *l, node_id node)
{
    const struct flops *flops = flops_of(a);
    struct strbuf text = {0};

    if (flops && (flops->state[node] != FLOPS_NO_COMPUTE || flops_is_call(flops, node)))
        flops_explain(flops, node, &text);
    if (text.len) {
        lines_next(l);
        lines_puts(l, ROLE_HEADER, "float_ops");
        lines_paragraph(l, flops->state[node] == FLOPS_COUNTED ? ROLE_TEXT : ROLE_NOTE, l->cols,
                        sb_text(&text));
    }
    sb_done(&text);
}

static void add_figure_doubt(struct doc *doc, struct lines *l, node_id node)
{
    const char *doubt = figure_doubt(doc->result, node);

    if (doubt)
        lines_field(l, "doubt", ROLE_NOTE, "%s", doubt);
}

/* ---- inputs and consumers */

/* Appends the shape of an input tensor, or "control". */
static void put_input_shape(struct app *a, struct lines *l, const struct node_input *in)
{
    struct known_shape shape;
    struct arena arena = {0};

    if (in->own_index == INPUT_CONTROL) {
        lines_puts(l, ROLE_DIM, "control");
        return;
    }
    shape = flops_shape(flops_of(a), a->doc.result->profile, in->source, in->own_index, &arena);
    put_shape(l, &shape);
    arena_done(&arena);
}

static void add_inputs(struct app *a, struct lines *l, node_id node)
{
    const struct profile *p = a->doc.result->profile;
    const uint32_t begin = p->input_begin[node], end = p->input_begin[node + 1];

    for (uint32_t i = begin; i < end && i - begin < LIST_MAX; i++) {
        const struct node_input *in = &p->inputs[i];

        lines_field(l, i == begin ? "inputs" : "", ROLE_DIM, "%d: ",
                    (int)profile_input_position(p, node, i));
        put_input_shape(a, l, in);
        lines_next(l);
        lines_tab(l, LABEL_COLS + 2);
        details_text(l, ROLE_TEXT, p, profile_input_name(p, i));
        if (in->source != NODE_NONE)
            lines_link(l, (struct link){.kind = LINK_NODE, .node = in->source});
    }
    if (end - begin > LIST_MAX)
        lines_field(l, "", ROLE_DIM, "and %u more", end - begin - LIST_MAX);
}

static void add_consumers(struct doc *doc, struct lines *l, node_id node)
{
    const struct profile *p = doc->result->profile;
    uint32_t begin, end;

    if (!doc->consumers.begin)
        return;
    begin = doc->consumers.begin[node];
    end = doc->consumers.begin[node + 1];
    for (uint32_t i = begin; i < end && i - begin < LIST_MAX; i++) {
        lines_field(l, i == begin ? "read by" : "", ROLE_TEXT, "%s", "");
        details_text(l, ROLE_TEXT, p, p->name[doc->consumers.nodes[i]]);
        lines_link(l, (struct link){.kind = LINK_NODE, .node = doc->consumers.nodes[i]});
    }
    if (end - begin > LIST_MAX)
        lines_field(l, "", ROLE_DIM, "and %u more", end - begin - LIST_MAX);
}

static void add_attrs(struct lines *l, const struct profile *p, node_id node)
{
    struct arena arena = {0};
    size_t n;
    const struct attr *attrs = attrs_decode(p, node, &arena, &n);

    for (size_t i = 0; i < n; i++) {
        struct strbuf value = {0};

        attr_value_text(&value, &attrs[i].value);
        lines_field(l, i ? "" : "attrs", ROLE_DIM, "%s", "");
        lines_name(l, ROLE_DIM, attrs[i].name.bytes, attrs[i].name.len);
        lines_puts(l, ROLE_TEXT, " ");
        lines_name(l, ROLE_TEXT, sb_text(&value), value.len);
        sb_done(&value);
    }
    arena_done(&arena);
}

static void add_advice(struct doc *doc, struct lines *l, node_id node)
{
    size_t n = 0;
    const struct advice_mark *marks = doc->advice ? advice_of_node(doc->advice, node, &n)
        : NULL;

    for (size_t i = 0; i < n; i++)
        lines_field(l, i ? "" : "advice", ROLE_NOTE, "%s", marks[i].text);
}

/* ---- groups */

static void add_ops(struct app *a, struct lines *l, row_id row)
{
    const enum metric_id m = figure_primary(&a->doc.result->options);
    const enum cell_state known =
        m < METRIC_COUNT ? cell_state(a, row, m, CELL_TOTAL) : CELL_NONE;
    size_t n;
    struct op_share *shares = groups_ops(a->doc.groups, row, &n);

    for (size_t i = 0; i < n && i < LIST_MAX; i++) {
        struct strbuf figure = {0};

        if (known == CELL_COMING)
            sb_adds(&figure, "\u2026");
        else if (m < METRIC_COUNT && known == CELL_THERE)
            format_spaced(&figure, metrics[m].unit, shares[i].figure);
        if (!i) {
            lines_next(l);
            lines_puts(l, ROLE_HEADER, "ops by type");
        }
        lines_next(l);
        lines_right(l, ROLE_NUMBER, OP_FIGURE_COLS, sb_text(&figure));
        lines_putf(l, ROLE_NUMBER, "%6" PRIu32 "x ", shares[i].n);
        details_text(l, ROLE_TEXT, a->doc.result->profile, shares[i].op);
        sb_done(&figure);
    }
    if (n > LIST_MAX)
        lines_field(l, "", ROLE_DIM, "and %zu types more", n - LIST_MAX);
    free(shares);
}

/* Adds the most expensive node of a group. */
static void add_costliest(struct app *a, struct lines *l, row_id row)
{
    const struct profile *p = a->doc.result->profile;
    const node_id node = row ? app_node_of(a, row) : NODE_NONE;

    if (node == NODE_NONE)
        return;
    lines_field(l, "top node", ROLE_TEXT, "%s", "");
    details_text(l, ROLE_TEXT, p, p->name[node]);
    lines_link(l, (struct link){.kind = LINK_NODE, .node = node});
    if (p->stack[node] != STACK_NONE)
        details_stack(l, a, node);
}

/* ---- all parts */

static void add_note(struct app *a, struct lines *l, row_id row)
{
    const struct row_note *note = note_on_row(a, row);
    struct strbuf text = {0};

    if (!note)
        return;
    sb_adds(&text, "; ");
    utf8_escape(&text, note->text, strlen(note->text));
    lines_paragraph(l, ROLE_NOTE, l->cols - 1, sb_text(&text));
    sb_done(&text);
}

static void add_node(struct app *a, struct lines *l, node_id node)
{
    const struct profile *p = a->doc.result->profile;

    add_figure_doubt(&a->doc, l, node);
    add_advice(&a->doc, l, node);
    if (p->stack[node] != STACK_NONE)
        details_stack(l, a, node);
    add_formula(a, l, node);
    add_shapes(a, l, node);
    add_inputs(a, l, node);
    add_consumers(&a->doc, l, node);
    add_attrs(l, p, node);
}

void details_fill(struct app *a, struct lines *l, row_id row, int cols)
{
    const struct tree *t = a->doc.result->tree;
    const struct text name = tree_text(t, row);
    const bool single = !a->doc.result->view->is_multi;
    struct strbuf full = {0};

    lines_clear(l);
    l->cols = cols;
    utf8_escape(&full, name.bytes, name.len);
    lines_paragraph(l, ROLE_TITLE, cols - 1, sb_text(&full));
    sb_done(&full);
    add_note(a, l, row);
    if (row)
        add_kind(a, l, row);
    if (result_compares(a->doc.result))
        details_sides(l, a->doc.result, row);
    else
        details_figures(a, l, row);
    details_steps(l, a->doc.result, row);
    details_repeats(l, a->doc.result, row, figure_primary(&a->doc.result->options));
    details_uncounted(&a->doc, l, row);
    details_devices(l, a->doc.result, row, single);
    details_trace(l, a->doc.result, row, single);
    if (single && tree_node(t, row) != NODE_NONE)
        details_memory(l, a->doc.result->profile, tree_node(t, row));
    details_source(l, a, row);
    if (row && single)
        details_value(l, a->doc.result->profile, name.bytes, name.len);
    if (!figures_are_ready(a))
        lines_field(l, "\u2026", ROLE_DIM, "%s", ""); /* the rest is pending */
    else if (t->end[row] > row + 1 || !single)
        add_ops(a, l, row);
    if (figures_are_ready(a) && (!single || tree_node(t, row) == NODE_NONE))
        add_costliest(a, l, row);
    if (single && tree_node(t, row) != NODE_NONE)
        add_node(a, l, tree_node(t, row));
    details_step_list(l, a->doc.result, row);
}
