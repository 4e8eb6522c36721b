/* groups.c: operations below rows, from prefix sums stored every few thousand members. */
#include "tui/rows/groups.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/compare.h"
#include "base/vec.h"
#include "base/xalloc.h"

enum { BLOCK_MIN = 2048, SUMS_MAX = 1 << 21 };

struct sum {
    uint32_t n;
    uint64_t figure; /* may wrap; differences are correct */
};

/* Numbers for the operation types of a tree. */
struct op_types {
    _Atomic uint32_t refs;
    uint32_t *index; /* [strings] number of a type, or UINT32_MAX */
    strid *ids;      /* [n] */
    size_t n;
};

struct groups {
    _Atomic uint32_t refs;
    struct result *result; /* result whose columns were summed */
    const struct tree *tree;
    enum metric_id metric;
    const int64_t *figures; /* NULL: none */
    node_id *costliest; /* [rows] */
    struct op_types *types;
    VEC(struct row_kinds) kinds; /* in the order of rows */
    uint32_t block;   /* members between two stored sums */
    struct sum *sums; /* [blocks][types] sums of all members before the block */
};

static uint32_t n_members(const struct tree *t)
{
    return t->member_begin[t->n_rows];
}

static struct op_types *types_new(const struct tree *t)
{
    const struct profile *p = t->profile;
    struct op_types *types = xcalloc(1, sizeof *types);

    types->index = xcalloc(p->strings.n, sizeof *types->index);
    memset(types->index, 0xff, p->strings.n * sizeof *types->index);
    for (uint32_t i = 0; i < n_members(t); i++)
        if (types->index[p->op[t->members[i]]] == UINT32_MAX)
            types->index[p->op[t->members[i]]] = (uint32_t)types->n++;
    types->ids = xcalloc(types->n + 1, sizeof *types->ids);
    for (strid id = 0; id < p->strings.n; id++)
        if (types->index[id] != UINT32_MAX)
            types->ids[types->index[id]] = id;
    return types;
}

static void types_unref(struct op_types *types)
{
    if (!types || atomic_fetch_sub(&types->refs, 1) != 1)
        return;
    EACH(free, types->index, types->ids, types);
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
        struct sum *s = &sums[g->types->index[t->profile->op[t->members[i]]]];

        if (!accounted[t->members[i]])
            continue;
        s->n++;
        s->figure += (uint64_t)figure_of(g, t->members[i]);
    }
}

/* Stores prefix sums; the distance grows with the number of types. */
static bool make_sums(struct groups *g, struct cancel_mark cancel)
{
    const uint32_t n = n_members(g->tree);
    const size_t blocks_max = SUMS_MAX / (g->types->n + 1) + 1;
    size_t n_blocks;

    g->block = (uint32_t)(n / blocks_max) + 1;
    KEEP_MAX(g->block, BLOCK_MIN);
    n_blocks = (size_t)n / g->block + 1;
    g->sums = xcalloc(n_blocks * g->types->n + 1, sizeof *g->sums);
    for (size_t i = 1; i < n_blocks; i++) {
        struct sum *sums = g->sums + i * g->types->n;

        if (cancel_asked(cancel))
            return false;
        memcpy(sums, sums - g->types->n, g->types->n * sizeof *sums);
        add_members(g, (uint32_t)(i - 1) * g->block, (uint32_t)i * g->block, sums);
    }
    return true;
}

/* The more expensive node; A, the first one, if they are equal. */
static node_id more_expensive(const struct groups *g, node_id a, node_id b)
{
    if (a == NODE_NONE || b == NODE_NONE)
        return a == NODE_NONE ? b : a;
    return figure_of(g, b) > figure_of(g, a) ? b : a;
}

static bool find_costliest(struct groups *g, struct cancel_mark cancel)
{
    enum { ROWS_A_LOOK = 1 << 14 };
    const struct tree *t = g->tree;
    node_id *below = xcalloc(t->n_rows, sizeof *below);

    g->costliest = xcalloc(t->n_rows, sizeof *g->costliest);
    memset(below, 0xff, t->n_rows * sizeof *below);
    for (row_id row = t->n_rows; row-- > 0;) {
        node_id own = NODE_NONE;

        if (row % ROWS_A_LOOK == 0 && cancel_asked(cancel))
            break;
        for (uint32_t i = t->member_begin[row]; i < t->member_begin[row + 1]; i++)
            own = more_expensive(g, own, t->members[i]);
        g->costliest[row] = own == NODE_NONE ? below[row] : own;
        if (row)
            below[t->parent[row]] = more_expensive(g, more_expensive(g, own, below[row]),
                                                   below[t->parent[row]]);
    }
    free(below);
    return !cancel_asked(cancel);
}

