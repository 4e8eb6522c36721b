/* row.c: formats the legend and single rows as the original does (semantics.md sections 5, 5.1 to
 * 5.3). */
#include "render/row.h"

#include <inttypes.h>

#include "base/utf8.h"
#include "flops/flops.h"
#include "model/format.h"
#include "render/row_facts.h"
#include "render/tensor_value.h"
#include "view/delta.h"

enum { OP_NAME_COLS = 25, OP_FIGURE_COLS = 30, OP_COUNT_COLS = 10 };

/* True when FIELD counts multiply-adds instead of operations; it is then labelled so. */
static bool counts_macs(const struct result *r, int field)
{
    return field == METRIC_FLOAT_OPS && r->options.flops_unit == FLOPS_UNIT_MACS;
}

/* Appends the limits of the counts: loops count one iteration, conditionals one branch. */
static void add_limits(struct strbuf *sb, struct result *r)
{
    struct err ignored = {0}; /* a malformed -bind was reported before */
    const struct flops *flops = result_flops(r, &ignored);

    if (flops)
        flops_limits(flops, sb);
    err_done(&ignored);
}

/* Appends the peak rates that shares of the roofline refer to. */
static void add_roofs(struct strbuf *sb, const struct result *r)
{
    sb_adds(sb, " (");
    roofs_text(sb, r->profile, &r->roofs);
    sb_addc(sb, ')');
}

void render_legend(struct strbuf *sb, struct result *r)
{
    int columns[FIELD_COUNT];
    const size_t n = row_columns(r, columns);

    result_need(r, row_column_metrics(r));
    sb_adds(sb, "node name | ");
    for (size_t i = 0; i < n; i++) {
        sb_addf(sb, "%s%s", i ? " | " : "",
                counts_macs(r, columns[i]) ? "# multiply-adds"
                                           : field_legend(columns[i], r->view->is_multi));
        if (result_compares(r) && columns[i] < METRIC_COUNT)
            sb_adds(sb, " (base -> now, delta)");
        else if (columns[i] == METRIC_FLOAT_OPS)
            add_limits(sb, r);
        else if (columns[i] == METRIC_ROOF_PERCENT)
            add_roofs(sb, r);
    }
    sb_addc(sb, '\n');
}

/* ---- fields of all views */

static bool add_hidden(struct strbuf *sb, struct result *r, row_id row, int field UNUSED)
{
    sb_addf(sb, "%" PRId64 " hidden", r->hidden_ops ? r->hidden_ops[row] : 0);
    return true;
}

static bool add_not_in_view(struct strbuf *sb, struct result *r, row_id row UNUSED, int field)
{
    sb_addf(sb, "%s N/A in %s view", field_get(field)->name, view_names[r->view_id]);
    return true;
}

/* ---- scope, graph and code */

static void add_self(struct strbuf *sb, const struct result *r, row_id row, enum metric_id metric,
                     int64_t self)
{
    if (result_has_self(r, row))
        format_value(sb, metrics[metric].unit, self);
    else
        sb_adds(sb, "--");
    sb_addc(sb, '/');
}

static bool add_figure(struct strbuf *sb, struct result *r, row_id row, int field)
{
    const enum metric_id metric = (enum metric_id)field;

    if (result_is_unknown(r, field) || result_lacks(r, row, field)) {
        sb_addf(sb, "%s --", metrics[metric].name);
        return true;
    }
    add_self(sb, r, row, metric, r->self[metric][row]);
    format_value(sb, metrics[metric].unit, r->total[metric][row]);
    if (counts_macs(r, field))
        sb_adds(sb, " macs");
    else if (metrics[metric].suffix)
        sb_adds(sb, metrics[metric].suffix);
    return true;
}

static bool add_params(struct strbuf *sb, struct result *r, row_id row, int field)
{
    const node_id node = tree_node(r->tree, row);
    const size_t before = sb->len;

    if (!r->view->is_multi && node != NODE_NONE)
        format_shape(sb, r->profile->shapes[r->profile->shape[node]]);
    sb_adds(sb, sb->len > before ? ", " : "");
    return add_figure(sb, r, row, field);
}

static bool add_counts(struct strbuf *sb, struct result *r, row_id row, int field)
{
    add_figure(sb, r, row, field);
    sb_addc(sb, '|');
    add_self(sb, r, row, METRIC_OCCURRENCE, 1);
    format_number(sb, r->total_defs[row]);
    return true;
}

/* rows without a node have these fields, but with empty text */
static bool add_shapes(struct strbuf *sb, struct result *r, row_id row, int field)
{
    row_field(sb, r, row, field);
    return true;
}

