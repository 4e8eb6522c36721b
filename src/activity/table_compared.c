/* table_compared.c: joins a table of two profiles by its key columns. */
#include "activity/table_compared.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "activity/joined_rows.h"
#include "base/xalloc.h"

/* Columns after the keys. */
enum { AT_FIGURE, AT_BASE, AT_NOW, AT_DELTA, AT_PERCENT, N_AFTER };

/* A table that compares two others.  Its columns: the mark, the keys, then N_AFTER. */
struct compared {
    struct table table;       /* describes the rows */
    struct table second;      /* compares the second tables of both sides, if any */
    struct table_column *columns; /* heap */
    size_t *key_columns;      /* heap: key columns of the sides */
    size_t n_keys;
    struct table_request base_request, now_request;
    struct table_rows base, now;
    joined_rows rows;
    struct strbuf needs;
    struct compared *of_second; /* heap; borrows the data of both sides */
    bool is_second;
};

bool table_is_comparable(const struct table *table)
{
    bool has_key = false, has_figure = false;

    for (size_t i = 0; i < table->n_columns; i++) {
        has_key |= table->columns[i].is_key;
        has_figure |= table->columns[i].is_compared;
    }
    return has_key && has_figure && !table->n_rows;
}

/* ---- the columns */

/* Returns bits of the compared columns of TABLE: the one that -order_by names, else those with
 * is_compared that have the unit of the first of them. */
static uint64_t compared_columns(const struct table *table, const struct options *o)
{
    const struct table_column *first = NULL;
    uint64_t columns = 0;

    for (size_t i = 0; i < table->n_columns && table_has_option(table, "order_by"); i++)
        if (o->order_by > ORDER_TOTAL &&
            strcmp(table->columns[i].name,
                   option_value_name(option_find("order_by"), o->order_by)) == 0)
            return UINT64_C(1) << i;
    for (size_t i = 0; i < table->n_columns; i++) {
        if (!table->columns[i].is_compared)
            continue;
        first = first ? first : &table->columns[i];
        columns |= table->columns[i].unit == first->unit ? UINT64_C(1) << i : 0;
    }
    return columns;
}

static enum value_unit unit_of(const struct table *table, uint64_t columns)
{
    size_t i = 0;

    while (!bit_at(columns, (uint32_t)i))
        i++;
    return table->columns[i].unit;
}

/* Sets the columns of C for TABLE, whose figures have UNIT. */
static void make_columns(struct compared *c, const struct table *table, enum value_unit unit)
{
    const struct table_column after_keys[N_AFTER] = {
        [AT_FIGURE] = {"figure", .help = "compared quantity", .unit = VALUE_TEXT},
        [AT_BASE] = {"base", "baseline", "in the baseline", .unit = unit, .adds_up = true},
        [AT_NOW] = {"now", .help = "in the current profile", .unit = unit, .adds_up = true},
        [AT_DELTA] = {"delta", .help = "the difference", .unit = unit, .is_signed = true,
                      .adds_up = true},
        [AT_PERCENT] = {"percent", "change", "the difference in percent of the baseline",
                        .unit = VALUE_PERCENT, .decimals = 2, .is_signed = true},
    };
    size_t n = 0;

    c->columns = xcalloc(table->n_columns + 1 + N_AFTER, sizeof *c->columns);
    c->key_columns = xcalloc(table->n_columns, sizeof *c->key_columns);
    c->columns[n++] = (struct table_column){"mark", "", "+: only in the current profile, -: only in the baseline", " ",
                                            VALUE_TEXT, .is_mark = true};
    for (size_t i = 0; i < table->n_columns; i++) {
        if (!table->columns[i].is_key)
            continue;
        c->key_columns[c->n_keys++] = i;
        c->columns[n] = table->columns[i];
        c->columns[n++].member = MEMBER_NONE;
    }
    memcpy(c->columns + n, after_keys, sizeof after_keys);
}

static struct compared *compared_of(const struct table_rows *t)
{
    return t->data;
}

/* ---- the table */

