/* test_repeats.c: rows of repeated layers compared with a pairwise search; unchanged figures;
 * names, filters and output. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "fixtures/answer.h"
#include "fixtures/random_profile.h"
#include "fixtures/small_graph.h"
#include "view/build/repeats.h"
#include "view/repeat_figures.h"

enum { PROFILES = 150, MAX_NODES = 200 };

static const enum view_id tree_views[] = {VIEW_SCOPE, VIEW_GRAPH, VIEW_CODE};
enum { N_TREE_VIEWS = sizeof tree_views / sizeof *tree_views };

/* ---- detection */

static bool same_key(const struct tree *t, enum view_id view, row_id a, row_id b)
{
    struct strbuf x = {0}, y = {0};
    bool same;

    repeats_key(&x, view, repeats_relative_name(t, view, a));
    repeats_key(&y, view, repeats_relative_name(t, view, b));
    same = x.len == y.len && memcmp(sb_text(&x), sb_text(&y), x.len) == 0;
    sb_done(&x);
    sb_done(&y);
    return same;
}

static bool same_relative_name(const struct tree *t, enum view_id view, row_id a, row_id b)
{
    const struct text x = repeats_relative_name(t, view, a), y = repeats_relative_name(t, view, b);

    if (view == VIEW_GRAPH)
        return same_key(t, view, a, b);
    return x.len == y.len && memcmp(x.bytes, y.bytes, x.len) == 0;
}

static uint32_t n_of_type(const struct tree *t, row_id row, strid op)
{
    uint32_t n = 0;

    for (uint32_t i = t->member_begin[row]; i < t->member_begin[row + 1]; i++)
        n += t->profile->op[t->members[i]] == op;
    return n;
}

static bool same_types(const struct tree *t, row_id a, row_id b)
{
    if (t->member_begin[a + 1] - t->member_begin[a] != t->member_begin[b + 1] - t->member_begin[b])
        return false;
    for (uint32_t i = t->member_begin[a]; i < t->member_begin[a + 1]; i++)
        if (n_of_type(t, a, t->profile->op[t->members[i]]) !=
            n_of_type(t, b, t->profile->op[t->members[i]]))
            return false;
    return true;
}

/* Compares two subtrees row by row. */
static bool are_repeats(const struct tree *t, enum view_id view, row_id a, row_id b)
{
    const uint32_t n = t->end[a] - a;

    if (t->parent[a] != t->parent[b] || t->end[b] - b != n || !same_key(t, view, a, b))
        return false;
    for (uint32_t i = 0; i < n; i++)
        if (t->end[a + i] - a != t->end[b + i] - b || !same_types(t, a + i, b + i) ||
            (i && !same_relative_name(t, view, a + i, b + i)))
            return false;
    return true;
}

/* The row of FOLDED for each row of PLAIN, the tree without folding: by name, in order. */
static row_id *rows_in(const struct tree *folded, const struct tree *plain)
{
    row_id *row_of = xcalloc(plain->n_rows, sizeof *row_of);
    bool *taken = xcalloc(folded->n_rows, sizeof *taken);

    for (row_id row = 1; row < plain->n_rows; row++) {
        const row_id parent = row_of[plain->parent[row]];
        row_id at = parent + 1;

        while (at < folded->end[parent]) {
            const row_id up = folded->parent[at];
            const bool below = up == parent || (tree_n_repeats(folded, up) && folded->parent[up] == parent);

            if (below && !taken[at] && !tree_n_repeats(folded, at) && folded->name[at] == plain->name[row])
                break;
            at++;
        }
        assert_true(at < folded->end[parent]);
        taken[at] = true;
        row_of[row] = at;
    }
    free(taken);
    return row_of;
}

static void assert_sets(const struct tree *folded, const struct tree *plain, enum view_id view)
{
    row_id *row_of = rows_in(folded, plain);
    uint32_t n_sets = 0;

    for (row_id a = 1; a < plain->n_rows; a++)
        for (row_id b = plain->end[a]; b < plain->end[plain->parent[a]]; b = plain->end[b]) {
            const row_id up = folded->parent[row_of[a]];
            const bool together = tree_n_repeats(folded, up) && up == folded->parent[row_of[b]];

            assert_int_equal(together, are_repeats(plain, view, a, b));
        }
    for (row_id row = 0; row < folded->n_rows; row++) {
        uint32_t n = 0;

        for (row_id c = row + 1; tree_n_repeats(folded, row) && c < folded->end[row]; c = folded->end[c])
            n++;
        n_sets += n > 0;
        assert_int_equal(n, tree_n_repeats(folded, row));
        assert_true(n != 1);
    }
    assert_int_equal(folded->n_rows, plain->n_rows + n_sets);
    free(row_of);
}

