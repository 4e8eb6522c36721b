/* pairs.c: matches the nodes of two profiles. */
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/xalloc.h"
#include "match/canonical.h"
#include "match/pairs_priv.h"
#include "match/text_order.h"

static node_id *new_partners(uint32_t n)
{
    node_id *partners = xalloc_huge((size_t)n + 1, sizeof *partners);

    memset(partners, 0xff, n * sizeof *partners);
    return partners;
}

void pairs_join(struct matching *m, node_id base, node_id now, enum match_reason reason)
{
    struct pairs *pairs = m->pairs;

    pairs->now_of[base] = now;
    pairs->base_of[now] = base;
    pairs->reason[now] = (uint8_t)reason;
    m->is_sure[now] = reason != MATCH_NAME;
    vec_push(&m->fresh, now);
}

void pairs_separate(struct matching *m, node_id base)
{
    struct pairs *pairs = m->pairs;
    const node_id now = pairs->now_of[base];

    pairs->now_of[base] = pairs->base_of[now] = NODE_NONE;
    pairs->reason[now] = MATCH_NONE;
    m->is_sure[now] = 0;
}

/* Merge join: both profiles have their nodes in name order. */
static void match_names(struct matching *m)
{
    const struct profile *base = m->pairs->base, *now = m->pairs->now;

    for (uint32_t b = 0, n = 0; b < base->n_nodes && n < now->n_nodes;) {
        const node_id old = base->by_name[b], new = now->by_name[n];
        const int order = text_order(base, base->name[old], now, now->name[new]);

        if (order == 0 && both_free(m, old, new) && same_op(m, old, new))
            pairs_join(m, old, new, MATCH_NAME);
        b += order <= 0;
        n += order >= 0;
    }
}

static void match_renamed(struct matching *m, struct renames *renames, struct cancel_mark cancel)
{
    const struct profile *base = m->pairs->base;
    struct strbuf name = {0};

    for (node_id node = 0; node < base->n_nodes; node++) {
        node_id now;

        if (node % 4096 == 0 && cancel_asked(cancel))
            break;
        if (m->pairs->now_of[node] != NODE_NONE ||
            !renames_apply(renames, node_name(base, node), &name))
            continue;
        now = profile_find(m->pairs->now, sb_text(&name), name.len);
        if (now != NODE_NONE && both_free(m, node, now) && same_op(m, node, now))
            pairs_join(m, node, now, MATCH_RENAME);
    }
    sb_done(&name);
}

/* By string of P: id of the same string in NOW, else a number that is unused. */
static uint32_t *number_ops(const struct profile *p, const struct profile *now)
{
    uint32_t *op_of = xalloc_huge(p->strings.n + 1, sizeof *op_of);

    memset(op_of, 0xff, p->strings.n * sizeof *op_of);
    for (node_id node = 0; node < p->n_nodes; node++) {
        const strid op = p->op[node];

        if (p == now)
            op_of[op] = op;
        else if (op_of[op] == STRID_NONE)
            op_of[op] = intern_find(&now->strings, profile_text(p, op),
                                    intern_len(&p->strings, op));
    }
    return op_of;
}

static uint64_t *number_leaves(const struct profile *p)
{
    uint64_t *leaf_of = xalloc_huge((size_t)p->n_nodes + 1, sizeof *leaf_of);
    struct strbuf canonical = {0};

    for (node_id node = 0; node < p->n_nodes; node++) {
        struct text name = node_name(p, node);
        const char *slash = memrchr(name.bytes, '/', name.len);

        if (slash) {
            name.len -= (uint32_t)(slash + 1 - name.bytes);
            name.bytes = slash + 1;
        }
        sb_clear(&canonical);
        canonical_add(&canonical, name);
        leaf_of[node] = hash_bytes(sb_text(&canonical), canonical.len);
    }
    sb_done(&canonical);
    return leaf_of;
}

/* True when the inputs of both nodes are pairs as well; equal names are then sufficient. */
static bool is_consistent(const struct pairs *pairs, node_id base, node_id now)
{
    const struct profile *b = pairs->base, *n = pairs->now;
    const uint32_t from_base = b->input_begin[base], from_now = n->input_begin[now];
    const uint32_t count = n->input_begin[now + 1] - from_now;

    if (b->input_begin[base + 1] - from_base != count)
        return false;
    for (uint32_t i = 0; i < count; i++) {
        const struct node_input *old = &b->inputs[from_base + i], *new = &n->inputs[from_now + i];
        const node_id source = new->source == NODE_NONE ? NODE_NONE : pairs->base_of[new->source];

        if (old->source != source || old->own_index != new->own_index)
            return false;
    }
    return true;
}

