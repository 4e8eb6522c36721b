/* test_tables.c: tables find the rows of a key, follow the rules of their records, and are equal in
 * all formats. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "export/tables/table_list.h"
#include "export/tables/table_writer.h"
#include "fixtures/random_profile.h"
#include "view/query.h"

/* ---- all tables, on random profiles */

/* Counts the rows of T with keys from FIRST to LAST and reads all values. */
static uint64_t count_rows(const struct table_rows *t, uint64_t first, uint64_t last)
{
    const struct table *table = t->table;
    struct table_cursor c;
    struct table_value v;
    uint64_t n = 0;

    table_cursor_start(&c, t, first, last);
    for (; table_cursor_next(&c); n++)
        for (size_t i = 0; i < table->n_columns; i++) {
            table_cursor_value(&c, i, &v);
            if (table->columns[i].unit == VALUE_TEXT)
                assert_true(v.kind == VALUE_IS_NONE || v.kind == VALUE_IS_TEXT);
            if (i == 0 && table->has_key_column)
                assert_true(v.integer >= (int64_t)first && (uint64_t)v.integer <= last);
        }
    table_cursor_done(&c);
    return n;
}

static void check_table(const struct table *table, const struct table_request *request)
{
    struct err err = {0};
    struct table_rows t;
    uint64_t all, sum = 0;

    assert_true(table_open(&t, table, request, &err));
    all = count_rows(&t, 0, UINT64_MAX - 1);
    for (uint64_t key = 0; key < t.n_keys; key++)
        sum += count_rows(&t, key, key);
    assert_int_equal(sum, all);
    assert_int_equal(count_rows(&t, t.n_keys, t.n_keys + 5), 0);
    table_close(&t);
}

static void the_rows_of_all_keys_are_all_rows(void **state)
{
    (void)state;
    for (uint64_t round = 1; round <= 20; round++) {
        uint64_t seed = round;
        struct profile *p = random_profile(&seed, 50);
        struct query *query = query_new(p);
        struct options options;
        const struct table_request request = {.profile = p, .query = query, .options = &options};

        options_init(&options);
        for (size_t i = 0; table_list[i]; i++)
            check_table(table_list[i], &request);
        options_done(&options);
        query_free(query);
        profile_free(p);
    }
}

/* SQL uses the first columns, so display-only columns are last; names are unique. */
static void records_keep_the_rules(void **state)
{
    (void)state;
    for (size_t i = 0; table_list[i]; i++) {
        const struct table *t = table_list[i];

        for (size_t other = 0; other < i; other++)
            assert_string_not_equal(table_sql_name(t), table_sql_name(table_list[other]));
        for (size_t c = 0; c < t->n_columns; c++) {
            assert_true(t->columns[c].name && t->columns[c].help);
            assert_true((c < table_n_data_columns(t)) == (t->columns[c].audience != FOR_PEOPLE));
            for (size_t other = 0; other < c; other++)
                assert_string_not_equal(t->columns[c].name, t->columns[other].name);
        }
    }
}

/* ---- a small table in each format */

struct fruit {
    int64_t weight_bytes, age_ps;
    uint32_t count;
};

static const struct {
    uint64_t n;
} basket = {2};

static const struct fruit fruits[] = {{1500, 2500000, 3}, {INT64_MIN, -1, 4}};

static const struct table_column columns[] = {
    {"name", "FRUIT", "", .absent = "(none)", .unit = VALUE_TEXT},
    {"weight", .unit = VALUE_BYTES, MEMBER_OF(struct fruit, weight_bytes), .omits_unknown = true},
    {"age", .unit = VALUE_TIME_PS, MEMBER_OF(struct fruit, age_ps)},
    {"count", .audience = FOR_PROGRAMS, MEMBER_OF(struct fruit, count)},
    {"share", .unit = VALUE_PERCENT, .decimals = 1, .is_signed = true, .audience = FOR_PEOPLE},
};

static const struct table_column heads[] = {{"n", MEMBER_OF(struct {uint64_t n;}, n)}};

static bool open_fruits(struct table_rows *t, struct err *err)
{
    (void)err;
    t->n_keys = 2;
    t->records = fruits;
    t->record_size = sizeof *fruits;
    t->head_record = &basket;
    return true;
}

static void fruit_value(struct table_cursor *c, size_t column, struct table_value *v)
{
    if (column)
        value_real(v, 12.25);
    else if (c->key == 0)
        value_word(v, "=a\"<b>");
}

