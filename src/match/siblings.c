/* siblings.c: assignment of the children of two paired scopes, by names and by content. */
#include "match/siblings.h"

#include <stdlib.h>
#include <string.h>

#include "base/compare.h"
#include "base/slots.h"
#include "base/xalloc.h"

/* Minimum similarity of a pair: with shapes; without shapes; without shapes if names are equal. */
static const double WITH_SHAPES_LEAST = 0.5, WITHOUT_SHAPES_LEAST = 0.8, NAMED_LEAST = 0.5;

static bool same_type(const struct siblings *s, const struct scope *x, const struct scope *y)
{
    return x->node == NODE_NONE || y->node == NODE_NONE ||
           s->a.f->type_of[x->node] == s->b.f->type_of[y->node];
}

bool siblings_may_pair(const struct siblings *s, uint32_t a, uint32_t b, struct overlap o)
{
    const struct scope *x = sibling_at(&s->a, a), *y = sibling_at(&s->b, b);
    const bool x_leaf = x->child_begin == x->child_end, y_leaf = y->child_begin == y->child_end;
    const bool is_free = x->node != NODE_NONE && y->node != NODE_NONE &&
                         s->a.f->p->free_name[x->node] && s->b.f->p->free_name[y->node];

    if (x->is_mirror != y->is_mirror)
        return false;
    if (x_leaf || y_leaf)
        return x->node != NODE_NONE && y->node != NODE_NONE && same_type(s, x, y) &&
               (x->canonical == y->canonical || (is_free && x_leaf == y_leaf));
    if (x->name == y->name)
        return overlap_contained(o) >= NAMED_LEAST;
    if (!same_type(s, x, y))
        return false;
    return overlap_with_shapes(o) >= WITH_SHAPES_LEAST ||
           overlap_without_shapes(o) >= WITHOUT_SHAPES_LEAST ||
           (x->canonical == y->canonical && overlap_without_shapes(o) >= NAMED_LEAST);
}

/* ---- order of equal siblings */

struct equal {
    uint64_t content, canonical;
    uint32_t number, at;
    scope_id scope;
};

COMPARE_CHAIN(by_position, struct equal, UP(content) || UP(canonical) || UP(at))

/* Siblings without a number come first: "conv", "conv_1". */
static int by_number(const void *a, const void *b)
{
    const struct equal *x = a, *y = b;
    const uint32_t m = x->number + 1, n = y->number + 1;

    return m != n ? (m < n ? -1 : 1) : (x->at > y->at) - (x->at < y->at);
}

static void sort_group(struct equal *group, size_t n, scope_id *scopes)
{
    struct equal *sorted;

    if (n < 2)
        return;
    sorted = xreallocarray(NULL, n, sizeof *sorted);
    memcpy(sorted, group, n * sizeof *sorted);
    qsort(sorted, n, sizeof *sorted, by_number);
    for (size_t i = 0; i < n; i++)
        scopes[group[i].at] = sorted[i].scope;
    free(sorted);
}

void siblings_sort_equal(const struct forest *f, scope_list *list)
{
    VEC(struct equal) all = {0};
    size_t from = 0;

    for (uint32_t i = 0; i < list->n; i++) {
        const struct scope *s = &f->scopes.data[list->data[i]];

        vec_push(&all, ((struct equal){s->content, s->canonical, s->number, i, list->data[i]}));
    }
    vec_sort(&all, by_position);
    for (size_t i = 1; i <= all.n; i++)
        if (i == all.n || all.data[i].content != all.data[from].content ||
            all.data[i].canonical != all.data[from].canonical) {
            sort_group(all.data + from, i - from, list->data);
            from = i;
        }
    vec_done(&all);
}

/* ---- by name */

uint32_t *siblings_by_name(const struct siblings *s)
{
    uint32_t *by_name = xalloc_huge((size_t)s->a.n + 1, sizeof *by_name);
    struct slots index;

    slots_init(&index, s->b.n + 1);
    for (uint32_t i = 0; i < s->b.n; i++)
        slots_add(&index, sibling_at(&s->b, i)->name, i);
    for (uint32_t i = 0; i < s->a.n; i++) {
        const uint64_t name = sibling_at(&s->a, i)->name;
        size_t probe = slots_find(&index, name);
        uint32_t at;

        while ((at = slots_next(&index, &probe)) != SLOTS_NONE)
            if (sibling_at(&s->b, at)->name == name)
                break;
        by_name[i] = at == SLOTS_NONE ? SIBLING_NONE : at;
    }
    slots_done(&index);
    return by_name;
}

/* ---- choice */

static uint32_t root_of(uint32_t *group, uint32_t at)
{
    while (group[at] != at) {
        group[at] = group[group[at]];
        at = group[at];
    }
    return at;
}

static void unite(uint32_t *group, uint32_t a, uint32_t b)
{
    a = root_of(group, a);
    b = root_of(group, b);
    group[a > b ? a : b] = a > b ? b : a;
}

static void take(struct siblings *s, uint32_t a, uint32_t b, enum sibling_reason reason)
{
    if (s->a.partner[a] != SIBLING_NONE || s->b.partner[b] != SIBLING_NONE)
        return;
    s->a.partner[a] = b;
    s->b.partner[b] = a;
    s->reason[a] = (uint8_t)reason;
}

