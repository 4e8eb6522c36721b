/* test_rowmap.c: rows are mapped to the tree of a larger profile. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "fixtures/load_fixture.h"
#include "fixtures/load_with.h"
#include "fixtures/small_graph.h"
#include "tui/rows/rowmap.h"

/* The tree of VIEW over P with the frames HIDDEN folded; the caller owns a reference. */
static struct tree *tree_folded(const struct profile *p, enum view_id view, const char *hidden)
{
    struct query *q = query_new(p);
    struct options o;
    struct err err = {0};
    struct result *r;
    struct tree *t;

    set_options(&o, SETTINGS("hide_frames", hidden));
    r = query_run(q, view, &o, (struct cancel_mark){0}, &err);
    assert_non_null(r);
    t = tree_ref((struct tree *)(uintptr_t)r->tree);
    result_free(r);
    query_free(q);
    options_done(&o);
    return t;
}

static struct tree *tree_of(const struct profile *p, enum view_id view)
{
    return tree_folded(p, view, "");
}

static bool same_name(const struct tree *a, row_id x, const struct tree *b, row_id y)
{
    return tree_name_len(a, x) == tree_name_len(b, y) &&
           !memcmp(tree_name(a, x), tree_name(b, y), tree_name_len(a, x));
}

static const char few[] = "m/a = Const 1\nm/b = Neg m/a\nm/n/c = Neg m/b\nz = Neg m/n/c\n";
static const char more[] = "0 = Const 1\nm/a = Const 1\nm/aa = Neg m/a\nm/b = Neg m/a\n"
                           "m/n/b = Neg m/b\nm/n/c = Neg m/b\nz = Neg m/n/c\n";

static void every_row_is_found(void **state)
{
    struct profile *p = small_graph(few), *larger = small_graph(more);

    (void)state;
    for (int view = 0; view < VIEW_ADVISE; view++) {
        struct tree *from = tree_of(p, (enum view_id)view), *to = tree_of(larger, (enum view_id)view);
        struct rowmap m = {.row = NULL};

        rowmap_make(&m, from, to);
        for (row_id row = 0; row < from->n_rows; row++) {
            const row_id there = rowmap_row(&m, row);

            assert_true(same_name(from, row, to, there));
            /* In the graph view a larger graph may have other paths to a node. */
            assert_true(!row || view == VIEW_GRAPH ||
                        rowmap_row(&m, from->parent[row]) == to->parent[there]);
        }
        rowmap_done(&m);
        tree_unref(from);
        tree_unref(to);
    }
    profile_free(p);
    profile_free(larger);
}

/* A row that no longer exists is mapped to its parent. */
static void a_removed_row_is_mapped_to_its_parent(void **state)
{
    struct profile *p = small_graph(few), *larger = small_graph(more);
    struct tree *from = tree_of(larger, VIEW_SCOPE), *to = tree_of(p, VIEW_SCOPE);
    const row_id lost = tree_find(from, "m/n/b", 5);
    struct rowmap m = {.row = NULL};

    (void)state;
    rowmap_make(&m, from, to);
    assert_int_equal(m.row[lost], ROW_NONE);
    assert_int_equal(rowmap_row(&m, lost), tree_find(to, "m/n", 3));
    assert_int_equal(rowmap_row(&m, from->n_rows), 0);
    rowmap_done(&m);
    tree_unref(from);
    tree_unref(to);
    profile_free(p);
    profile_free(larger);
}

/* The last row is a slice without a length, and has no node. */
static void a_line_without_nodes_is_mapped_to_its_parent(void **state)
{
    static const char trace[] =
        "{\"traceEvents\":[{\"ph\":\"X\",\"cat\":\"kernel\",\"ts\":0,\"dur\":1},\n"
        "{\"ph\":\"X\",\"cat\":\"user_annotation\",\"name\":\"ProfilerStep#2\",\"ts\":0},\n"
        "{\"ph\":\"X\",\"cat\":\"python_function\",\"name\":\"torch/nn/modules/module.py(1500): f\","
        "\"ts\":0}]}";
    struct rowmap m = {.row = NULL};
    struct tree *from, *to;
    struct profile *p;
    struct err err = {0};
    row_id last;

    (void)state;
    fixture_write("trace.json", trace, sizeof trace - 1);
    p = load_with(SETTINGS(NULL), fixture_path("trace.json"), &err);
    assert_non_null(p);
    from = tree_of(p, VIEW_CODE);
    to = tree_folded(p, VIEW_CODE, "library");
    last = from->n_rows - 1;
    assert_int_not_equal(last, 0);
    assert_int_equal(from->member_begin[last], from->member_begin[from->n_rows]);
    rowmap_make_code(&m, from, to);
    assert_int_equal(m.row[last], ROW_NONE);
    assert_int_equal(rowmap_row(&m, last), 0);
    rowmap_done(&m);
    tree_unref(from);
    tree_unref(to);
    profile_free(p);
}

static void open_rows_stay_open(void **state)
{
    struct profile *p = small_graph(few), *larger = small_graph(more);
    struct tree *from = tree_of(p, VIEW_SCOPE), *to = tree_of(larger, VIEW_SCOPE);
    struct folds *f = folds_new(from->n_rows), *g;
    struct rowmap m = {.row = NULL};

    (void)state;
    folds_set(f, tree_find(from, "m/n", 3), true);
    rowmap_make(&m, from, to);
    g = rowmap_folds(&m, f);
    for (row_id row = 0; row < to->n_rows; row++)
        assert_int_equal(folds_is_open(g, row), !row || row == tree_find(to, "m/n", 3));
    folds_unref(f);
    folds_unref(g);
    rowmap_done(&m);
    tree_unref(from);
    tree_unref(to);
    profile_free(p);
    profile_free(larger);
}

static void open_rows_are_walked(void **state)
{
    struct folds *f = folds_new(200);
    static const row_id open[] = {0, 1, 63, 64, 128, 199};

    (void)state;
    for (size_t i = 0; i < 6; i++)
        folds_set(f, open[i], true);
    for (size_t i = 0; i < 6; i++)
        assert_int_equal(folds_next_open(f, i ? open[i - 1] + 1 : 0), open[i]);
    assert_int_equal(folds_next_open(f, 200), ROW_NONE);
    folds_unref(f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_row_is_found),
        cmocka_unit_test(a_removed_row_is_mapped_to_its_parent),
        cmocka_unit_test(a_line_without_nodes_is_mapped_to_its_parent),
        cmocka_unit_test(open_rows_stay_open),
        cmocka_unit_test(open_rows_are_walked),
    };

    return cmocka_run_group_tests(tests, fixture_setup, fixture_teardown);
}
