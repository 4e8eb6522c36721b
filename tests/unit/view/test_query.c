/* test_query.c: queries compared with a simple reference, on random profiles and options, with the
 * caches of one query in use. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fixtures/naive_query.h"
#include "fixtures/random_profile.h"
#include "model/builder.h"
#include "view/column.h"
#include "view/result_priv.h"

static void print_result(struct strbuf *out, struct result *r)
{
    struct result_walk w;

    result_need(r, FIELD_BIT(METRIC_COUNT) - 1);
    result_walk_init(&w, r, 0);
    while (result_walk_next(&w)) {
        struct naive_line line = {(int)w.depth,
                                  tree_name(r->tree, w.row),
                                  tree_name_len(r->tree, w.row),
                                  r->accounted[w.row],
                                  (long)r->own[w.row],
                                  {0},
                                  {0},
                                  r->view->is_multi ? 0 : r->total_defs[w.row],
                                  r->view->is_list ? 0 : r->hidden_ops[w.row]};

        if (r->view->is_list && w.row == 0)
            continue;
        for (int m = 0; m < METRIC_COUNT; m++) {
            line.self[m] = r->self[m][w.row];
            line.total[m] = r->total[m][w.row];
        }
        naive_print(out, &line);
    }
    result_walk_done(&w);
}

static void compare(struct query *q, const struct profile *p, enum view_id view,
                    const struct options *o, uint64_t seed)
{
    struct err err = {0};
    struct strbuf want = {0}, got = {0};
    struct result *r = query_run(q, view, o, (struct cancel_mark){0}, &err);

    if (!r)
        fail_msg("seed %llu: %s", (unsigned long long)seed, err_text(&err));
    print_result(&got, r);
    naive_query(&want, p, view, o);
    if (strcmp(sb_text(&want), sb_text(&got)) != 0) {
        fprintf(stderr, "seed %llu view %s\n", (unsigned long long)seed, view_names[r->view_id]);
        for (size_t i = 0; i < option_table_n; i++)
            if (!option_table[i].stands_for && !option_is_default(o, &option_table[i])) {
                struct strbuf value = {0};

                option_print(&value, o, &option_table[i]);
                fprintf(stderr, "-%s '%s'\n", option_table[i].name, sb_text(&value));
                sb_done(&value);
            }
        fprintf(stderr, "--- naive\n%s--- pipeline\n%s", sb_text(&want), sb_text(&got));
        fail();
    }
    result_free(r);
    sb_done(&want);
    sb_done(&got);
}

/* Random profiles to query. */
static uint64_t n_rounds(void)
{
    const char *text = getenv("TFPROF_TEST_ROUNDS");

    return text ? strtoull(text, NULL, 10) : 150;
}

/* Many queries of one profile with one query object, so cached data is tested as well. */
static void random_results_are_those_of_the_naive_reference(void **unused)
{
    (void)unused;
    for (uint64_t seed = 1; seed <= n_rounds(); seed++) {
        uint64_t state = seed;
        struct profile *p = random_profile(&state, seed % 4 ? 12 : 60);
        struct query *q = query_new_threads(p, seed % 3 ? 1 : 3);
        struct options o;

        options_init(&o);
        o.flops = FLOPS_LOG;
        for (int i = 0; i < 12; i++) {
            if (random_below(&state, 6) == 0) {
                options_done(&o);
                options_init(&o);
            }
            random_query_options(&o, &state);
            compare(q, p, (enum view_id)random_below(&state, VIEW_ADVISE), &o, seed);
        }
        options_done(&o);
        query_free(q);
        profile_free(p);
    }
}

/* The number of displayed rows without the root. */
static uint32_t count_shown(const struct result *r)
{
    uint32_t n = 0;

    for (row_id row = 1; row < r->tree->n_rows; row++)
        n += r->why[row] == WHY_SHOWN;
    return n;
}

