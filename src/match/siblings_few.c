/* siblings_few.c: assignment of short lists of siblings by dynamic programming over all pairs. */
#include <stdlib.h>
#include <string.h>

#include "base/compare.h"
#include "base/xalloc.h"
#include "match/siblings.h"

/* Limits for the table, and for the comparisons of labels that fill it. */
enum { PAIRS_MOST = 250000, LABELS_MOST = 50000000 };

/* A common part of two names is evidence from this length on. */
enum { PART_LEAST = 3 };

/* Low bits of a cell's value, used for name bonuses. */
enum { NAME_BITS = 24 };

/* Crossing pairs need this similarity with shapes, and this lead over other partners. */
static const double CROSSING_LEAST = 0.9, CROSSING_MORE = 0.2;

/* A pair of siblings that are not trimmed. */
struct cell {
    int64_t value;    /* of content and names; -1: no pair */
    int64_t agree;    /* nodes with equal type and shape */
    float similarity; /* with shapes */
};

struct table {
    struct siblings *s;
    uint32_t a_from, a_n, b_from, b_n; /* the part of the lists that is not trimmed */
    struct bag *a, *b;
    struct cell *cells;    /* [a_n][b_n] */
    int64_t *best;         /* [a_n + 1][b_n + 1] best value from there on */
    uint32_t *by_content;  /* by position in list A */
};

static struct cell *cell_at(const struct table *t, uint32_t a, uint32_t b)
{
    return &t->cells[(size_t)(a - t->a_from) * t->b_n + (b - t->b_from)];
}

/* ---- trimming */

/* True when the siblings are equal and no other sibling has either name. */
static bool is_trimmed(const struct siblings *s, uint32_t a, uint32_t b, const uint32_t *by_name,
                       const uint8_t *is_named)
{
    const struct scope *x = sibling_at(&s->a, a), *y = sibling_at(&s->b, b);

    return x->content == y->content && x->is_mirror == y->is_mirror &&
           (x->name == y->name || (by_name[a] == SIBLING_NONE && !is_named[b]));
}

static void pair_equal_ends(struct table *t, const uint32_t *by_name)
{
    struct siblings *s = t->s;
    uint8_t *is_named = xcalloc((size_t)s->b.n + 1, 1);
    uint32_t a_to = s->a.n, b_to = s->b.n, a = 0, b = 0;

    for (uint32_t i = 0; i < s->a.n; i++)
        if (by_name[i] != SIBLING_NONE)
            is_named[by_name[i]] = 1;
    for (; a < a_to && b < b_to && is_trimmed(s, a, b, by_name, is_named); a++, b++)
        t->by_content[a] = b;
    for (; a_to > a && b_to > b && is_trimmed(s, a_to - 1, b_to - 1, by_name, is_named); a_to--, b_to--)
        t->by_content[a_to - 1] = b_to - 1;
    t->a_from = a;
    t->b_from = b;
    t->a_n = a_to - a;
    t->b_n = b_to - b;
    free(is_named);
}

/* ---- the table */

/* True when one text is the beginning or the end of the other. */
static bool is_part(struct text a, struct text b)
{
    const struct text less = a.len < b.len ? a : b, more = a.len < b.len ? b : a;

    return less.len >= PART_LEAST && (memcmp(less.bytes, more.bytes, less.len) == 0 ||
                                      memcmp(less.bytes, more.bytes + more.len - less.len, less.len) == 0);
}

static int64_t name_bonus(const struct scope *x, const struct scope *y)
{
    if (x->name == y->name)
        return 8;
    if (x->canonical == y->canonical)
        return x->number == y->number ? 4 : 2;
    return is_part(x->text, y->text) ? 3 : 0;
}

static void fill_cell(const struct table *t, uint32_t a, uint32_t b)
{
    const struct scope *x = sibling_at(&t->s->a, a), *y = sibling_at(&t->s->b, b);
    const struct overlap o = bags_overlap(&t->a[a - t->a_from], &t->b[b - t->b_from]);
    struct cell *cell = cell_at(t, a, b);

    cell->agree = overlap_agreement(o);
    cell->similarity = (float)overlap_with_shapes(o);
    cell->value = siblings_may_pair(t->s, a, b, o)
                      ? (overlap_value(o) << NAME_BITS) + name_bonus(x, y) : -1;
}

