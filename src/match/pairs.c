/* pairs.c: matches the nodes of two profiles. */
#include "match/pairs.h"

#include <stdlib.h>
#include <string.h>

#include "base/system/thread.h"
#include "base/xalloc.h"
#include "match/matching.h"
#include "match/text_order.h"

/* Mirror scopes are moved unless the sides' shares of them differ by more than this factor. */
enum { MIRRORED_RATIO = 4 };

static node_id *new_partners(size_t n)
{
    node_id *partners = xalloc_huge(n + 1, sizeof *partners);

    memset(partners, 0xff, (n + 1) * sizeof *partners);
    return partners;
}

void matching_join(struct matching *m, node_id a, node_id b, enum match_reason reason,
                   enum match_confidence confidence)
{
    m->a.partner[a] = b;
    m->b.partner[b] = a;
    m->reason[a] = (uint8_t)reason;
    m->confidence[a] = (uint8_t)confidence;
    m->n_pairs++;
    vec_push(&m->fresh, a);
}

static bool lists_agree(const struct matching *m, const dim_list *x, const dim_list *y)
{
    if (!x->n || !y->n || m->a.p->n_parts || m->b.p->n_parts)
        return true;
    if (x->n != y->n)
        return false;
    for (size_t i = 0; i < x->n; i++)
        if (x->data[i] != y->data[i] && x->data[i] != -1 && y->data[i] != -1 &&
            sizes_of(&m->sizes, x->data[i]) != sizes_of(&m->sizes, y->data[i]))
            return false;
    return true;
}

bool matching_shapes_agree(const struct matching *m, node_id a, node_id b)
{
    dim_list x = {0}, y = {0};
    bool agree;

    shapes_of_node(m->a.p, a, &x);
    shapes_of_node(m->b.p, b, &y);
    agree = lists_agree(m, &x, &y);
    EACH(vec_done, &x, &y);
    return agree;
}

/* ---- one round */

static void side_init(struct side *side, const struct profile *p, bool moves)
{
    *side = (struct side){.p = p};
    forest_init(&side->f, p, moves);
    side->partner = new_partners(p->n_nodes);
    side->scope_partner = new_partners(side->f.scopes.n);
}

static void side_done(struct side *side)
{
    forest_done(&side->f);
    EACH(free, side->partner, side->scope_partner, side->consumer_begin, side->consumers,
         side->node_of_input);
}

/* A side to be prepared on its own thread. */
struct preparation {
    struct side *side;
    const struct profile *p;
    const struct sizes *sizes;
    bool moves, with_shapes;
};

static void *prepare_side(void *arg)
{
    const struct preparation *of = arg;

    side_init(of->side, of->p, of->moves);
    return NULL;
}

static void *label_side(void *arg)
{
    const struct preparation *of = arg;

    forest_label(&of->side->f, of->sizes, of->with_shapes);
    return NULL;
}

/* Runs STEP for both sides at the same time, if there are two threads. */
static void run_both(void *(*step)(void *), struct preparation *a, struct preparation *b)
{
    pthread_t thread;

    if (thread_count() > 1 && !thread_start(&thread, "match", step, b)) {
        step(a);
        pthread_join(thread, NULL);
    } else {
        step(a);
        step(b);
    }
}

static void prepare_sides(struct matching *m, const struct profile *a, const struct profile *b, bool moves)
{
    struct preparation of_a = {&m->a, a, NULL, moves, false}, of_b = {&m->b, b, NULL, moves, false};

    run_both(prepare_side, &of_a, &of_b);
}

/* Prepares both sides. Mirror scopes are moved if both sides have about as many. */
static void sides_init(struct matching *m, const struct profile *a, const struct profile *b)
{
    double shares[2];

    prepare_sides(m, a, b, true);
    shares[0] = (double)m->a.f.n_mirrored / (a->n_nodes + 1.0);
    shares[1] = (double)m->b.f.n_mirrored / (b->n_nodes + 1.0);
    if (shares[0] <= MIRRORED_RATIO * shares[1] && shares[1] <= MIRRORED_RATIO * shares[0])
        return;
    EACH(side_done, &m->a, &m->b);
    prepare_sides(m, a, b, false);
}

static void forget_pairs(struct matching *m)
{
    memset(m->a.partner, 0xff, m->a.p->n_nodes * sizeof *m->a.partner);
    memset(m->b.partner, 0xff, m->b.p->n_nodes * sizeof *m->b.partner);
    memset(m->a.scope_partner, 0xff, m->a.f.scopes.n * sizeof *m->a.scope_partner);
    memset(m->b.scope_partner, 0xff, m->b.f.scopes.n * sizeof *m->b.scope_partner);
    memset(m->reason, 0, m->a.p->n_nodes);
    free(m->given_before);
    m->given_before = NULL;
    m->n_pairs = 0;
    m->fresh.n = m->given.n = 0;
}