static void set_difference(const struct joined_row *row, size_t column, struct table_value *v)
{
    const struct table_value *base = &row->base_value, *now = &row->now_value;

    if (base->kind == VALUE_IS_NONE || now->kind == VALUE_IS_NONE)
        return;
    if (column == AT_PERCENT && table_value_number(base) != 0)
        value_real(v, joined_percent(row));
    else if (column == AT_DELTA && base->kind == VALUE_IS_INTEGER && now->kind == VALUE_IS_INTEGER)
        value_integer(v, clamp_sub(now->integer, base->integer));
    else if (column == AT_DELTA)
        value_real(v, row->delta);
}

static void compared_value(struct table_cursor *c, size_t column, struct table_value *v)
{
    struct compared *cmp = compared_of(c->rows);
    const struct joined_row *row = &cmp->rows.data[c->key];
    struct joined_sides *s = table_state(c, sizeof *s);

    if (!s->now.rows)
        joined_sides_start(s, &cmp->base, &cmp->now);
    if (column == 0 && row->base == JOINED_NONE)
        value_word(v, "+");
    else if (column == 0 && row->now == JOINED_NONE)
        value_word(v, "-");
    else if (column == 0)
        return;
    else if (column <= cmp->n_keys)
        joined_value(row->now == JOINED_NONE ? &s->base : &s->now,
                    row->now == JOINED_NONE ? row->base : row->now, cmp->key_columns[column - 1], v);
    else if (column - 1 - cmp->n_keys == AT_FIGURE)
        value_word(v, cmp->now.table->columns[row->column].name);
    else if (column - 1 - cmp->n_keys == AT_BASE)
        *v = row->base_value;
    else if (column - 1 - cmp->n_keys == AT_NOW)
        *v = row->now_value;
    else
        set_difference(row, column - 1 - cmp->n_keys, v);
}

static void compared_leave(struct table_cursor *c)
{
    joined_sides_done(c->state);
}

/* Rows that only the baseline has are without a subject. */
static bool compared_subject(struct table_cursor *c, struct subject *s)
{
    struct compared *cmp = compared_of(c->rows);
    const struct joined_row *row = &cmp->rows.data[c->key];
    struct joined_sides *sides = table_state(c, sizeof *sides);

    if (!sides->now.rows)
        joined_sides_start(sides, &cmp->base, &cmp->now);
    if (row->now == JOINED_NONE)
        return false;
    table_cursor_move(&sides->now, row->now, row->now);
    return table_cursor_next(&sides->now) && table_cursor_subject(&sides->now, s);
}

static void add_side(struct strbuf *sb, const char *name, const struct table_rows *t)
{
    struct strbuf lead = {0};

    t->table->lead(&lead, t);
    for (const char *line = sb_text(&lead), *end; *line; line = end + (*end == '\n')) {
        end = line + strcspn(line, "\n");
        sb_addf(sb, "%s: %.*s\n", name, (int)(end - line), line);
    }
    sb_done(&lead);
}

/* Appends the lead of each side, and the numbers of steps if they differ. */
static void compared_lead(struct strbuf *sb, const struct table_rows *t)
{
    const struct compared *c = compared_of(t);
    const uint32_t base = c->base_request.profile->n_steps, now = c->now_request.profile->n_steps;

    if (c->now.table->lead) {
        add_side(sb, "baseline", &c->base);
        add_side(sb, "now", &c->now);
    }
    if (base != now && c->now_request.options->step < 0)
        sb_addf(sb, "sums over steps: %" PRIu32 " in the baseline, %" PRIu32 " now\n", base, now);
}

/* The legend of the columns that are compared. */
static void compared_legend(struct strbuf *sb, const struct table_rows *t)
{
    const struct compared *c = compared_of(t);
    struct table_rows shown = c->now;

    shown.hidden_from_people |= ~compared_columns(shown.table, c->now_request.options);
    if (shown.table->legend)
        shown.table->legend(sb, &shown);
}

static void compared_free(struct compared *c)
{
    if (!c)
        return;
    compared_free(c->of_second);
    if (!c->is_second) {
        table_close(&c->base);
        table_close(&c->now);
    }
    vec_done(&c->rows);
    sb_done(&c->needs);
    free(c->columns);
    free(c->key_columns);
    free(c);
}

static void compared_close(struct table_rows *t)
{
    compared_free(t->data);
}

