/* row_field.c: the text of fields that are not metrics: text_NAME() for each field in
 * FIELD_LIST, and the suffix of repeated layers. */
#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>

#include "base/utf8.h"
#include "base/xalloc.h"
#include "model/format.h"
#include "render/row_facts.h"
#include "render/sparkline.h"
#include "view/delta.h"
#include "view/repeat_figures.h"

enum { OUTLIERS_NAMED = 3 };

void render_repeat_name(struct strbuf *sb, const struct result *r, row_id repeat)
{
    const struct tree *t = r->tree;
    struct text name = tree_text(t, repeat);
    const row_id set = t->parent[repeat];
    const struct text scope = tree_text(t, t->parent[set]);

    if (r->view_id == VIEW_SCOPE && t->parent[set] && name.len > scope.len + 1) {
        name.bytes += scope.len + 1;
        name.len -= scope.len + 1;
    }
    utf8_escape(sb, name.bytes, name.len);
}

static void add_value(struct strbuf *sb, const struct result *r, enum metric_id m, int64_t value)
{
    if (result_compares(r))
        format_delta(sb, metrics[m].unit, value);
    else
        format_value(sb, metrics[m].unit, value);
}

static void add_outliers(struct strbuf *sb, const struct result *r, row_id row, enum metric_id m,
                         const struct repeat_figures *f)
{
    const struct tree *t = r->tree;
    uint32_t n = 0;

    if (!f->n_outliers)
        return;
    sb_adds(sb, f->n_outliers == 1 ? ", outlier: " : ", outliers: ");
    for (row_id repeat = row + 1; repeat < t->end[row] && n < OUTLIERS_NAMED; repeat = t->end[repeat]) {
        const int64_t figure = repeat_figure(r, m, repeat);

        if (!r->kept[repeat] || !repeat_is_outlier(f, figure))
            continue;
        sb_adds(sb, n++ ? ", " : "");
        render_repeat_name(sb, r, repeat);
        sb_addc(sb, ' ');
        add_value(sb, r, m, figure);
    }
    if (n < f->n_outliers)
        sb_addf(sb, " and %" PRIu32 " more", f->n_outliers - n);
}

void render_repeats(struct strbuf *sb, const struct result *r, row_id row)
{
    const enum metric_id m = options_compared_metric(&r->options);
    struct repeat_figures f;

    if (!tree_n_repeats(r->tree, row) || result_is_unknown(r, (int)m) || !r->total[m])
        return;
    f = repeat_figures_of(r, m, row);
    if (!f.n)
        return;
    sb_adds(sb, " each ");
    add_value(sb, r, m, f.mean);
    if (f.min != f.max) {
        sb_adds(sb, " (");
        add_value(sb, r, m, f.min);
        sb_adds(sb, " to ");
        add_value(sb, r, m, f.max);
        sb_addc(sb, ')');
    }
    add_outliers(sb, r, row, m, &f);
}

static void add_list(struct strbuf *sb, text_list *list)
{
    for (size_t i = 0; i < list->n; i++) {
        sb_adds(sb, i ? "|" : "");
        utf8_escape(sb, list->data[i].bytes, list->data[i].len);
    }
    vec_done(list);
}

static bool text_bound(struct strbuf *sb, struct result *r, row_id row)
{
    const enum bound bound = result_bound(r, row);

    sb_adds(sb, bound_names[bound]);
    return bound != BOUND_NONE;
}

static bool text_device(struct strbuf *sb, struct result *r, row_id row)
{
    text_list list = {0};
    bool any;

    row_devices(r, row, &list);
    any = list.n > 0;
    add_list(sb, &list);
    return any;
}

static bool text_op_types(struct strbuf *sb, struct result *r, row_id row)
{
    text_list list = {0};

    row_types(r, row, &list);
    add_list(sb, &list);
    return true;
}

/* The node of a row that has exactly one, else NODE_NONE. */
static node_id single_node(const struct result *r, row_id row)
{
    return r->view->is_multi ? NODE_NONE : tree_node(r->tree, row);
}

static bool text_input_shapes(struct strbuf *sb, struct result *r, row_id row)
{
    const node_id node = single_node(r, row);

    if (node != NODE_NONE)
        row_input_shapes(sb, r, node, "|");
    return node != NODE_NONE;
}

static bool text_output_shapes(struct strbuf *sb, struct result *r, row_id row)
{
    const node_id node = single_node(r, row);

    if (node != NODE_NONE)
        row_output_shapes(sb, r, node);
    return node != NODE_NONE;
}

/* Never called: the value is printed below the row (render/tensor_value.h). */
static bool text_tensor_value(struct strbuf *sb UNUSED, struct result *r UNUSED, row_id row UNUSED)
{
    return false;
}

static bool text_num_hidden_ops(struct strbuf *sb, struct result *r, row_id row)
{
    if (!r->hidden_ops || r->view->is_list)
        return false;
    sb_addf(sb, "%" PRId64 " hidden", r->hidden_ops[row]);
    return true;
}

/* At most CELLS cells, the width of the column on the screen. */
static bool text_by_step(struct strbuf *sb, struct result *r, row_id row)
{
    enum { CELLS = 16 };
    const struct by_step *b = &r->by_step;
    int64_t *values;

    if (!b->values || result_is_unknown(r, (int)b->metric))
        return false;
    values = xcalloc(b->n_points, sizeof *values);
    for (uint32_t i = 0; i < b->n_points; i++)
        values[i] = by_step_value(b, i, row);
    sparkline_add(sb, values, b->n_points, CELLS);
    free(values);
    return true;
}

bool row_field(struct strbuf *sb, struct result *r, row_id row, int field)
{
#define TEXT(id, name, ...) [FIELD_##id - METRIC_COUNT] = text_##name,
    static bool (*const texts[])(struct strbuf *sb, struct result *r,
                                 row_id row) = {FIELD_LIST(TEXT)};
#undef TEXT

    assert(field < FIELD_COUNT);
    return field >= METRIC_COUNT && texts[field - METRIC_COUNT](sb, r, row);
}
