/* order.c: sorts rows for display: by figure, then by name; displayed children of a row, and
 * traversal of all displayed rows. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/compare.h"
#include "base/satmath.h"
#include "base/vec.h"
#include "model/profile_kind.h"
#include "view/result_priv.h"
#include "view/stages.h"

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
    const uint64_t bit = UINT64_C(1) << (row % 64);

    if (!(priv->has_list[row / 64] & bit)) {
        *list_of_row = (uint32_t)priv->children.n;
        vec_push(&priv->children, make_children(r, row));
        priv->has_list[row / 64] |= bit;
    }
    *n = priv->children.data[*list_of_row].n;
    return priv->children.data[*list_of_row].rows;
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

/* From this number of rows on a radix sort is faster than comparing. */
enum { MANY = 2048, DIGIT_BITS = 11, DIGITS = 1 << DIGIT_BITS };

COMPARE_CHAIN(by_key, struct sort_key, DOWN(value) || DOWN(tie) || UP(rank) || UP(row))

/* Maps values to unsigned numbers in descending order. */
static uint64_t value_digits(const struct sort_key *key)
{
    return ~((uint64_t)key->value ^ UINT64_C(1) << 63);
}

static uint64_t tie_digits(const struct sort_key *key)
{
    return ~((uint64_t)key->tie ^ UINT64_C(1) << 63);
}

static uint64_t rank_digits(const struct sort_key *key)
{
    return key->rank;
}

/* One stable counting pass over the digit at SHIFT. Returns false, without moving anything, if all
 * keys have the same digit. */
static bool sort_digit(const struct sort_key *from, struct sort_key *to, uint32_t n,
                       uint64_t (*digits)(const struct sort_key *), unsigned shift)
{
    uint32_t begin[DIGITS] = {0};
    uint32_t sum = 0;

    for (uint32_t i = 0; i < n; i++)
        begin[digits(&from[i]) >> shift & (DIGITS - 1)]++;
    if (begin[digits(&from[0]) >> shift & (DIGITS - 1)] == n)
        return false;
    for (uint32_t d = 0; d < DIGITS; d++) {
        uint32_t count = begin[d];

        begin[d] = sum;
        sum += count;
    }
    for (uint32_t i = 0; i < n; i++)
        to[begin[digits(&from[i]) >> shift & (DIGITS - 1)]++] = from[i];
    return true;
}

/* Radix sort from the lowest digit up; the keys are given in traversal order. Returns KEYS or
 * SPARE, whichever holds the result. */
static struct sort_key *sort_many(struct sort_key *keys, struct sort_key *spare, uint32_t n,
                                  bool has_ties)
{
    static const struct {
        uint64_t (*digits)(const struct sort_key *);
        unsigned bits;
    } parts[] = {{rank_digits, 32}, {tie_digits, 64}, {value_digits, 64}};

    for (size_t p = 0; p < sizeof parts / sizeof *parts; p++)
        for (unsigned shift = 0; shift < parts[p].bits; shift += DIGIT_BITS)
            if ((has_ties || parts[p].digits != tie_digits) &&
                sort_digit(keys, spare, n, parts[p].digits, shift)) {
                struct sort_key *sorted = spare;

                spare = keys;
                keys = sorted;
            }
    return keys;
}

/* any change from 0 is the maximum */
static int64_t parts_per_million(int64_t base, int64_t delta)
{
    const double ratio = base ? 1e6 * (double)delta / fabs((double)base) : 0;

    if (!base || fabs(ratio) >= (double)INT64_MAX)
        return delta > 0 ? INT64_MAX : delta < 0 ? INT64_MIN : 0;
    return (int64_t)ratio;
}

static int64_t compared(int order, int64_t base, int64_t now)
{
    const int64_t delta = clamp_sub(now, base);

    switch (order) {
    case ORDER_BASE:
        return base;
    case ORDER_DELTA_ABS:
        return delta < 0 ? clamp_neg(delta) : delta;
    case ORDER_DELTA_PERCENT:
        return parts_per_million(base, delta);
    default:
        return delta;
    }
}

static int64_t sort_value(const struct order_figures *f, row_id row)
{
    if (f->counts)
        return f->counts[row];
    if (!f->values)
        return 0;
    if (!f->base)
        return f->values[row];
    if (f->noise && f->order >= ORDER_DELTA &&
        (f->noise[row] == SAMPLES_WITHIN || f->noise[row] == SAMPLES_SIGNS))
        return INT64_MIN;
    return compared(f->order, f->base[row], f->values[row]);
}

enum metric_id order_tie_metric(const struct profile *p, const struct options *o)
{
    return p->kind >= PROFILE_TRACE && options_order_metric(o) < METRIC_COUNT ? METRIC_WORK_MICROS
                                                                              : METRIC_COUNT;
}

void order_rows(const struct tree *t, const struct order_figures *figures, row_id *rows,
                uint32_t n, struct sort_key *keys)
{
    bool sorted = true, by_walk = true;

    for (uint32_t i = 0; i < n; i++) {
        row_id row = rows[i];

        keys[i].value = sort_value(figures, row);
        keys[i].tie = figures->ties ? figures->ties[row] : 0;
        keys[i].rank = tree_rank(t, row);
        keys[i].row = row;
        sorted = sorted && (i == 0 || by_key(&keys[i - 1], &keys[i]) < 0);
        by_walk = by_walk && (i == 0 || rows[i - 1] < row);
    }
    if (sorted)
        return;
    if (n < MANY || !by_walk)
        qsort(keys, n, sizeof *keys, by_key);
    else
        keys = sort_many(keys, keys + n, n, figures->ties != NULL);
    for (uint32_t i = 0; i < n; i++)
        rows[i] = keys[i].row;
}
