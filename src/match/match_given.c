/* match_given.c: pairs by the rules of the user (-rename), which come before all other evidence. */

#include "base/strbuf.h"
#include "base/xalloc.h"
#include "match/matching.h"

/* Votes that are counted for one scope. */
enum { VOTES_MOST = 15 };

static void join_by_rule(struct matching *m, bool a_is_base, node_id base, node_id now,
                       struct renames *renames)
{
    const node_id a = a_is_base ? base : now, b = a_is_base ? now : base;

    if (!both_free(m, a, b))
        return;
    renames_count_pair(renames, !same_type(m, a, b));
    matching_join(m, a, b, MATCH_GIVEN, MATCH_HIGH);
}

/* Positions of given pairs in the sequence of side A, to find those below a scope. */
static void list_given(struct matching *m)
{
    m->given_before = xalloc_huge((size_t)m->a.p->n_nodes + 1, sizeof *m->given_before);
    for (uint32_t i = 0; i < m->a.p->n_nodes; i++) {
        m->given_before[i] = (uint32_t)m->given.n;
        if (m->a.partner[m->a.f.sequence[i]] != NODE_NONE)
            vec_push(&m->given, i);
    }
    m->given_before[m->a.p->n_nodes] = (uint32_t)m->given.n;
}

void match_given(struct matching *m, struct renames *renames, bool a_is_base)
{
    const struct profile *base = a_is_base ? m->a.p : m->b.p, *now = a_is_base ? m->b.p : m->a.p;
    struct strbuf name = {0};

    renames_restart(renames);
    for (node_id node = 0; node < base->n_nodes; node++) {
        const struct text old = intern_string(&base->strings, base->name[node]);
        node_id found;

        if (node % 4096 == 0 && cancel_asked(m->cancel))
            break;
        if (!renames_apply(renames, old, &name))
            continue;
        found = profile_find(now, sb_text(&name), name.len);
        if (found != NODE_NONE)
            join_by_rule(m, a_is_base, node, found, renames);
    }
    sb_done(&name);
    if (m->n_pairs)
        list_given(m);
}

/* The scope of LIST that contains NODE of side B, or SIBLING_NONE. */
static uint32_t find_scope_of(const struct matching *m, const scope_list *list, node_id node)
{
    const uint32_t at = m->b.f.scopes.data[m->b.f.scope_of[node]].from;

    for (uint32_t i = 0; i < list->n; i++) {
        const struct scope *s = &m->b.f.scopes.data[list->data[i]];

        if (s->from <= at && at < s->to)
            return i;
    }
    return SIBLING_NONE;
}

uint32_t match_given_scope(const struct matching *m, scope_id a, const scope_list *b)
{
    const struct scope *s = &m->a.f.scopes.data[a];
    uint32_t from, n, winner = SIBLING_NONE, votes = 0;

    if (!m->given.n)
        return SIBLING_NONE;
    from = m->given_before[s->from];
    n = m->given_before[s->to] - from;
    for (uint32_t i = 0; i < n && i < VOTES_MOST; i++) { /* majority vote (Boyer-Moore) */
        const uint32_t at = m->given.data[from + (uint32_t)((uint64_t)i * n / (n < VOTES_MOST ? n : VOTES_MOST))];
        const uint32_t holder = find_scope_of(m, b, m->a.partner[m->a.f.sequence[at]]);

        if (!votes)
            winner = holder;
        votes += holder == winner ? 1 : UINT32_MAX;
    }
    return winner;
}
