/* siblings_many.c: assignment of long lists of siblings by hashes of their content, n log n. */
#include <stdlib.h>
#include <string.h>

#include "base/compare.h"
#include "base/xalloc.h"
#include "match/siblings.h"

/* A sibling of either list. */
struct candidate {
    uint64_t content;
    uint32_t number, at; /* trailing number, position in the list */
    bool is_b;
};

typedef VEC(struct candidate) candidate_list;

COMPARE_CHAIN(by_content, struct candidate, UP(content) || UP(is_b) || UP(number) || UP(at))

static void add_candidates(candidate_list *list, const struct sibling_list *siblings,
                           const uint8_t *is_taken, bool is_b)
{
    for (uint32_t i = 0; i < siblings->n; i++) {
        const struct scope *s = sibling_at(siblings, i);

        if (!is_taken[i])
            vec_push(list, ((struct candidate){hash_pair(s->content, s->is_mirror), s->number, i, is_b}));
    }
}

/* Pairs siblings of equal content in order. */
static void pair_run(const struct candidate *c, size_t n, uint32_t *partner)
{
    size_t n_a = 0;

    while (n_a < n && !c[n_a].is_b)
        n_a++;
    for (size_t i = 0; i < n_a && n_a + i < n; i++)
        partner[c[i].at] = c[n_a + i].at;
}

/* Finds partners by content: siblings with equal names first, then in order. */
static uint32_t *find_by_content(const struct siblings *s, const uint32_t *by_name)
{
    uint32_t *partner = xalloc_huge((size_t)s->a.n + 1, sizeof *partner);
    uint8_t *a_taken = xcalloc((size_t)s->a.n + 1, 1), *b_taken = xcalloc((size_t)s->b.n + 1, 1);
    candidate_list list = {0};
    size_t from = 0;

    memset(partner, 0xff, s->a.n * sizeof *partner);
    for (uint32_t i = 0; i < s->a.n; i++)
        if (by_name[i] != SIBLING_NONE &&
            sibling_at(&s->a, i)->content == sibling_at(&s->b, by_name[i])->content) {
            partner[i] = by_name[i];
            a_taken[i] = b_taken[by_name[i]] = 1;
        }
    add_candidates(&list, &s->a, a_taken, false);
    add_candidates(&list, &s->b, b_taken, true);
    vec_sort(&list, by_content);
    for (size_t i = 1; i <= list.n; i++)
        if (i == list.n || list.data[i].content != list.data[from].content) {
            pair_run(list.data + from, i - from, partner);
            from = i;
        }
    vec_done(&list);
    EACH(free, a_taken, b_taken);
    return partner;
}

static int64_t agree_of(const void *arg, uint32_t a, uint32_t b)
{
    const struct siblings *s = arg;

    return sibling_at(&s->a, a)->content == sibling_at(&s->b, b)->content
               ? forest_size(s->a.f, s->a.scopes[a]) : 0;
}

static void drop_impossible(const struct siblings *s, uint32_t *by_name)
{
    for (uint32_t i = 0; i < s->a.n; i++)
        if (by_name[i] != SIBLING_NONE &&
            !siblings_may_pair(s, i, by_name[i], (struct overlap){1, 1, 1, 1, 1, 1}))
            by_name[i] = SIBLING_NONE;
}

void siblings_assign_many(struct siblings *s)
{
    uint32_t *by_name = siblings_by_name(s);
    uint32_t *partner;

    drop_impossible(s, by_name);
    partner = find_by_content(s, by_name);
    siblings_choose(s, by_name, partner, agree_of, s);
    for (uint32_t a = 0; a < s->a.n; a++)
        s->similarity[a] = s->a.partner[a] == SIBLING_NONE ? 0 : agree_of(s, a, s->a.partner[a]) ? 1 : 0.5f;
    EACH(free, partner, by_name);
}