static bool names_say_all(const struct pairs *pairs)
{
    if (pairs->base->n_nodes != pairs->now->n_nodes)
        return false;
    for (node_id now = 0; now < pairs->now->n_nodes; now++)
        if (pairs->base_of[now] == NODE_NONE || !is_consistent(pairs, pairs->base_of[now], now))
            return false;
    return true;
}

/* True when both sides have unmatched nodes. */
static bool any_free(const struct pairs *pairs)
{
    node_id base = 0, now = 0;

    while (base < pairs->base->n_nodes && pairs->now_of[base] != NODE_NONE)
        base++;
    while (now < pairs->now->n_nodes && pairs->base_of[now] != NODE_NONE)
        now++;
    return base < pairs->base->n_nodes && now < pairs->now->n_nodes;
}

static void match_exact_structure(struct matching *m)
{
    match_structure(m, true);
}

static void match_structure_of_free(struct matching *m)
{
    if (any_free(m->pairs))
        match_structure(m, false);
}

static void match_alike_of_free(struct matching *m)
{
    if (any_free(m->pairs))
        match_names_alike(m);
}

/* Strongest evidence first; each new pair is used to match its neighbours. */
static void match_by_evidence(struct matching *m, struct cancel_mark cancel)
{
    static void (*const steps[])(struct matching *) = {
        match_exact_structure, match_structure_of_free, match_scopes, match_neighbours,
        match_alike_of_free,   match_scopes,            match_neighbours,
        match_names, /* restores separated pairs for which no better match was found */
    };

    structure_init(&m->base, m->pairs->base, m->op_of_base);
    structure_init(&m->now, m->pairs->now, m->op_of_now);
    m->leaf_of_base = number_leaves(m->pairs->base);
    m->leaf_of_now = number_leaves(m->pairs->now);
    for (size_t i = 0; i < sizeof steps / sizeof *steps && !cancel_asked(cancel); i++)
        steps[i](m);
    structure_done(&m->base);
    structure_done(&m->now);
    free(m->leaf_of_base);
    free(m->leaf_of_now);
}

void pairs_make(struct pairs *pairs, const struct profile *base, const struct profile *now,
                struct renames *renames, struct cancel_mark cancel)
{
    struct matching m = {.pairs = pairs};

    *pairs = (struct pairs){.base = base,
                            .now = now,
                            .now_of = new_partners(base->n_nodes),
                            .base_of = new_partners(now->n_nodes),
                            .reason = xcalloc((size_t)now->n_nodes + 1, 1)};
    m.op_of_base = number_ops(base, now);
    m.op_of_now = number_ops(now, now);
    m.is_sure = xcalloc((size_t)now->n_nodes + 1, 1);
    match_names(&m);
    if (renames && !cancel_asked(cancel))
        match_renamed(&m, renames, cancel);
    if (!cancel_asked(cancel) && !names_say_all(pairs))
        match_by_evidence(&m, cancel);
    free(m.op_of_base);
    free(m.op_of_now);
    free(m.is_sure);
    vec_done(&m.fresh);
}

const char *const match_reasons[MATCH_REASONS] = {
    [MATCH_NONE] = "",
    [MATCH_NAME] = "name",
    [MATCH_RENAME] = "rename",
    [MATCH_STRUCTURE] = "structure",
    [MATCH_NEIGHBOURS] = "neighbours",
    [MATCH_CODE] = "code",
    [MATCH_SUFFIX] = "suffix",
    [MATCH_SCOPE] = "scope",
};

const char *const match_evidence[MATCH_REASONS] = {
    [MATCH_NONE] = "",
    [MATCH_NAME] = "both have this name and this operation type",
    [MATCH_RENAME] = "a rule of -rename makes the one name of the other",
    [MATCH_STRUCTURE] = "all that it is made of, all that is made of it, and what lies beside it is "
                        "the same, and no other node of either side has that",
    [MATCH_NEIGHBOURS] = "it stands at the same place beside nodes that are matched",
    [MATCH_CODE] = "they alone have this call stack, type and shape",
    [MATCH_SUFFIX] = "their names are alike but for numbers and decorations, and they stand in the "
                     "same order",
    [MATCH_SCOPE] = "other nodes of its scope are matched with nodes of that scope",
};

void pairs_done(struct pairs *pairs)
{
    free(pairs->now_of);
    free(pairs->base_of);
    free(pairs->reason);
    memset(pairs, 0, sizeof *pairs);
}

struct pairs_change pairs_compare(const struct pairs *before, const struct pairs *after)
{
    struct pairs_change change = {.n_matched = 0};

    for (node_id now = 0; now < after->now->n_nodes; now++) {
        const node_id was = before->base_of[now], is = after->base_of[now];

        change.n_matched += is != NODE_NONE;
        change.n_won += was == NODE_NONE && is != NODE_NONE;
        change.n_lost += was != NODE_NONE && is == NODE_NONE;
        change.n_other += was != NODE_NONE && is != NODE_NONE && was != is;
    }
    return change;
}
