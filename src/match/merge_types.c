/* merge_types.c: merges the typesets of two profiles. */
#include <stdlib.h>
#include <string.h>

#include "base/compare.h"
#include "base/xalloc.h"
#include "match/merge_priv.h"

struct sets {
    struct merge *m;
    struct intern known;     /* typesets as bytes; id = number of the typeset + 1 */
    VEC(uint32_t) begin;
    VEC(strid) types;
    typeset_id *set_of_base; /* [sets of base] */
};

static typeset_id add_set(struct sets *s, const strid *types, size_t n)
{
    const size_t before = s->known.n;
    /* one more element, so that the key of the empty set is not empty */
    strid *key = xreallocarray(NULL, n + 1, sizeof *key);
    strid id;

    key[0] = 0;
    if (n)
        memcpy(key + 1, types, n * sizeof *key);
    id = intern_put(&s->known, key, (n + 1) * sizeof *key);
    free(key);
    if (s->known.n > before) {
        for (size_t i = 0; i < n; i++)
            vec_push(&s->types, types[i]);
        vec_push(&s->begin, (uint32_t)s->types.n);
    }
    return id - 1;
}

static typeset_id add_set_of_base(struct sets *s, typeset_id set)
{
    const struct profile *base = s->m->base;
    VEC(strid) types = {0};
    typeset_id id;

    for (uint32_t i = base->typeset_begin[set]; i < base->typeset_begin[set + 1]; i++)
        vec_push(&types, merge_string(s->m, base->typeset_types[i]));
    id = add_set(s, types.data, types.n);
    vec_done(&types);
    return id;
}

static typeset_id add_union(struct sets *s, typeset_id a, typeset_id b)
{
    const struct intern *strings = &s->m->p->strings;
    uint32_t i = s->begin.data[a], k = s->begin.data[b];
    VEC(strid) types = {0};
    typeset_id id;

    while (i < s->begin.data[a + 1] || k < s->begin.data[b + 1]) {
        const int order = i == s->begin.data[a + 1]   ? 1
                          : k == s->begin.data[b + 1] ? -1
                                                      : intern_compare(strings, s->types.data[i],
                                                                       s->types.data[k]);

        vec_push(&types, s->types.data[order <= 0 ? i : k]);
        i += order <= 0;
        k += order >= 0;
    }
    id = add_set(s, types.data, types.n);
    vec_done(&types);
    return id;
}

/* A node whose typesets differ. */
struct mixed {
    typeset_id now, base;
    node_id id;
};

COMPARE_CHAIN(by_sets, struct mixed, UP(now) || UP(base) || UP(id))

static void fill_column(struct sets *s)
{
    const struct merge *m = s->m;
    typeset_id *column = m->p->typeset;
    VEC(struct mixed) mixed = {0};

    for (node_id id = 0; id < m->ids.n; id++) {
        const struct merged_id of = m->ids.data[id];
        const typeset_id now = of.now != NODE_NONE ? m->now->typeset[of.now] : 0;
        const typeset_id base =
            of.base != NODE_NONE ? s->set_of_base[m->base->typeset[of.base]] : 0;

        column[id] = of.now != NODE_NONE ? now : base;
        if (of.now != NODE_NONE && of.base != NODE_NONE && now != base)
            vec_push(&mixed, ((struct mixed){now, base, id}));
    }
    vec_sort(&mixed, by_sets);
    for (size_t i = 0; i < mixed.n; i++) {
        const struct mixed *at = &mixed.data[i];
        const bool repeats = i && at[-1].now == at->now && at[-1].base == at->base;

        column[at->id] = repeats ? column[at[-1].id] : add_union(s, at->now, at->base);
    }
    vec_done(&mixed);
}

void merge_types(struct merge *m)
{
    struct sets s = {.m = m};
    struct profile *p = m->p;

    intern_init(&s.known);
    vec_push(&s.begin, 0);
    for (typeset_id set = 0; set < m->now->n_typesets; set++)
        add_set(&s, m->now->typeset_types + m->now->typeset_begin[set],
                m->now->typeset_begin[set + 1] - m->now->typeset_begin[set]);
    s.set_of_base = xcalloc((size_t)m->base->n_typesets + 1, sizeof *s.set_of_base);
    for (typeset_id set = 0; set < m->base->n_typesets; set++)
        s.set_of_base[set] = add_set_of_base(&s, set);
    p->typeset = ARENA_NEW(&p->arena, typeset_id, m->ids.n);
    fill_column(&s);
    p->n_typesets = (uint32_t)s.begin.n - 1;
    p->typeset_begin = arena_copy(&p->arena, s.begin.data, s.begin.n, sizeof *s.begin.data);
    p->typeset_types = arena_copy(&p->arena, s.types.data, s.types.n, sizeof *s.types.data);
    intern_done(&s.known);
    EACH(vec_done, &s.begin, &s.types);
    free(s.set_of_base);
}
