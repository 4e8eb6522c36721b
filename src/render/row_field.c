/* row_field.c: the text of fields that are not metrics: text_NAME() for each field in
 * FIELD_LIST. */

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>

#include "base/utf8.h"
#include "base/xalloc.h"
#include "render/row_facts.h"
#include "render/sparkline.h"

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
static bool text_tensor_value(struct strbuf *sb, struct result *r, row_id row)
{
    (void)sb, (void)r, (void)row;
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