static double shaped_share(const struct side *side)
{
    return side->f.n_shaped / (side->p->n_nodes + 1.0);
}

/* Labels both sides. Shapes are part of labels if both sides have about as many. */
static void label_sides(struct matching *m)
{
    struct preparation a = {&m->a, NULL, &m->sizes, false, true}, b = {&m->b, NULL, &m->sizes, false, true};

    run_both(label_side, &a, &b);
    if (2 * shaped_share(&m->a) >= shaped_share(&m->b) && 2 * shaped_share(&m->b) >= shaped_share(&m->a))
        return;
    a.with_shapes = b.with_shapes = false;
    run_both(label_side, &a, &b);
}

static void run_stages(struct matching *m, struct renames *renames, bool a_is_base)
{
    label_sides(m);
    if (renames)
        match_given(m, renames, a_is_base);
    match_tree(m);
    match_neighbours(m);
    match_remaining(m);
}

/* Finds sizes that were replaced in the pairs so far. False: none. */
static bool find_sizes(struct matching *m)
{
    struct size_votes *votes = size_votes_new();
    dim_list x = {0}, y = {0};

    for (node_id a = 0; a < m->a.p->n_nodes; a++) {
        if (m->a.partner[a] == NODE_NONE)
            continue;
        shapes_of_node(m->a.p, a, &x);
        shapes_of_node(m->b.p, m->a.partner[a], &y);
        size_votes_add(votes, &x, &y);
    }
    size_votes_accept(votes, &m->sizes);
    EACH(vec_done, &x, &y);
    return m->sizes.list.n > 0;
}

/* True when every node has a partner of the same name; replaced sizes then add nothing. */
static bool all_names_match(const struct matching *m)
{
    if (m->n_pairs != m->a.p->n_nodes || m->n_pairs != m->b.p->n_nodes)
        return false;
    for (node_id a = 0; a < m->a.p->n_nodes; a++)
        if (m->reason[a] != MATCH_NAME)
            return false;
    return true;
}

/* ---- order of the sides */

static int shape_order(const struct profile *x, node_id a, const struct profile *y, node_id b)
{
    dim_list p = {0}, q = {0};
    int order;

    shapes_of_node(x, a, &p);
    shapes_of_node(y, b, &q);
    order = p.n != q.n ? (p.n < q.n ? -1 : 1) : 0;
    for (size_t i = 0; i < p.n && !order; i++)
        order = (p.data[i] > q.data[i]) - (p.data[i] < q.data[i]);
    EACH(vec_done, &p, &q);
    return order;
}

/* Orders two profiles by size, names, types and shapes; 0 if matching cannot distinguish them. */
static int profile_order(const struct profile *x, const struct profile *y)
{
    int order = 0;

    if (x->n_nodes != y->n_nodes)
        return x->n_nodes < y->n_nodes ? -1 : 1;
    for (uint32_t i = 0; i < x->n_nodes && !order; i++)
        order = text_order(x, x->name[x->by_name[i]], y, y->name[y->by_name[i]]);
    for (uint32_t i = 0; i < x->n_nodes && !order; i++) {
        order = text_order(x, x->op[x->by_name[i]], y, y->op[y->by_name[i]]);
        order = order ? order : shape_order(x, x->by_name[i], y, y->by_name[i]);
    }
    return order;
}

static void store_pairs(struct pairs *pairs, const struct matching *m, bool a_is_base)
{
    for (node_id a = 0; a < m->a.p->n_nodes; a++) {
        const node_id b = m->a.partner[a];
        const node_id base = a_is_base ? a : b, now = a_is_base ? b : a;

        if (b == NODE_NONE)
            continue;
        pairs->now_of[base] = now;
        pairs->base_of[now] = base;
        pairs->reason[now] = m->reason[a];
        pairs->confidence[now] = m->confidence[a];
    }
}

void pairs_make(struct pairs *pairs, const struct profile *base, const struct profile *now,
                struct renames *renames, struct cancel_mark cancel)
{
    const bool a_is_base = profile_order(base, now) <= 0;
    struct matching m = {.cancel = cancel};

