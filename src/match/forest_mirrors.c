/* forest_mirrors.c: finds scopes that repeat other names with a prefix, such as gradients and
 * optimizers, and moves their nodes below the mirrored scopes: `gradients/conv/act_grad/ReluGrad`
 * below `conv/act`. A layer and its mirrors then form one unit. */
#include <stdlib.h>

#include "base/hash.h"
#include "base/xalloc.h"
#include "match/forest.h"

/* Limits: components of a prefix, underscores of a component. */
enum { DEPTH_MOST = 8, CUTS_MOST = 8 };

/* At most 1 / COPIES_PART of mirror nodes may have the types of the mirrored nodes. */
enum { COPIES_PART = 4 };

/* log2 of the size of the filter for names of the root's children. */
enum { TOP_BITS = 16 };

/* The scope that a component mirrors; its first BEFORE and last AFTER bytes are affixes. */
struct mirrored {
    scope_id scope; /* SCOPE_NONE: nothing */
    uint32_t before, after;
};

struct mirrors {
    struct forest *f;
    uint32_t *size;    /* by scope: number of nodes at and below it, before moves */
    uint8_t *depth;    /* by scope, up to DEPTH_MOST + 2 */
    uint32_t *mirrors; /* by prefix: nodes below members; by ancestor: nodes that were moved away */
    uint32_t *members; /* by prefix */
};

/* Bloom filter: false for most names that no child of the root has. */
static bool may_be_top(const struct forest *f, uint64_t name)
{
    const uint64_t bit = name >> (64 - TOP_BITS);

    return f->top_names[bit / 64] >> (bit % 64) & 1;
}

static scope_id child_named(const struct forest *f, scope_id parent, const char *bytes, uint32_t len)
{
    const uint64_t name = len ? hash_bytes(bytes, len) : 0;
    const bool may_exist = parent != SCOPE_ROOT || may_be_top(f, name);
    const scope_id at = len && may_exist ? forest_child(f, parent, name) : SCOPE_NONE;

    return at != SCOPE_NONE && f->scopes.data[at].is_mirror ? SCOPE_NONE : at;
}

/* True when TEXT is a number from AT on. */
static bool is_number(struct text text, uint32_t at)
{
    while (at < text.len && text.bytes[at] >= '0' && text.bytes[at] <= '9')
        at++;
    return at == text.len;
}

/* Finds the child of PARENT that TEXT names after a prefix that ends with '_' (BEFORE), or before a
 * suffix that begins with '_'. */
static struct mirrored find_mirrored(const struct forest *f, scope_id parent, struct text text,
                                     bool before)
{
    struct mirrored m = {child_named(f, parent, text.bytes, text.len), 0, 0};
    uint32_t cuts = 0;

    for (uint32_t i = 0; before && m.scope == SCOPE_NONE && i < text.len && cuts < CUTS_MOST; i++)
        if (text.bytes[i] == '_') {
            cuts++;
            m.before = i + 1;
            m.scope = child_named(f, parent, text.bytes + i + 1, text.len - i - 1);
        }
    if (m.scope != SCOPE_NONE)
        return m;
    m.before = 0;
    for (uint32_t i = text.len; m.scope == SCOPE_NONE && i-- > 1 && cuts < 2 * CUTS_MOST;)
        if (text.bytes[i] == '_' && !is_number(text, i + 1)) {
            cuts++;
            m.after = text.len - i;
            m.scope = child_named(f, parent, text.bytes, i);
        }
    return m;
}

static void measure(struct mirrors *m)
{
    const struct forest *f = m->f;
    const struct scope *scopes = f->scopes.data;

    for (scope_id i = (scope_id)f->scopes.n; i-- > 1;) {
        m->size[i] += scopes[i].node != NODE_NONE;
        m->size[scopes[i].parent] += m->size[i];
    }
    for (scope_id i = 1; i < f->scopes.n; i++) {
        const uint8_t above = m->depth[scopes[i].parent];

        m->depth[i] = above > DEPTH_MOST ? above : (uint8_t)(above + 1);
    }
}

/* Finds the scope that a child of a prefix mirrors, other than the prefix itself. */
static struct mirrored mirrored_by(const struct forest *f, scope_id member)
{
    const struct scope *s = &f->scopes.data[member];
    struct mirrored of = find_mirrored(f, SCOPE_ROOT, s->text, true);

    if (of.scope == s->parent)
        of.scope = SCOPE_NONE;
    return of;
}

static void count_members(struct mirrors *m)
{
    const struct forest *f = m->f;

    for (scope_id i = 1; i < f->scopes.n; i++) {
        const scope_id prefix = f->scopes.data[i].parent;

        if (m->depth[i] < 2 || m->depth[i] > DEPTH_MOST || mirrored_by(f, i).scope == SCOPE_NONE)
            continue;
        m->mirrors[prefix] += m->size[i];
        m->members[prefix]++;
    }
}

/* True when SCOPE is ABOVE or its descendant. */
static bool is_below(const struct forest *f, scope_id scope, scope_id above)
{
    while (scope != SCOPE_ROOT && scope != above)
        scope = f->scopes.data[scope].parent;
    return scope == above;
}

struct move {
    scope_id scope, to; /* SCOPE becomes a child of TO */
    uint32_t before, after;
};

typedef VEC(struct move) move_list;

