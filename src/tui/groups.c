/* groups.c: operations below rows, by sums that stand at every few thousand
 * members. */
#include "tui/groups.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"

enum { BLOCK_LEAST = 2048, SUMS_MOST = 1 << 21 };

struct sum {
    uint32_t n;
    uint64_t figure; /* differences of sums that wrap are right */
};

struct groups {
    _Atomic uint32_t refs;
    struct result *result; /* whose columns these sums are of */
    const struct tree *tree;
    enum metric_id metric;
    const int64_t *figures; /* NULL: none */
    node_id *dearest; /* [rows] */
    uint32_t *index;  /* [strings] type -> place among the types; UINT32_MAX */
    strid *types;     /* [n_types] */
    size_t n_types;
    uint32_t block;   /* members between two sums */
    struct sum *sums; /* [blocks][n_types] of all members before the block */
};

static uint32_t n_members(const struct tree *t)
{
    return t->member_begin[t->n_rows];
}

static void find_types(struct groups *g)
{
    const struct tree *t = g->tree;
    const struct profile *p = t->profile;

    g->index = xcalloc(p->strings.n, sizeof *g->index);
    memset(g->index, 0xff, p->strings.n * sizeof *g->index);
    for (uint32_t i = 0; i < n_members(t); i++)
        if (g->index[p->op[t->members[i]]] == UINT32_MAX)
            g->index[p->op[t->members[i]]] = (uint32_t)g->n_types++;
    g->types = xcalloc(g->n_types + 1, sizeof *g->types);
    for (strid id = 0; id < p->strings.n; id++)
        if (g->index[id] != UINT32_MAX)
            g->types[g->index[id]] = id;
}

static int64_t figure_of(const struct groups *g, node_id node)
{
    return g->figures ? g->figures[node] : 0;
}

/* Adds the accounted members FROM to TO - 1 to SUMS. */
static void add_members(const struct groups *g, uint32_t from, uint32_t to, struct sum *sums)
{
    const struct tree *t = g->tree;
    const uint8_t *accounted = g->result->node_accounted;

    for (uint32_t i = from; i < to; i++) {
        struct sum *s = &sums[g->index[t->profile->op[t->members[i]]]];

        if (!accounted[t->members[i]])
            continue;
        s->n++;
        s->figure += (uint64_t)figure_of(g, t->members[i]);
    }
}

/* The more types, the farther apart the sums stand. */
static bool make_sums(struct groups *g, struct cancel_mark cancel)
{
    const uint32_t n = n_members(g->tree);
    const size_t blocks_most = SUMS_MOST / (g->n_types + 1) + 1;
    size_t n_blocks;

    g->block = (uint32_t)(n / blocks_most) + 1;
    if (g->block < BLOCK_LEAST)
        g->block = BLOCK_LEAST;
    n_blocks = (size_t)n / g->block + 1;
    g->sums = xcalloc(n_blocks * g->n_types + 1, sizeof *g->sums);
    for (size_t i = 1; i < n_blocks; i++) {
        struct sum *sums = g->sums + i * g->n_types;

        if (cancel_asked(cancel))
            return false;
        memcpy(sums, sums - g->n_types, g->n_types * sizeof *sums);
        add_members(g, (uint32_t)(i - 1) * g->block, (uint32_t)i * g->block, sums);
    }
    return true;
}

/* Of two nodes, of which A stands first. */
static node_id dearer(const struct groups *g, node_id a, node_id b)
{
    if (a == NODE_NONE || b == NODE_NONE)
        return a == NODE_NONE ? b : a;
    return figure_of(g, b) > figure_of(g, a) ? b : a;
}

static void find_dearest(struct groups *g)
{
    const struct tree *t = g->tree;
    node_id *below = xcalloc(t->n_rows, sizeof *below);

    g->dearest = xcalloc(t->n_rows, sizeof *g->dearest);
    memset(below, 0xff, t->n_rows * sizeof *below);
    for (row_id row = t->n_rows; row-- > 0;) {
        node_id own = NODE_NONE;

        for (uint32_t i = t->member_begin[row]; i < t->member_begin[row + 1]; i++)
            own = dearer(g, own, t->members[i]);
        g->dearest[row] = own == NODE_NONE ? below[row] : own;
        if (row)
            below[t->parent[row]] = dearer(g, dearer(g, own, below[row]), below[t->parent[row]]);
    }
    free(below);
}

static const int64_t *figures_of(struct result *r, enum metric_id metric)
{
    return metric < METRIC_COUNT ? result_node_figures(r, metric) : NULL;
}

struct groups *groups_new(struct result *r, enum metric_id metric, struct cancel_mark cancel)
{
    struct groups *g = xcalloc(1, sizeof *g);

    atomic_init(&g->refs, 1);
    g->result = r;
    g->tree = r->tree;
    g->metric = metric;
    g->figures = figures_of(r, metric);
    find_types(g);
    if (!make_sums(g, cancel)) {
        groups_unref(g);
        return NULL;
    }
    find_dearest(g);
    return g;
}

struct groups *groups_ref(struct groups *g)
{
    if (g)
        atomic_fetch_add(&g->refs, 1);
    return g;
}

void groups_unref(struct groups *g)
{
    if (!g || atomic_fetch_sub(&g->refs, 1) != 1)
        return;
    result_free(g->result);
    free(g->dearest);
    free(g->index);
    free(g->types);
    free(g->sums);
    free(g);
}

bool groups_fit(const struct groups *g, struct result *r, enum metric_id metric)
{
    return g && g->tree == r->tree && g->metric == metric &&
           g->result->node_accounted == r->node_accounted && g->figures == figures_of(r, metric);
}

node_id groups_dearest(const struct groups *g, row_id row)
{
    return g->dearest[row];
}

static int by_figure(const void *x, const void *y)
{
    const struct op_share *a = x, *b = y;

    if (a->figure != b->figure)
        return a->figure < b->figure ? 1 : -1;
    if (a->n != b->n)
        return a->n < b->n ? 1 : -1;
    return a->op < b->op ? -1 : 1;
}

/* Adds the sums of all members before I. */
static void add_before(const struct groups *g, uint32_t i, struct sum *sums)
{
    const size_t block = i / g->block;

    memcpy(sums, g->sums + block * g->n_types, g->n_types * sizeof *sums);
    add_members(g, (uint32_t)block * g->block, i, sums);
}

struct op_share *groups_ops(const struct groups *g, row_id row, size_t *n)
{
    const struct tree *t = g->tree;
    const uint32_t begin = t->member_begin[row], end = t->member_begin[t->end[row]];
    struct sum *sums = xcalloc(g->n_types + 1, 2 * sizeof *sums), *before = sums + g->n_types;
    struct op_share *shares = xcalloc(g->n_types + 1, sizeof *shares);

    if (end - begin <= g->block) {
        add_members(g, begin, end, sums);
    } else {
        add_before(g, end, sums);
        add_before(g, begin, before);
    }
    *n = 0;
    for (size_t i = 0; i < g->n_types; i++)
        if (sums[i].n > before[i].n)
            shares[(*n)++] = (struct op_share){g->types[i], sums[i].n - before[i].n,
                                               (int64_t)(sums[i].figure - before[i].figure)};
    if (*n)
        qsort(shares, *n, sizeof *shares, by_figure);
    free(sums);
    return shares;
}
