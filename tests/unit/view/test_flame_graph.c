/* test_flame_graph.c: cells of flame graphs equal those of a simple recursion over the figures of
 * the tree; joined cells sum to their rows. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "fixtures/random_profile.h"
#include "view/pictures/flame_graph.h"

enum { LEVELS = 16, COLS_MAX = 200, JOINED = 1 << 30 };

/* The row of each column: 1 + row, with JOINED in a joined cell; 0: none. */
struct painting {
    struct flame_shape shape;
    int64_t whole;
    uint32_t owner[LEVELS][COLS_MAX];
};

static int column(const struct painting *p, int64_t value)
{
    return (int)((long double)value * p->shape.cols / (long double)p->whole);
}

static void own(struct painting *p, uint32_t owner, int level, int64_t begin, int64_t end)
{
    for (int c = column(p, begin); c < column(p, end) && level < LEVELS; c++)
        p->owner[level][c] = owner;
}

static void paint(struct painting *p, struct result *r, row_id up, int level, int64_t begin,
                  int64_t end)
{
    const int64_t *total = r->total[p->shape.metric];
    row_id first = ROW_NONE; /* the first row of a joined cell */
    uint32_t n, n_narrow = 0;
    int64_t narrow_begin = 0;
    const row_id *children = result_children(r, up, &n);

    for (uint32_t i = 0; i <= n; i++) {
        const int64_t figure = i < n && total[children[i]] > 0 ? total[children[i]] : 0;
        const int64_t stop = figure < end - begin ? begin + figure : end;
        const int from = column(p, begin);
        const bool narrow = i < n && column(p, stop) - from < p->shape.min_cols;

        if (i < n && (!figure || begin >= end))
            continue;
        if (narrow && !n_narrow++) {
            first = children[i];
            narrow_begin = begin;
        }
        if (!narrow && n_narrow) {
            own(p, (first + 1) | (n_narrow > 1 ? JOINED : 0), level, narrow_begin, begin);
            if (n_narrow == 1 && column(p, narrow_begin) < from)
                paint(p, r, first, level + 1, narrow_begin, begin);
            n_narrow = 0;
        }
        if (i == n)
            break;
        if (!narrow) {
            own(p, children[i] + 1, level, begin, stop);
            paint(p, r, children[i], level + 1, begin, stop);
        }
        begin = stop;
    }
}

static void assert_sums(const struct flame_cell *cell, const struct flame_graph *i, struct result *r)
{
    const int64_t *total = r->total[i->shape.metric];
    uint32_t n, at = 0, n_rows = 0;
    const row_id *children = result_children(r, cell->parent, &n);
    int64_t sum = 0;

    while (children[at] != cell->row)
        at++;
    for (; n_rows < cell->n_rows; at++) {
        int level;

        if (total[children[at]] <= 0)
            continue;
        sum += total[children[at]];
        n_rows++;
        assert_ptr_equal(flame_graph_find(i, r, children[at], &level), cell);
    }
    if (sum != cell->figure) /* negative siblings: the rest of the parent is less than the sum */
        assert_true(cell->figure < sum && cell->begin + cell->figure == total[cell->parent]);
}

static void compare(struct result *r, struct flame_shape shape)
{
    struct painting want = {.shape = shape, .whole = r->total[shape.metric][shape.top]};
    struct flame_graph i = {0};

    flame_graph_make(&i, r, shape);
    if (want.whole <= 0) {
        assert_int_equal(i.n_levels, 0);
        flame_graph_done(&i);
        return;
    }
    for (int c = 0; c < shape.cols; c++)
        want.owner[0][c] = shape.top + 1;
    paint(&want, r, shape.top, 1, 0, want.whole);
    for (int level = 0; level < LEVELS; level++)
        for (int c = 0; c < shape.cols; c++) {
            const struct flame_cell *cell = flame_graph_at(&i, level, c);
            const uint32_t owner = !cell ? 0 : (cell->row + 1) | (cell->n_rows > 1 ? JOINED : 0);

            assert_int_equal(owner, want.owner[level][c]);
            if (cell && level && cell->parent == shape.top)
                assert_sums(cell, &i, r);
        }
    flame_graph_done(&i);
}

static void follow_one_profile(const struct profile *p, uint64_t *state)
{
    static const enum view_id trees[] = {VIEW_SCOPE, VIEW_GRAPH, VIEW_CODE};
    struct query *q = query_new(p);
    struct options o;
    struct err err = {0};

    options_init(&o);
    for (int i = 0; i < 12; i++) {
        struct flame_shape shape = {.metric = i % 2 ? METRIC_MICROS : METRIC_FLOAT_OPS};
        struct result *r;

        o.max_depth = 1 + (int)random_below(state, 9);
        o.order_by = random_below(state, 2) ? ORDER_NAME : ORDER_METRIC + (int)shape.metric;
        o.select = FIELD_BIT(shape.metric);
        r = query_run(q, trees[i / 4], &o, (struct cancel_mark){0}, &err);
        assert_non_null(r);
        for (int k = 0; k < 4; k++) {
            shape.cols = 1 + (int)random_below(state, COLS_MAX);
            shape.min_cols = 1 + (int)random_below(state, 3);
            shape.top = k ? random_below(state, r->tree->n_rows) : 0;
            if (r->why[shape.top] == WHY_SHOWN)
                compare(r, shape);
        }
        result_free(r);
    }
    query_free(q);
    options_done(&o);
}

static void cells_equal_those_of_a_recursion(void **state)
{
    uint64_t seed = 5;

    (void)state;
    for (int i = 0; i < 40; i++) {
        struct profile *p = random_profile(&seed, i % 8 ? 40 : 1000);

        follow_one_profile(p, &seed);
        profile_free(p);
    }
}

/* A sum at the limit of 64 bits times the columns does not fit into 64 bits. */
static void figures_at_the_limit_fit(void **state)
{
    struct builder *b = builder_new();
    struct options o;
    struct err err = {0};
    struct flame_graph i = {0};
    struct flame_shape shape = {.metric = METRIC_FLOAT_OPS, .cols = 100, .min_cols = 1};
    struct profile *p;
    struct query *q;
    struct result *r;
    size_t n;
    const struct flame_cell *cells;

    (void)state;
    for (int k = 0; k < 4; k++) {
        char name[] = {(char)('a' + k), '\0'};
        bool added;
        const node_id node = builder_node(b, builder_str(b, name, 1), builder_str(b, "Mul", 3),
                                          &added);

        builder_set_static_float_ops(b, node, INT64_MAX / 4);
    }
    p = builder_finish(b);
    options_init(&o);
    o.select = FIELD_BIT(METRIC_FLOAT_OPS);
    q = query_new(p);
    r = query_run(q, VIEW_SCOPE, &o, (struct cancel_mark){0}, &err);
    assert_non_null(r);
    flame_graph_make(&i, r, shape);
    assert_int_equal(i.n_levels, 2);
    cells = flame_level(&i, 1, &n);
    assert_int_equal(n, 4);
    for (int k = 0; k < 4; k++) {
        assert_in_range(cells[k].col, 25 * k - (k > 0), 25 * k);
        assert_in_range(cells[k].cols, 24, 26);
    }
    flame_graph_done(&i);
    result_free(r);
    query_free(q);
    profile_free(p);
    options_done(&o);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cells_equal_those_of_a_recursion),
        cmocka_unit_test(figures_at_the_limit_fit),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
