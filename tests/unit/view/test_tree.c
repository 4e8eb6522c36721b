/* test_tree.c: dividing a tree into chunks that can be processed independently. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>

#include "base/xalloc.h"
#include "fixtures/random_options.h"
#include "view/build/tree.h"

/* A random tree of N rows in pre-order, deeper for larger DEPTH. */
static row_id *draw_parents(uint64_t *state, uint32_t n, uint32_t depth)
{
    row_id *parent = xcalloc(n, sizeof *parent);

    parent[0] = ROW_NONE;
    for (row_id row = 1; row < n; row++) {
        parent[row] = row - 1;
        while (parent[row] != 0 && random_below(state, depth) == 0)
            parent[row] = parent[parent[row]];
    }
    return parent;
}

static void inspect_chunks(const struct tree *t, uint32_t chunk)
{
    row_id *rows = xcalloc(t->n_rows, sizeof *rows);
    bool *is_listed = xcalloc(t->n_rows, sizeof *is_listed);
    const uint32_t n = tree_chunk_ancestors(t, chunk, t->n_rows, rows);

    for (uint32_t i = 0; i < n; i++) {
        assert_true(rows[i] > 0 && rows[i] < t->n_rows);
        assert_true(i == 0 || rows[i] > rows[i - 1]);
        assert_true(t->parent[rows[i]] == 0 || is_listed[t->parent[rows[i]]]);
        is_listed[rows[i]] = true;
    }
    for (row_id row = 1; row < t->n_rows; row++) {
        const row_id parent = t->parent[row];

        if (row % chunk == 0)
            assert_true(is_listed[row]);
        assert_true(parent == 0 || is_listed[parent] || is_listed[row] || parent / chunk == row / chunk);
    }
    free(rows);
    free(is_listed);
}

static void rows_depend_only_on_their_chunk_and_ancestors(void **unused)
{
    uint64_t state = 1;

    (void)unused;
    for (uint32_t round = 0; round < 200; round++) {
        struct tree t = {.n_rows = 1 + random_below(&state, 300)};

        t.parent = draw_parents(&state, t.n_rows, 1 + round % 7 + (round % 10 ? 0 : 1000));
        for (uint32_t chunk = 1; chunk < 70; chunk += 1 + random_below(&state, 9))
            inspect_chunks(&t, chunk);
        free(t.parent);
    }
}

static void a_flat_tree_has_few_ancestors(void **unused)
{
    row_id parent[1000] = {ROW_NONE}, rows[1000];
    const struct tree t = {.n_rows = 1000, .parent = parent};

    (void)unused;
    assert_int_equal(tree_chunk_ancestors(&t, 100, 9, rows), 9);
    assert_int_equal(tree_chunk_ancestors(&t, 100, 8, rows), 9);
    assert_int_equal(tree_chunk_ancestors(&t, 1000, 0, rows), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_depend_only_on_their_chunk_and_ancestors),
        cmocka_unit_test(a_flat_tree_has_few_ancestors),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