static void repeats_are_all_siblings_of_one_shape(void **unused)
{
    uint64_t state = 7;
    uint32_t n_sets[VIEW_COUNT] = {0};
    struct options o;

    (void)unused;
    options_init(&o);
    for (int i = 0; i < PROFILES; i++) {
        struct profile *p = random_profile(&state, MAX_NODES);
        struct query *q = query_new(p);

        for (int v = 0; v < N_TREE_VIEWS; v++) {
            struct result *plain, *folded;

            o.fold_twins = false;
            plain = answer(q, tree_views[v], &o);
            o.fold_twins = true;
            folded = answer(q, tree_views[v], &o);
            assert_sets(folded->tree, plain->tree, tree_views[v]);
            n_sets[tree_views[v]] += folded->tree->n_rows - plain->tree->n_rows;
            result_free(plain);
            result_free(folded);
        }
        query_free(q);
        profile_free(p);
    }
    for (int v = 0; v < N_TREE_VIEWS; v++)
        if (n_sets[tree_views[v]] == 0) /* the test must cover some sets */
            fail_msg("view %d: %u sets", (int)tree_views[v], n_sets[tree_views[v]]);
    options_done(&o);
}

/* ---- figures do not change */

static void assert_figures(const struct result *folded, const struct result *plain)
{
    row_id *row_of = rows_in(folded->tree, plain->tree);

    for (row_id row = 0; row < plain->tree->n_rows; row++) {
        const row_id at = row_of[row];

        assert_int_equal(folded->kept[at], plain->kept[row]);
        assert_int_equal(folded->accounted[at], plain->accounted[row]);
        for (int m = 0; m < METRIC_COUNT; m++) {
            assert_int_equal(folded->self[m][at], plain->self[m][row]);
            assert_int_equal(folded->total[m][at], plain->total[m][row]);
        }
        if (plain->total_defs)
            assert_int_equal(folded->total_defs[at], plain->total_defs[row]);
    }
    for (row_id row = 0; row < folded->tree->n_rows; row++) {
        int64_t sum = 0;

        if (!tree_n_repeats(folded->tree, row))
            continue;
        for (row_id c = row + 1; c < folded->tree->end[row]; c = folded->tree->end[c])
            sum += folded->total[METRIC_MICROS][c];
        assert_int_equal(folded->total[METRIC_MICROS][row], sum);
        assert_int_equal(folded->self[METRIC_MICROS][row], 0);
    }
    free(row_of);
}

static void folding_changes_no_figure(void **unused)
{
    uint64_t state = 11;
    struct options o;

    (void)unused;
    options_init(&o);
    o.select = FIELD_BIT(METRIC_COUNT) - 1;
    o.flops = FLOPS_LOG;
    for (int i = 0; i < PROFILES; i++) {
        struct profile *p = random_profile(&state, MAX_NODES);
        struct query *q = query_new(p);

        o.account_displayed_op_only = i % 2;
        for (int v = 0; v < N_TREE_VIEWS; v++) {
            struct result *plain, *folded;

            o.fold_twins = false;
            plain = answer(q, tree_views[v], &o);
            o.fold_twins = true;
            folded = answer(q, tree_views[v], &o);
            assert_figures(folded, plain);
            result_free(plain);
            result_free(folded);
        }
        query_free(q);
        profile_free(p);
    }
    options_done(&o);
}

/* ---- names and filters */

/* The names of the rows in outputs, separated by "; ". */
static char *written(const struct profile *p, enum view_id view, const char *hide, int64_t depth)
{
    struct query *q = query_new(p);
    struct options o;
    struct err err = {0};
    struct result *r;
    struct result_walk w;
    struct strbuf names = {0};
    char *text;

    options_init(&o);
    o.fold_twins = true;
    o.max_depth = depth;
    assert_true(option_set(&o, option_find("order_by"), "name", &err));
    assert_true(option_set(&o, option_find("hide_name_regexes"), hide, &err));
    r = answer(q, view, &o);
    result_walk_init(&w, r, 0);
    while (result_walk_next(&w))
        if (w.row)
            sb_addf(&names, "%s%.*s", names.len ? "; " : "", (int)tree_name_len(r->tree, w.row),
                    tree_name(r->tree, w.row));
    result_walk_done(&w);
    result_free(r);
    query_free(q);
    options_done(&o);
    text = xstrdup(sb_text(&names));
    sb_done(&names);
    return text;
}