static bool find_kinds(struct groups *g, struct cancel_mark cancel)
{
    const struct tree *t = g->tree;

    for (row_id row = 1; row < t->n_rows && g->result->view->is_multi; row++) {
        struct row_kinds kinds = {.row = row};

        if (t->member_begin[row + 1] - t->member_begin[row] <= GROUPS_MANY)
            continue;
        if (cancel_asked(cancel))
            return false;
        row_types(g->result, row, &kinds.types);
        row_devices(g->result, row, &kinds.devices);
        vec_push(&g->kinds, kinds);
    }
    return true;
}

static const int64_t *figures_of(struct result *r, enum metric_id metric)
{
    return metric < METRIC_COUNT ? result_node_figures(r, metric) : NULL;
}

struct groups *groups_new(struct result *r, enum metric_id metric, const struct groups *before,
                          struct cancel_mark cancel)
{
    struct groups *g = xcalloc(1, sizeof *g);

    atomic_init(&g->refs, 1);
    g->result = r;
    g->tree = r->tree;
    g->metric = metric;
    g->figures = figures_of(r, metric);
    g->types = before && before->tree == g->tree ? before->types : types_new(g->tree);
    atomic_fetch_add(&g->types->refs, 1);
    if (make_sums(g, cancel) && find_costliest(g, cancel) && find_kinds(g, cancel))
        return g;
    groups_unref(g);
    return NULL;
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
    free(g->costliest);
    types_unref(g->types);
    for (size_t i = 0; i < g->kinds.n; i++)
        EACH(vec_done, &g->kinds.data[i].types, &g->kinds.data[i].devices);
    vec_done(&g->kinds);
    EACH(free, g->sums, g);
}

bool groups_fit(const struct groups *g, struct result *r, enum metric_id metric)
{
    return g && g->tree == r->tree && g->metric == metric &&
           g->result->node_accounted == r->node_accounted && g->figures == figures_of(r, metric);
}

node_id groups_costliest(const struct groups *g, row_id row)
{
    const node_id id = g->costliest[row];

    /* Members may be parts of nodes; returns the node. */
    return id == NODE_NONE ? id : profile_node_of_part(g->tree->profile, id);
}

static int by_row(const void *key, const void *item)
{
    const row_id row = *(const row_id *)key, at = ((const struct row_kinds *)item)->row;

    return (row > at) - (row < at);
}

const struct row_kinds *groups_kinds(const struct groups *g, row_id row)
{
    return g->kinds.n ? bsearch(&row, g->kinds.data, g->kinds.n, sizeof *g->kinds.data, by_row)
                      : NULL;
}

COMPARE_CHAIN(by_figure, struct op_share, DOWN(figure) || DOWN(n) || UP(op))

/* Adds the sums of all members before I. */
static void add_before(const struct groups *g, uint32_t i, struct sum *sums)
{
    const size_t block = i / g->block;

    memcpy(sums, g->sums + block * g->types->n, g->types->n * sizeof *sums);
    add_members(g, (uint32_t)block * g->block, i, sums);
}

struct op_share *groups_ops(const struct groups *g, row_id row, size_t *n)
{
    const struct tree *t = g->tree;
    const uint32_t begin = t->member_begin[row], end = t->member_begin[t->end[row]];
    struct sum *sums = xcalloc(g->types->n + 1, 2 * sizeof *sums), *before = sums + g->types->n;
    struct op_share *shares = xcalloc(g->types->n + 1, sizeof *shares);

    if (end - begin <= g->block) {
        add_members(g, begin, end, sums);
    } else {
        add_before(g, end, sums);
        add_before(g, begin, before);
    }
    *n = 0;
    for (size_t i = 0; i < g->types->n; i++)
        if (sums[i].n > before[i].n)
            shares[(*n)++] = (struct op_share){g->types->ids[i], sums[i].n - before[i].n,
                                               (int64_t)(sums[i].figure - before[i].figure)};
    if (*n)
        qsort(shares, *n, sizeof *shares, by_figure);
    free(sums);
    return shares;
}
