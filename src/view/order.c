/* order.c: displayed children of a row in display order, and traversal of all displayed rows. */
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "view/result_priv.h"

/* True for reasons that hide all descendants as well. */
static bool cuts_descendants(const struct result *r, row_id row)
{
    return r->why[row] == WHY_TRIMMED || r->why[row] == WHY_TOO_DEEP ||
           (r->why[row] == WHY_NOT_KEPT && r->view->kept == KEPT_WITH_DESCENDANTS);
}

enum { RUN_ROWS = 8 };

/* True when RUN_ROWS rows from ROW on are hidden for the same reason, which does not hide
 * descendants. */
static inline bool is_hidden_run(const struct result *r, row_id row)
{
    const uint64_t each = UINT64_C(0x0101010101010101);
    uint64_t run;

    memcpy(&run, r->why + row, RUN_ROWS);
    return run == each * r->why[row] && r->why[row] != WHY_SHOWN && !cuts_descendants(r, row);
}

/* Collects the displayed rows below TOP without a displayed row between, in tree order. Visibility
 * is unpredictable, so each row is stored unconditionally and the count is advanced if it is
 * displayed; this avoids branch mispredictions. */
static void collect_children(const struct result *r, row_id top, struct child_scratch *found)
{
    const row_id *const ends = r->tree->end;
    const uint8_t *const why = r->why;
    const row_id end = ends[top];
    size_t n = 0;

    for (row_id row = top + 1, next; row < end; row = next) {
        const bool is_shown = why[row] == WHY_SHOWN;

        if (end - row >= RUN_ROWS && is_hidden_run(r, row)) {
            next = row + RUN_ROWS;
            continue;
        }
        vec_reserve(&found->rows, n + 1);
        found->rows.data[n] = row;
        n += is_shown;
        next = row + 1;
        if (ends[row] != next && (is_shown || cuts_descendants(r, row)))
            next = ends[row];
    }
    found->rows.n = n;
}

/* the op view is sorted already */
static void collect_list(const struct result *r, struct child_scratch *found)
{
    const struct columns *c = &r->priv->c;
    const row_id *rows = COLUMN(c->sequence, row_id);

    found->rows.n = 0;
    for (uint32_t i = 0; i < c->n_sequence; i++)
        if (r->why[rows[i]] == WHY_SHOWN)
            vec_push(&found->rows, rows[i]);
    if (r->tree->outside && r->why[r->tree->outside] == WHY_SHOWN)
        vec_push(&found->rows, r->tree->outside);
}

static void sort_children(const struct result *r, struct child_scratch *found)
{
    const enum metric_id metric = options_order_metric(&r->options);
    const enum metric_id tie = order_tie_metric(r->profile, &r->options);
    struct order_figures figures = {.order = r->options.order_by};
    uint32_t n = (uint32_t)found->rows.n;

    if (n && r->tree->outside && found->rows.data[n - 1] == r->tree->outside)
        n--; /* it stays the last */
    if (figures.order == ORDER_METRIC + METRIC_OCCURRENCE)
        figures.counts = r->view->is_multi ? r->own : NULL;
    else if (metric < METRIC_COUNT)
        figures.values = r->total[metric];
    if (figures.order >= ORDER_BASE)
        figures.base = r->base_total[metric];
    figures.noise = r->noise.verdicts;
    if (tie < METRIC_COUNT)
        figures.ties = r->total[tie];
    vec_reserve(&found->keys, found->rows.n * 2);
    order_rows(r->tree, &figures, found->rows.data, n,
               found->keys.data);
}

static struct child_list make_children(struct result *r, row_id row)
{
    struct result_priv *priv = r->priv;
    struct child_list list;
    row_id *rows;

    if (r->view->is_list && row == 0) {
        collect_list(r, &priv->scratch);
    } else {
        collect_children(r, row, &priv->scratch);
        sort_children(r, &priv->scratch);
    }
    list.n = (uint32_t)priv->scratch.rows.n;
    list.rows = rows = ARENA_NEW(&priv->arena, row_id, list.n);
    if (list.n)
        memcpy(rows, priv->scratch.rows.data, list.n * sizeof *rows);
    return list;
}

const row_id *result_children(struct result *r, row_id row, uint32_t *n)
{
    struct result_priv *priv = r->priv;
    uint32_t *list_of_row = &COLUMN(priv->children_of, uint32_t)[row];

    if (!*list_of_row) {
        vec_push(&priv->children, make_children(r, row));
        *list_of_row = (uint32_t)priv->children.n;
    }
    *n = priv->children.data[*list_of_row - 1].n;
    return priv->children.data[*list_of_row - 1].rows;
}

const row_id *result_output_children(struct result *r, row_id row, uint32_t *n)
{
    if (!tree_n_repeats(r->tree, row))
        return result_children(r, row, n);
    *n = 0;
    return NULL;
}

/* Remaining siblings on each open level. */
struct walk_level {
    const row_id *next, *end;
};

struct walk_state {
    VEC(struct walk_level) levels;
    bool enter; /* visit the children of the current row next */
    bool begun;
};

void result_walk_init(struct result_walk *w, struct result *r, row_id top)
{
    *w = (struct result_walk){.result = r, .row = top, .priv = xcalloc(1, sizeof(struct walk_state))};
}

bool result_walk_next(struct result_walk *w)
{
    struct walk_state *s = w->priv;

    if (!s->begun) {
        s->begun = s->enter = true;
        return true;
    }
    if (s->enter) {
        uint32_t n;
        struct walk_level level;

        level.next = result_output_children(w->result, w->row, &n);
        level.end = n ? level.next + n : level.next;
        vec_push(&s->levels, level);
    }
    while (s->levels.n) {
        struct walk_level *level = &s->levels.data[s->levels.n - 1];

        if (level->next < level->end) {
            w->row = *level->next++;
            w->depth = (uint32_t)s->levels.n;
            s->enter = true;
            return true;
        }
        s->levels.n--;
    }
    s->enter = false;
    return false;
}

void result_walk_skip(struct result_walk *w)
{
    struct walk_state *s = w->priv;

    s->enter = false;
}

void result_walk_done(struct result_walk *w)
{
    struct walk_state *s = w->priv;

    if (s)
        vec_done(&s->levels);
    free(s);
    w->priv = NULL;
}
