/* test_filter_work.c: regex lists over the match limit match nothing, give a message, and do not
 * change the query, with any number of threads. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "fixtures/random_profile.h"
#include "opt/options.h"
#include "view/query.h"

/* The number of ways to match a part of a name is exponential in its length. */
static const char catastrophe[] = "fine.*,(([a-z_0-9]+/?)+)+[XY]";

struct fixture {
    struct profile *profile;
    struct query *query;
    struct options options;
    struct result *result;
};

static void setup(struct fixture *f, unsigned n_threads)
{
    uint64_t state = 7;

    *f = (struct fixture){.profile = random_profile(&state, 20000)};
    f->query = query_new_threads(f->profile, n_threads);
    options_init(&f->options);
}

static void set_and_run(struct fixture *f, const char *option, const char *value)
{
    struct err err = {0};

    result_free(f->result);
    assert_true(option_set(&f->options, option_find(option), value, &err));
    f->result = query_run(f->query, VIEW_SCOPE, &f->options, (struct cancel_mark){0}, &err);
    assert_non_null(f->result);
}

static void teardown(struct fixture *f)
{
    result_free(f->result);
    options_done(&f->options);
    query_free(f->query);
    profile_free(f->profile);
}

/* The only note about the match limit; NULL: none. */
static const char *work_note(const struct result *r)
{
    const char *found = NULL;

    for (size_t i = 0; i < r->notes.n; i++)
        if (strstr(r->notes.data[i].text, "work limit exceeded")) {
            assert_null(found);
            found = r->notes.data[i].text;
        }
    return found;
}

static void a_filter_over_the_limit_matches_nothing(void **unused)
{
    struct fixture f;
    uint32_t n_all;

    (void)unused;
    setup(&f, 1);
    set_and_run(&f, "show_name_regexes", ".*");
    n_all = f.result->n_shown;
    assert_null(work_note(f.result));
    set_and_run(&f, "hide_name_regexes", catastrophe);
    assert_int_equal(f.result->n_shown, n_all);
    assert_non_null(work_note(f.result));
    assert_non_null(strstr(work_note(f.result), "-hide_name_regexes #2 '(([a-z_0-9]+/?)+)+[XY]': "
                                                "work limit exceeded on "));
    set_and_run(&f, "hide_name_regexes", "");
    set_and_run(&f, "show_name_regexes", catastrophe);
    assert_int_equal(f.result->n_shown, 0);
    assert_non_null(work_note(f.result));
    set_and_run(&f, "show_name_regexes", ".*");
    assert_int_equal(f.result->n_shown, n_all);
    assert_null(work_note(f.result));
    teardown(&f);
}

static void threads_stop_at_the_same_limit(void **unused)
{
    static const char *const options[] = {"show_name_regexes", "hide_name_regexes",
                                          "trim_name_regexes", "start_name_regexes",
                                          "device_regexes"};
    struct fixture one, several;

    (void)unused;
    setup(&one, 1);
    setup(&several, 4);
    for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
        set_and_run(&one, options[i], catastrophe);
        set_and_run(&several, options[i], catastrophe);
        assert_int_equal(one.result->n_shown, several.result->n_shown);
        assert_string_equal(work_note(one.result) ? work_note(one.result) : "",
                            work_note(several.result) ? work_note(several.result) : "");
        options_done(&one.options);
        options_done(&several.options);
        options_init(&one.options);
        options_init(&several.options);
    }
    teardown(&one);
    teardown(&several);
}

static void a_search_over_the_limit_is_an_error(void **unused)
{
    struct fixture f;
    struct err err = {0};
    uint32_t *before;

    (void)unused;
    setup(&f, 2);
    set_and_run(&f, "show_name_regexes", ".*");
    before = calloc((size_t)f.result->tree->n_rows + 1, sizeof *before);
    assert_false(query_count_matches(f.query, f.result, catastrophe, before,
                                     (struct cancel_mark){0}, &err));
    assert_non_null(strstr(err_text(&err), "work limit exceeded"));
    err_done(&err);
    assert_true(
        query_count_matches(f.query, f.result, ".*a.*", before, (struct cancel_mark){0}, &err));
    free(before);
    teardown(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_filter_over_the_limit_matches_nothing),
        cmocka_unit_test(threads_stop_at_the_same_limit),
        cmocka_unit_test(a_search_over_the_limit_is_an_error),
    };

    return cmocka_run_group_tests_name("filter_work", tests, NULL, NULL);
}
