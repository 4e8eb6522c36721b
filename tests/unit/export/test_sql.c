/* test_sql.c: cancelling queries. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "export/sql/sql_query.h"
#include "fixtures/random_profile.h"

/* A sink that cancels on its first bytes. */
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
    if (err.kind == ERR_CANCELLED) /* a program without SQLite fails with another error */
        assert_true(c.len > 0);
    else
        assert_non_null(strstr(err_text(&err), "without SQLite"));
    err_done(&err);
    output_spec_done(&spec);
    options_done(&options);
    query_free(query);
    profile_free(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_query_can_be_cancelled),
    };

    return cmocka_run_group_tests_name("sql", tests, NULL, NULL);
}
