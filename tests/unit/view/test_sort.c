/* test_sort.c: large numbers of rows are sorted as pairwise comparison requires. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "fixtures/random_options.h"
#include "view/stages.h"

enum { MAX = 9000 };

struct rows {
    struct tree tree;
    uint32_t rank[MAX];
    int64_t values[MAX];
    row_id rows[MAX];
    struct sort_key keys[2 * MAX];
};

static bool in_order(const struct rows *r, const int64_t *values, row_id a, row_id b)
{
    if (values && values[a] != values[b])
        return values[a] > values[b];
    if (r->rank[a] != r->rank[b])
        return r->rank[a] < r->rank[b];
    return a < b;
}

static void fill(struct rows *r, uint64_t *state, uint32_t n)
{
    static const int64_t extremes[] = {INT64_MIN, INT64_MAX, 0, -1, 1};

    r->tree.rank = r->rank;
    for (uint32_t i = 0; i < n; i++) {
        r->rank[i] = random_below(state, 2) ? random_below(state, n / 2 + 1)
                                            : (uint32_t)random_next(state);
        r->values[i] = random_below(state, 50) ? (int64_t)random_next(state) >> random_below(state, 60)
                                               : extremes[random_below(state, 5)];
        r->rows[i] = i;
    }
}

static void rows_are_ordered(void **unused)
{
    static const uint32_t sizes[] = {0, 1, 2, 100, 2047, 2048, 5000, MAX};
    struct rows *r = calloc(1, sizeof *r);
    uint64_t state = 3;

    (void)unused;
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
        for (int with_values = 0; with_values < 2; with_values++) {
            const int64_t *values = with_values ? r->values : NULL;

            fill(r, &state, sizes[s]);
            order_rows(&r->tree, &(struct order_figures){.values = values}, r->rows, sizes[s], r->keys);
            for (uint32_t i = 1; i < sizes[s]; i++)
                assert_true(in_order(r, values, r->rows[i - 1], r->rows[i]));
        }
    free(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_ordered),
    };

    return cmocka_run_group_tests_name("sort", tests, NULL, NULL);
}
