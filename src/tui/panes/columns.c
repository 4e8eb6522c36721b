/* columns.c: the columns of the tree pane. */
#include "tui/panes/columns.h"

#include <ctype.h>
#include <string.h>

#include "model/format.h"
#include "model/profile_kind.h"
#include "render/row_facts.h"
#include "tui/panes/cells.h"
#include "tui/panes/compare.h"
#include "view/delta.h"

enum {
    FIGURE_COLS = 10,
    COUNT_COLS = 15, /* "runs|defined" */
    PERCENT_COLS = COLUMN_PERCENT_COLS,
    BAR_COLS = 8,
    TEXT_COLS = 16,
    NAME_WANTED = 40, /* width of names for which SELF and the bar are dropped */
    NAME_MIN = 24,  /* width of names for which the last columns are dropped */
    NAME_MIN_NARROW = 56, /* the same for device time on narrow screens: two columns fit into 80 */
};

/* True when rows are ordered by device time; its share of the steps is then the next column. */
static bool is_of_devices(const struct app *a)
{
    const struct result *r = a->doc.result;

    return r->profile->kind == PROFILE_DEVICE && !result_compares(r) &&
           figure_primary(&r->options) == METRIC_ACCELERATOR_MICROS;
}

static int field_cols(const struct app *a, int field)
{
    if (field == METRIC_OCCURRENCE && a->doc.result->profile->kind < PROFILE_TRACE)
        return COUNT_COLS;
    return field < METRIC_COUNT || field == FIELD_NUM_HIDDEN_OPS ? FIGURE_COLS : TEXT_COLS;
}

/* Adds a column that is at least as wide as its head. */
static void add(const struct app *a, struct fitted_columns *c, enum column_kind kind, int field)
{
    struct column_spec column = {.kind = kind, .field = field, .cols = field_cols(a, field)};
    struct strbuf head = {0};

    if (kind == COLUMN_SHARE || kind == COLUMN_CHANGE) {
        column.cols = PERCENT_COLS + 1 + BAR_COLS;
    } else {
        column_head(a, &column, &head);
        if (column.cols < text_cols(sb_text(&head), head.len))
            column.cols = text_cols(sb_text(&head), head.len);
        sb_done(&head);
    }
    c->v[c->n++] = column;
}

static int width(const struct fitted_columns *c)
{
    int cols = 0;

    for (int i = 0; i < c->n; i++)
        cols += c->v[i].cols + 1;
    return cols;
}

static void drop(struct fitted_columns *c, int i)
{
    memmove(c->v + i, c->v + i + 1, (size_t)(c->n - i - 1) * sizeof c->v[0]);
    c->n--;
}

/* Index of the first column of KIND, or -1. */
static int find(const struct fitted_columns *c, enum column_kind kind)
{
    for (int i = 0; i < c->n; i++)
        if (c->v[i].kind == kind)
            return i;
    return -1;
}

/* Drops columns until names have room: first the second column of the main metric (the running sum
 * of a list), then the bar. */
static void shrink_columns(struct fitted_columns *c, int cols, bool is_list)
{
    const int second = find(c, is_list ? COLUMN_TOTAL : COLUMN_SELF);
    int share;

    if (find(c, COLUMN_SELF) >= 0 && find(c, COLUMN_TOTAL) >= 0 && second >= 0 &&
        c->v[second].field == c->v[0].field && width(c) + NAME_WANTED > cols)
        drop(c, second);
    share = find(c, COLUMN_SHARE);
    if (share < 0)
        share = find(c, COLUMN_CHANGE);
    if (share >= 0 && width(c) + NAME_WANTED > cols)
        c->v[share].cols = PERCENT_COLS + (c->v[share].kind == COLUMN_CHANGE);
}

/* Keeps the first column and, of the others, those from number SHIFT on that fit. */
static void scroll(struct fitted_columns *c, int cols, int shift, int name_min)
{
    const int most = c->n > 1 ? c->n - 2 : 0; /* the last column stays visible */

    c->n_before = 0;
    if (width(c) + name_min <= cols)
        return;
    while (c->n_before < shift && c->n_before < most && width(c) + name_min > cols) {
        drop(c, 1);
        c->n_before++;
    }
    while (c->n > 1 && width(c) + name_min > cols) {
        c->n--;
        c->n_after++;
    }
    if (c->n == 1 && width(c) + NAME_MIN / 2 > cols)
        c->n = 0;
}

struct fitted_columns columns_fit(const struct app *a, int cols)
{
    const struct options *o = &a->doc.result->options;
    const enum metric_id m = figure_primary(o);
    int order[FIELD_COUNT];
    struct fitted_columns c = {.n = 0};
    const bool of_devices = is_of_devices(a), is_list = a->doc.result->view->is_list;

