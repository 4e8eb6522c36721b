/* show.c: decides which rows are displayed, below which ancestor, and why others are not
 * (semantics.md section 4, "Display"). */
#include <stdatomic.h>
#include <string.h>

#include "base/lower_bound.h"
#include "view/stages.h"

enum { ROWS_A_CHUNK = 8192 };

enum min_base show_min_base(const struct query_run *run, enum metric_id metric)
{
    static const field_set on_self =
        FIELD_BIT(METRIC_PARAMS) | FIELD_BIT(METRIC_PARAM_BYTES) | FIELD_BIT(METRIC_FLOAT_OPS) |
        FIELD_BIT(METRIC_OCCURRENCE);
    const struct view *v = run->view;

    if (metric == METRIC_OCCURRENCE && !v->min_occurrence)
        return MIN_IGNORED;
    if (metric == METRIC_OCCURRENCE && v->is_multi)
        return MIN_OWN;
    if (run->options->min_on == MIN_ON_DEFAULT)
        return v->min_static_on_self && field_in(on_self, (int)metric) ? MIN_SELF : MIN_TOTAL;
    return run->options->min_on == MIN_ON_SELF ? MIN_SELF : MIN_TOTAL;
}

bool show_min_active(const struct query_run *run, enum metric_id metric)
{
    /* Threads of a trace free memory that others allocated: a negative figure must not hide a
     * row. */
    const bool may_be_below_zero = run->may_be_negative && !run->profile->n_recorders;

    return show_min_base(run, metric) != MIN_IGNORED &&
           (run->options->min[metric] > 0 || may_be_below_zero);
}

struct row_range {
    size_t from, to;
};

static void test_min(const struct query_run *run, enum metric_id metric, uint8_t *test,
                     struct row_range rows)
{
    const struct columns *c = run->c;
    const enum min_base base = show_min_base(run, metric);
    const int64_t min = metric_of_named(metric, run->options->min[metric]);
    const uint8_t why = (uint8_t)(WHY_MIN + metric);

    if (base == MIN_OWN) {
        const uint32_t *own = COLUMN(c->own, uint32_t);

        for (size_t row = rows.from; row < rows.to; row++)
            test[row] = own[row] < min ? why : test[row];
    } else {
        const int64_t *value = base == MIN_SELF ? COLUMN(c->self[metric], int64_t)
                                                : COLUMN(c->total[metric], int64_t);

        const int64_t *base_value =
            run_compares(run)
                ? COLUMN((base == MIN_SELF ? c->self : c->total)[FIGURE_BASE + metric], int64_t)
                : value; /* a row is displayed if either side reaches the threshold */

        for (size_t row = rows.from; row < rows.to; row++)
            test[row] = value[row] < min && base_value[row] < min ? why : test[row];
    }
}

/* Sets WHY for rows whose flag differs from PASS. */
static void test_flag(uint8_t *test, const uint8_t *flag, uint8_t pass, uint8_t why,
                      struct row_range rows)
{
    for (size_t row = rows.from; row < rows.to; row++)
        test[row] = flag[row] == pass ? test[row] : why;
}

struct testing {
    const struct query_run *run;
    uint8_t *test;
};

void show_test_figures(const struct query_run *run, uint8_t *test, size_t from, size_t to)
{
    const struct row_range rows = {from, to};

    memset(test + from, WHY_SHOWN, to - from);
    if (run_compares(run))
        delta_test(run, test, from, to);
    for (int m = METRIC_COUNT; m-- > 0;)
        if (show_min_active(run, (enum metric_id)m))
            test_min(run, (enum metric_id)m, test, rows);
}

