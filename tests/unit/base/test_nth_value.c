/* test_nth_value.c: nth_value() returns the value at that index of the sorted values. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
/* clang-format off */
#include <cmocka.h>
/* clang-format on */

#include "base/nth_value.h"

enum { MOST = 300 };

static int by_value(const void *x, const void *y)
{
    const int64_t a = *(const int64_t *)x, b = *(const int64_t *)y;

    return (a > b) - (a < b);
}

static void agrees_with_sorting(void **state)
{
    uint64_t random = 1;

    (void)state;
    for (size_t n = 1; n <= MOST; n++) {
        int64_t values[MOST], sorted[MOST], scratch[MOST];

        for (size_t i = 0; i < n; i++) {
            random = random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
            values[i] = (int64_t)(random >> (1 + random % 63));
        }
        memcpy(sorted, values, sizeof sorted);
        qsort(sorted, n, sizeof *sorted, by_value);
        for (size_t place = 0; place < n; place += 1 + n / 7) {
            memcpy(scratch, values, sizeof scratch);
            assert_int_equal(nth_value(scratch, n, place), sorted[place]);
        }
    }
}

static void takes_limits_and_equal_values(void **state)
{
    int64_t values[] = {INT64_MAX, 0, INT64_MAX, 0}, again[] = {INT64_MAX, 0, INT64_MAX, 0};
    int64_t equal[] = {7, 7, 7};

    (void)state;
    assert_int_equal(nth_value(values, 4, 1), 0);
    assert_int_equal(nth_value(again, 4, 2), INT64_MAX);
    assert_int_equal(nth_value(equal, 3, 2), 7);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(agrees_with_sorting),
        cmocka_unit_test(takes_limits_and_equal_values),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
