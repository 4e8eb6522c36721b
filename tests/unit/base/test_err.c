/* test_err.c: error texts are one safe line; notes stay in order. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/err.h"

static void an_error_is_set_replaced_and_prefixed(void **state)
{
    struct err err = {0};

    (void)state;
    assert_string_equal(err_text(&err), "");
    assert_false(err_set(&err, ERR_INPUT, "offset %d", 12));
    assert_false(err_set(&err, ERR_USAGE, "line %d", 3));
    assert_int_equal(err.kind, ERR_USAGE);
    err_prefix(&err, "%s", "graph.pb");
    assert_string_equal(err_text(&err), "graph.pb: line 3");
    err_done(&err);
    assert_int_equal(err.kind, ERR_NONE);
}

static void hostile_bytes_are_escaped(void **state)
{
    struct err err = {0};
    struct notes notes = {0};

    (void)state;
    err_set(&err, ERR_INPUT, "node '%s'", "a\033[2Jb\n\377");
    assert_string_equal(err_text(&err), "node 'a\\x1b[2Jb\\x0a\\xff'");
    err_prefix(&err, "%s", "f\r");
    assert_string_equal(err_text(&err), "f\\x0d: node 'a\\x1b[2Jb\\x0a\\xff'");
    note_add(&notes, "%s", "x\ty");
    assert_string_equal(notes.data[0].text, "x\\x09y");
    err_done(&err);
    notes_done(&notes);
}

static void kinds_give_the_exit_status(void **state)
{
    (void)state;
    assert_int_equal(err_status(ERR_NONE), 0);
    assert_int_equal(err_status(ERR_INPUT), 1);
    assert_int_equal(err_status(ERR_USAGE), 2);
    assert_int_equal(err_status(ERR_CANCELLED), 130);
}

static void notes_keep_their_order(void **state)
{
    struct notes notes = {0};

    (void)state;
    for (int i = 0; i < 100; i++)
        note_add(&notes, "note %d", i);
    assert_int_equal(notes.n, 100);
    assert_string_equal(notes.data[0].text, "note 0");
    assert_string_equal(notes.data[99].text, "note 99");
    notes_done(&notes);
    assert_int_equal(notes.n, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_error_is_set_replaced_and_prefixed),
        cmocka_unit_test(hostile_bytes_are_escaped),
        cmocka_unit_test(kinds_give_the_exit_status),
        cmocka_unit_test(notes_keep_their_order),
    };

    return cmocka_run_group_tests_name("base/err", tests, NULL, NULL);
}
