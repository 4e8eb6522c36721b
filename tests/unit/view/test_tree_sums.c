/* test_tree_sums.c: sums over subtrees equal those of walking up from each row. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>

#include "base/xalloc.h"
#include "fixtures/random_options.h"
#include "view/build/tree_sums.h"

enum { CHUNK = 4096 };

/* A random tree of N rows; each new row is at most REACH levels above the previous row: 1 gives a
 * chain. */
static void make_tree(struct tree *t, uint64_t *random, uint32_t n, uint32_t reach)
{
    t->n_rows = n;
    t->parent = xcalloc(n, sizeof *t->parent);
    t->end = xcalloc(n, sizeof *t->end);
    t->parent[0] = ROW_NONE;
    for (row_id row = 1; row < n; row++) {
        row_id parent = row - 1;

        for (uint32_t up = random_below(random, reach); up > 0 && parent > 0; up--)
            parent = t->parent[parent];
        t->parent[row] = parent;
    }
    for (row_id row = n; row-- > 0;) {
        if (t->end[row] < row + 1)
            t->end[row] = row + 1;
        if (row && t->end[t->parent[row]] < t->end[row])
            t->end[t->parent[row]] = t->end[row];
    }
}

static void assert_sums(const struct tree *t, const int64_t *own, const int64_t *sum,
                        const uint8_t *flag, bool only_passing)
{
    int64_t *expected = xcalloc(t->n_rows, sizeof *expected);

    for (row_id row = t->n_rows; row-- > 0;) {
        expected[row] += flag[row] == 1 ? own[row] : 0;
        if (row)
            expected[t->parent[row]] += expected[row];
    }
    for (row_id row = 0; row < t->n_rows; row++)
        assert_int_equal(sum[row], only_passing && flag[row] != 1 ? 0 : expected[row]);
    free(expected);
}

static void check_tree(uint64_t *random, uint32_t n, uint32_t reach, struct workers *workers)
{
    int64_t *own[2] = {xcalloc(n, sizeof **own), xcalloc(n, sizeof **own)};
    int64_t *sum[2] = {xcalloc(n, sizeof **own), xcalloc(n, sizeof **own)};
    uint8_t *flag = xcalloc(n, 1);
    struct tree t = {.n_rows = 0};

    make_tree(&t, random, n, reach);
    for (row_id row = 0; row < n; row++) {
        flag[row] = (uint8_t)random_below(random, 3);
        own[0][row] = (int64_t)random_below(random, 1000) - 500;
        own[1][row] = random_below(random, 5);
    }
    for (int only = 0; only < 2; only++) {
        struct tree_sum of[2] = {{own[0], sum[0], true}, {own[1], sum[1], true}};

        tree_sums_make(&(struct tree_sums){&t, workers, flag, 1, only, of, 2});
        for (int k = 0; k < 2; k++) {
            assert_false(of[k].may_overflow);
            assert_sums(&t, own[k], sum[k], flag, only);
        }
    }
    for (int k = 0; k < 2; k++) {
        free(own[k]);
        free(sum[k]);
    }
    free(flag);
    free(t.parent);
    free(t.end);
}

static void sums_cover_all_rows_below(void **state)
{
    static const uint32_t sizes[] = {1, 2, 100, CHUNK - 1, CHUNK, CHUNK + 1, 2 * CHUNK, 5 * CHUNK + 77};
    static const uint32_t reaches[] = {1, 2, 3, 5, 60, UINT32_MAX};
    struct workers *workers = workers_new(3);
    uint64_t random = 26;

    (void)state;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (size_t k = 0; k < sizeof reaches / sizeof *reaches; k++) {
            check_tree(&random, sizes[i], reaches[k], NULL);
            check_tree(&random, sizes[i], reaches[k], workers);
        }
    workers_free(workers);
}

/* Possible overflow is reported; rows that do not count do not cause it. */
static void possible_overflow_is_reported(void **state)
{
    row_id parent[3] = {ROW_NONE, 0, 0}, end[3] = {3, 2, 3};
    const struct tree t = {.n_rows = 3, .parent = parent, .end = end};
    const int64_t limit = INT64_MAX / 3;
    const int64_t cases[][3] = {{1, limit - 1, 0}, {1, limit, 0}, {0, -limit, 0}, {0, -limit - 1, 0}};
    const uint8_t flag[3] = {1, 1, 1}, none[3] = {1, 0, 1};

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int64_t sum[3];
        struct tree_sum of = {cases[i], sum, false};
        struct tree_sums s = {&t, NULL, flag, 1, false, &of, 1};

        tree_sums_make(&s);
        assert_int_equal(of.may_overflow, i % 2);
        if (!of.may_overflow)
            assert_int_equal(sum[0], cases[i][0] + cases[i][1] + cases[i][2]);
        s.flag = none;
        tree_sums_make(&s);
        assert_false(of.may_overflow);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sums_cover_all_rows_below),
        cmocka_unit_test(possible_overflow_is_reported),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