/* ---- op */

static void pad_left(struct strbuf *sb, const struct strbuf *text, size_t cols)
{
    sb_pad(sb, ' ', text->len < cols ? cols - text->len : 0);
    sb_add(sb, sb_text(text), text->len);
}

static double percent(int64_t part, int64_t whole)
{
    return whole ? 100.0 * (double)part / (double)whole : 0.0;
}

/* Own value, then the shares of total and own value: "17.63b float_ops (100.00%, 99.97%)". */
static bool add_share(struct strbuf *sb, struct result *r, row_id row, int field)
{
    const enum metric_id metric = (enum metric_id)field;
    const int64_t self = r->self[metric][row], total = r->total[metric][row];
    const bool memory = metrics[metric].unit == UNIT_BYTES;
    const int64_t whole = (memory ? self : total) > 0 ? r->total[metric][0] : 0;
    struct strbuf text = {0};

    if (result_is_unknown(r, field) || result_lacks(r, row, field)) {
        sb_addf(&text, "%s --", metrics[metric].name);
    } else {
        format_value(&text, metrics[metric].unit, self);
        if (metrics[metric].unit == UNIT_NUMBER)
            sb_addf(&text, " %s", counts_macs(r, field) ? "macs" : metrics[metric].name);
        if (metric_is_ratio(field)) /* a ratio has no share */
            sb_adds(&text, metrics[metric].suffix);
        else if (row == 0 || row != r->tree->outside)
            sb_addf(&text, " (%.2f%%, %.2f%%)", percent(total, whole), percent(self, whole));
    }
    pad_left(sb, &text, OP_FIGURE_COLS);
    sb_done(&text);
    return true;
}

static bool add_runs(struct strbuf *sb, struct result *r, row_id row, int field UNUSED)
{
    struct strbuf text = {0};

    sb_addf(&text, "%" PRId64 "|%" PRIu32, r->self[METRIC_OCCURRENCE][row], r->own[row]);
    pad_left(sb, &text, OP_COUNT_COLS);
    sb_done(&text);
    return true;
}

static bool add_nothing(struct strbuf *sb UNUSED, struct result *r UNUSED, row_id row UNUSED,
                        int field UNUSED)
{
    return false;
}

/* Appends the lines below an op row: its nodes grouped by input shapes. */
static void add_input_types(struct strbuf *sb, struct result *r, row_id row)
{
    input_groups groups = {0};

    row_input_groups(r, row, &groups);
    sb_addc(sb, '\n');
    vec_each(const struct input_group, g, &groups) {
        sb_addf(sb, "input_type: %s\t(run*%" PRId64 "|defined*%" PRIu32 ")\texec_time: ",
                g->shapes, g->runs, g->nodes);
        format_time(sb, g->time_ps);
        sb_addc(sb, '\n');
    }
    sb_addc(sb, '\n');
    input_groups_done(&groups);
}

/* ---- comparisons */

bool render_delta(struct strbuf *sb, struct result *r, row_id row, int field)
{
    const enum metric_unit unit = metrics[field].unit;
    struct delta d;

    if (result_is_unknown(r, field)) {
        sb_addf(sb, "%s --", metrics[field].name);
        return true;
    }
    d = delta_of(r, (enum metric_id)field, row);
    format_value(sb, unit, d.base);
    sb_adds(sb, " -> ");
    format_value(sb, unit, d.now);
    if (unit == UNIT_NUMBER)
        sb_addf(sb, " %s", counts_macs(r, field) ? "macs" : metrics[field].name);
    sb_adds(sb, ", ");
    format_delta(sb, unit, d.delta);
    if (d.base)
        sb_addf(sb, " (%+.1f%%)", delta_percent(d));
    return true;
}

/* The mark is the first character of a line, so that grep finds lines by it. */
static void add_mark(struct strbuf *sb, const struct result *r, row_id row)
{
    if (!result_compares(r))
        return;
    sb_addc(sb, delta_mark(r->sides[row]));
    sb_addc(sb, ' ');
}

/* " was old/name by structure", with a question mark in a pair of low confidence. */
static void add_old_name(struct strbuf *sb, const struct result *r, row_id row)
{
    struct text name;
    const char *reason = delta_moved_from(r, row, &name);

    if (!reason)
        return;
    sb_adds(sb, " was ");
    utf8_escape(sb, name.bytes, name.len);
    sb_addf(sb, "%s by %s", delta_is_uncertain(r, row) ? " ?" : "", reason);
}

