/* match_tree.c: pairs scopes from the root down, and the nodes in them. */
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "match/matching.h"

/* Minimum similarity at which a pair by content has high confidence. */
static const double SURE_LEAST = 0.9;

/* Pairs of scopes whose children are still to be assigned. */
struct scope_pair {
    scope_id a, b;
    enum match_confidence confidence;
};

struct descent {
    struct matching *m;
    VEC(struct scope_pair) todo;
    scope_list a, b; /* children of the current pair */
    enum match_confidence confidence; /* of the current pair */
};

static bool same_full_name(const struct matching *m, node_id a, node_id b)
{
    const struct profile *x = m->a.p, *y = m->b.p;

    return text_equals(intern_string(&x->strings, x->name[a]), intern_string(&y->strings, y->name[b]));
}

static void join_nodes(struct descent *d, scope_id a, scope_id b, enum match_reason reason,
                       enum match_confidence confidence)
{
    struct matching *m = d->m;
    const node_id x = m->a.f.scopes.data[a].node, y = m->b.f.scopes.data[b].node;
    bool agrees;

    if (x == NODE_NONE || y == NODE_NONE || !both_free(m, x, y) || !same_type(m, x, y))
        return;
    agrees = m->a.f.labels[m->a.f.scopes.data[a].from].shaped ==
             m->b.f.labels[m->b.f.scopes.data[b].from].shaped;
    if (same_full_name(m, x, y))
        matching_join(m, x, y, MATCH_NAME, agrees ? MATCH_HIGH : MATCH_LOW);
    else
        matching_join(m, x, y, reason, agrees || confidence == MATCH_LOW ? confidence : MATCH_MEDIUM);
}

static void join_scopes(struct descent *d, scope_id a, scope_id b, enum match_reason reason,
                        enum match_confidence confidence)
{
    struct matching *m = d->m;

    m->a.scope_partner[a] = b;
    m->b.scope_partner[b] = a;
    confidence = confidence < d->confidence ? confidence : d->confidence;
    join_nodes(d, a, b, reason, confidence);
    if (forest_n_children(&m->a.f, a) && forest_n_children(&m->b.f, b))
        vec_push(&d->todo, ((struct scope_pair){a, b, confidence}));
}

/* Pairs the children of scopes with equal names, types and shapes by name. */
static void join_equal(struct descent *d, scope_id a, scope_id b)
{
    const struct forest *x = &d->m->a.f, *y = &d->m->b.f;
    uint32_t at = y->scopes.data[b].child_begin;

    for (uint32_t i = x->scopes.data[a].child_begin; i < x->scopes.data[a].child_end; i++) {
        const uint64_t name = x->scopes.data[x->children[i]].name;
        scope_id other = at < y->scopes.data[b].child_end ? y->children[at] : SCOPE_NONE;

        at++;
        if (other == SCOPE_NONE || y->scopes.data[other].name != name)
            other = forest_child(y, b, name);
        if (other != SCOPE_NONE)
            join_scopes(d, x->children[i], other, MATCH_SCOPE, MATCH_HIGH);
    }
}

/* True for scopes with automatic numbers outside of any unit; only their inputs identify them. */
static bool is_deferred(const struct forest *f, scope_id scope)
{
    const struct scope *s = &f->scopes.data[scope];
    const struct scope *parent = &f->scopes.data[s->parent];

    if (!parent->is_mirror_root || s->child_begin != s->child_end || s->node == NODE_NONE)
        return false;
    for (uint32_t i = parent->child_begin; i < parent->child_end; i++) {
        const struct scope *other = &f->scopes.data[f->children[i]];

        if (other->canonical == s->canonical && other->number != NUMBER_NONE && f->p->input_begin[s->node] != f->p->input_begin[s->node + 1])
            return true;
        if (i - parent->child_begin > 4096)
            break;
    }
    return false;
}

static void list_children(const struct side *side, scope_id scope, scope_list *list)
{
    const struct forest *f = &side->f;

    list->n = 0;
    for (uint32_t i = f->scopes.data[scope].child_begin; i < f->scopes.data[scope].child_end; i++)
        if (forest_size(f, f->children[i]) && !is_deferred(f, f->children[i]) &&
            side->scope_partner[f->children[i]] == SCOPE_NONE)
            vec_push(list, f->children[i]);
}