    field_order(a->doc.result->view->is_multi, order);
    if (m < METRIC_COUNT && result_compares(a->doc.result)) {
        for (enum column_kind kind = COLUMN_BASE; kind <= COLUMN_CHANGE; kind++)
            add(a, &c, kind, (int)m);
    } else if (m < METRIC_COUNT) {
        if (!of_devices || is_list)
            add(a, &c, COLUMN_SELF, (int)m);
        if (!of_devices || !is_list)
            add(a, &c, COLUMN_TOTAL, (int)m);
        add(a, &c, COLUMN_SHARE, (int)m);
    }
    for (int i = 0; i < FIELD_COUNT; i++)
        if (of_devices && order[i] == METRIC_STEP_PERCENT)
            continue;
        else if (order[i] != (int)m && field_in(o->select, order[i]) && field_get(order[i])->legend)
            add(a, &c, order[i] < METRIC_COUNT ? COLUMN_TOTAL : COLUMN_FIELD, order[i]);
    shrink_columns(&c, cols, is_list);
    scroll(&c, cols, a->ui.tree.column_shift,
           of_devices && !a->ui.layout.wide ? NAME_MIN_NARROW : NAME_MIN);
    c.name_cols = cols - width(&c);
    return c;
}

int column_order(const struct column_spec *column)
{
    switch (column->kind) {
    case COLUMN_BASE:
        return ORDER_BASE;
    case COLUMN_DELTA:
        return ORDER_DELTA_ABS;
    case COLUMN_CHANGE:
        return ORDER_DELTA_PERCENT;
    default:
        return ORDER_METRIC + column->field;
    }
}

bool column_is_sorted(const struct doc *doc, const struct column_spec *column)
{
    const int order = doc->result->options.order_by;

    if (order == ORDER_DELTA)
        return column->kind == COLUMN_DELTA;
    if (order >= ORDER_BASE)
        return column_order(column) == order;
    if (column->kind == COLUMN_NOW)
        return column->field == order - ORDER_METRIC;
    return order >= ORDER_METRIC && column->field == order - ORDER_METRIC &&
           column->kind == (doc->result->view->is_list ? COLUMN_SELF : COLUMN_TOTAL);
}