/* Appends " within noise" when the difference may be random. */
static void add_noise(struct strbuf *sb, const struct result *r, row_id row)
{
    struct row_noise noise;

    if (!result_compares(r) || !delta_is_noise(r, row))
        return;
    sb_adds(sb, " within noise");
    if (r->noise.verdicts[row] != SAMPLES_SIGNS)
        return;
    noise = noise_of_row(&r->noise, row);
    if (noise.base_median)
        sb_addf(sb, " (median %+.1f%%)",
                delta_percent((struct delta){noise.base_median, 0, noise.shift}));
}

/* ---- the row */

static const struct style {
    render_field *figure, *params, *occurrence, *inputs, *outputs, *hidden;
} single_style = {add_figure, add_params, add_counts, add_shapes, add_shapes, add_hidden},
  code_style = {add_figure, add_figure, add_not_in_view, add_not_in_view, add_not_in_view, add_hidden},
  op_style = {add_share, add_share, add_runs, add_nothing, add_nothing, add_not_in_view};

static render_field *renderer_of(const struct style *style, int field)
{
    switch (field) {
    case METRIC_PARAMS:
        return style->params;
    case METRIC_OCCURRENCE:
        return style->occurrence;
    case FIELD_INPUT_SHAPES:
        return style->inputs;
    case FIELD_OUTPUT_SHAPES:
        return style->outputs;
    case FIELD_NUM_HIDDEN_OPS:
        return style->hidden;
    default:
        return field < METRIC_COUNT ? style->figure : row_field;
    }
}

static const struct style *style_of(const struct result *r)
{
    static const struct style samples_style = {add_figure,   add_figure,   add_figure,
                                               add_not_in_view, add_not_in_view, add_hidden};

    if (r->view->needs_stacks && profile_has_samples(r->profile))
        return &samples_style;
    return r->view->is_list ? &op_style : r->view->is_multi ? &code_style : &single_style;
}

void row_printer_init(struct row_printer *p, struct result *r)
{
    int columns[FIELD_COUNT];

    p->result = r;
    p->n_columns = row_columns(r, columns);
    for (size_t i = 0; i < p->n_columns; i++) {
        p->columns[i].add = result_compares(r) && columns[i] < METRIC_COUNT
                                ? render_delta
                                : renderer_of(style_of(r), columns[i]);
        p->columns[i].field = columns[i];
    }
    result_need(r, row_column_metrics(r));
}

/* Not in parallel: input types of the op view compute figures of nodes, and tensor values are read
 * from their file; both change the result. */
bool row_printer_can_share(const struct row_printer *p)
{
    return !p->result->view->is_list && !field_in(p->result->options.select, FIELD_TENSOR_VALUE);
}

void render_fields(struct strbuf *sb, const struct row_printer *p, row_id row)
{
    bool first = true;

    for (size_t i = 0; i < p->n_columns; i++) {
        const size_t before = sb->len;

        if (!first)
            sb_add(sb, ", ", 2);
        if (p->columns[i].add(sb, p->result, row, p->columns[i].field))
            first = false;
        else
            sb_truncate(sb, before);
    }
}

static void add_name(struct strbuf *sb, const struct result *r, row_id row)
{
    const struct text name = tree_text(r->tree, row);

    utf8_escape(sb, name.bytes, name.len);
}

static void render_op_row(struct strbuf *sb, const struct row_printer *p, row_id row)
{
    const size_t before = sb->len;

    add_mark(sb, p->result, row);
    add_name(sb, p->result, row);
    if (sb->len - before < OP_NAME_COLS)
        sb_pad(sb, ' ', OP_NAME_COLS - (sb->len - before));
    render_fields(sb, p, row);
    add_noise(sb, p->result, row);
    sb_addc(sb, '\n');
    if (field_in(p->result->options.select, FIELD_INPUT_SHAPES))
        add_input_types(sb, p->result, row);
}

void render_row(struct strbuf *sb, const struct row_printer *p, row_id row, uint32_t indent)
{
    struct result *r = p->result;

    if (r->view->is_list) {
        render_op_row(sb, p, row);
        return;
    }
    add_mark(sb, r, row);
    sb_pad(sb, ' ', (size_t)indent * ROW_INDENT_BYTES);
    add_name(sb, r, row);
    sb_add(sb, " (", 2);
    render_fields(sb, p, row);
    sb_addc(sb, ')');
    add_old_name(sb, r, row);
    add_noise(sb, r, row);
    render_repeats(sb, r, row);
    sb_addc(sb, '\n');
    if (field_in(r->options.select, FIELD_TENSOR_VALUE) && !r->view->is_multi)
        render_tensor_value(sb, r, row);
}
