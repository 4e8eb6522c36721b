/* joined_rows.c: joins the rows of two tables by their keys, and orders the differences. */
#include "activity/joined_rows.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/intern.h"
#include "base/xalloc.h"

/* The two tables, and the rows that the join fills. */
struct join {
    const struct table_rows *base, *now;
    uint64_t keys, figures; /* bits of columns */
    uint64_t tails;         /* of keys: bits of columns of which only the part after the last '/' counts */
    joined_rows *rows;
};

/* The part of TEXT after its last '/'. */
static struct text tail_of(struct text text)
{
    uint32_t from = text.len;

    while (from && text.bytes[from - 1] != '/')
        from--;
    return (struct text){text.bytes + from, text.len - from};
}

/* Appends the values of the key columns of the row of C, each with its kind and length. */
static void add_key(struct strbuf *sb, const struct join *join, struct table_cursor *c)
{
    for (size_t i = 0; i < join->now->table->n_columns; i++) {
        struct table_value v;

        if (!bit_at(join->keys, (uint32_t)i))
            continue;
        table_cursor_value(c, i, &v);
        if (bit_at(join->tails, (uint32_t)i) && v.kind == VALUE_IS_TEXT)
            v.text = tail_of(v.text);
        if (v.kind == VALUE_IS_TEXT)
            sb_addf(sb, "t%" PRIu32 ":", v.text.len), sb_add(sb, v.text.bytes, v.text.len);
        else if (v.kind == VALUE_IS_INTEGER)
            sb_addf(sb, "i%" PRId64 ":", v.integer);
        else
            sb_addc(sb, '-');
    }
}

double table_value_number(const struct table_value *v)
{
    return v->kind == VALUE_IS_INTEGER ? (double)v->integer
           : v->kind == VALUE_IS_REAL  ? v->real
                                       : NAN;
}

void joined_value(struct table_cursor *c, uint64_t key, size_t column, struct table_value *v)
{
    value_integer(v, 0);
    if (key == JOINED_NONE)
        return;
    table_cursor_move(c, key, key);
    if (table_cursor_next(c))
        table_cursor_value(c, column, v);
}

void joined_sides_start(struct joined_sides *s, const struct table_rows *base,
                        const struct table_rows *now)
{
    table_cursor_start(&s->base, base, 0, 0);
    table_cursor_start(&s->now, now, 0, 0);
}

void joined_sides_done(struct joined_sides *s)
{
    table_cursor_done(&s->base);
    table_cursor_done(&s->now);
}

static bool is_zero_or_unknown(const struct table_value *v)
{
    return v->kind == VALUE_IS_NONE || table_value_number(v) == 0;
}

/* False if ROW is 0 or unknown on both sides, or hidden by -min_delta or -min_percent. */
static bool is_wanted(const struct joined_row *row, const struct options *o, enum value_unit unit)
{
    const double scale = unit == VALUE_TIME_PS ? (double)PS_PER_US : 1;
    const double size = fabs(row->delta), base = fabs(table_value_number(&row->base_value));

    return !(is_zero_or_unknown(&row->base_value) && is_zero_or_unknown(&row->now_value)) &&
           (o->min_delta <= 0 || size >= scale * (double)o->min_delta) &&
           !(size < base / 100 * (double)o->min_percent);
}

/* Adds a row for each compared figure of the keys BASE and NOW. */
static void add_pair(const struct join *join, struct joined_sides *s, uint64_t base, uint64_t now)
{
    const struct table *table = join->now->table;

    for (size_t i = 0; i < table->n_columns; i++) {
        struct joined_row row = {.base = base, .now = now, .column = i, .at = join->rows->n};

        if (!bit_at(join->figures, (uint32_t)i))
            continue;
        joined_value(&s->base, base, i, &row.base_value);
        joined_value(&s->now, now, i, &row.now_value);
        row.delta = table_value_number(&row.now_value) - table_value_number(&row.base_value);
        row.delta = isnan(row.delta) ? 0 : row.delta;
        if (is_wanted(&row, join->now->request->options, table->columns[i].unit))
            vec_push(join->rows, row);
    }
}

/* Omits the rows of single steps of T if it also has rows over all steps: steps of two profiles do
 * not correspond. */
static void omit_steps(strid *ids, const struct table_rows *t)
{
    size_t column = 0;
    bool has_all = false;
    struct table_cursor c;
    struct table_value v;

    while (column < t->table->n_columns && !t->table->columns[column].is_step)
        column++;
    for (int pass = 0; pass < 2 && column < t->table->n_columns; pass++) {
        table_cursor_start(&c, t, 0, UINT64_MAX - 1);
        for (uint64_t i = 0; table_cursor_next(&c); i++) {
            table_cursor_value(&c, column, &v);
            has_all |= v.kind == VALUE_IS_TEXT;
            if (pass && has_all && v.kind == VALUE_IS_INTEGER)
                ids[i] = STRID_NONE;
        }
        table_cursor_done(&c);
    }
}

/* Returns the ids of the keys of T by row, STRID_NONE for omitted rows; heap. */
static strid *read_keys(struct intern *keys, const struct join *join, const struct table_rows *t)
{
    strid *ids = xcalloc(t->n_keys + 1, sizeof *ids);
    struct strbuf key = {0};
    struct table_cursor at;

    table_cursor_start(&at, t, 0, UINT64_MAX - 1);
    for (uint64_t i = 0; table_cursor_next(&at); i++) {
        sb_clear(&key);
        add_key(&key, join, &at);
        ids[i] = intern_put(keys, sb_text(&key), key.len);
    }
    table_cursor_done(&at);
    sb_done(&key);
    omit_steps(ids, t);
    return ids;
}

