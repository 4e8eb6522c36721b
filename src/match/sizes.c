/* sizes.c: shapes of nodes, and sizes that were replaced throughout. */
#include "match/sizes.h"

#include <stdlib.h>

#include "base/compare.h"
#include "base/xalloc.h"

/* Bounds for one node and for all votes: more add nothing. */
enum { DIMS_MOST = 4096, VOTES_MOST = 1 << 20, VOTES_LEAST = 3, PERCENT_LEAST = 90 };

int64_t sizes_of(const struct sizes *sizes, int64_t size)
{
    const size_t n = sizes ? sizes->list.n : 0;

    for (size_t round = 0, i = 0; round < n && i < n; i++)
        if (sizes->list.data[i].to == size) {
            size = sizes->list.data[i].from;
            round++;
            i = SIZE_MAX; /* restart from the first entry */
        }
    return size;
}

/* ---- shapes */

static void add_shape(const struct profile *p, shape_id shape, dim_list *dims)
{
    const struct shape *s = &p->shapes[shape];

    for (uint32_t i = 0; i < s->n_dims && dims->n < DIMS_MOST; i++)
        vec_push(dims, s->dims[i]);
    vec_push(dims, SHAPE_END);
}

/* Adds the shapes of "[[8,6],[16]]": each inner list is a shape. */
static void add_call(const char *text, uint32_t len, dim_list *dims)
{
    for (uint32_t i = 0; i < len && dims->n < DIMS_MOST;) {
        int64_t number = 0;

        if (text[i] == ']' && i + 1 < len)
            vec_push(dims, SHAPE_END);
        if (text[i] < '0' || text[i] > '9') {
            i++;
            continue;
        }
        for (; i < len && text[i] >= '0' && text[i] <= '9'; i++)
            number = number < INT64_MAX / 16 ? number * 10 + (text[i] - '0') : number;
        vec_push(dims, number);
    }
}

void shapes_of_node(const struct profile *p, node_id node, dim_list *dims)
{
    bool known = false;

    dims->n = 0;
    for (uint32_t i = p->output_begin[node]; i < p->output_begin[node + 1]; i++)
        known |= p->outputs[i].shape != SHAPE_UNKNOWN;
    for (uint32_t i = p->output_begin[node]; known && i < p->output_begin[node + 1]; i++)
        add_shape(p, p->outputs[i].shape, dims);
    if (!known && p->shape[node] != SHAPE_UNKNOWN)
        add_shape(p, p->shape[node], dims);
    if (!p->n_parts || !p->call_dims || dims->n)
        return;
    for (uint32_t i = p->part_begin[node]; i < p->part_begin[node + 1]; i++)
        if (p->call_dims[i] != STRID_EMPTY)
            add_call(profile_text(p, p->call_dims[i]), intern_len(&p->strings, p->call_dims[i]), dims);
}

/* ---- votes */

struct size_votes {
    VEC(struct size_change) list;
};

struct size_votes *size_votes_new(void)
{
    return xcalloc(1, sizeof(struct size_votes));
}

void size_votes_add(struct size_votes *v, const dim_list *base, const dim_list *now)
{
    if (base->n != now->n)
        return;
    for (size_t i = 0; i < base->n; i++)
        if ((base->data[i] == SHAPE_END) != (now->data[i] == SHAPE_END))
            return;
    for (size_t i = 0; i < base->n && v->list.n < VOTES_MOST; i++)
        if (base->data[i] != now->data[i] && base->data[i] > 1 && now->data[i] > 1)
            vec_push(&v->list, ((struct size_change){base->data[i], now->data[i], 1}));
}

COMPARE_BY_TWO(by_sizes, struct size_change, from, to)

/* Accepts the most frequent replacement among the votes FROM to TO - 1 for one size. */
static void accept_size(const struct size_change *votes, size_t from, size_t to, struct sizes *sizes)
{
    size_t best = from, n_best = 0, run = from;

    for (size_t i = from; i < to; i++) {
        if (votes[i].to != votes[run].to)
            run = i;
        if (i + 1 - run > n_best) {
            n_best = i + 1 - run;
            best = run;
        }
    }
    if (n_best >= VOTES_LEAST && n_best * 100 >= (to - from) * PERCENT_LEAST)
        vec_push(&sizes->list,
                 ((struct size_change){votes[best].from, votes[best].to, (uint32_t)n_best}));
}

void size_votes_accept(struct size_votes *v, struct sizes *sizes)
{
    vec_sort(&v->list, by_sizes);
    for (size_t from = 0, i = 1; i <= v->list.n; i++)
        if (i == v->list.n || v->list.data[i].from != v->list.data[from].from) {
            accept_size(v->list.data, from, i, sizes);
            from = i;
        }
    vec_done(&v->list);
    free(v);
}