static bool fruit_subject(struct table_cursor *c, struct subject *s)
{
    *s = (struct subject){.kind = SUBJECT_RANK, .id = (int64_t)c->key};
    return true;
}

static void add_lead(struct strbuf *sb, const struct table_rows *t)
{
    sb_addf(sb, "%d fruits\n", (int)t->n_keys);
}

static const struct table few = {
    .name = "few", TABLE_COLUMNS(columns), .open = open_fruits, .value = fruit_value,
    .max_text_rows = 1, .rows_name = "fruits",
};

static const struct table fruit_table = {
    .name = "fruits", .json_name = "old", TABLE_COLUMNS(columns), TABLE_HEADS(heads),
    .open = open_fruits, .value = fruit_value, .subject = fruit_subject,
    .lead = add_lead,
    .second = &few, .second_key = "few",
};

struct text_sink {
    struct sink sink;
    struct strbuf text;
};

static bool take(struct sink *s, const void *bytes, size_t len, struct err *err)
{
    (void)err;
    sb_add(&((struct text_sink *)s)->text, bytes, len);
    return true;
}

static void expect(const struct table_format *format, const char *expected)
{
    struct profile p = {.n_nodes = 0};
    const struct table_request request = {.profile = &p};
    struct text_sink out = {.sink = {.write = take}};
    struct table_rows t;
    struct err err = {0};

    assert_true(table_open(&t, &fruit_table, &request, &err));
    assert_true(table_write(format, &t, &out.sink, &err));
    table_close(&t);
    assert_string_equal(sb_text(&out.text), expected);
    sb_done(&out.text);
}

static void each_format_writes_a_table(void **state)
{
    (void)state;
    expect(&table_text, "2 fruits\n"
                        "FRUIT   weight  age   share\n"
                        "=a\"<b>  1.50KB  3us  +12.2%\n"
                        "(none)       -  0us  +12.2%\n"
                        "FRUIT   weight  age   share\n"
                        "=a\"<b>  1.50KB  3us  +12.2%\n"
                        "and 1 more fruits\n");
    expect(&table_csv, "name,weight,age,count\n\"'=a\"\"<b>\",1500,2.5,3\n,,-0.000001,4\n");
    expect(&table_tsv, "name\tweight\tage\tcount\n'=a\"<b>\t1500\t2.5\t3\n\t\t-0.000001\t4\n");
    expect(&table_json,
           "{\"tfprof\":2,\"view\":\"old\",\"units\":{\"n\":\"1\",\"weight\":\"B\",\"age\":\"us\",\"count\":\"1\"},"
           "\"returned\":2,\"total\":2,\"truncated\":false,\"n\":2,\"rows\":[\n"
           "{\"name\":\"=a\\\"<b>\",\"weight\":1500,\"age\":2.5,\"count\":3},\n"
           "{\"name\":null,\"age\":-0.000001,\"count\":4}],\"few\":[\n"
           "{\"name\":\"=a\\\"<b>\",\"weight\":1500,\"age\":2.5,\"count\":3},\n"
           "{\"name\":null,\"age\":-0.000001,\"count\":4}]}\n");
}

/* Random access, like a pane of the screen. */
static void rows_are_read_in_any_order(void **state)
{
    struct profile p = {.n_nodes = 0};
    const struct table_request request = {.profile = &p};
    struct table_rows t;
    struct table_cursor c;
    struct table_value v;
    struct subject subject;
    struct err err = {0};

    (void)state;
    assert_true(table_open(&t, &fruit_table, &request, &err));
    table_cursor_start(&c, &t, 0, 0);
    for (uint64_t key = t.n_keys; key-- > 0;) {
        table_cursor_move(&c, key, key);
        assert_true(table_cursor_next(&c));
        table_cursor_value(&c, 3, &v);
        assert_int_equal(v.integer, fruits[key].count);
        assert_true(table_cursor_subject(&c, &subject));
        assert_int_equal(subject.id, key);
    }
    table_cursor_done(&c);
    table_close(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_rows_of_all_keys_are_all_rows),
        cmocka_unit_test(records_keep_the_rules),
        cmocka_unit_test(each_format_writes_a_table),
        cmocka_unit_test(rows_are_read_in_any_order),
    };

    return cmocka_run_group_tests_name("tables", tests, NULL, NULL);
}