/* If several tests hide a row, the last one determines the reason. */
static void test_rows(void *arg, size_t from, size_t to)
{
    const struct testing *t = arg;
    const struct query_run *run = t->run;
    const struct columns *c = run->c;
    const struct row_range rows = {from, to};

    show_test_figures(run, t->test, from, to);
    if (run->options->hide_unaccounted)
        test_flag(t->test, COLUMN(c->accounted, uint8_t), 1, WHY_UNACCOUNTED, rows);
    if (c->device_match)
        test_flag(t->test, COLUMN(c->device_match, uint8_t), 1, WHY_DEVICE, rows);
    if (c->kind[NAMES_HIDE] == FILTER_ALL)
        memset(t->test + from, WHY_HIDE, to - from);
    else if (c->match[NAMES_HIDE])
        test_flag(t->test, COLUMN(c->match[NAMES_HIDE], uint8_t), 0, WHY_HIDE, rows);
    if (c->kind[NAMES_SHOW] == FILTER_NONE)
        memset(t->test + from, WHY_SHOW, to - from);
    else if (c->match[NAMES_SHOW])
        test_flag(t->test, COLUMN(c->match[NAMES_SHOW], uint8_t), 1, WHY_SHOW, rows);
    if (c->started)
        test_flag(t->test, COLUMN(c->started, uint8_t), 1, WHY_NOT_STARTED, rows);
    test_flag(t->test, COLUMN(c->kept, uint8_t), 1, WHY_NOT_KEPT, rows);
}

struct column *show_test_rows(const struct query_run *run)
{
    const uint32_t n = run->c->tree->n_rows;
    struct column *column = column_new(run->pool, n, 1);
    struct testing t = {run, column->data};

    workers_run(run->workers, n, ROWS_A_CHUNK, test_rows, &t);
    repeats_test(run, t.test);
    if (run->c->tree->outside && !outside_is_wanted(run))
        t.test[run->c->tree->outside] = WHY_NOT_KEPT;
    return column;
}

/* State that a row passes to its children: its depth among the kept rows of the display (root 1),
 * and whether it or an ancestor was trimmed. */
#define STATE(depth, cut) ((depth) << 1 | (cut))
#define STATE_DEPTH(state) ((state) >> 1)
#define STATE_CUT(state) ((state)&1)

/* Limit for depths in 32 bits; no tree is deeper. */
static uint32_t depth_limit(const struct options *o)
{
    return o->max_depth < 0 ? 0 : o->max_depth > INT32_MAX ? INT32_MAX : (uint32_t)o->max_depth;
}

struct show {
    const struct tree *tree;
    const uint8_t *trim, *test;
    uint8_t trim_all;
    bool trims_row;
    uint32_t max_depth;
    uint8_t *why;
    row_id *up;
    uint32_t *state;
    const row_id *ancestors; /* rows of tree_chunk_ancestors(), processed before the chunks */
    uint32_t n_ancestors;
    _Atomic uint32_t n_shown;
};

/* A where MASK is all ones, B where it is 0. */
static inline uint32_t choose(uint32_t mask, uint32_t a, uint32_t b)
{
    return (a & mask) | (b & ~mask);
}

/* Computes the rows FROM to TO - 1 from the results of their parents; returns the number of
 * displayed rows. The loop is branch-free because the outcome of filters is unpredictable. All
 * pointers are local, since a byte store may alias any other object. */
