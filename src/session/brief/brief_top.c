/* brief_top.c: the heaviest rows of the views op, scope and code. */
#include <stdlib.h>

#include "base/xalloc.h"
#include "session/brief/brief_parts.h"
#include "view/build/hidden_frames.h"
#include "view/delta.h"
#include "view/view.h"

static bool is_heavier(const struct result *r, row_id a, row_id b, int64_t value_a, int64_t value_b)
{
    const struct text x = tree_text(r->tree, a), y = tree_text(r->tree, b);
    const int order = text_compare(x, y);

    if (value_a != value_b)
        return value_a > value_b;
    return order ? order < 0 : a < b;
}

/* Inserts ROW into the N heaviest ROWS; returns their new number. */
static size_t insert_row(const struct result *r, const int64_t *values, row_id *rows, size_t n, row_id row)
{
    size_t at = n;

    while (at && is_heavier(r, row, rows[at - 1], values[row], values[rows[at - 1]]))
        at--;
    if (at >= BRIEF_TOP)
        return n;
    if (n < BRIEF_TOP)
        n++;
    for (size_t i = n - 1; i > at; i--)
        rows[i] = rows[i - 1];
    rows[at] = row;
    return n;
}

/* True for a frame that names a line of code. */
static bool has_location(const struct frame *frame)
{
    return frame && frame->lineno != LINE_NONE;
}

/* Returns the name of a row. In the code view a row without a line, such as "(backward)", is
 * appended to the line above it. */
static char *row_name(const struct result *r, row_id row)
{
    const struct tree *t = r->tree;
    const struct frame *frame = t->frame ? t->frame[row] : NULL;
    const struct text name = tree_text(t, row);
    row_id above = t->parent[row];
    struct strbuf sb = {0};

    while (frame && !has_location(frame) && above && !has_location(t->frame[above]))
        above = t->parent[above];
    if (frame && !has_location(frame) && above) {
        frame_name_with_path(&sb, r->profile, t->frame[above]);
        sb_addc(&sb, ';');
    }
    if (frame)
        frame_name_with_path(&sb, r->profile, frame);
    else
        sb_add(&sb, name.bytes, name.len);
    sb_adds(&sb, "");
    return sb_take(&sb);
}

/* Self values of all rows, or absolute differences in a comparison. Heap. */
static int64_t *weights_of(const struct result *r, enum metric_id metric)
{
    int64_t *weights = xreallocarray(NULL, r->tree->n_rows, sizeof *weights);

    for (row_id row = 0; row < r->tree->n_rows; row++) {
        const int64_t now = r->self[metric][row];
        const int64_t delta = result_compares(r) ? clamp_sub(now, r->base_self[metric][row]) : now;

        weights[row] = result_compares(r) && delta < 0 ? clamp_neg(delta) : delta;
    }
    return weights;
}

static void find_heaviest(struct brief_top *top, const struct result *r, enum metric_id metric)
{
    int64_t *values = weights_of(r, metric);
    row_id rows[BRIEF_TOP];
    size_t n = 0;

    for (row_id row = 1; row < r->tree->n_rows; row++) {
        if (!result_has_self(r, row) || tree_n_repeats(r->tree, row) || values[row] == 0)
            continue;
        top->n_rows++;
        top->sum = clamp_add(top->sum, r->self[metric][row]);
        top->base_sum =
            clamp_add(top->base_sum, result_compares(r) ? r->base_self[metric][row] : 0);
        n = insert_row(r, values, rows, n, row);
    }
    for (size_t i = 0; i < n; i++)
        vec_push(&top->rows, ((struct brief_row){.name = row_name(r, rows[i]),
                                                 .value = r->self[metric][rows[i]],
                                                 .base = result_compares(r) ? r->base_self[metric][rows[i]] : 0,
                                                 .frame = r->tree->frame ? r->tree->frame[rows[i]] : NULL}));
    free(values);
}

static bool find_view(struct brief *b, struct brief_top *top, struct cancel_mark cancel, struct err *err)
{
    struct options o = *b->options;
    struct result *r;

    if (views[top->view].needs_stacks && !b->session->profile->has_stacks)
        return true;
    o.step = b->options->step >= 0 ? b->options->step : STEP_ALL;
    o.rank = b->options->rank >= 0 ? b->options->rank : RANK_ALL;
    o.select = FIELD_BIT(b->metric);
    o.order_by = ORDER_METRIC + (int)b->metric;
    o.max_depth = INT64_MAX;
    r = query_run(b->session->query, top->view, &o, cancel, err);
    if (r && !result_is_unknown(r, (int)b->metric)) {
        find_heaviest(top, r, b->metric);
        if (result_compares(r) && top->view == VIEW_SCOPE)
            compared_make(&b->compared, b->session, b->options->diff_base, r, &b->base, &b->findings);
    }
    result_free(r);
    return r != NULL;
}

bool brief_find_top(struct brief *b, struct cancel_mark cancel, struct err *err)
{
    static const enum view_id shown[BRIEF_VIEWS] = {VIEW_OP, VIEW_SCOPE, VIEW_CODE};
    static const enum metric_id figures[] = {METRIC_ACCELERATOR_MICROS, METRIC_CPU_MICROS,
                                             METRIC_FLOAT_OPS, METRIC_PARAMS, METRIC_BYTES};
    bool ok = true;

    for (int i = 0; i < BRIEF_VIEWS; i++)
        b->top[i].view = shown[i];
    /* Uses the first metric that any operation has. */
    for (size_t f = 0; ok && f < sizeof figures / sizeof *figures && !b->top[0].rows.n; f++) {
        b->metric = figures[f];
        ok = find_view(b, &b->top[0], cancel, err);
    }
    for (int i = 1; ok && i < BRIEF_VIEWS && b->top[0].rows.n; i++)
        ok = find_view(b, &b->top[i], cancel, err);
    if (!b->top[0].rows.n)
        b->metric = METRIC_COUNT;
    return ok;
}

void brief_top_done(struct brief *b)
{
    for (int i = 0; i < BRIEF_VIEWS; i++) {
        for (size_t k = 0; k < b->top[i].rows.n; k++)
            free(b->top[i].rows.data[k].name);
        vec_done(&b->top[i].rows);
    }
}