static bool open_second(struct table_rows *t, struct err *err);

/* Fills C, whose sides are open, and T. */
static void set_rows(struct compared *c, struct table_rows *t)
{
    static const char *const top[] = {"top", NULL};
    const struct options *o = c->now_request.options;
    const struct table *table = c->now.table;
    const uint64_t figures = compared_columns(table, o);

    make_columns(c, table, unit_of(table, figures));
    joined_rows_make(&c->rows, &c->base, &c->now, figures & ~(c->base.hidden & c->now.hidden));
    c->second = (struct table){.open = open_second};
    c->table = (struct table){
        .name = table->name, .json_name = table->json_name, .columns = c->columns,
        .n_columns = 1 + c->n_keys + N_AFTER, .close = compared_close, .value = compared_value,
        .leave = compared_leave, .subject = compared_subject, .lead = compared_lead,
        .legend = compared_legend, .rows_key = table->rows_key,
        .options = table_has_option(table, "top") ? top : NULL,
        .help = "differences from the baseline, largest first", .max_text_rows = 40,
        .rows_name = "differences",
    };
    if (table->second && table_is_comparable(table->second)) {
        c->table.second = &c->second;
        c->table.second_key = table->second_key;
    }
    t->table = &c->table;
    t->n_keys = c->rows.n;
    for (size_t i = 0; i < c->n_keys; i++) {
        const uint64_t bit = UINT64_C(1) << c->key_columns[i];

        t->hidden |= bit & c->base.hidden & c->now.hidden ? UINT64_C(2) << i : 0;
        t->not_aside |= bit & (c->base.not_aside | c->now.not_aside) ? UINT64_C(2) << i : 0;
        t->hidden_from_people |=
            bit & c->base.hidden_from_people & c->now.hidden_from_people ? UINT64_C(2) << i : 0;
    }
}

/* Hides columns with equal values in all rows: a single figure, and "all" steps. */
static void hide_repeated(struct table_rows *t)
{
    const struct compared *c = compared_of(t);
    bool has_several = false;
    struct table_cursor first;
    struct table_value v;

    for (size_t i = 1; i < c->rows.n; i++)
        has_several |= c->rows.data[i].column != c->rows.data[0].column;
    if (!has_several)
        t->hidden_from_people |= UINT64_C(2) << (c->n_keys + AT_FIGURE);
    table_cursor_start(&first, t, 0, 0);
    for (size_t i = 1; i <= c->n_keys && c->rows.n; i++) {
        table_cursor_value(&first, i, &v);
        if (c->columns[i].is_step && v.kind == VALUE_IS_TEXT)
            t->hidden_from_people |= UINT64_C(1) << i;
    }
    table_cursor_done(&first);
}

static bool open_second(struct table_rows *t, struct err *err)
{
    struct compared *first = t->data, *c = xcalloc(1, sizeof *c);

    c->is_second = true;
    c->base_request = first->base_request;
    c->now_request = first->now_request;
    compared_free(first->of_second);
    first->of_second = c;
    if (!table_open_second(&c->base, &first->base, err) || !table_open_second(&c->now, &first->now, err))
        return false;
    t->data = c;
    set_rows(c, t);
    c->table.lead = NULL;
    hide_repeated(t);
    return true;
}

bool table_open_compared(struct table_rows *t, const struct table *table,
                         const struct table_request *request, struct err *err)
{
    struct compared *c = xcalloc(1, sizeof *c);

    c->now_request = (struct table_request){.profile = request->now, .options = request->options,
                                            .cancel = request->cancel};
    c->base_request = c->now_request;
    c->base_request.profile = request->base;
    if (!table_open(&c->now, table, &c->now_request, err)) {
        compared_free(c);
        return false;
    }
    if (!table_open(&c->base, table, &c->base_request, err)) {
        err_prefix(err, "baseline");
        compared_free(c);
        return false;
    }
    *t = (struct table_rows){.request = request, .data = c};
    set_rows(c, t);
    hide_repeated(t);
    if (c->base.needs)
        sb_addf(&c->needs, "baseline: %s", c->base.needs);
    t->needs = c->now.needs ? c->now.needs : c->base.needs ? sb_text(&c->needs) : NULL;
    return true;
}