COMPARE_VALUES(by_hash, uint64_t)

/* Sorted content hashes of the siblings of LIST without a partner; heap. */
static uint64_t *unpaired_contents(const struct sibling_list *list, size_t *n)
{
    uint64_t *left = xalloc_huge((size_t)list->n + 1, sizeof *left);

    *n = 0;
    for (uint32_t i = 0; i < list->n; i++)
        if (list->partner[i] == SIBLING_NONE)
            left[(*n)++] = sibling_at(list, i)->content;
    qsort(left, *n, sizeof *left, by_hash);
    return left;
}

/* Marks a pair with different names as ambiguous if an unpaired sibling has equal content. */
static void mark_ambiguous(struct siblings *s)
{
    size_t n_a, n_b;
    uint64_t *a = unpaired_contents(&s->a, &n_a), *b = unpaired_contents(&s->b, &n_b);

    for (uint32_t i = 0; i < s->a.n; i++) {
        const uint64_t content = sibling_at(&s->a, i)->content;

        if (s->a.partner[i] == SIBLING_NONE || s->reason[i] != SIBLING_BY_CONTENT)
            continue;
        if ((n_a && bsearch(&content, a, n_a, sizeof *a, by_hash)) ||
            (n_b && bsearch(&content, b, n_b, sizeof *b, by_hash)))
            s->reason[i] = SIBLING_BY_ORDER;
    }
    EACH(free, a, b);
}

/* ---- renamed leaves */

struct leaf {
    uint64_t key; /* type and shape */
    uint32_t at;
    bool is_b;
};

typedef VEC(struct leaf) leaf_list;

COMPARE_BY_TWO(by_key, struct leaf, key, is_b)

/* Lists unpaired nodes of LIST below scopes that have no children. */
static void add_leaves(leaf_list *leaves, const struct sibling_list *list, bool is_b)
{
    for (uint32_t i = 0; i < list->n; i++) {
        const struct scope *s = sibling_at(list, i);

        if (list->partner[i] == SIBLING_NONE && s->child_begin == s->child_end &&
            s->node != NODE_NONE && s->parent != SCOPE_ROOT && !s->is_mirror)
            vec_push(leaves, ((struct leaf){hash_pair(list->f->type_of[s->node],
                                                      list->f->labels[s->from].shaped), i, is_b}));
    }
}

/* Pairs nodes with different names whose type and shape are unique among unpaired nodes. */
static void pair_unique(struct siblings *s)
{
    leaf_list leaves = {0};

    add_leaves(&leaves, &s->a, false);
    add_leaves(&leaves, &s->b, true);
    vec_sort(&leaves, by_key);
    for (size_t i = 0; i + 1 < leaves.n; i++) {
        const struct leaf *x = &leaves.data[i];

        if (x[0].key == x[1].key && !x[0].is_b && x[1].is_b && (!i || x[-1].key != x->key) &&
            (i + 2 == leaves.n || x[2].key != x->key))
            take(s, x[0].at, x[1].at, SIBLING_BY_CONTENT);
    }
    vec_done(&leaves);
}

/* Groups siblings that are connected by pairs of either assignment (union-find). */
void siblings_choose(struct siblings *s, const uint32_t *by_name, const uint32_t *by_content,
                     agreement *agree, const void *arg)
{
    const uint32_t n = s->a.n + s->b.n;
    uint32_t *group = xalloc_huge((size_t)n + 1, sizeof *group);
    int64_t *more = xcalloc((size_t)n + 1, sizeof *more); /* agreement by content less that by
                                                           * name */

    for (uint32_t i = 0; i < n; i++)
        group[i] = i;
    for (uint32_t i = 0; i < s->a.n; i++) {
        if (by_name[i] != SIBLING_NONE)
            unite(group, i, s->a.n + by_name[i]);
        if (by_content[i] != SIBLING_NONE)
            unite(group, i, s->a.n + by_content[i]);
    }
    for (uint32_t i = 0; i < s->a.n; i++) {
        if (by_name[i] != SIBLING_NONE)
            more[root_of(group, i)] -= agree(arg, i, by_name[i]);
        if (by_content[i] != SIBLING_NONE)
            more[root_of(group, i)] += agree(arg, i, by_content[i]);
    }
    for (uint32_t i = 0; i < s->a.n; i++) {
        const bool content = more[root_of(group, i)] > 0;
        const uint32_t b = content ? by_content[i] : by_name[i];

        if (b != SIBLING_NONE)
            take(s, i, b, b == by_name[i] ? SIBLING_BY_NAME : SIBLING_BY_CONTENT);
    }
    for (uint32_t i = 0; i < s->a.n; i++) { /* siblings that are left unpaired */
        if (by_content[i] != SIBLING_NONE)
            take(s, i, by_content[i], SIBLING_BY_CONTENT);
        if (by_name[i] != SIBLING_NONE)
            take(s, i, by_name[i], SIBLING_BY_NAME);
    }
    EACH(free, group, more);
    pair_unique(s);
    mark_ambiguous(s);
}