static uint32_t show_between(const struct show *s, row_id from, row_id to)
{
    const row_id *const parents = s->tree->parent;
    const uint8_t *const trim = s->trim, *const test = s->test;
    const uint32_t max_depth = s->max_depth;
    const uint32_t *const n_repeats = s->tree->n_repeats;
    const uint32_t trim_all = s->trim_all, trims_row = s->trims_row;
    uint8_t *const why = s->why;
    row_id *const up = s->up;
    uint32_t *const state = s->state;
    uint32_t n_shown = 0;

    for (row_id row = from; row < to; row++) {
        const row_id parent = parents[row];
        const uint32_t above = state[parent];
        const uint32_t trimmed = trim ? trim[row] : trim_all;
        const uint8_t own = test[row];
        const bool inside = own != WHY_NOT_KEPT && own != WHY_NOT_STARTED;
        const bool is_for_repeats = n_repeats && n_repeats[row];
        const uint32_t counts = -(uint32_t)(inside & !is_for_repeats);
        uint8_t answer = STATE_DEPTH(above) >= max_depth ? (uint8_t)WHY_TOO_DEEP : own;

        answer = STATE_CUT(above) | (trimmed & trims_row) ? (uint8_t)WHY_TRIMMED : answer;
        answer = inside ? answer : own;
        answer = is_for_repeats ? (uint8_t)WHY_REPEATS : answer; /* until repeats_show() runs */
        up[row] = choose(-(uint32_t)(why[parent] == WHY_SHOWN), parent, up[parent]);
        why[row] = answer;
        state[row] = (above + (STATE(1U, 0U) & counts)) | (trimmed & counts);
        n_shown += answer == WHY_SHOWN;
    }
    return n_shown;
}

/* Processes the rows of some chunks, except the ancestors that were processed before. */
static void show_chunks(void *arg, size_t from, size_t to)
{
    struct show *s = arg;
    uint32_t n_shown = 0;
    size_t at = 0;

    LOWER_BOUND(at, s->n_ancestors, i, s->ancestors[i] < from);
    for (row_id row = from ? (row_id)from : 1; row < to; at++) {
        const bool ends = at < s->n_ancestors && s->ancestors[at] < to;
        const row_id end = ends ? s->ancestors[at] : (row_id)to;

        n_shown += show_between(s, row, end);
        row = end + 1;
    }
    atomic_fetch_add(&s->n_shown, n_shown);
}

/* Processes all rows except the root; returns the number of displayed rows. If a tree is so deep
 * that most rows are ancestors of some chunk, one thread processes all rows. */
static uint32_t show_below_root(const struct query_run *run, struct show *s)
{
    const uint32_t n = s->tree->n_rows, max = n / 8;
    struct column *ancestors = column_new(run->pool, (size_t)max + 1, sizeof *s->ancestors);
    uint32_t n_shown = 0;

    s->ancestors = ancestors->data;
    s->n_ancestors = tree_chunk_ancestors(s->tree, ROWS_A_CHUNK, max, ancestors->data);
    if (s->n_ancestors > max) {
        column_unref(ancestors);
        return show_between(s, 1, n);
    }
    for (uint32_t i = 0; i < s->n_ancestors; i++)
        n_shown += show_between(s, s->ancestors[i], s->ancestors[i] + 1);
    atomic_init(&s->n_shown, n_shown);
    workers_run(run->workers, n, ROWS_A_CHUNK, show_chunks, s);
    column_unref(ancestors);
    return atomic_load(&s->n_shown);
}

void show_rows(const struct query_run *run)
{
    struct columns *c = run->c;
    const struct tree *t = c->tree;
    struct column *test, *state;
    struct show s = {.tree = t, .trim = COLUMN(c->match[NAMES_TRIM], uint8_t),
                     .trim_all = c->kind[NAMES_TRIM] == FILTER_ALL,
                     .trims_row = run->view->trim == TRIM_ROW_AND_DESCENDANTS,
                     .max_depth = depth_limit(run->options)};

    c->tested = test = show_test_rows(run);
    state = column_new(run->pool, t->n_rows, sizeof *s.state);
    c->why = column_new(run->pool, t->n_rows, sizeof *s.why);
    c->shown_parent = column_new(run->pool, t->n_rows, sizeof *s.up);
    s.test = test->data;
    s.state = state->data;
    s.why = c->why->data;
    s.up = c->shown_parent->data;
    s.why[0] = WHY_SHOWN;
    s.up[0] = ROW_NONE;
    s.state[0] = STATE(1U, s.trim ? s.trim[0] : s.trim_all);
    c->n_shown = show_below_root(run, &s);
    if (t->n_repeats)
        repeats_show(run, s.test);
    column_unref(state);
}