/* Large enough to split names, nodes and rows between threads. */
static void the_number_of_threads_changes_nothing(void **unused)
{
    uint64_t state = 4;
    struct profile *p = random_profile(&state, 55000);
    struct query *one = query_new_threads(p, 1), *several = query_new_threads(p, 4);
    struct err err = {0};
    struct options o;

    (void)unused;
    assert_true(p->n_nodes > 32768);
    options_init(&o);
    o.max_depth = INT64_MAX;
    o.select |= FIELD_BIT(FIELD_NUM_HIDDEN_OPS);
    for (uint64_t i = 0; i < n_rounds() / 6; i++) {
        enum view_id view = (enum view_id)random_below(&state, VIEW_ADVISE);
        struct strbuf want = {0}, got = {0};
        struct result *a, *b;

        if (i > 3) /* the first results have all rows */
            random_query_options(&o, &state);
        o.fold_twins = random_below(&state, 2);
        a = query_run(one, view, &o, (struct cancel_mark){0}, &err);
        b = query_run(several, view, &o, (struct cancel_mark){0}, &err);
        assert_non_null(a);
        assert_non_null(b);
        print_result(&want, a);
        print_result(&got, b);
        assert_string_equal(sb_text(&want), sb_text(&got));
        assert_int_equal(b->n_shown, count_shown(b));
        result_free(a);
        result_free(b);
        sb_done(&want);
        sb_done(&got);
    }
    options_done(&o);
    query_free(one);
    query_free(several);
    profile_free(p);
}

/* A filter that is extended, shortened and extended again, as while typing. */
static void typing_a_filter_equals_setting_it(void **unused)
{
    static const char *const typed[] = {".*a.*", ".*a_.*", ".*a_g.*", ".*a_.*",      ".*a_grad/.*",
                                        "a_.*",  ".*",     ".*b.*",   ".*b.*,.*c.*", ".*c.*"};
    uint64_t state = 9;
    struct profile *p = random_profile(&state, 400);
    struct query *q = query_new(p);
    struct options o;
    struct err err = {0};

    (void)unused;
    options_init(&o);
    o.select = FIELD_BIT(METRIC_OCCURRENCE) | FIELD_BIT(FIELD_NUM_HIDDEN_OPS);
    o.flops = FLOPS_LOG;
    for (size_t i = 0; i < sizeof typed / sizeof *typed; i++)
        for (int view = 0; view < VIEW_ADVISE; view++) {
            assert_true(option_set(&o, option_find("show_name_regexes"), typed[i], &err));
            compare(q, p, (enum view_id)view, &o, i);
        }
    options_done(&o);
    query_free(q);
    profile_free(p);
}

static size_t count_matches(const struct filter *f, const struct tree *t)
{
    size_t n = 0;

    for (row_id row = 0; row < t->n_rows; row++)
        n += COLUMN(f->match, uint8_t)[row];
    return n;
}

/* After the cached matches are cleared an extended filter finds none, so it tests only names that
 * matched before; other filters test all names. */
static void an_extended_filter_tests_only_matches(void **unused)
{
    uint64_t state = 9;
    struct profile *p = random_profile(&state, 400);
    struct column_pool *pool = column_pool_new();
    const struct tree_request request = {.profile = p};
    struct err err = {0};
    struct tree *t = views[VIEW_SCOPE].build(&request, &err);
    const struct filter_work work = {.tree = t, .pool = pool};
    struct filter f = {0};

    (void)unused;
    assert_true(filter_update(&f, "show", ".*a.*", &work, &err));
    assert_true(count_matches(&f, t) > 0);
    memset(f.by_name->data, 0, (size_t)t->n_base + t->n_own);
    assert_true(filter_update(&f, "show", ".*a_.*", &work, &err));
    assert_int_equal(count_matches(&f, t), 0);
    assert_true(filter_update(&f, "show", ".*b.*", &work, &err));
    assert_true(count_matches(&f, t) > 0);
    filter_done(&f);
    tree_unref(t);
    column_pool_drop(pool);
    profile_free(p);
}

/* Siblings are sorted only when they are displayed: the cost depends on the open rows. */
static void siblings_are_sorted_when_asked_for(void **unused)
{
    uint64_t state = 7;
    struct profile *p = random_profile(&state, 4000);
    struct query *q = query_new(p);
    struct options o;
    struct err err = {0};
    struct result *r;
    uint32_t n;
    const row_id *rows;

    (void)unused;
    options_init(&o);
    o.flops = FLOPS_LOG;
    r = query_run(q, VIEW_SCOPE, &o, (struct cancel_mark){0}, &err);
    assert_non_null(r);
    rows = result_children(r, 0, &n);
    assert_true(n > 2);
    result_children(r, rows[1], &n);
    assert_int_equal(r->priv->children.n, 2);
    result_free(r);
    options_done(&o);
    query_free(q);
    profile_free(p);
}

