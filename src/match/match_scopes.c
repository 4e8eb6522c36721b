/* match_scopes.c: matches nodes by renamed scopes, which are inferred from other pairs. */
#include <string.h>

#include "base/slots.h"
#include "match/canonical.h"
#include "match/pairs_priv.h"

/* A scope's name in base and in now, elected by majority vote (Boyer-Moore). */
struct renamed {
    struct text base, now;
    uint32_t votes;
};

struct scopes {
    /* sure pairs differ in trailing numbers, so equal numbers within a scope are no evidence */
    bool numbers_move;
    VEC(struct renamed) list;
    struct slots index;
};

static bool same_text(struct text a, struct text b)
{
    return a.len == b.len && memcmp(a.bytes, b.bytes, a.len) == 0;
}

static struct renamed *find(const struct scopes *s, struct text base)
{
    size_t probe = slots_find(&s->index, hash_bytes(base.bytes, base.len));
    uint32_t i;

    while ((i = slots_next(&s->index, &probe)) != SLOTS_NONE)
        if (same_text(s->list.data[i].base, base))
            return &s->list.data[i];
    return NULL;
}

static void vote(struct scopes *s, struct text base, struct text now)
{
    struct renamed *at = find(s, base);

    if (!at) {
        slots_add(&s->index, hash_bytes(base.bytes, base.len), (uint32_t)s->list.n);
        vec_push(&s->list, ((struct renamed){base, now, 1}));
    } else if (same_text(at->now, now)) {
        at->votes += at->votes < UINT32_MAX;
    } else if (!at->votes--) {
        *at = (struct renamed){base, now, 1};
    }
}

static bool same_leaf(struct text a, struct text b)
{
    while (a.len && b.len && a.bytes[a.len - 1] == b.bytes[b.len - 1]) {
        if (a.bytes[a.len - 1] == '/')
            return true;
        a.len--;
        b.len--;
    }
    return !a.len && !b.len;
}

/* Votes for the scopes of two names that end in the same components. */
static void vote_for(struct scopes *s, struct text base, struct text now)
{
    uint32_t same = 0;

    for (uint32_t i = 1; i <= base.len && i <= now.len; i++) {
        const char c = base.bytes[base.len - i];

        if (c != now.bytes[now.len - i])
            break;
        if (c == '/')
            same = i;
    }
    if (same_text(base, now)) { /* the enclosing scope */
        const char *slash = memrchr(base.bytes, '/', base.len);

        same = slash ? (uint32_t)(base.bytes + base.len - slash) : 0;
    }
    if (same && same < base.len && same < now.len)
        vote(s, (struct text){base.bytes, base.len - same}, (struct text){now.bytes, now.len - same});
}

static bool is_numbered(struct text name)
{
    return name.len && name.bytes[name.len - 1] >= '0' && name.bytes[name.len - 1] <= '9';
}

/* The node of now that NODE corresponds to by the longest renamed scope of its name; NODE_NONE:
 * none. */
static node_id node_by_scope(const struct matching *m, const struct scopes *s, node_id node,
                             struct strbuf *name)
{
    const struct text base = node_name(m->pairs->base, node);

    for (uint32_t len = s->numbers_move && is_numbered(base) ? 0 : base.len; len-- > 1;) {
        const struct renamed *r;
        node_id now;

        if (base.bytes[len] != '/' || !(r = find(s, (struct text){base.bytes, len})))
            continue;
        sb_clear(name);
        sb_add(name, r->now.bytes, r->now.len);
        sb_add(name, base.bytes + len, base.len - len);
        now = profile_find(m->pairs->now, sb_text(name), name->len);
        return now != NODE_NONE && same_op(m, node, now) ? now : NODE_NONE;
    }
    return NODE_NONE;
}

/* Separates doubtful pairs of NODE and of the node that scopes suggest instead. */
static void separate_doubtful(struct matching *m, const struct scopes *s, node_id node,
                              struct strbuf *name)
{
    const node_id joined = m->pairs->now_of[node], now = node_by_scope(m, s, node, name);

    if (now == NODE_NONE || now == joined)
        return;
    if (joined != NODE_NONE && !is_doubtful(m, joined))
        return;
    if (m->pairs->base_of[now] != NODE_NONE && !is_doubtful(m, now))
        return;
    if (joined != NODE_NONE)
        pairs_separate(m, node);
    if (m->pairs->base_of[now] != NODE_NONE)
        pairs_separate(m, m->pairs->base_of[now]);
}

/* Collects the votes of all sure pairs. */
static void collect_votes(const struct matching *m, struct scopes *s)
{
    const struct pairs *pairs = m->pairs;
    uint32_t n = 0;

    for (node_id node = 0; node < pairs->now->n_nodes; node++)
        n += m->is_sure[node];
    slots_init(&s->index, n);
    for (node_id node = 0; node < pairs->now->n_nodes; node++)
        if (m->is_sure[node]) {
            const struct text base = node_name(pairs->base, pairs->base_of[node]);
            const struct text now = node_name(pairs->now, node);

            vote_for(s, base, now);
            s->numbers_move = s->numbers_move || (is_numbered(base) && !same_leaf(base, now));
        }
}

void match_scopes(struct matching *m)
{
    const struct pairs *pairs = m->pairs;
    struct scopes s = {.list = {0}};
    struct strbuf name = {0};

    collect_votes(m, &s);
    for (node_id node = 0; m->n_parted && node < pairs->base->n_nodes; node++)
        separate_doubtful(m, &s, node, &name);
    for (node_id node = 0; node < pairs->base->n_nodes; node++) {
        const node_id now =
            pairs->now_of[node] == NODE_NONE ? node_by_scope(m, &s, node, &name) : NODE_NONE;

        if (now != NODE_NONE && both_free(m, node, now))
            pairs_join(m, node, now, MATCH_SCOPE);
    }
    sb_done(&name);
    slots_done(&s.index);
    vec_done(&s.list);
}
