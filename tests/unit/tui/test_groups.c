/* test_groups.c: the number of operations below a row, computed by sums, equals a direct count. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/xalloc.h"
#include "fixtures/random_profile.h"
#include "fixtures/small_graph.h"
#include "tui/rows/groups.h"

static node_id plain_costliest(struct result *r, row_id row, const int64_t *figures)
{
    const struct tree *t = r->tree;
    const bool has_own = t->member_begin[row] < t->member_begin[row + 1];
    const row_id end = has_own ? row + 1 : t->end[row];
    node_id best = NODE_NONE;

    for (uint32_t i = t->member_begin[row]; i < t->member_begin[end]; i++)
        if (best == NODE_NONE || figures[t->members[i]] > figures[best])
            best = t->members[i];
    return best;
}

static void check_ops(struct result *r, const struct groups *g, row_id row,
                      const int64_t *figures)
{
    const struct tree *t = r->tree;
    const struct profile *p = r->profile;
    uint32_t n_nodes = 0, n_in_shares = 0;
    size_t n;
    struct op_share *shares = groups_ops(g, row, &n);

    for (uint32_t i = t->member_begin[row]; i < t->member_begin[t->end[row]]; i++)
        n_nodes += r->node_accounted[t->members[i]];
    for (size_t s = 0; s < n; s++) {
        struct op_share counted = {.op = shares[s].op};

        for (uint32_t i = t->member_begin[row]; i < t->member_begin[t->end[row]]; i++)
            if (r->node_accounted[t->members[i]] && p->op[t->members[i]] == counted.op) {
                counted.n++;
                counted.figure += figures[t->members[i]];
            }
        assert_int_equal(shares[s].n, counted.n);
        assert_int_equal(shares[s].figure, counted.figure);
        assert_true(!s || shares[s - 1].figure >= shares[s].figure);
        n_in_shares += counted.n;
    }
    assert_int_equal(n_in_shares, n_nodes);
    free(shares);
}

static void check_kinds(struct result *r, const struct groups *g, row_id row)
{
    const struct tree *t = r->tree;
    const struct row_kinds *kinds = groups_kinds(g, row);
    text_list types = {0}, devices = {0};

    assert_int_equal(kinds != NULL, row && r->view->is_multi &&
                                        t->member_begin[row + 1] - t->member_begin[row] >
                                            GROUPS_MANY);
    if (!kinds)
        return;
    row_types(r, row, &types);
    row_devices(r, row, &devices);
    assert_int_equal(kinds->types.n, types.n);
    assert_memory_equal(kinds->types.data, types.data, types.n * sizeof *types.data);
    assert_int_equal(kinds->devices.n, devices.n);
    vec_done(&types);
    vec_done(&devices);
}

/* Checks all rows of VIEW, or every EVERYth of many. */
static void check_view(const struct profile *p, enum view_id view, const char *account,
                       row_id every)
{
    const struct cancel_mark never = {0};
    struct query *q = query_new(p);
    struct options o;
    struct err err = {0};
    struct result *r, *kept;
    const int64_t *figures;
    struct groups *g, *other;

    options_init(&o);
    assert_true(option_set(&o, option_find("account_type_regexes"), account, &err));
    r = query_run_all_figures(q, view, &o, never, &err);
    kept = query_run(q, view, &o, never, &err);
    assert_true(r && kept);
    other = groups_new(query_run(q, view, &o, never, &err), METRIC_BYTES, NULL, never);
    g = groups_new(kept, METRIC_MICROS, other, never);
    assert_non_null(g);
    groups_unref(other);
    assert_true(groups_fit(g, r, METRIC_MICROS));
    assert_false(groups_fit(g, r, METRIC_BYTES));
    figures = result_node_figures(r, METRIC_MICROS);
    for (row_id row = 0; row < r->tree->n_rows; row += every) {
        assert_int_equal(groups_costliest(g, row), plain_costliest(r, row, figures));
        check_ops(r, g, row, figures);
        check_kinds(r, g, row);
    }
    groups_unref(g);
    result_free(r);
    query_free(q);
    options_done(&o);
}

static void rows_are_counted_by_sums(void **state)
{
    uint64_t seed = 7;

    (void)state;
    for (uint32_t n = 1; n < 20000; n = n * 7 + 1) {
        struct profile *p = random_profile(&seed, n);

        for (int view = 0; view < VIEW_ADVISE; view++) {
            check_view(p, (enum view_id)view, ".*", n / 40 + 1);
            check_view(p, (enum view_id)view, ".*a.*", n / 40 + 1);
        }
        profile_free(p);
    }
}

/* Figures that the details computed once are shared by every later result. */
static void all_figures_are_shared(void **state)
{
    const struct cancel_mark never = {0};
    struct profile *p = small_graph("m/a = Const 1\nm/b = Neg m/a\n");
    struct query *q = query_new(p);
    struct options o;
    struct err err = {0};
    struct result *plain, *all, *later;

    (void)state;
    options_init(&o);
    plain = query_run(q, VIEW_SCOPE, &o, never, &err);
    all = query_run_all_figures(q, VIEW_SCOPE, &o, never, &err);
    assert_null(plain->total[METRIC_PEAK_BYTES]);
    assert_non_null(all->total[METRIC_PEAK_BYTES]);
    result_copy_figures(plain, all);
    for (int m = 0; m < METRIC_COUNT; m++) {
        assert_ptr_equal(plain->total[m], all->total[m]);
        assert_ptr_equal(plain->self[m], all->self[m]);
    }
    assert_true(option_set(&o, option_find("max_depth"), "2", &err));
    later = query_run(q, VIEW_SCOPE, &o, never, &err);
    assert_ptr_equal(later->total[METRIC_PEAK_BYTES], all->total[METRIC_PEAK_BYTES]);
    result_free(all);
    result_free(plain);
    result_free(later);
    query_free(q);
    options_done(&o);
    profile_free(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_counted_by_sums),
        cmocka_unit_test(all_figures_are_shared),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
