/* test_lower_bound.c: binary search and linear search give the same result. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/lower_bound.h"

static void the_lower_bound_is_found(void **state)
{
    enum { MAX = 20 };
    int values[MAX];

    (void)state;
    for (int i = 0; i < MAX; i++)
        values[i] = i / 3 * 2; /* three of each even value, no odd values */
    for (size_t begin = 0; begin <= MAX; begin++)
        for (size_t end = begin; end <= MAX; end++)
            for (int wanted = -1; wanted <= MAX; wanted++) {
                size_t at = begin, walked = begin;

                while (walked < end && values[walked] < wanted)
                    walked++;
                LOWER_BOUND(at, end, i, values[i] < wanted);
                assert_int_equal(at, walked);
            }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_lower_bound_is_found),
    };

    return cmocka_run_group_tests_name("lower_bound", tests, NULL, NULL);
}
