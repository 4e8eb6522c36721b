/* test_rows.c: the visible rows equal those of a simple implementation, for any movement and fold
 * history. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/vec.h"
#include "fixtures/random_profile.h"
#include "tui/rows/rows.h"

typedef VEC(struct row_entry) entries;

/* Adds all visible rows below PARENT, which is open and has index PARENT_AT. */
static void list_below(struct result *r, const struct folds *f, bool reverse, row_id parent,
                       size_t parent_at, uint32_t depth, entries *list)
{
    uint32_t n, n_below;
    const row_id *children = result_children(r, parent, &n);

    for (uint32_t i = 0; i < n; i++) {
        const row_id row = children[reverse ? n - 1 - i : i];
        const row_id up = r->shown_parent[row] == ROW_NONE ? 0 : r->shown_parent[row];
        const size_t at = list->n;
        struct row_entry e = {.row = row, .depth = depth, .parent = parent, .parent_at = parent_at};

        result_children(r, row, &n_below);
        e.flags = (n_below ? ROW_HAS_CHILDREN : 0u) |
                  (n_below && folds_is_open(f, row) ? ROW_OPEN : 0u) |
                  (r->tree->parent[row] != up ? ROW_LIFTED : 0u);
        vec_push(list, e);
        if (e.flags & ROW_OPEN)
            list_below(r, f, reverse, row, at, depth + 1, list);
    }
}

static void list_all(struct result *r, const struct folds *f, bool reverse, entries *list)
{
    struct row_entry root = {.row = 0};
    uint32_t n;

    result_children(r, 0, &n);
    root.flags = (n ? ROW_HAS_CHILDREN : 0u) | (n && folds_is_open(f, 0) ? ROW_OPEN : 0u);
    list->n = 0;
    vec_push(list, root);
    if (root.flags & ROW_OPEN)
        list_below(r, f, reverse, 0, 0, 1, list);
}

static void assert_entry(struct rows *rows, size_t i, const struct row_entry *want)
{
    const struct row_entry got = rows_at(rows, i);

    assert_int_equal(got.row, want->row);
    assert_int_equal(got.depth, want->depth);
    assert_int_equal(got.flags, want->flags);
    assert_int_equal(got.parent, want->parent);
    assert_int_equal(got.parent_at, want->parent_at);
}

static void compare(struct rows *rows, struct result *r, struct folds *f, bool reverse,
                    uint64_t *state)
{
    entries list = {0};
    uint32_t deepest = 0, highest = UINT32_MAX;
    struct row_counts counts;
    row_id path[3];

    list_all(r, f, reverse, &list);
    assert_int_equal(rows_count(rows), list.n);
    for (int i = 0; i < 20; i++) { /* short and long distances */
        const size_t at = random_below(state, (uint32_t)list.n);

        assert_entry(rows, at, &list.data[at]);
        for (size_t k = 0; k < 3 && at >= k; k++)
            assert_entry(rows, at - k, &list.data[at - k]);
        assert_int_equal(rows_find(rows, list.data[at].row), at);
        assert_true(rows_path(rows, at, path, 3) >= 1);
        assert_int_equal(path[0], list.data[at].row);
    }
    for (size_t i = 0; i < list.n; i++) {
        const struct row_entry *e = &list.data[i];

        if (e->flags & ROW_OPEN && e->depth > deepest)
            deepest = e->depth;
        if (e->flags & ROW_HAS_CHILDREN && !(e->flags & ROW_OPEN) && e->depth < highest)
            highest = e->depth;
    }
    row_counts_make(&counts, r, f);
    assert_int_equal(row_counts_level(&counts, r, true), deepest);
    assert_int_equal(row_counts_level(&counts, r, false), highest);
    row_counts_done(&counts);
    vec_done(&list);
}

/* Folds or unfolds as the keys do; returns the new set. */
static struct folds *fold_at_random(struct rows *rows, struct result *r, struct folds *f,
                                    bool reverse, uint64_t *state)
{
    struct folds *g = folds_copy(f);
    const row_id row = rows_at(rows, random_below(state, (uint32_t)rows_count(rows))).row;
    const uint32_t how = random_below(state, 4);
    struct row_counts made = {.tree = NULL};

    if (how == 0) /* any set, as with undo */
        for (int i = 0; i < 6; i++)
            folds_set(g, random_below(state, r->tree->n_rows), random_below(state, 2));
    else if (how == 1)
        folds_set_range(g, row, r->tree->end[row], random_below(state, 2));
    else if (folds_is_open(g, row))
        folds_set(g, row, false);
    else
        folds_open_chain(g, r, row);
    if (random_below(state, 2)) /* counted as in the background */
        row_counts_make(&made, r, g);
    rows_build(rows, r, g, reverse, &made);
    row_counts_done(&made);
    folds_unref(f);
    return g;
}

static void follow_one_profile(const struct profile *p, uint64_t *state)
{
    struct query *q = query_new(p);
    struct rows *rows = rows_new();
    struct options o;
    struct err err = {0};
    struct result *before = NULL;
    struct folds *f = NULL;

    options_init(&o);
    for (int i = 0; i < 12; i++) {
        const enum view_id view = (enum view_id)(i / 3);
        const bool reverse = random_below(state, 2);
        struct row_counts made = {.tree = NULL};
        struct result *r;

        o.max_depth = 1 + (int)random_below(state, 9);
        o.order_by = random_below(state, 2) ? ORDER_NAME : ORDER_METRIC + METRIC_MICROS;
        r = query_run(q, view, &o, (struct cancel_mark){0}, &err);
        assert_non_null(r);
        if (!before || before->tree != r->tree) {
            folds_unref(f);
            f = folds_new(r->tree->n_rows);
        }
        if (random_below(state, 2))
            row_counts_make(&made, r, f);
        rows_build(rows, r, f, reverse, &made);
        row_counts_done(&made);
        result_free(before);
        before = r;
        for (int k = 0; k < 6; k++) {
            compare(rows, r, f, reverse, state);
            f = fold_at_random(rows, r, f, reverse, state);
        }
    }
    rows_free(rows);
    result_free(before);
    folds_unref(f);
    query_free(q);
    options_done(&o);
}

static void visible_rows_equal_a_simple_list(void **state)
{
    uint64_t seed = 3;

    (void)state;
    for (int i = 0; i < 40; i++) {
        struct profile *p = random_profile(&seed, i % 8 ? 40 : 3000);

        follow_one_profile(p, &seed);
        profile_free(p);
    }
}

static void an_empty_table_has_no_rows(void **state)
{
    struct rows *rows = rows_new();

    (void)state;
    assert_int_equal(rows_count(rows), 0);
    assert_null(rows_result(rows));
    assert_int_equal(rows_find(rows, 0), SIZE_MAX);
    rows_free(rows);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(visible_rows_equal_a_simple_list),
        cmocka_unit_test(an_empty_table_has_no_rows),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
