/* test_interval_set.c: unions of intervals. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/interval_set.h"

/* Enough intervals for the set to grow; the address sanitizer detects reads past its end. */
static void lengths_of_many_intervals(void **state)
{
    interval_set set = {0};

    (void)state;
    for (int64_t i = 0; i < 1000; i++)
        interval_set_add(&set, 10 * i, 10 * i + 4);
    assert_int_equal(set.n, 1000);
    for (int64_t i = 1; i < 1000; i++) {
        assert_int_equal(set.data[i].before_ps, 4 * i);
        assert_int_equal(interval_set_within(&set, 5, 10 * i + 2), 4 * (i - 1) + 2);
    }
    vec_done(&set);
}

static void intervals_that_touch_are_one(void **state)
{
    interval_set set = {0};

    (void)state;
    interval_set_add(&set, 0, 5);
    interval_set_add(&set, 5, 8);
    interval_set_add(&set, 6, 7);
    interval_set_add(&set, 9, 9);
    assert_int_equal(set.n, 1);
    assert_int_equal(interval_set_within(&set, -5, 100), 8);
    vec_done(&set);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(lengths_of_many_intervals),
                                       cmocka_unit_test(intervals_that_touch_are_one)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
