/* match_names.c: matches nodes whose names differ in numbers and decorations only. */
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "match/canonical.h"
#include "match/pairs_priv.h"

/* An unmatched node and its key. */
struct candidate {
    uint64_t key;
    struct text name;
    node_id node;
    bool is_now;
};

typedef VEC(struct candidate) candidate_list;

static int by_key(const void *a, const void *b)
{
    const struct candidate *x = a, *y = b;
    int order;

    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    if (x->is_now != y->is_now)
        return x->is_now ? 1 : -1;
    order = canonical_order(x->name, y->name);
    return order ? order : (x->node > y->node) - (x->node < y->node);
}

/* What else must agree for nodes with equal canonical names. */
enum name_pass { BY_CODE, BY_NAME_AND_SHAPE, BY_NAME, NAME_PASSES };

static const enum match_reason reasons[NAME_PASSES] = {
    [BY_CODE] = MATCH_CODE,
    [BY_NAME_AND_SHAPE] = MATCH_SUFFIX,
    [BY_NAME] = MATCH_SUFFIX,
};

static uint64_t text_number(const struct profile *p, strid id)
{
    return hash_bytes(profile_text(p, id), intern_len(&p->strings, id));
}

/* 0: no call stack */
static uint64_t code_number(const struct profile *p, node_id node)
{
    const struct call_stacks *s = &p->call_stacks;
    uint64_t number = 0;

    for (uint32_t at = profile_stack(p, p->stack[node])->leaf; at != STACK_ROOT;
         at = s->nodes[at].caller) {
        const struct frame *frame = stack_frame(s, at);

        number = hash_pair(number + 1, text_number(p, frame->file));
        number = hash_pair(number, text_number(p, frame->function));
        number = hash_pair(number, (uint64_t)frame->lineno);
    }
    return number;
}

static uint64_t shape_number(const struct profile *p, node_id node)
{
    const struct shape *shape = &p->shapes[p->shape[node]];
    uint64_t number = shape->n_dims;

    for (uint32_t i = 0; i < shape->n_dims; i++)
        number = hash_pair(number, (uint64_t)shape->dims[i]);
    return number;
}

static uint64_t canonical_number(struct text name)
{
    struct strbuf canonical = {0};
    uint64_t number;

    canonical_add(&canonical, name);
    number = hash_bytes(sb_text(&canonical), canonical.len);
    sb_done(&canonical);
    return number;
}

/* Doubtful pairs are candidates again: matching only the remaining nodes in order would cross
 * them. */
static bool is_candidate(const struct matching *m, node_id node, bool is_now)
{
    const node_id now = is_now ? node : m->pairs->now_of[node];

    if (now == NODE_NONE || m->pairs->base_of[now] == NODE_NONE)
        return true;
    return is_doubtful(m, now);
}

static void add_candidates(candidate_list *list, const struct matching *m, enum name_pass pass,
                           bool is_now)
{
    const struct profile *p = is_now ? m->pairs->now : m->pairs->base;
    const uint32_t *op_of = is_now ? m->op_of_now : m->op_of_base;
    const uint64_t *leaf_of = is_now ? m->leaf_of_now : m->leaf_of_base;

    for (node_id node = 0; node < p->n_nodes; node++) {
        struct candidate c = {.node = node, .is_now = is_now};
        const uint64_t code = pass == BY_CODE ? code_number(p, node) : 0;

        if (!is_candidate(m, node, is_now) || (pass == BY_CODE && !code))
            continue;
        c.name = node_name(p, node);
        c.key = pass == BY_CODE ? hash_pair(code, leaf_of[node]) : canonical_number(c.name);
        if (pass != BY_NAME)
            c.key = hash_pair(c.key, shape_number(p, node));
        c.key = hash_pair(c.key, op_of[p->op[node]]);
        vec_push(list, c);
    }
}

/* Matches nodes with equal keys (those of base first) in order, if both sides have equally many. By
 * call stack only single nodes are matched: names do not tell which of several is which. */
static void join_run(struct matching *m, const struct candidate *c, size_t n, enum name_pass pass)
{
    size_t n_base = 0;

    while (n_base < n && !c[n_base].is_now)
        n_base++;
    if (n_base * 2 != n || (pass == BY_CODE && n != 2))
        return;
    for (size_t i = 0; i < n_base; i++)
        if (m->pairs->now_of[c[i].node] != NODE_NONE)
            pairs_separate(m, c[i].node);
    for (size_t i = 0; i < n_base; i++)
        if (both_free(m, c[i].node, c[n_base + i].node) && same_op(m, c[i].node, c[n_base + i].node))
            pairs_join(m, c[i].node, c[n_base + i].node, reasons[pass]);
}

static void run_pass(struct matching *m, enum name_pass pass)
{
    candidate_list list = {0};
    size_t from = 0;

    add_candidates(&list, m, pass, false);
    add_candidates(&list, m, pass, true);
    vec_sort(&list, by_key);
    for (size_t i = 1; i <= list.n; i++)
        if (i == list.n || list.data[i].key != list.data[from].key) {
            join_run(m, list.data + from, i - from, pass);
            from = i;
        }
    vec_done(&list);
}

void match_names_alike(struct matching *m)
{
    for (int pass = 0; pass < NAME_PASSES; pass++) {
        run_pass(m, (enum name_pass)pass);
        match_neighbours(m);
    }
}