/* Computes the cells. Siblings of equal content have equal overlaps; only name bonuses differ. */
static void fill_cells(struct table *t)
{
    for (uint32_t a = t->a_from; a < t->a_from + t->a_n; a++) {
        if (cancel_asked(t->s->cancel))
            return;
        for (uint32_t b = t->b_from; b < t->b_from + t->b_n; b++)
            fill_cell(t, a, b);
    }
}

static void fill_best(const struct table *t)
{
    const size_t width = (size_t)t->b_n + 1;

    for (uint32_t a = t->a_n; a-- > 0;)
        for (uint32_t b = t->b_n; b-- > 0;) {
            const int64_t value = t->cells[(size_t)a * t->b_n + b].value;
            const int64_t *at = &t->best[a * width + b];
            int64_t best = at[width] > at[1] ? at[width] : at[1];

            if (value >= 0 && value + at[width + 1] > best)
                best = value + at[width + 1];
            t->best[a * width + b] = best;
        }
}

/* Follows the best values, pairing as early as possible. Of two equally good gaps, the sibling with
 * the smaller name comes first, on either side. */
static void trace_best(struct table *t)
{
    const size_t width = (size_t)t->b_n + 1;

    for (uint32_t a = 0, b = 0; a < t->a_n && b < t->b_n;) {
        const int64_t value = t->cells[(size_t)a * t->b_n + b].value;
        const int64_t *at = &t->best[a * width + b];

        if (value >= 0 && value + at[width + 1] == at[0]) {
            t->by_content[t->a_from + a++] = t->b_from + b++;
        } else if (at[width] != at[1]) {
            *(at[width] > at[1] ? &a : &b) += 1;
        } else {
            const struct text x = sibling_at(&t->s->a, t->a_from + a)->text;
            const struct text y = sibling_at(&t->s->b, t->b_from + b)->text;

            *(text_compare(x, y) <= 0 ? &a : &b) += 1;
        }
    }
}

/* ---- crossing pairs */

struct crossing {
    float similarity;
    uint32_t a, b;
};

COMPARE_CHAIN(by_similarity, struct crossing, DOWN(similarity) || UP(a) || UP(b))

static double similarity_of(const struct table *t, uint32_t a, uint32_t b)
{
    return a == SIBLING_NONE || b == SIBLING_NONE ? 0 : (double)cell_at(t, a, b)->similarity;
}

/* True when A or B has another possible partner of about the same similarity as in CROSSING. */
static bool has_rival(const struct table *t, const struct crossing *c)
{
    const double least = (double)c->similarity - CROSSING_MORE;
    bool rival = false;

    for (uint32_t b = t->b_from; b < t->b_from + t->b_n && !rival; b++)
        rival = b != c->b && cell_at(t, c->a, b)->value >= 0 && similarity_of(t, c->a, b) > least;
    for (uint32_t a = t->a_from; a < t->a_from + t->a_n && !rival; a++)
        rival = a != c->a && cell_at(t, a, c->b)->value >= 0 && similarity_of(t, a, c->b) > least;
    return rival;
}

static void exchange_partners(struct table *t, uint32_t *content_of_b, const struct crossing *c)
{
    const uint32_t b = t->by_content[c->a], a = content_of_b[c->b];
    const double least = (double)c->similarity - CROSSING_MORE;

    if (b == c->b || similarity_of(t, c->a, b) > least || similarity_of(t, a, c->b) > least)
        return;
    if (has_rival(t, c))
        return;
    if (b != SIBLING_NONE)
        content_of_b[b] = SIBLING_NONE;
    if (a != SIBLING_NONE)
        t->by_content[a] = SIBLING_NONE;
    t->by_content[c->a] = c->b;
    content_of_b[c->b] = c->a;
}

static void add_crossings(struct table *t)
{
    VEC(struct crossing) list = {0};
    uint32_t *content_of_b = xalloc_huge((size_t)t->s->b.n + 1, sizeof *content_of_b);

    memset(content_of_b, 0xff, t->s->b.n * sizeof *content_of_b);
    for (uint32_t i = 0; i < t->s->a.n; i++)
        if (t->by_content[i] != SIBLING_NONE)
            content_of_b[t->by_content[i]] = i;
    for (uint32_t a = t->a_from; a < t->a_from + t->a_n; a++)
        for (uint32_t b = t->b_from; b < t->b_from + t->b_n; b++)
            if (cell_at(t, a, b)->value >= 0 && (double)cell_at(t, a, b)->similarity >= CROSSING_LEAST)
                vec_push(&list, ((struct crossing){cell_at(t, a, b)->similarity, a, b}));
    vec_sort(&list, by_similarity);
    for (size_t i = 0; i < list.n; i++)
        exchange_partners(t, content_of_b, &list.data[i]);
    vec_done(&list);
    free(content_of_b);
}