/* Pairs rows of equal keys in the order of the tables. */
static void join_rows(const struct join *join)
{
    struct intern keys;
    strid *base_ids, *now_ids;
    uint64_t *first, *next; /* unpaired rows of the baseline: first by id, next by row */
    struct joined_sides s;

    intern_init(&keys);
    base_ids = read_keys(&keys, join, join->base);
    now_ids = read_keys(&keys, join, join->now);
    first = xreallocarray(NULL, keys.n, sizeof *first);
    next = xcalloc(join->base->n_keys + 1, sizeof *next);
    memset(first, 0xff, keys.n * sizeof *first);
    for (uint64_t i = join->base->n_keys; i-- > 0;)
        if (base_ids[i] != STRID_NONE) {
            next[i] = first[base_ids[i]];
            first[base_ids[i]] = i;
        }
    joined_sides_start(&s, join->base, join->now);
    for (uint64_t i = 0; i < join->now->n_keys; i++) {
        const uint64_t base = now_ids[i] == STRID_NONE ? JOINED_NONE : first[now_ids[i]];

        if (now_ids[i] != STRID_NONE)
            add_pair(join, &s, base, i);
        if (base != JOINED_NONE)
            first[now_ids[i]] = next[base];
    }
    for (uint64_t i = 0; i < join->base->n_keys; i++)
        if (base_ids[i] != STRID_NONE && first[base_ids[i]] == i) {
            first[base_ids[i]] = next[i];
            add_pair(join, &s, i, JOINED_NONE);
        }
    joined_sides_done(&s);
    free(first);
    free(next);
    free(base_ids);
    free(now_ids);
    intern_done(&keys);
}

/* ---- order */

double joined_percent(const struct joined_row *row)
{
    const double base = table_value_number(&row->base_value);

    return base != 0 ? 100 * row->delta / fabs(base) : row->delta > 0 ? HUGE_VAL : -HUGE_VAL;
}

/* The value of ROW by which rows are ordered, descending; NaN comes last. */
static double weight_of(const struct joined_row *row, int order)
{
    return order == ORDER_BASE            ? table_value_number(&row->base_value)
           : order == ORDER_DELTA         ? row->delta
           : order == ORDER_DELTA_PERCENT ? (row->delta != 0 ? joined_percent(row) : 0)
                                          : fabs(row->delta);
}

static int compare_rows(const void *x, const void *y, void *order)
{
    const struct joined_row *a = x, *b = y;
    const double m = weight_of(a, *(const int *)order), n = weight_of(b, *(const int *)order);

    if (isnan(m) != isnan(n))
        return isnan(m) ? 1 : -1;
    return m < n ? 1 : m > n ? -1 : a->at > b->at ? 1 : -1;
}

/* What the values of a column share on one side. */
struct common {
    bool is_one;  /* they are equal */
    bool is_head; /* they are equal up to the last '/' */
};

static struct common common_part_of(const struct table_rows *t, size_t column)
{
    struct common common = {true, true};
    struct strbuf first = {0};
    struct table_cursor c;
    struct table_value v;

    table_cursor_start(&c, t, 0, UINT64_MAX - 1);
    for (bool is_first = true; table_cursor_next(&c); is_first = false) {
        size_t head;

        table_cursor_value(&c, column, &v);
        if (v.kind != VALUE_IS_TEXT)
            v.text = (struct text){"", 0};
        head = v.text.len - tail_of(v.text).len;
        if (is_first)
            sb_add(&first, v.text.bytes, v.text.len);
        common.is_one &= first.len == v.text.len && !memcmp(sb_text(&first), v.text.bytes, v.text.len);
        common.is_head &= head <= first.len && !memcmp(sb_text(&first), v.text.bytes, head);
    }
    table_cursor_done(&c);
    sb_done(&first);
    return common;
}

/* Excludes location columns with a single value on each side from the keys, because two runs rarely use the
 * same host or device. In other location columns the host is ignored if each side has one host. */
static void ignore_equal_locations(struct join *join)
{
    for (size_t i = 0; i < join->now->table->n_columns; i++) {
        struct common base, now;

        if (!join->now->table->columns[i].is_location || !bit_at(join->keys, (uint32_t)i))
            continue;
        base = common_part_of(join->base, i);
        now = common_part_of(join->now, i);
        if (base.is_one && now.is_one)
            join->keys &= ~(UINT64_C(1) << i);
        else if (base.is_head && now.is_head)
            join->tails |= UINT64_C(1) << i;
    }
}

void joined_rows_make(joined_rows *rows, const struct table_rows *base, const struct table_rows *now,
                      uint64_t figures)
{
    const uint64_t unused =
        base->hidden | now->hidden | base->hidden_from_people | now->hidden_from_people;
    struct join join = {.base = base, .now = now, .figures = figures, .rows = rows};
    int order = now->request->options->order_by;

    for (size_t i = 0; i < now->table->n_columns; i++)
        if (now->table->columns[i].is_key && !bit_at(unused, (uint32_t)i))
            join.keys |= UINT64_C(1) << i;
    ignore_equal_locations(&join);
    join_rows(&join);
    vec_sort_arg(rows, compare_rows, &order);
}
