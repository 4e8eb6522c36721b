/* test_comparison.c: sums in comparisons of random profiles. */
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
#include "view/delta.h"

enum { PROFILES = 400, MAX_NODES = 40 };

static void all_figures(struct options *o)
{
    options_init(o);
    o->select = FIELD_BIT(METRIC_COUNT) - 1;
    o->flops = FLOPS_LOG;
}

/* The total of a row is its own figure plus the totals of its children, on both sides. */
static void assert_sums(const struct result *r, enum metric_id m)
{
    const struct tree *t = r->tree;
    int64_t *now, *base;

    if (metric_is_ratio((int)m))
        return;
    now = xcalloc(t->n_rows, sizeof *now);
    base = xcalloc(t->n_rows, sizeof *base);
    for (row_id row = t->n_rows; row-- > 0;) {
        if (r->kept[row]) {
            now[row] += r->self[m][row];
            base[row] += r->base_self[m][row];
        }
        assert_int_equal(r->total[m][row], now[row]);
        assert_int_equal(r->base_total[m][row], base[row]);
        assert_int_equal(delta_of(r, m, row).delta, now[row] - base[row]);
        if (row) {
            now[t->parent[row]] += now[row];
            base[t->parent[row]] += base[row];
        }
    }
    free(now);
    free(base);
}

static int64_t root_total(const struct profile *p, enum view_id view, enum metric_id m,
                          const struct options *o)
{
    struct query *q = query_new(p);
    struct result *r = answer(q, view, o);
    const int64_t total = r->total[m][0];

    result_free(r);
    query_free(q);
    return total;
}

struct pair {
    struct profile *a, *b;
    struct comparison *c, *swapped;
};

static void make_pair(struct pair *p, uint64_t *state)
{
    struct err err = {0};

    p->a = random_profile(state, MAX_NODES);
    p->b = random_profile(state, MAX_NODES);
    p->c = comparison_new(p->a, p->b, NULL, NULL, &err);
    p->swapped = comparison_new(p->b, p->a, NULL, NULL, &err);
    assert_non_null(p->c);
    assert_non_null(p->swapped);
}

static void free_pair(struct pair *p)
{
    comparison_free(p->c);
    comparison_free(p->swapped);
    profile_free(p->a);
    profile_free(p->b);
}

static void sums_equal_those_of_each_profile(void **unused)
{
    uint64_t state = 1;
    struct options o;

    (void)unused;
    all_figures(&o);
    for (int i = 0; i < PROFILES; i++) {
        struct pair p;
        struct query *q;

        make_pair(&p, &state);
        q = query_new_comparison(p.c);
        for (enum view_id view = VIEW_SCOPE; view < VIEW_ADVISE; view++) {
            struct result *r = answer(q, view, &o);

            for (enum metric_id m = 0; m < METRIC_COUNT; m++) {
                if (view != VIEW_OP)
                    assert_sums(r, m);
                if (metric_needs_roofs((int)m)) /* the current roofs apply to both profiles */
                    continue;
                /* Rows reached only through loops, or without a stack, may exist only in the
                 * baseline. */
                if (view == VIEW_GRAPH || view == VIEW_CODE)
                    continue;
                assert_int_equal(r->base_total[m][0], root_total(p.a, view, m, &o));
                assert_int_equal(r->total[m][0], root_total(p.b, view, m, &o));
            }
            result_free(r);
        }
        query_free(q);
        free_pair(&p);
    }
    options_done(&o);
}

/* The sum of the differences of all rows named NAME. */
static int64_t sum_of_name(const struct result *r, struct text name, enum metric_id m)
{
    int64_t sum = 0;

    for (row_id row = 0; row < r->tree->n_rows; row++) {
        const struct text other = tree_text(r->tree, row);

        if (r->kept[row] && other.len == name.len && !memcmp(other.bytes, name.bytes, name.len))
            sum += r->self[m][row] - r->base_self[m][row];
    }
    return sum;
}

static void swapped_sides_turn_the_sign(void **unused)
{
    uint64_t state = 7;
    struct options o;

    (void)unused;
    all_figures(&o);
    for (int i = 0; i < PROFILES / 4; i++) {
        struct pair p;
        struct query *q, *s;

        make_pair(&p, &state);
        q = query_new_comparison(p.c);
        s = query_new_comparison(p.swapped);
        for (enum view_id view = VIEW_SCOPE; view < VIEW_ADVISE; view++) {
            struct result *there = answer(q, view, &o), *back = answer(s, view, &o);

            for (row_id row = 0; view == VIEW_OP && row < there->tree->n_rows; row++)
                for (enum metric_id m = 0; m < METRIC_ROOF_PERCENT; m++) /* roofs do not differ */
                    assert_int_equal(sum_of_name(there, tree_text(there->tree, row), m),
                                     -sum_of_name(back, tree_text(there->tree, row), m));
            for (enum metric_id m = 0; view == VIEW_SCOPE && m < METRIC_ROOF_PERCENT; m++)
                assert_int_equal(delta_of(there, m, 0).delta, -delta_of(back, m, 0).delta);
            result_free(there);
            result_free(back);
        }
        query_free(q);
        query_free(s);
        free_pair(&p);
    }
    options_done(&o);
}

static void nothing_differs_from_itself(void **unused)
{
    uint64_t state = 3;
    struct options o;

    (void)unused;
    all_figures(&o);
    o.max_depth = INT32_MAX;
    for (int i = 0; i < PROFILES; i++) {
        struct profile *p = random_profile(&state, MAX_NODES);
        struct err err = {0};
        struct comparison *c = comparison_new(p, p, NULL, NULL, &err);
        struct query *q = query_new_comparison(c);

        assert_int_equal(c->merged->n_nodes, p->n_nodes);
        for (enum view_id view = VIEW_SCOPE; view < VIEW_ADVISE; view++) {
            struct result *r = answer(q, view, &o);

            assert_int_equal(r->n_shown, 0);
            result_free(r);
        }
        query_free(q);
        comparison_free(c);
        profile_free(p);
    }
    options_done(&o);
}

/* Comparing steps of one profile equals comparing two profiles. */
static void comparing_steps_equals_comparing_profiles(void **unused)
{
    uint64_t state = 11;
    struct options steps, files;

    (void)unused;
    all_figures(&steps);
    all_figures(&files);
    steps.step = files.step = 2;
    steps.diff_step = files.diff_step = 1;
    for (int i = 0; i < PROFILES; i++) {
        struct profile *p = random_profile(&state, MAX_NODES);
        struct err err = {0};
        struct comparison *c = comparison_new(p, p, NULL, NULL, &err);
        struct query *one = query_new(p), *two = query_new_comparison(c);

        for (enum view_id view = VIEW_SCOPE; view < VIEW_ADVISE; view++) {
            struct result *r = answer(one, view, &steps), *s = answer(two, view, &files);

            assert_int_equal(r->n_shown, s->n_shown);
            for (enum metric_id m = 0; m < METRIC_COUNT; m++)
                for (row_id row = 0; row < r->tree->n_rows; row++) {
                    assert_int_equal(r->base_self[m][row], s->base_self[m][row]);
                    assert_int_equal(r->total[m][row], s->total[m][row]);
                }
            result_free(r);
            result_free(s);
        }
        query_free(one);
        query_free(two);
        comparison_free(c);
        profile_free(p);
    }
    options_done(&steps);
    options_done(&files);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(sums_equal_those_of_each_profile),
        cmocka_unit_test(swapped_sides_turn_the_sign),
        cmocka_unit_test(nothing_differs_from_itself),
        cmocka_unit_test(comparing_steps_equals_comparing_profiles),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