/* ---- all together */

static int64_t agree_of(const void *arg, uint32_t a, uint32_t b)
{
    const struct table *t = arg;
    const uint32_t size = forest_size(t->s->a.f, t->s->a.scopes[a]);

    if (a < t->a_from || a >= t->a_from + t->a_n || b < t->b_from || b >= t->b_from + t->b_n)
        return overlap_agreement((struct overlap){.full = size, .shaped = size, .roles = size});
    return cell_at(t, a, b)->agree;
}

static bool is_small(const struct table *t)
{
    const struct siblings *s = t->s;
    uint64_t labels = 0;

    for (uint32_t i = t->a_from; i < t->a_from + t->a_n; i++)
        labels += (uint64_t)forest_size(s->a.f, s->a.scopes[i]) * t->b_n;
    for (uint32_t i = t->b_from; i < t->b_from + t->b_n; i++)
        labels += (uint64_t)forest_size(s->b.f, s->b.scopes[i]) * t->a_n;
    return (uint64_t)t->a_n * t->b_n <= PAIRS_MOST && labels <= LABELS_MOST;
}

static struct bag *bags_of(const struct sibling_list *list, uint32_t from, uint32_t n)
{
    struct bag *bags = xcalloc((size_t)n + 1, sizeof *bags);

    for (uint32_t i = 0; i < n; i++)
        bag_init(&bags[i], list->f, list->scopes[from + i]);
    return bags;
}

static void drop_bags(struct bag *bags, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        bag_done(&bags[i]);
    free(bags);
}

static void fill_table(struct table *t)
{
    t->a = bags_of(&t->s->a, t->a_from, t->a_n);
    t->b = bags_of(&t->s->b, t->b_from, t->b_n);
    t->cells = xcalloc((size_t)t->a_n * t->b_n + 1, sizeof *t->cells);
    t->best = xcalloc(((size_t)t->a_n + 1) * ((size_t)t->b_n + 1), sizeof *t->best);
    fill_cells(t);
    fill_best(t);
    trace_best(t);
    add_crossings(t);
    drop_bags(t->a, t->a_n);
    drop_bags(t->b, t->b_n);
    free(t->best);
}

static void set_similarity(const struct table *t)
{
    const struct siblings *s = t->s;

    for (uint32_t a = 0; a < s->a.n; a++) {
        const uint32_t b = s->a.partner[a];
        const bool in_table = b != SIBLING_NONE && a >= t->a_from && a < t->a_from + t->a_n &&
                              b >= t->b_from && b < t->b_from + t->b_n;

        s->similarity[a] = in_table ? cell_at(t, a, b)->similarity : 1;
    }
}

/* Drops pairs by name that may not be pairs. */
static void drop_impossible(const struct table *t, uint32_t *by_name)
{
    for (uint32_t a = t->a_from; a < t->a_from + t->a_n; a++) {
        const uint32_t b = by_name[a];

        if (b != SIBLING_NONE && b >= t->b_from && b < t->b_from + t->b_n && cell_at(t, a, b)->value < 0)
            by_name[a] = SIBLING_NONE;
    }
}

void siblings_assign(struct siblings *s)
{
    struct table t = {.s = s};
    uint32_t *by_name = siblings_by_name(s);

    t.by_content = xalloc_huge((size_t)s->a.n + 1, sizeof *t.by_content);
    memset(t.by_content, 0xff, s->a.n * sizeof *t.by_content);
    pair_equal_ends(&t, by_name);
    if (is_small(&t)) {
        fill_table(&t);
        drop_impossible(&t, by_name);
        siblings_choose(s, by_name, t.by_content, agree_of, &t);
        set_similarity(&t);
        free(t.cells);
    } else {
        siblings_assign_many(s);
    }
    EACH(free, t.by_content, by_name);
}