    *pairs = (struct pairs){.base = base, .now = now, .now_of = new_partners(base->n_nodes),
                            .base_of = new_partners(now->n_nodes),
                            .reason = xcalloc((size_t)now->n_nodes + 1, 1),
                            .confidence = xcalloc((size_t)now->n_nodes + 1, 1)};
    sides_init(&m, a_is_base ? base : now, a_is_base ? now : base);
    m.reason = xcalloc((size_t)m.a.p->n_nodes + 1, 1);
    m.confidence = xcalloc((size_t)m.a.p->n_nodes + 1, 1);
    run_stages(&m, renames, a_is_base);
    if (!cancel_asked(cancel) && !all_names_match(&m) && find_sizes(&m)) {
        forget_pairs(&m);
        run_stages(&m, renames, a_is_base);
    }
    store_pairs(pairs, &m, a_is_base);
    EACH(side_done, &m.a, &m.b);
    EACH(free, m.reason, m.confidence);
    EACH(vec_done, &m.fresh, &m.given);
    free(m.given_before);
    vec_done(&m.sizes.list);
}

const char *const match_reasons[MATCH_REASONS] = {
    [MATCH_NONE] = "", [MATCH_NAME] = "name", [MATCH_GIVEN] = "given", [MATCH_RENAME] = "rename",
    [MATCH_SCOPE] = "scope", [MATCH_STRUCTURE] = "structure", [MATCH_NEIGHBOURS] = "neighbours",
    [MATCH_ORDER] = "order", [MATCH_LINES] = "lines",
};

const char *const match_confidences[] = {
    [MATCH_LOW] = "low", [MATCH_MEDIUM] = "medium", [MATCH_HIGH] = "high",
};

const char *const match_evidence[MATCH_REASONS] = {
    [MATCH_NONE] = "", [MATCH_NAME] = "both have this name and this operation type",
    [MATCH_GIVEN] = "a rule of -rename maps one name to the other",
    [MATCH_RENAME] = "names of many matched nodes changed in this way",
    [MATCH_SCOPE] = "it has the same name within matched scopes",
    [MATCH_STRUCTURE] = "it corresponds by types, shapes and order to this sibling",
    [MATCH_NEIGHBOURS] = "its neighbours are matched, and its position is the same",
    [MATCH_ORDER] = "matched by order alone among equal siblings",
    [MATCH_LINES] = "only line numbers differ",
};

bool pairs_shapes_are_equal(const struct pairs *pairs, node_id now)
{
    dim_list x = {0}, y = {0};
    bool equal;

    shapes_of_node(pairs->base, pairs->base_of[now], &x);
    shapes_of_node(pairs->now, now, &y);
    equal = !x.n || !y.n || (x.n == y.n && memcmp(x.data, y.data, x.n * sizeof *x.data) == 0);
    EACH(vec_done, &x, &y);
    return equal;
}

void pairs_done(struct pairs *pairs)
{
    EACH(free, pairs->now_of, pairs->base_of, pairs->reason, pairs->confidence, pairs->rule_of);
    for (size_t i = 0; i < pairs->rules.n; i++)
        EACH(free, pairs->rules.data[i].rename, pairs->rules.data[i].words);
    vec_done(&pairs->rules);
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

/* ---- pairs nodes that scopes and neighbours leave */

/* True when the enclosing scopes allow a pair: they are partners, or one has no partner. */
static bool scopes_allow(const struct matching *m, node_id a, node_id b)
{
    const scope_id x = m->a.f.scopes.data[m->a.f.scope_of[a]].parent;
    const scope_id y = m->b.f.scopes.data[m->b.f.scope_of[b]].parent;

    return m->a.scope_partner[x] == y || (m->a.scope_partner[x] == SCOPE_NONE && m->b.scope_partner[y] == SCOPE_NONE);
}

/* Pairs free nodes of equal names by a merge join. */
static void match_names(struct matching *m)
{
    const struct profile *x = m->a.p, *y = m->b.p;

    for (uint32_t i = 0, k = 0; i < x->n_nodes && k < y->n_nodes;) {
        const node_id a = x->by_name[i], b = y->by_name[k];
        const int order = text_order(x, x->name[a], y, y->name[b]);

        if (order == 0 && both_free(m, a, b) && same_type(m, a, b) && matching_shapes_agree(m, a, b) &&
            scopes_allow(m, a, b) && !matching_inputs_contradict(m, a, b))
            matching_join(m, a, b, MATCH_NAME, MATCH_LOW);
        i += order <= 0;
        k += order >= 0;
    }
}

void match_remaining(struct matching *m)
{
    if (m->n_pairs == m->a.p->n_nodes || m->n_pairs == m->b.p->n_nodes)
        return;
    match_names(m);
    match_neighbours(m);
}