/* Pushes children of a moved scope whose names repeat children of its mirrored scope. */
static void push_moves(const struct forest *f, scope_id prefix, struct move move, move_list *stack)
{
    const struct scope *s = &f->scopes.data[move.scope];

    for (uint32_t i = s->child_begin; i < s->child_end; i++) {
        const scope_id child = f->children[i];
        struct mirrored of;

        if (f->scopes.data[child].parent != move.scope || f->scopes.data[child].is_mirror)
            continue;
        of = find_mirrored(f, move.to, f->scopes.data[child].text, false);
        if (of.scope != SCOPE_NONE && !is_below(f, prefix, of.scope))
            vec_push(stack, ((struct move){child, of.scope, of.before, of.after}));
    }
}

static void move_scope(struct forest *f, scope_id prefix, struct move move)
{
    const struct scope *of = &f->scopes.data[prefix];
    struct scope *s = &f->scopes.data[move.scope];
    const char *end = s->text.bytes + s->text.len - move.after;
    const uint64_t affixes = hash_pair(hash_bytes(s->text.bytes, move.before),
                                       hash_bytes(end, move.after));

    s->parent = move.to;
    s->name = hash_pair(hash_pair(of->name, affixes), 1);
    s->canonical = hash_pair(hash_pair(of->canonical, affixes), 2);
    s->number = NUMBER_NONE;
    s->is_mirror = true;
}

/* Moves a member of PREFIX, and the scopes below it that repeat names. */
static void move_member(struct forest *f, scope_id prefix, struct move first)
{
    move_list stack = {0};

    vec_push(&stack, first);
    while (stack.n) {
        const struct move move = stack.data[--stack.n];

        push_moves(f, prefix, move, &stack);
        move_scope(f, prefix, move);
    }
    vec_done(&stack);
}

/* Counts nodes below PREFIX with name and type of the mirrored node, as in a copied network. */
static uint32_t count_copies(const struct forest *f, scope_id prefix)
{
    const struct scope *of = &f->scopes.data[prefix];
    move_list stack = {0};
    uint32_t n = 0;

    for (uint32_t i = of->child_begin; i < of->child_end; i++) {
        const struct mirrored m = mirrored_by(f, f->children[i]);

        if (m.scope != SCOPE_NONE && !f->scopes.data[f->children[i]].is_mirror)
            vec_push(&stack, ((struct move){f->children[i], m.scope, m.before, m.after}));
    }
    while (stack.n) {
        const struct move move = stack.data[--stack.n];
        const node_id a = f->scopes.data[move.scope].node, b = f->scopes.data[move.to].node;

        n += a != NODE_NONE && b != NODE_NONE && f->p->op[a] == f->p->op[b];
        push_moves(f, prefix, move, &stack);
    }
    vec_done(&stack);
    return n;
}

/* True if nearly all nodes below PREFIX are mirrors: at least half, not counting its own leaves and
 * mirrors with a longer prefix. A single member must repeat most of the mirrored scope. */
static bool is_prefix(const struct mirrors *m, scope_id prefix)
{
    const struct forest *f = m->f;
    const struct scope *s = &f->scopes.data[prefix];
    uint32_t leaves = 0;

    if (!m->members[prefix])
        return false;
    for (uint32_t i = s->child_begin; i < s->child_end; i++)
        leaves += m->size[f->children[i]] == 1;
    if (2 * (uint64_t)m->mirrors[prefix] + leaves < m->size[prefix])
        return false;
    if (m->members[prefix] == 1 && 4 * (uint64_t)m->mirrors[prefix] < m->size[SCOPE_ROOT])
        return false;
    return COPIES_PART * (uint64_t)count_copies(f, prefix) <= m->mirrors[prefix];
}

static void move_members(struct mirrors *m, scope_id prefix)
{
    struct forest *f = m->f;
    const uint32_t begin = f->scopes.data[prefix].child_begin, end = f->scopes.data[prefix].child_end;
    uint32_t moved = 0;

    f->scopes.data[prefix].is_mirror_root = true;
    for (uint32_t i = begin; i < end; i++) {
        const struct mirrored of = mirrored_by(f, f->children[i]);

        if (of.scope == SCOPE_NONE || f->scopes.data[f->children[i]].is_mirror)
            continue;
        moved += m->size[f->children[i]];
        move_member(f, prefix, (struct move){f->children[i], of.scope, of.before, of.after});
    }
    f->n_mirrored += moved;
    for (scope_id at = prefix; at != SCOPE_ROOT; at = f->scopes.data[at].parent)
        m->size[at] -= moved < m->size[at] ? moved : m->size[at];
}

/* Longer prefixes come first, so that their mirrors do not count for shorter ones. */
void forest_move_mirrors(struct forest *f)
{
    struct mirrors m = {.f = f};

    m.size = xcalloc(f->scopes.n + 1, sizeof *m.size);
    m.depth = xcalloc(f->scopes.n + 1, sizeof *m.depth);
    m.mirrors = xcalloc(f->scopes.n + 1, sizeof *m.mirrors);
    m.members = xcalloc(f->scopes.n + 1, sizeof *m.members);
    f->top_names = xcalloc((1 << TOP_BITS) / 64, sizeof *f->top_names);
    for (scope_id i = 1; i < f->scopes.n; i++)
        if (f->scopes.data[i].parent == SCOPE_ROOT) {
            const uint64_t bit = f->scopes.data[i].name >> (64 - TOP_BITS);

            f->top_names[bit / 64] |= UINT64_C(1) << (bit % 64);
        }
    measure(&m);
    count_members(&m);
    for (uint8_t depth = DEPTH_MOST; depth-- > 1;)
        for (scope_id i = 1; i < f->scopes.n; i++)
            if (m.depth[i] == depth && m.members[i] && !f->scopes.data[i].is_mirror && is_prefix(&m, i))
                move_members(&m, i);
    free(f->top_names);
    f->top_names = NULL;
    EACH(free, m.size, m.depth, m.mirrors, m.members);
}