/* Switching an option back and forth does not increase memory use. */
static void toggled_options_allocate_nothing(void **unused)
{
    static const struct {
        const char *option, *values[2];
    } changes[] = {
        {"order_by", {"micros", "bytes"}},          {"max_depth", {"2", "3"}},
        {"min_micros", {"1", "5"}},                 {"show_name_regexes", {".*a.*", ".*/[bc].*"}},
        {"hide_name_regexes", {".*a.*", "x"}},      {"account_type_regexes", {"Conv2D", ".*gpu.*"}},
        {"step", {"0", "1"}},                       {"device_regexes", {".*gpu.*", ".*cpu.*"}},
        {"account_displayed_op_only", {"true", "false"}},
    };
    uint64_t state = 17;
    struct profile *p = random_profile(&state, 4000);
    struct query *q = query_new(p);
    struct err err = {0};

    (void)unused;
    for (size_t c = 0; c < sizeof changes / sizeof *changes; c++)
        for (int view = 0; view < VIEW_ADVISE; view++) {
            size_t settled = 0;
            struct options o;

            options_init(&o);
            o.flops = FLOPS_LOG;
            for (int i = 0; i < 40; i++) {
                assert_true(option_set(&o, option_find(changes[c].option), changes[c].values[i % 2], &err));
                result_free(query_run(q, (enum view_id)view, &o, (struct cancel_mark){0}, &err));
                if (i == 4)
                    settled = query_allocations(q);
            }
            if (query_allocations(q) != settled)
                fail_msg("-%s in view %d", changes[c].option, view);
            options_done(&o);
        }
    query_free(q);
    profile_free(p);
}

/* A cancelled run leaves the caches consistent. */
static void a_cancelled_run_leaves_caches_consistent(void **unused)
{
    uint64_t state = 11;
    struct profile *p = random_profile(&state, 60);
    struct query *q = query_new(p);
    struct options o;

    (void)unused;
    options_init(&o);
    o.flops = FLOPS_LOG;
    for (int i = 0; i < 40; i++) {
        struct cancel token = {0};
        struct cancel_mark mark = cancel_mark_now(&token);
        struct err err = {0};
        enum view_id view = (enum view_id)random_below(&state, VIEW_ADVISE);

        random_query_options(&o, &state);
        cancel_ask(&token);
        assert_null(query_run(q, view, &o, mark, &err));
        assert_int_equal(err.kind, ERR_CANCELLED);
        err_done(&err);
        if (i % 2)
            random_query_options(&o, &state);
        compare(q, p, view, &o, (uint64_t)i);
    }
    options_done(&o);
    query_free(q);
    profile_free(p);
}

/* A result stays valid when its query produces newer ones. */
static void a_result_outlives_newer_ones(void **unused)
{
    uint64_t state = 13;
    struct profile *p = random_profile(&state, 60);
    struct query *q = query_new(p);
    struct options o;
    struct err err = {0};
    struct strbuf before = {0}, after = {0};
    struct result *first, *again;

    (void)unused;
    options_init(&o);
    o.select = FIELD_BIT(METRIC_OCCURRENCE) | FIELD_BIT(FIELD_NUM_HIDDEN_OPS);
    first = query_run(q, VIEW_SCOPE, &o, (struct cancel_mark){0}, &err);
    again = query_run(q, VIEW_SCOPE, &o, (struct cancel_mark){0}, &err);
    print_result(&before, again);
    for (int i = 0; i < 50; i++) {
        random_query_options(&o, &state);
        o.fold_twins = random_below(&state, 2);
        result_free(query_run(q, VIEW_SCOPE, &o, (struct cancel_mark){0}, &err));
    }
    query_free(q);
    print_result(&after, first);
    assert_string_equal(sb_text(&before), sb_text(&after));
    result_free(first);
    result_free(again);
    sb_done(&before);
    sb_done(&after);
    options_done(&o);
    profile_free(p);
}

/* Counts the displayed rows of R and finds the depth of the deepest. */
static uint32_t walk_all(struct result *r, uint32_t *deepest)
{
    struct result_walk w;
    uint32_t n = 0;

    *deepest = 0;
    result_walk_init(&w, r, 0);
    while (result_walk_next(&w)) {
        n++;
        *deepest = w.depth > *deepest ? w.depth : *deepest;
    }
    result_walk_done(&w);
    return n;
}

