/* test_stable_sort.c: sorted runs are merged, and equal items keep their order. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
/* clang-format off */
#include <cmocka.h>
/* clang-format on */

#include "base/stable_sort.h"

enum { MOST = 500 };

struct item {
    uint32_t key;
    size_t place;
};

static bool key_before(const void *a, const void *b)
{
    return ((const struct item *)a)->key < ((const struct item *)b)->key;
}

/* Sorts N items, made of ascending runs of LEN with keys below KEYS, and checks the result. */
static void check(size_t n, size_t len, uint32_t keys)
{
    struct item items[MOST];
    const void *pointers[MOST];
    uint32_t random = (uint32_t)(n * 7919 + len);

    for (size_t i = 0; i < n; i++) {
        random = random * 1664525u + 1013904223u;
        items[i].key = i % len ? items[i - 1].key + (random >> 16) % 3 : (random >> 16) % keys;
        items[i].place = i;
        pointers[i] = &items[i];
    }
    stable_sort(pointers, n, key_before);
    for (size_t i = 1; i < n; i++) {
        const struct item *a = pointers[i - 1], *b = pointers[i];

        assert_true(a->key < b->key || (a->key == b->key && a->place < b->place));
    }
}

static void runs_of_any_length_are_merged(void **state)
{
    (void)state;
    for (size_t n = 1; n <= MOST; n += 1 + n / 5)
        for (size_t len = 1; len <= n; len += 1 + len / 2)
            check(n, len, len % 2 ? 5 : 100000);
}

static void nothing_is_sorted(void **state)
{
    const void *none[1] = {NULL};

    (void)state;
    stable_sort(none, 0, key_before);
    assert_null(none[0]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(runs_of_any_length_are_merged),
        cmocka_unit_test(nothing_is_sorted),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
