/* test_rank_test.c: significance of differences between two samples. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
/* clang-format off */
#include <cmocka.h>
/* clang-format on */

#include "base/rank_test.h"

static void limits_are_the_minimum_and_maximum_over_all_orders(void **state)
{
    static const int16_t equal[] = {0,   2,   4,   7,   11,  16,  21,  27,  34,  42,
                                    51,  60,  70,  81,  93,  105, 118, 133, 148, 164,
                                    180, 198, 216, 235, 255, 276, 298, 321};
    struct rank_limits l;

    (void)state;
    rank_limits_init(&l);
    for (int n = 5; n <= 32; n++)
        assert_int_equal(l.most[n][n], equal[n - 5]);
    assert_int_equal(l.most[4][6], 0);
    assert_int_equal(l.most[6][4], 0);
    assert_int_equal(l.most[3][9], 0);
    assert_int_equal(l.most[5][20], 13);
    assert_int_equal(l.most[4][5], -1);
    assert_int_equal(l.most[2][18], -1);
    assert_true(fabs(l.rate[5][5] - 0.0079) < 0.0001);
    for (uint32_t n = 1; n <= 32; n++)
        for (uint32_t m = 1; m <= 32; m++)
            assert_true(samples_use_ranks(n, m) == (l.most[n][m] >= 0));
}

static enum sample_verdict verdict(const double *x, uint32_t n_x, const double *y, uint32_t n_y,
                                   double resolution)
{
    struct samples s = {.n_x = n_x, .n_y = n_y};
    struct rank_limits l;
    double rate;

    rank_limits_init(&l);
    memcpy(s.x, x, n_x * sizeof *x);
    memcpy(s.y, y, n_y * sizeof *y);
    return samples_compare(&s, &l, resolution, &rate);
}

static void one_slow_step_is_not_significant(void **state)
{
    static const double before[] = {99, 100, 101, 100, 100, 99, 101, 100};
    static const double after[] = {100, 99, 101, 100, 101, 99, 100, 300};

    (void)state;
    assert_int_equal(verdict(before, 8, after, 8, 0), SAMPLES_WITHIN);
}

static void ranks_and_means_have_the_same_direction(void **state)
{
    static const double low[] = {10, 11, 12, 13, 14}, high[] = {20, 21, 22, 23, 24};
    static const double outlier[] = {9000, 1, 2, 3, 4, 5, 6, 7, 8, 9};
    static const double steady[] = {20, 21, 22, 23, 24, 25, 26, 27, 28, 29};

    (void)state;
    assert_int_equal(verdict(low, 5, high, 5, 0), SAMPLES_SIGNIFICANT);
    assert_int_equal(verdict(high, 5, low, 5, 0), SAMPLES_SIGNIFICANT);
    assert_int_equal(verdict(outlier, 10, steady, 10, 0), SAMPLES_SIGNS);
    assert_int_equal(verdict(steady, 10, outlier, 10, 0), SAMPLES_SIGNS);
}

static void few_steps_use_means(void **state)
{
    static const double low[] = {100, 101, 102}, near[] = {103, 105, 106}, far[] = {120, 121, 122};
    static const double same[] = {100, 100}, tick[] = {101, 101};

    (void)state;
    assert_int_equal(verdict(low, 3, near, 3, 0), SAMPLES_WITHIN);
    assert_int_equal(verdict(low, 3, far, 3, 0), SAMPLES_SIGNIFICANT);
    assert_int_equal(verdict(same, 2, tick, 2, 0), SAMPLES_SIGNIFICANT);
    assert_int_equal(verdict(same, 2, tick, 2, 1), SAMPLES_WITHIN);
    assert_int_equal(verdict(low, 1, far, 3, 0), SAMPLES_UNKNOWN);
}

static void shift_is_the_median_of_differences(void **state)
{
    struct samples s = {.x = {1, 2, 3}, .y = {11, 12, 1000}, .n_x = 3, .n_y = 3};

    (void)state;
    assert_true(fabs(samples_shift(&s) - 10) <= 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(limits_are_the_minimum_and_maximum_over_all_orders),
        cmocka_unit_test(one_slow_step_is_not_significant),
        cmocka_unit_test(ranks_and_means_have_the_same_direction),
        cmocka_unit_test(few_steps_use_means),
        cmocka_unit_test(shift_is_the_median_of_differences),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
