/* columns.c: the columns of the tree pane. */
#include "tui/panes/columns.h"

#include <ctype.h>
#include <inttypes.h>

#include "base/utf8.h"
#include "render/row_field.h"
#include "tui/panes/cells.h"

enum {
    FIGURE_COLS = 10,
    COUNT_COLS = 15, /* "runs|defined" */
    PERCENT_COLS = 6,
    BAR_COLS = 8,
    TEXT_COLS = 16,
    NAME_MIN = 26, /* names give no more than down to this ... */
    NAME_POOR = 12,  /* but for the last columns */
};

static int figure_cols(int metric)
{
    return metric == METRIC_OCCURRENCE ? COUNT_COLS : FIGURE_COLS;
}

static void add(struct columns_seen *c, enum column_kind kind, int field, int cols)
{
    c->v[c->n++] = (struct column_spec){.kind = kind, .field = field, .cols = cols};
}

static int width(const struct columns_seen *c)
{
    int cols = 0;

    for (int i = 0; i < c->n; i++)
        cols += c->v[i].cols + 1;
    return cols;
}

static void drop(struct columns_seen *c, int i)
{
    memmove(c->v + i, c->v + i + 1, (size_t)(c->n - i - 1) * sizeof c->v[0]);
    c->n--;
}

static bool too_wide(const struct columns_seen *c, int cols)
{
    return width(c) + NAME_MIN > cols;
}

/* Takes away what matters least until the names have their room: the second
 * figure, the bar, columns from the right, the percentage. */
static void squeeze(struct columns_seen *c, int cols, bool is_list)
{
    const bool has_primary = c->n && c->v[0].kind == COLUMN_SELF;

    if (has_primary && too_wide(c, cols))
        drop(c, is_list ? 1 : 0); /* a list's running sum says less */
    if (has_primary && too_wide(c, cols))
        c->v[1].cols = PERCENT_COLS;
    while (c->n > (has_primary ? 2 : 1) && too_wide(c, cols))
        c->n--;
    if (has_primary && width(c) + NAME_POOR > cols)
        drop(c, 1);
    if (width(c) + NAME_POOR > cols)
        c->n = 0;
}

struct columns_seen columns_fit(const struct app *a, int cols)
{
    const struct options *o = &a->result->options;
    const enum metric_id m = figure_primary(o);
    int order[FIELD_COUNT];
    struct columns_seen c = {.n = 0};

    field_order(a->result->view->is_multi, order);
    if (m < METRIC_COUNT) {
        add(&c, COLUMN_SELF, (int)m, figure_cols((int)m));
        add(&c, COLUMN_TOTAL, (int)m, figure_cols((int)m));
        add(&c, COLUMN_SHARE, (int)m, PERCENT_COLS + 1 + BAR_COLS);
        if (compare_is_seen(a))
            add(&c, COLUMN_DELTA, (int)m, FIGURE_COLS);
    }
    for (int i = 0; i < FIELD_COUNT; i++) {
        const int field = order[i];

        if (field == (int)m || !field_in(o->select, field) || !field_get(field)->legend)
            continue;
        if (field < METRIC_COUNT)
            add(&c, COLUMN_TOTAL, field, figure_cols(field));
        else if (field == FIELD_NUM_HIDDEN_OPS)
            add(&c, COLUMN_FIELD, field, FIGURE_COLS);
        else
            add(&c, COLUMN_FIELD, field, TEXT_COLS);
    }
    squeeze(&c, cols, a->result->view->is_list);
    c.name_cols = cols - width(&c);
    return c;
}

bool column_is_sorted(const struct app *a, const struct column_spec *column)
{
    const int order = a->result->options.order_by;

    return order >= ORDER_METRIC && column->field == order - ORDER_METRIC &&
           column->kind == (a->result->view->is_list ? COLUMN_SELF : COLUMN_TOTAL);
}

void column_head(const struct app *a, const struct column_spec *column, struct strbuf *sb)
{
    const bool is_list = a->result->view->is_list;
    const bool primary = column->field == (int)figure_primary(&a->result->options);

    if (column->kind == COLUMN_SELF && !is_list) {
        sb_adds(sb, "SELF");
    } else if (column->kind == COLUMN_TOTAL && is_list && primary) {
        sb_adds(sb, "RUNNING"); /* sums from the end of the list */
    } else if (column->kind == COLUMN_DELTA) {
        sb_adds(sb, "DELTA");
    } else if (column->kind == COLUMN_SHARE) {
        sb_adds(sb, column->cols > PERCENT_COLS ? "% of " : "% ");
        sb_adds(sb, a->percent_of_parent ? "parent" : "root");
    } else if (column->field == METRIC_FLOAT_OPS &&
               a->result->options.flops_unit == FLOPS_UNIT_MACS) {
        sb_adds(sb, "MACS");
    } else {
        for (const char *c = field_get(column->field)->name; *c; c++)
            sb_addc(sb, *c == '_' ? ' ' : (char)toupper((unsigned char)*c));
    }
    if (column_is_sorted(a, column))
        sb_adds(sb, a->reverse ? " ^" : " v");
}

static void share_cell(struct app *a, const struct column_spec *column, row_id row, row_id parent,
                       struct strbuf *sb)
{
    const enum metric_id m = (enum metric_id)column->field;
    const row_id base = a->percent_of_parent ? parent : 0;
    const double share = figure_part(a->result, row, base, m);

    if (cell_state(a, row, m, a->result->view->is_list && row ? CELL_SELF : CELL_TOTAL) !=
        CELL_THERE)
        return;
    sb_addf(sb, "%5.1f%%", share * 100 > 9999 ? 9999 : share * 100);
    if (column->cols > PERCENT_COLS) {
        sb_addc(sb, ' ');
        figure_bar(sb, share, column->cols - PERCENT_COLS - 1);
    }
}

void column_cell(struct app *a, const struct column_spec *column, row_id row, row_id parent,
                 struct strbuf *sb)
{
    const enum metric_id m = (enum metric_id)column->field;

    if (column->field == METRIC_OCCURRENCE && a->result->view->needs_traces &&
        column->kind != COLUMN_SHARE) {
        sb_adds(sb, "N/A"); /* as in the text: a line of code is no op */
        return;
    }
    switch (column->kind) {
    case COLUMN_SELF:
        cell_add(a, row, m, CELL_SELF, sb);
        break;
    case COLUMN_TOTAL:
        if (a->result->view->is_list && row && m != figure_primary(&a->result->options))
            cell_add(a, row, m, CELL_SELF, sb);
        else
            cell_add(a, row, m, CELL_TOTAL, sb);
        break;
    case COLUMN_SHARE:
        share_cell(a, column, row, parent, sb);
        break;
    case COLUMN_DELTA:
        compare_cell(a, row, m, sb);
        break;
    case COLUMN_FIELD:
        row_field(sb, a->result, row, column->field);
        break;
    }
}