static void assert_written(const char *graph, const char *hide, int64_t depth, const char *expected)
{
    struct profile *p = small_graph(graph);
    char *names = written(p, VIEW_SCOPE, hide, depth);

    assert_string_equal(names, expected);
    free(names);
    profile_free(p);
}

static void names_give_the_folded_numbers(void **unused)
{
    (void)unused;
    assert_written("l_0/a = NoOp\nl_1/a = NoOp\nl_2/a = NoOp\nl_4/a = NoOp\n", "", 9,
                   "l_[0-2,4] x4");
    assert_written("m/l_9/a = NoOp\nm/l_10/a = NoOp\nm/l_11/a = NoOp\n", "", 9,
                   "m; m/l_[9-11] x3");
    assert_written("conv2d/a = NoOp\nconv2d_1/a = NoOp\nconv2d_2/a = NoOp\n", "", 9,
                   "conv2d[,_1,2] x3");
    assert_written("t1_x/a = NoOp\nt2_x/a = NoOp\n", "", 9, "t[1,2]_x x2");
    /* A different type, a different name below, a number inside a word. */
    assert_written("l_0/a = NoOp\nl_1/a = Const 1\n", "", 2, "l_0; l_1");
    assert_written("l_0/a = NoOp\nl_1/b = NoOp\n", "", 2, "l_0; l_1");
    assert_written("conv2d = NoOp\nconv3d = NoOp\n", "", 2, "conv2d; conv3d");
    /* Nested pairs are folded separately. */
    assert_written("t_0/l_0/a = NoOp\nt_0/l_1/a = NoOp\nt_1/l_0/a = NoOp\nt_1/l_1/a = NoOp\n"
                   "t_2/l_0/a = NoOp\nt_2/l_1/b = NoOp\n",
                   "", 3, "t_[0,1] x2; t_2; t_2/l_0; t_2/l_1");
}

static void filters_apply_to_folded_rows(void **unused)
{
    static const char graph[] = "m/l_0/a = NoOp\nm/l_1/a = NoOp\nm/l_2/a = NoOp\n";

    (void)unused;
    assert_written(graph, "m/l_0", 9, "m; m/l_[0-2] x3"); /* two of three remain */
    assert_written(graph, "m/l_0,m/l_1", 9, "m; m/l_0/a; m/l_1/a; m/l_2; m/l_2/a");
    assert_written(graph, "", 2, "m"); /* at their depth without the folded row */
    assert_written(graph, "", 3, "m; m/l_[0-2] x3");
}

/* ---- figures */

static void outliers_are_far_from_the_median(void **unused)
{
    static const int64_t total[] = {0, 0, 100, 101, 99, 100, 160};
    static const uint8_t kept[] = {1, 1, 1, 1, 1, 1, 1};
    static row_id end[] = {7, 7, 3, 4, 5, 6, 7};
    uint32_t n_repeats[] = {0, 5, 0, 0, 0, 0, 0};
    struct tree t = {.n_rows = 7, .end = end, .n_repeats = n_repeats};
    struct result r = {.tree = &t, .kept = kept};
    struct repeat_figures f;

    (void)unused;
    r.total[METRIC_MICROS] = total;
    f = repeat_figures_of(&r, METRIC_MICROS, 1);
    assert_int_equal(f.n, 5);
    assert_int_equal(f.mean, 112);
    assert_int_equal(f.min, 99);
    assert_int_equal(f.min_row, 4);
    assert_int_equal(f.max, 160);
    assert_int_equal(f.max_row, 6);
    assert_int_equal(f.n_outliers, 1);
    assert_true(repeat_is_outlier(&f, 160));
    assert_false(repeat_is_outlier(&f, 101));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(repeats_are_all_siblings_of_one_shape),
        cmocka_unit_test(folding_changes_no_figure),
        cmocka_unit_test(names_give_the_folded_numbers),
        cmocka_unit_test(filters_apply_to_folded_rows),
        cmocka_unit_test(outliers_are_far_from_the_median),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
