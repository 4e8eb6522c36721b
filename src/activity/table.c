/* table.c: opens tables and reads their rows. */
#include "activity/table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "activity/table_compared.h"
#include "base/satmath.h"
#include "base/xalloc.h"

static int64_t read_member(const struct table_column *column, const void *record)
{
    const void *at = (const char *)record + column->offset;
    uint64_t large;

    switch (column->member) {
    case MEMBER_INT64:
        return *(const int64_t *)at;
    case MEMBER_UINT64:
        large = *(const uint64_t *)at;
        return large > INT64_MAX ? INT64_MAX : (int64_t)large;
    case MEMBER_UINT32:
        return *(const uint32_t *)at;
    default:
        return *(const bool *)at;
    }
}

bool table_open(struct table_rows *t, const struct table *table, const struct table_request *request,
                struct err *err)
{
    if (request->base && !table->compares && table_is_comparable(table))
        return table_open_compared(t, table, request, err);
    *t = (struct table_rows){.table = table, .request = request};
    if (table->keys.member)
        t->n_keys = (uint64_t)read_member(&table->keys, request->profile);
    if (!table->open || table->open(t, err))
        return true;
    if (t->data)
        table->close(t);
    *t = (struct table_rows){.table = NULL};
    return false;
}

void table_close(struct table_rows *t)
{
    if (t->table && t->table->close)
        t->table->close(t);
    free(t->order);
    memset(t, 0, sizeof *t);
}

bool table_has_rows(const struct table_rows *t, struct err *err)
{
    return !t->needs || err_set(err, ERR_INPUT, "%s: %s", t->table->name, t->needs);
}

bool table_has_option(const struct table *table, const char *option)
{
    for (const char *const *name = table->options; name && *name; name++)
        if (strcmp(*name, option) == 0)
            return true;
    return false;
}

/* ---- order */

struct ordered_key {
    uint64_t key;
    struct table_value value; /* a number, or a text that lives until the table is closed */
};

static double number_of(const struct table_value *v)
{
    return v->kind == VALUE_IS_INTEGER ? (double)v->integer
           : v->kind == VALUE_IS_REAL  ? v->real
                                       : -HUGE_VAL;
}

static int compare_keys(const void *x, const void *y)
{
    const struct ordered_key *a = x, *b = y;
    const double m = number_of(&a->value), n = number_of(&b->value);
    int order = m < n ? 1 : -(m > n);

    if (a->value.kind == VALUE_IS_TEXT && b->value.kind == VALUE_IS_TEXT)
        order = text_compare(a->value.text, b->value.text);
    return order ? order : a->key > b->key ? 1 : -1;
}

static void sort_keys(struct table_rows *t, size_t column)
{
    struct ordered_key *keys = xcalloc(t->n_keys + 1, sizeof *keys);
    struct table_cursor c;

    table_cursor_start(&c, t, 0, UINT64_MAX - 1);
    for (uint64_t i = 0; i < t->n_keys && table_cursor_next(&c); i++) {
        keys[i].key = i;
        table_cursor_value(&c, column, &keys[i].value);
    }
    table_cursor_done(&c);
    qsort(keys, t->n_keys, sizeof *keys, compare_keys);
    t->order = xcalloc(t->n_keys + 1, sizeof *t->order);
    for (uint64_t i = 0; i < t->n_keys; i++)
        t->order[i] = keys[i].key;
    free(keys);
}

bool table_order(struct table_rows *t, struct err *err)
{
    const struct option *option = option_find("order_by");
    const char *name;

    if (!table_has_option(t->table, "order_by"))
        return true;
    name = option_value_name(option, t->request->options->order_by);
    for (size_t i = 0; i < t->table->n_columns; i++)
        if (strcmp(t->table->columns[i].name, name) == 0) {
            sort_keys(t, i);
            return true;
        }
    return err_set(err, ERR_USAGE, "-order_by: %s has no column %s", t->table->name, name);
}

bool table_open_second(struct table_rows *second, const struct table_rows *t, struct err *err)
{
    *second = (struct table_rows){
        .table = t->table->second, .request = t->request, .data = t->data};
    return second->table->open(second, err);
}

bool table_hides(const struct table_rows *t, size_t column, enum column_audience audience)
{
    const enum column_audience of = t->table->columns[column].audience;
    const uint64_t hidden = t->hidden | (audience == FOR_PEOPLE ? t->hidden_from_people : 0);

    return (of != FOR_ALL && of != audience) || (column < 64 && (hidden >> column & 1));
}

