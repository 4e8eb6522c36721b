/* test_offsets.c: offsets of lists in one array, and overflow of their sums. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/offsets.h"

static void lengths_become_offsets(void **state)
{
    uint32_t begin[] = {0, 2, 0, 3};
    char items[5];

    (void)state;
    assert_true(offsets_sum(begin, 3));
    assert_memory_equal(begin, ((uint32_t[]){0, 2, 2, 5}), sizeof begin);
    items[begin[2]++] = 'x';
    items[begin[0]++] = 'a';
    items[begin[2]++] = 'y';
    items[begin[0]++] = 'b';
    items[begin[2]++] = 'z';
    assert_memory_equal(items, "abxyz", 5);
    offsets_rewind(begin, 3);
    assert_memory_equal(begin, ((uint32_t[]){0, 2, 2, 5}), sizeof begin);
}

static void no_lists(void **state)
{
    uint32_t begin[] = {0};

    (void)state;
    assert_true(offsets_sum(begin, 0));
    offsets_rewind(begin, 0);
    assert_int_equal(begin[0], 0);
}

static void sums_do_not_wrap(void **state)
{
    uint32_t just[] = {0, UINT32_MAX - 1, 1, 0}, more[] = {0, UINT32_MAX, 1, 0};

    (void)state;
    assert_true(offsets_sum(just, 3));
    assert_int_equal(just[3], UINT32_MAX);
    assert_false(offsets_sum(more, 3));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lengths_become_offsets),
        cmocka_unit_test(no_lists),
        cmocka_unit_test(sums_do_not_wrap),
    };

    return cmocka_run_group_tests_name("base/offsets", tests, NULL, NULL);
}
