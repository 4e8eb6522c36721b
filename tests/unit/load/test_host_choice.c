/* test_host_choice.c: the hosts that -host_regexes selects, and the messages about them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
/* clang-format off */
#include <cmocka.h>
/* clang-format on */

#include "load/loader.h"

static bool wants(struct host_choice *choice, const char *name)
{
    return host_is_wanted(choice, (struct text){name, (uint32_t)strlen(name)});
}

static void begin(struct host_choice *choice, const char *list)
{
    struct err err = {0};

    assert_true(host_choice_init(choice, list, &err));
}

/* Checks the final message: the error, else the only note. */
static void assert_says(struct host_choice *choice, const char *text)
{
    struct notes notes = {0};
    struct err err = {0};
    const bool ok = host_choice_check(choice, &notes, &err);

    assert_int_equal(notes.n, ok ? 1 : 0);
    assert_string_equal(ok ? notes.data[0].text : err_text(&err), text);
    err_done(&err);
    notes_done(&notes);
    host_choice_done(choice);
}

static void all_hosts_are_selected_by_default(void **state)
{
    struct host_choice choice;
    struct notes notes = {0};
    struct err err = {0};

    (void)state;
    begin(&choice, ".*");
    assert_true(wants(&choice, "a"));
    assert_true(wants(&choice, ""));
    assert_true(host_choice_check(&choice, &notes, &err));
    assert_int_equal(notes.n, 0);
    host_choice_done(&choice);
}

static void whole_names_match(void **state)
{
    struct host_choice choice;

    (void)state;
    begin(&choice, "worker-1,rank [01]");
    assert_true(wants(&choice, "worker-1"));
    assert_false(wants(&choice, "worker-11"));
    assert_true(wants(&choice, "rank 1"));
    assert_true(wants(&choice, "rank 1"));
    assert_false(wants(&choice, ""));
    assert_says(&choice, "-host_regexes: 2 of 4 hosts");
}

static void hosts_are_listed_when_none_matches(void **state)
{
    struct host_choice choice;

    (void)state;
    begin(&choice, "x");
    assert_false(wants(&choice, "a\033b"));
    assert_false(wants(&choice, ""));
    assert_says(&choice, "-host_regexes: matches no host; available: (no name), a\\x1bb");
}

static void some_of_many_hosts_are_named(void **state)
{
    struct host_choice choice;

    (void)state;
    begin(&choice, "x");
    for (int i = 0; i < 1000; i++) {
        char name[16];

        snprintf(name, sizeof name, "h%d", i);
        assert_false(wants(&choice, name));
    }
    assert_says(&choice, "-host_regexes: matches no host; available: h0, h1, h2, h3, h4, h5, h6, h7 "
                         "and 992 more");
}

static void an_option_without_hosts_is_reported(void **state)
{
    struct host_choice choice;

    (void)state;
    begin(&choice, "x");
    assert_says(&choice, "-host_regexes: no effect: it selects hosts of captures and "
                         "digests, and ranks of traces (-device_regexes selects devices)");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_hosts_are_selected_by_default),
        cmocka_unit_test(whole_names_match),
        cmocka_unit_test(hosts_are_listed_when_none_matches),
        cmocka_unit_test(some_of_many_hosts_are_named),
        cmocka_unit_test(an_option_without_hosts_is_reported),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