const char *table_sql_name(const struct table *table)
{
    return table->sql_name ? table->sql_name : table->name;
}

size_t table_n_data_columns(const struct table *table)
{
    size_t n = table->n_columns;

    while (n && table->columns[n - 1].audience == FOR_PEOPLE)
        n--;
    return n;
}

/* ---- cursors */

void table_cursor_start(struct table_cursor *c, const struct table_rows *t, uint64_t first,
                        uint64_t last)
{
    *c = (struct table_cursor){.rows = t, .profile = t->request->profile};
    table_cursor_move(c, first, last);
}

void table_cursor_move(struct table_cursor *c, uint64_t first, uint64_t last)
{
    const uint64_t n_keys = c->rows->n_keys;

    c->key = first;
    c->end_key = last < n_keys ? last + 1 : n_keys;
    c->at = c->n_at = 0;
}

/* Moves to the first row of c->key, or of the next key with rows. */
static bool enter_key(struct table_cursor *c)
{
    const struct table *table = c->rows->table;

    for (; c->key < c->end_key; c->key++) {
        c->at = 0;
        c->n_at = table->n_rows ? table->n_rows(c) : 1;
        if (c->n_at)
            return true;
    }
    return false;
}

bool table_cursor_next(struct table_cursor *c)
{
    if (!c->n_at)
        return enter_key(c);
    if (++c->at < c->n_at)
        return true;
    c->key++;
    return enter_key(c);
}

void table_member(struct table_value *v, const struct table_column *column, const void *record,
                  const struct profile *p)
{
    int64_t integer;

    if (column->member == MEMBER_STRING) {
        const char *word =
            *(const char *const *)(const void *)((const char *)record + column->offset);

        if (word)
            value_word(v, word);
        return;
    }
    integer = read_member(column, record);
    if (column->unit == VALUE_TEXT)
        value_name(v, p, (strid)integer);
    else if (integer != INT64_MIN)
        value_integer(v, column->scale ? clamp_mul(integer, column->scale) : integer);
}

const void *table_record(const struct table_cursor *c)
{
    const struct table_rows *t = c->rows;

    return t->table->record ? t->table->record(c)
                            : (const char *)t->records + c->key * t->record_size;
}

void table_cursor_value(struct table_cursor *c, size_t column, struct table_value *v)
{
    const struct table *table = c->rows->table;

    *v = (struct table_value){.kind = VALUE_IS_NONE};
    if (column == 0 && table->has_key_column)
        value_integer(v, (int64_t)c->key);
    else if (table->columns[column].member)
        table_member(v, &table->columns[column], table_record(c), c->profile);
    else if (table->value)
        table->value(c, column, v);
}

void table_head(const struct table_rows *t, size_t i, struct table_value *v)
{
    *v = (struct table_value){.kind = VALUE_IS_NONE};
    table_member(v, &t->table->heads[i], t->head_record, t->request->profile);
}

bool table_cursor_subject(struct table_cursor *c, struct subject *s)
{
    return c->rows->table->subject && c->rows->table->subject(c, s);
}

void table_cursor_done(struct table_cursor *c)
{
    if (c->state && c->rows->table->leave)
        c->rows->table->leave(c);
    free(c->state);
    sb_done(&c->text);
    memset(c, 0, sizeof *c);
}

void *table_state(struct table_cursor *c, size_t size)
{
    if (!c->state)
        c->state = xcalloc(1, size);
    return c->state;
}

/* ---- values */

void value_word(struct table_value *v, const char *word)
{
    value_text(v, text_from(word));
}

void value_name(struct table_value *v, const struct profile *p, strid id)
{
    value_text(v, intern_string(&p->strings, id));
}

void value_string(struct table_value *v, const struct profile *p, strid id)
{
    if (intern_len(&p->strings, id))
        value_name(v, p, id);
}

void value_scratch(struct table_value *v, const struct table_cursor *c)
{
    value_text(v, (struct text){sb_text(&c->text), (uint32_t)c->text.len});
    v->is_scratch = true;
}

void value_micros(struct table_value *v, int64_t ps)
{
    if (ps % PS_PER_US == 0)
        value_integer(v, ps / PS_PER_US);
    else
        value_real(v, (double)ps / (double)PS_PER_US);
}