/* A name of N scopes, and a chain of N inputs: no quadratic time and no recursion. */
static void depth_needs_no_recursion(void **unused)
{
    enum { N = 200000 };
    struct builder *b = builder_new();
    char *name = malloc(2 * N);
    struct options o;
    struct err err = {0};
    struct profile *p;
    struct query *q;
    strid op = builder_str(b, "Op", 2), last = STRID_EMPTY;

    (void)unused;
    for (int i = 0; i < 2 * N; i++)
        name[i] = i % 2 ? '/' : 'a';
    for (int i = 0; i < N; i++) {
        char chained[16];
        bool added;
        strid id = i ? builder_str(b, chained, (size_t)snprintf(chained, sizeof chained, "n%d", i))
                     : builder_str(b, name, 2 * N - 1);
        node_id node = builder_node(b, id, op, &added);

        if (i)
            builder_add_input(b, node, 0, last, 0, 0);
        last = id;
    }
    p = builder_finish(b);
    q = query_new(p);
    options_init(&o);
    o.max_depth = INT64_MAX;
    for (int view = VIEW_SCOPE; view <= VIEW_GRAPH; view++) {
        struct result *r = query_run(q, (enum view_id)view, &o, (struct cancel_mark){0}, &err);
        uint32_t deepest;

        assert_non_null(r);
        assert_int_equal(walk_all(r, &deepest), view == VIEW_SCOPE ? 2 * N : N + 1);
        assert_int_equal(deepest, N);
        result_free(r);
    }
    options_done(&o);
    query_free(q);
    profile_free(p);
    free(name);
}

static void a_missing_step_is_named(void **unused)
{
    uint64_t state = 15;
    struct profile *p = random_profile(&state, 10);
    struct query *q = query_new(p);
    struct options o;
    struct err err = {0};

    (void)unused;
    options_init(&o);
    o.step = 7;
    assert_null(query_run(q, VIEW_OP, &o, (struct cancel_mark){0}, &err));
    assert_int_equal(err.kind, ERR_INPUT);
    assert_string_equal(err_text(&err), "-step=7 not found; available: 0, 1, 2");
    err_done(&err);
    options_done(&o);
    query_free(q);
    profile_free(p);
}

static void a_profile_without_nodes_has_figures(void **state)
{
    struct builder *b = builder_new();
    struct profile *p;
    struct query *q;
    struct options o;
    struct err err = {0};
    struct result *r;

    (void)state;
    builder_add_step(b, 0);
    builder_profile(b)->has_runtime = true;
    p = builder_finish(b);
    q = query_new_threads(p, 1);
    options_init(&o);
    for (int view = 0; view < VIEW_ADVISE; view++) {
        r = query_run(q, (enum view_id)view, &o, (struct cancel_mark){0}, &err);
        assert_non_null(r);
        result_need(r, FIELD_BIT(METRIC_COUNT) - 1);
        for (int m = 0; m < METRIC_COUNT; m++)
            assert_true(!r->total[m] || r->total[m][0] == 0);
        result_free(r);
    }
    options_done(&o);
    query_free(q);
    profile_free(p);
}

static void zeros_share_a_read_only_column(void **state)
{
    struct column_pool *pool = column_pool_new();
    struct column *few = column_zeros(pool, 5, sizeof(int64_t));
    struct column *same = column_zeros(pool, 3, sizeof(int64_t));
    struct column *more = column_zeros(pool, 9, sizeof(int64_t));
    struct column *other;
    const void *zeros = more->data;

    (void)state;
    assert_ptr_equal(few, same);
    assert_ptr_not_equal(few, more);
    for (size_t i = 0; i < 9; i++)
        assert_int_equal(COLUMN(more, const int64_t)[i], 0);
    column_unref(few);
    column_unref(same);
    column_unref(more);
    other = column_new(pool, 9, sizeof(int64_t));
    assert_ptr_not_equal(other->data, zeros);
    assert_false(other->zeros);
    more = column_zeros(pool, 4, sizeof(int64_t));
    assert_ptr_equal(more->data, zeros);
    column_pool_drop(pool);
    column_unref(more);
    column_unref(other);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_results_are_those_of_the_naive_reference),
        cmocka_unit_test(the_number_of_threads_changes_nothing),
        cmocka_unit_test(typing_a_filter_equals_setting_it),
        cmocka_unit_test(an_extended_filter_tests_only_matches),
        cmocka_unit_test(siblings_are_sorted_when_asked_for),
        cmocka_unit_test(toggled_options_allocate_nothing),
        cmocka_unit_test(a_cancelled_run_leaves_caches_consistent),
        cmocka_unit_test(a_result_outlives_newer_ones),
        cmocka_unit_test(depth_needs_no_recursion),
        cmocka_unit_test(a_profile_without_nodes_has_figures),
        cmocka_unit_test(zeros_share_a_read_only_column),
        cmocka_unit_test(a_missing_step_is_named),
    };

    return cmocka_run_group_tests_name("query", tests, NULL, NULL);
}