static void join_siblings(struct descent *d, const struct siblings *s)
{
    for (uint32_t i = 0; i < s->a.n; i++) {
        const bool is_sure = (double)s->similarity[i] >= SURE_LEAST;

        if (s->a.partner[i] == SIBLING_NONE)
            continue;
        if (s->reason[i] == SIBLING_BY_NAME)
            join_scopes(d, s->a.scopes[i], s->b.scopes[s->a.partner[i]], MATCH_SCOPE, MATCH_HIGH);
        else if (s->reason[i] == SIBLING_BY_ORDER)
            join_scopes(d, s->a.scopes[i], s->b.scopes[s->a.partner[i]], MATCH_ORDER, MATCH_LOW);
        else
            join_scopes(d, s->a.scopes[i], s->b.scopes[s->a.partner[i]], MATCH_STRUCTURE,
                        is_sure ? MATCH_HIGH : MATCH_MEDIUM);
    }
}

/* Pairs scopes that contain given pairs, and removes them from the lists. */
static void join_given_scopes(struct descent *d)
{
    size_t n = 0;

    if (!d->m->given.n)
        return;
    for (size_t i = 0; i < d->a.n; i++) {
        const uint32_t at = match_given_scope(d->m, d->a.data[i], &d->b);

        if (at == SIBLING_NONE) {
            d->a.data[n++] = d->a.data[i];
            continue;
        }
        join_scopes(d, d->a.data[i], d->b.data[at], MATCH_SCOPE, MATCH_HIGH);
        memmove(d->b.data + at, d->b.data + at + 1, (--d->b.n - at) * sizeof *d->b.data);
    }
    d->a.n = n;
}

static void assign_children(struct descent *d, scope_id a, scope_id b)
{
    struct siblings s = {.cancel = d->m->cancel};

    list_children(&d->m->a, a, &d->a);
    list_children(&d->m->b, b, &d->b);
    join_given_scopes(d);
    match_wrappers(d->m, &d->a, &d->b);
    join_given_scopes(d);
    if (!d->a.n || !d->b.n)
        return;
    siblings_sort_equal(&d->m->a.f, &d->a);
    siblings_sort_equal(&d->m->b.f, &d->b);
    s.a = (struct sibling_list){.f = &d->m->a.f, .scopes = d->a.data, .n = (uint32_t)d->a.n};
    s.b = (struct sibling_list){.f = &d->m->b.f, .scopes = d->b.data, .n = (uint32_t)d->b.n};
    s.a.partner = xalloc_huge(d->a.n, sizeof *s.a.partner);
    s.b.partner = xalloc_huge(d->b.n, sizeof *s.b.partner);
    memset(s.a.partner, 0xff, d->a.n * sizeof *s.a.partner);
    memset(s.b.partner, 0xff, d->b.n * sizeof *s.b.partner);
    s.reason = xcalloc(d->a.n, sizeof *s.reason);
    s.similarity = xcalloc(d->a.n, sizeof *s.similarity);
    siblings_assign(&s);
    join_siblings(d, &s);
    EACH(free, s.a.partner, s.b.partner, s.reason, s.similarity);
}

void match_tree(struct matching *m)
{
    struct descent d = {.m = m};

    d.confidence = MATCH_HIGH;
    join_scopes(&d, SCOPE_ROOT, SCOPE_ROOT, MATCH_SCOPE, MATCH_HIGH);
    for (size_t i = 0; i < d.todo.n && !cancel_asked(m->cancel); i++) {
        const struct scope_pair pair = d.todo.data[i];

        d.confidence = pair.confidence;
        if (m->a.f.scopes.data[pair.a].exact == m->b.f.scopes.data[pair.b].exact)
            join_equal(&d, pair.a, pair.b);
        else
            assign_children(&d, pair.a, pair.b);
    }
    EACH(vec_done, &d.todo, &d.a, &d.b);
}