/* Appends HEAD in capitals; as it is if it has some, as FLOPs. */
static void add_upper(struct strbuf *sb, const char *head)
{
    const bool has_capitals = strpbrk(head, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") != NULL;

    for (; *head; head++)
        sb_addc(sb, *head == '_' ? ' ' : has_capitals ? *head : (char)toupper((unsigned char)*head));
}

/* Appends the heading of a field. Inputs with threads have headings of their own. */
static void add_field_head(const struct profile *p, int field, struct strbuf *sb)
{
    const char *head = field < METRIC_COUNT ? metrics[field].head : NULL;
    const bool has_threads = p->kind >= PROFILE_TRACE;

    if (has_threads && field == METRIC_OCCURRENCE) {
        sb_adds(sb, "CALLS");
    } else if (field == METRIC_ACCELERATOR_MICROS ||
               (field == METRIC_MICROS && p->kind == PROFILE_DEVICE)) {
        sb_adds(sb, field == METRIC_MICROS ? "CPU+" : "");
        add_upper(sb, profile_device_word(p));
        sb_adds(sb, field == METRIC_MICROS ? "" : " TIME");
    } else {
        add_upper(sb, head ? head : field_get(field)->name);
    }
}

/* Heading of a column of a comparison; NULL for other columns. */
static const char *compared_head(enum column_kind kind)
{
    return kind == COLUMN_BASE     ? "BASELINE"
           : kind == COLUMN_NOW    ? "NOW"
           : kind == COLUMN_DELTA  ? "DELTA"
           : kind == COLUMN_CHANGE ? "CHANGE"
                                   : NULL;
}

void column_head(const struct app *a, const struct column_spec *column, struct strbuf *sb)
{
    const bool is_list = a->doc.result->view->is_list;
    const bool primary = column->field == (int)figure_primary(&a->doc.result->options);

    if (column->kind == COLUMN_SELF && !is_list) {
        sb_adds(sb, "SELF");
    } else if (column->kind == COLUMN_TOTAL && is_list && primary) {
        sb_adds(sb, "RUNNING"); /* sums from the end of the list */
    } else if (compared_head(column->kind)) {
        sb_adds(sb, compared_head(column->kind));
    } else if (column->kind == COLUMN_SHARE && is_of_devices(a) && !a->ui.tree.percent_of_parent) {
        sb_adds(sb, "%STEP");
    } else if (column->kind == COLUMN_SHARE) {
        sb_adds(sb, column->cols > PERCENT_COLS ? "% of " : "% ");
        sb_adds(sb, a->ui.tree.percent_of_parent ? "parent" : "root");
    } else if (column->field == METRIC_FLOAT_OPS &&
               a->doc.result->options.flops_unit == FLOPS_UNIT_MACS) {
        sb_adds(sb, "MACS");
    } else {
        add_field_head(a->doc.result->profile, column->field, sb);
    }
    if (column_is_sorted(&a->doc, column))
        sb_adds(sb, a->nav.reverse ? " ^" : " v");
}

static void share_cell(struct app *a, const struct column_spec *column, row_id row, row_id parent,
                       struct strbuf *sb)
{
    const enum metric_id m = (enum metric_id)column->field;
    const row_id base = a->ui.tree.percent_of_parent ? parent : 0;
    const bool of_steps = is_of_devices(a) && !a->ui.tree.percent_of_parent;
    const int64_t *percent = a->doc.result->total[METRIC_STEP_PERCENT];
    const bool is_list = a->doc.result->view->is_list;
    double share = figure_part(a->doc.result, row, base, m);

    if (of_steps && result_lacks(a->doc.result, row, METRIC_STEP_PERCENT)) {
        sb_addf(sb, "%*s", PERCENT_COLS, "--");
        return;
    }
    if (of_steps && percent)
        share = (double)(is_list && row ? a->doc.result->self[METRIC_STEP_PERCENT] : percent)[row] /
                (100.0 * MILLION);
    if (cell_state(a, row, m, is_list && row ? CELL_SELF : CELL_TOTAL) != CELL_THERE)
        return;
    sb_addf(sb, "%5.1f%%", share * 100 > 9999 ? 9999 : share * 100);
    if (column->cols > PERCENT_COLS) {
        sb_addc(sb, ' ');
        figure_bar(sb, share, column->cols - PERCENT_COLS - 1);
    }
}

/* Appends "+16.3%" and, if they fit, triangles: one for each doubling from 1 % on. */
static void change_cell(const struct app *a, const struct column_spec *column, row_id row,
                        struct strbuf *sb)
{
    const struct delta d = delta_of(a->doc.result, (enum metric_id)column->field, row);
    double percent;

    if (!d.base || !d.delta)
        return;
    percent = delta_percent(d);
    sb_addf(sb, "%+.*f%%", percent < 1000 && percent > -1000 ? 1 : 0,
            percent > 99999 ? 99999 : percent);
    if (column->cols <= PERCENT_COLS + 1)
        return;
    sb_pad(sb, ' ', sb->len < PERCENT_COLS + 1 ? PERCENT_COLS + 1 - sb->len : 1);
    for (double least = 1; least <= 128 && least <= (percent < 0 ? -percent : percent); least *= 2)
        sb_adds(sb, percent < 0 ? "\u25bc" : "\u25b2");
}

void column_cell(struct app *a, const struct column_spec *column, row_id row, row_id parent,
                 struct strbuf *sb)
{
    const enum metric_id m = (enum metric_id)column->field;

    if (column->field == METRIC_OCCURRENCE && a->doc.result->view->needs_stacks &&
        column->kind != COLUMN_SHARE) {
        sb_adds(sb, "N/A"); /* as in text output: a line of code is not an operation */
        return;
    }
    switch (column->kind) {
    /* the root of a list has no self figure: it shows the sum, like other columns */
    case COLUMN_SELF:
        cell_add(a, row, m, a->doc.result->view->is_list && !row ? CELL_TOTAL : CELL_SELF, sb);
        break;
    case COLUMN_TOTAL:
        if (a->doc.result->view->is_list && row && m != figure_primary(&a->doc.result->options))
            cell_add(a, row, m, CELL_SELF, sb);
        else
            cell_add(a, row, m, CELL_TOTAL, sb);
        break;
    case COLUMN_SHARE:
        share_cell(a, column, row, parent, sb);
        break;
    case COLUMN_BASE:
        if (delta_mark(a->doc.result->sides[row]) != '+')
            format_spaced(sb, metrics[m].unit, delta_of(a->doc.result, m, row).base);
        break;
    case COLUMN_NOW:
        if (delta_mark(a->doc.result->sides[row]) != '-')
            format_spaced(sb, metrics[m].unit, delta_of(a->doc.result, m, row).now);
        break;
    case COLUMN_DELTA:
        compare_cell(a->doc.result, row, m, sb);
        break;
    case COLUMN_CHANGE:
        change_cell(a, column, row, sb);
        break;
    case COLUMN_FIELD:
        row_field(sb, a->doc.result, row, column->field);
        break;
    }
}

enum role column_role(const struct app *a, const struct column_spec *column, row_id row)
{
    const struct result *r = a->doc.result;
    const int m = column->field;

    if (a->ui.tree.dim)
        return ROLE_DIM;
    if (column->kind == COLUMN_FIELD)
        return ROLE_TEXT;
    if (compared_head(column->kind) || m >= METRIC_COUNT || metric_is_ratio(m) || !r->self[m] || !r->total[m] ||
        r->total[m][0] <= 0)
        return ROLE_NUMBER;
    if (column->kind == COLUMN_SELF && row)
        return figure_heat((double)r->self[m][row] / (double)r->total[m][0]);
    return figure_heat(figure_part(r, row, 0, (enum metric_id)m));
}
