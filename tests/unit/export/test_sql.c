/* test_sql.c: queries can be cancelled, and tables find the rows of one key. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "export/sql/sql_query.h"
#include "export/sql/sql_table.h"
#include "fixtures/random_profile.h"

/* Cancels at the first bytes that it is given. */
struct canceller {
    struct sink sink;
    struct cancel cancel;
    size_t len;
};

static bool take_and_cancel(struct sink *s, const void *bytes, size_t len, struct err *err)
{
    struct canceller *c = (struct canceller *)s;

    (void)bytes, (void)err;
    c->len += len;
    cancel_ask(&c->cancel);
    return true;
}

static void a_query_can_be_cancelled(void **state)
{
    struct canceller c = {.sink = {.write = take_and_cancel}};
    uint64_t seed = 1;
    struct profile *p = random_profile(&seed, 20);
    struct query *query = query_new(p);
    struct output_spec spec;
    struct options options;
    struct err err = {0};
    struct sql_request request = {
        .profile = p, .query = query, .options = &options, .spec = &spec,
        .statement = "with recursive n(i) as (select 1 union all select i + 1 from n) select i from n",
        .cancel = cancel_mark_now(&c.cancel), .standard_out = &c.sink,
    };

    (void)state;
    options_init(&options);
    assert_true(output_parse("csv", &spec, &err));
    assert_false(sql_query_run(&request, &err));
    if (err.kind == ERR_CANCELLED) /* a program without SQLite says that */
        assert_true(c.len > 0);
    else
        assert_non_null(strstr(err_text(&err), "without SQLite"));
    err_done(&err);
    output_spec_done(&spec);
    options_done(&options);
    query_free(query);
    profile_free(p);
}

/* How many rows of T keys from FIRST to LAST have; all values are asked for. */
static uint64_t count_rows(struct sql_source *source, const struct sql_table *t, uint64_t first,
                           uint64_t last)
{
    struct sql_cursor c = {.table = t, .source = source};
    struct sql_value v;
    uint64_t n = 0;

    assert_true(sql_cursor_start(&c, first, last));
    for (; sql_cursor_next(&c); n++)
        for (size_t i = 0; i < t->n_columns; i++) {
            sql_cursor_value(&c, i, &v);
            if (i == 0)
                assert_true(v.integer >= (int64_t)first && (uint64_t)v.integer <= last);
        }
    sql_cursor_done(&c);
    return n;
}

static void the_rows_of_all_keys_are_all_rows(void **state)
{
    (void)state;
    for (uint64_t round = 1; round <= 20; round++) {
        uint64_t seed = round;
        struct profile *p = random_profile(&seed, 50);
        struct query *query = query_new(p);
        struct options options;
        struct sql_source source = {.profile = p, .query = query, .options = &options};

        options_init(&options);
        for (size_t i = 0; sql_tables[i]; i++) {
            const uint64_t all = count_rows(&source, sql_tables[i], 0, UINT64_MAX - 1);
            const uint64_t n_keys = sql_tables[i]->n_keys(&source, sql_tables[i]);
            uint64_t sum = 0;

            for (uint64_t key = 0; key < n_keys; key++)
                sum += count_rows(&source, sql_tables[i], key, key);
            assert_int_equal(sum, all);
            assert_int_equal(count_rows(&source, sql_tables[i], n_keys, n_keys + 5), 0);
        }
        sql_source_done(&source);
        options_done(&options);
        query_free(query);
        profile_free(p);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_query_can_be_cancelled),
        cmocka_unit_test(the_rows_of_all_keys_are_all_rows),
    };

    return cmocka_run_group_tests_name("sql", tests, NULL, NULL);
}
