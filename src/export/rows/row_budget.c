/* row_budget.c: weighs displayed rows, and sums omitted ones. */
#include "export/rows/row_budget.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "model/format.h"
#include "view/delta.h"

/* ---- choosing */

uint64_t row_budget_count(struct result *r)
{
    struct result_walk walk;
    uint64_t n = 0;

    if (delta_hides_all(r))
        return 0;
    if (!r->tree->n_repeats)
        return r->n_shown + (uint64_t)!r->view->is_list;
    result_walk_init(&walk, r, 0);
    while (result_walk_next(&walk))
        n += walk.row > 0 || !r->view->is_list;
    result_walk_done(&walk);
    return n;
}

/* The first time that is a column, else the first metric; METRIC_COUNT: none. */
static enum metric_id weight_metric(const struct result *r)
{
    enum metric_id first = METRIC_COUNT;
    int columns[FIELD_COUNT];
    const size_t n = row_columns(r, columns);

    for (size_t i = 0; i < n; i++) {
        if (columns[i] >= METRIC_COUNT || result_is_unknown(r, columns[i]))
            continue;
        if (metrics[columns[i]].unit == UNIT_TIME_PS)
            return (enum metric_id)columns[i];
        first = first == METRIC_COUNT ? (enum metric_id)columns[i] : first;
    }
    return first;
}

/* Self figures in lists, totals in trees; in comparisons the absolute difference. */
static int64_t weight_of(const struct result *r, enum metric_id metric, row_id row)
{
    const bool own = r->view->is_list;
    struct delta d;

    if (metric == METRIC_COUNT)
        return 0;
    if (!result_compares(r))
        return (own ? r->self : r->total)[metric][row];
    d = own ? delta_between(r->base_self[metric][row], r->self[metric][row])
            : delta_of(r, metric, row);
    return d.delta < 0 ? clamp_neg(d.delta) : d.delta;
}

static void collect(struct row_budget *b)
{
    const enum metric_id metric = weight_metric(b->result);
    VEC(uint32_t) at_depth = {0};
    struct result_walk walk;

    result_walk_init(&walk, b->result, 0);
    while (result_walk_next(&walk)) {
        const uint32_t at = (uint32_t)b->rows.n;

        if (walk.row == 0 && b->result->view->is_list)
            continue;
        vec_resize_zero(&at_depth, (size_t)walk.depth + 1);
        at_depth.data[walk.depth] = at;
        vec_push(&b->rows, ((struct printed_row){walk.row, walk.depth, at == 0}));
        vec_push(&b->records,
                 ((struct budget_record){
                     .weight = weight_of(b->result, metric, walk.row),
                     .parent = walk.depth && !b->result->view->is_list ? at_depth.data[walk.depth - 1]
                                                                      : RECORD_NONE,
                     .depth = walk.depth}));
    }
    result_walk_done(&walk);
    vec_done(&at_depth);
}

static size_t length_of(void *context, uint32_t i)
{
    struct row_budget *b = context;

    if (!b->lengths.data[i]) {
        sb_clear(&b->scratch);
        b->print(&b->scratch, &b->rows.data[i], b->context);
        b->lengths.data[i] = b->scratch.len;
    }
    return b->lengths.data[i];
}

bool row_budget_choose(struct row_budget *b, struct result *r, struct err *err)
{
    b->result = r;
    result_need(r, row_column_metrics(r));
    collect(b);
    vec_resize_zero(&b->lengths, b->rows.n + 1);
    b->budget.records = b->records.data;
    b->budget.n = (uint32_t)b->records.n;
    b->budget.length = length_of;
    b->budget.context = b;
    b->budget.bytes = (uint64_t)r->options.budget;
    b->budget.top = (uint64_t)r->options.top;
    return budget_choose(&b->budget, err);
}

const struct printed_row *row_budget_next(const struct row_budget *b, uint32_t *at)
{
    while (*at < b->budget.n && !b->budget.taken[*at])
        ++*at;
    return *at < b->budget.n ? &b->rows.data[(*at)++] : NULL;
}

void row_budget_done(struct row_budget *b)
{
    free(b->budget.taken);
    EACH(vec_done, &b->rows, &b->records, &b->lengths);
    sb_done(&b->scratch);
}

/* ---- sums of the others */

static void add_row(struct row_sums *s, const struct printed_row *row)
{
    for (size_t i = 0; i < s->cells->n; i++) {
        const struct row_cell *cell = &s->cells->cells[i];

        if (!cell_adds_up(cell))
            continue;
        row_cells_fill_one(s->cells, i, row->row, row->depth);
        if (cell->kind != CELL_INT && cell->kind != CELL_MILLIONTHS)
            continue;
        s->sums[i] = clamp_add(s->sums[i], cell->number);
        s->known[i] = true;
    }
}

void row_sums_make(struct row_sums *s, struct row_cells *cells, const struct row_budget *b)
{
    memset(s, 0, sizeof *s);
    s->cells = cells;
    s->is_widest = !b;
    for (uint32_t i = 0; b && i < b->budget.n; i++)
        if (!b->budget.taken[i])
            add_row(s, &b->rows.data[i]);
    s->n_rows = b ? b->budget.n - b->budget.n_taken : 0;
    for (size_t i = 0; !b && i < cells->n; i++)
        s->known[i] = cell_adds_up(&cells->cells[i]);
}

static void add_sum(struct strbuf *sb, const struct row_sums *s, size_t i)
{
    if (s->is_widest)
        sb_adds(sb, FIGURE_WIDEST);
    else if (cell_is_micros(&s->cells->cells[i]))
        format_micros(sb, s->sums[i]);
    else
        sb_add_int(sb, s->sums[i]);
}

void row_sums_json(struct strbuf *sb, const struct row_sums *s)
{
    const char *key = NULL;

    sb_adds(sb, "{\"rows\":");
    if (s->is_widest)
        sb_adds(sb, FIGURE_WIDEST);
    else
        sb_addf(sb, "%" PRIu64, s->n_rows);
    for (size_t i = 0; i < s->cells->n; i++) {
        const struct row_cell *cell = &s->cells->cells[i];
        const bool opens = cell->key != key;

        if (!s->known[i])
            continue;
        sb_adds(sb, opens && key ? "}," : ",");
        if (opens)
            sb_addf(sb, "\"%s\":{", cell->key);
        sb_addf(sb, "\"%s\":", cell_own_part(cell));
        add_sum(sb, s, i);
        key = cell->key;
    }
    sb_adds(sb, key ? "}}" : "}");
}

void row_sums_text(struct strbuf *sb, const struct row_sums *s)
{
    const bool compares = result_compares(s->cells->result);

    sb_adds(sb, "omitted: ");
    if (s->is_widest)
        sb_adds(sb, FIGURE_WIDEST);
    else
        sb_addf(sb, "%" PRIu64, s->n_rows);
    sb_adds(sb, " rows");
    for (size_t i = 0; i < s->cells->n; i++) {
        const struct row_cell *cell = &s->cells->cells[i];

        if (!s->known[i] || (compares ? !cell_is_delta(cell) : strcmp(cell->part, "self") != 0))
            continue;
        sb_addf(sb, ", %s ", cell->key);
        if (s->is_widest)
            sb_adds(sb, FIGURE_WIDEST);
        else
            (compares ? format_delta : format_value)(sb, metrics[cell->field].unit, s->sums[i]);
    }
    sb_addc(sb, '\n');
}
