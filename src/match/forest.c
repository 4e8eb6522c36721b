/* forest.c: the nodes of a profile as a tree of scopes. */
#include "match/forest.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/compare.h"
#include "base/hash.h"
#include "base/strbuf.h"
#include "base/xalloc.h"

/* ---- strips case, decorations and numbers from components of names */

/* Number of a component without one. */
#define CANONICAL_NO_NUMBER UINT32_MAX

static uint32_t without_suffix(const char *part, uint32_t len, const char *suffix)
{
    const uint32_t n = (uint32_t)strlen(suffix);

    return len > n && memcmp(part + len - n, suffix, n) == 0 ? len - n : len;
}

/* Length of the component without decorations. */
static uint32_t kept_len(const char *part, uint32_t len)
{
    uint32_t before;

    do {
        before = len;
        len = without_suffix(part, len, ".kd");
        len = without_suffix(part, len, ".clone");
        while (len > 1 && is_digit(part[len - 1]))
            len--;
        if (len < before && len > 1 && (part[len - 1] == '_' || part[len - 1] == '.'))
            len--;
    } while (len < before);
    return len;
}

static bool is_separator(char ch)
{
    return ch == '_' || ch == '-' || ch == '.' || ch == ' ';
}

/* The number formed by the last digits of the kept bytes and what follows; NUMBER_NONE: none. */
static uint32_t trailing_number(struct text part, uint32_t kept)
{
    uint64_t number = 0;
    bool any = false;

    for (uint32_t i = kept; i < part.len && i < kept + 11; i++)
        if (is_digit(part.bytes[i])) {
            number = number * 10 + (uint64_t)(part.bytes[i] - '0');
            any = true;
        } else if (any) {
            break;
        }
    return !any ? CANONICAL_NO_NUMBER : number < CANONICAL_NO_NUMBER ? (uint32_t)number : CANONICAL_NO_NUMBER - 1;
}

/* Appends the canonical form of a component: in lower case, without separators ('_', '-', '.', ' '),
 * trailing ".kd" and ".clone", and trailing numbers ("_3", ".1", "12"). Returns the number. */
static uint32_t canonical_component(struct strbuf *sb, struct text part)
{
    const uint32_t kept = kept_len(part.bytes, part.len);

    for (uint32_t i = 0; i < kept; i++) {
        const char ch = part.bytes[i];

        if (!is_separator(ch))
            sb_addc(sb, ch >= 'A' && ch <= 'Z' ? (char)(ch - 'A' + 'a') : ch);
    }
    return trailing_number(part, kept);
}

static uint64_t key_of(scope_id parent, uint64_t name)
{
    return hash_pair(parent, name);
}

scope_id forest_child(const struct forest *f, scope_id parent, uint64_t name)
{
    size_t probe = slots_find(&f->index, key_of(parent, name));
    scope_id at;

    while ((at = slots_next(&f->index, &probe)) != SLOTS_NONE)
        if (f->scopes.data[at].parent == parent && f->scopes.data[at].name == name)
            return at;
    return SCOPE_NONE;
}

/* ---- names */

static void canonical_name(struct scope *s, struct strbuf *scratch)
{
    sb_clear(scratch);
    s->number = canonical_component(scratch, s->text);
    s->canonical = hash_bytes(sb_text(scratch), scratch->len);
}

static void index_scopes(struct forest *f)
{
    slots_done(&f->index);
    slots_init(&f->index, 2 * f->scopes.n + 64);
    for (scope_id i = 1; i < f->scopes.n; i++)
        slots_add(&f->index, key_of(f->scopes.data[i].parent, f->scopes.data[i].name), i);
}

/* Adds a scope. MAY_EXIST: PARENT may already have a child of this name. */
static scope_id add_scope(struct forest *f, scope_id parent, struct text text, bool may_exist,
                          struct strbuf *scratch)
{
    struct scope s = {.text = text, .parent = parent, .node = NODE_NONE, .number = NUMBER_NONE};
    scope_id at;

    s.name = hash_bytes(text.bytes, text.len);
    at = may_exist ? forest_child(f, parent, s.name) : SCOPE_NONE;
    if (at != SCOPE_NONE)
        return at;
    canonical_name(&s, scratch);
    at = (scope_id)f->scopes.n;
    vec_push(&f->scopes, s);
    if (2 * (f->scopes.n + 1) > f->index.n_slots)
        index_scopes(f);
    else
        slots_add(&f->index, key_of(parent, s.name), at);
    return at;
}

/* Path of the previous name; the next name continues where it differs. */
struct path {
    struct text name;
    VEC(scope_id) scopes;    /* of each component */
    VEC(uint32_t) ends;      /* where each component ends in the name */
};

/* True if a component may occur again. Names come in byte order: between "c" and "c/x" there are
 * only names that begin with "c", such as "c-1/x", so this requires that the previous component
 * begins with TEXT. */
static bool may_occur_again(const struct forest *f, scope_id before, struct text text)
{
    const struct text last = before == SCOPE_NONE ? (struct text){"", 0} : f->scopes.data[before].text;

    return before != SCOPE_NONE && text_common(last, text) == text.len;
}

static scope_id scope_of_name(struct forest *f, struct path *path, struct text name,
                              struct strbuf *scratch)
{
    const uint32_t same = text_common(path->name, name);
    size_t n = path->scopes.n;
    scope_id before; /* the previous name's sibling of the first new component */
    uint32_t at;

    while (n && (path->ends.data[n - 1] > same ||
                 (path->ends.data[n - 1] < name.len && name.bytes[path->ends.data[n - 1]] != '/')))
        n--;
    before = n < path->scopes.n ? path->scopes.data[n] : SCOPE_NONE;
    path->scopes.n = path->ends.n = n;
    at = n ? path->ends.data[n - 1] + 1 : 0;
    while (at <= name.len) {
        const char *slash = at < name.len ? memchr(name.bytes + at, '/', name.len - at) : NULL;
        const uint32_t end = slash ? (uint32_t)(slash - name.bytes) : name.len;
        const scope_id parent = path->scopes.n ? path->scopes.data[path->scopes.n - 1] : SCOPE_ROOT;

        const struct text text = {name.bytes + at, end - at};
        const bool may_exist = may_occur_again(f, before, text);

        vec_push(&path->scopes, add_scope(f, parent, text, may_exist, scratch));
        vec_push(&path->ends, end);
        before = SCOPE_NONE; /* an existing component has children already */
        at = end + 1;
    }
    path->name = name;
    return path->scopes.n ? path->scopes.data[path->scopes.n - 1] : SCOPE_ROOT;
}

static void add_names(struct forest *f)
{
    const struct profile *p = f->p;
    struct path path = {.name = {"", 0}};
    struct strbuf scratch = {0};

    for (uint32_t i = 0; i < p->n_nodes; i++) {
        const node_id node = p->by_name[i];
        const struct text name = intern_string(&p->strings, p->name[node]);
        const scope_id scope = scope_of_name(f, &path, name, &scratch);

        f->scope_of[node] = scope;
        f->scopes.data[scope].node = node;
    }
    EACH(vec_done, &path.scopes, &path.ends);
    sb_done(&scratch);
}

/* ---- order */

/* Computes the smallest position of each scope's nodes. After mirrors are moved, children may have
 * smaller ids than parents, so positions are propagated upwards from each node. */
static void set_first(struct forest *f)
{
    uint32_t *order = forest_order(f->p);
    node_id *by_order = xalloc_huge((size_t)f->p->n_nodes + 1, sizeof *by_order);

    for (node_id node = 0; node < f->p->n_nodes; node++)
        by_order[order[node]] = node;
    for (scope_id i = 0; i < f->scopes.n; i++)
        f->scopes.data[i].first = UINT32_MAX;
    for (uint32_t i = 0; i < f->p->n_nodes; i++)
        for (scope_id at = f->scope_of[by_order[i]]; f->scopes.data[at].first == UINT32_MAX;
             at = f->scopes.data[at].parent) {
            f->scopes.data[at].first = i;
            if (at == SCOPE_ROOT)
                break;
        }
    EACH(free, by_order, order);
}

COMPARE_WITH(by_first, scope_id, struct scope,
             THEN(COMPARE(with[*a].first, with[*b].first)) || THEN(COMPARE(*a, *b)))

/* Children by parent: counting sort, then by position. */
static void list_children(struct forest *f)
{
    struct scope *scopes = f->scopes.data;
    uint32_t sum = 0;

    free(f->children);
    f->children = xalloc_huge(f->scopes.n + 1, sizeof *f->children);
    for (scope_id i = 0; i < f->scopes.n; i++)
        scopes[i].child_begin = scopes[i].child_end = 0;
    for (scope_id i = 1; i < f->scopes.n; i++)
        scopes[scopes[i].parent].child_end++;
    for (scope_id i = 0; i < f->scopes.n; i++) {
        const uint32_t n = scopes[i].child_end;

        scopes[i].child_begin = scopes[i].child_end = sum;
        sum += n;
    }
    for (scope_id i = 1; i < f->scopes.n; i++)
        f->children[scopes[scopes[i].parent].child_end++] = i;
    for (scope_id i = 0; i < f->scopes.n; i++) {
        const uint32_t n = scopes[i].child_end - scopes[i].child_begin;
        bool sorted = true;

        for (uint32_t k = 1; k < n && sorted; k++)
            sorted = by_first(&f->children[scopes[i].child_begin + k - 1],
                              &f->children[scopes[i].child_begin + k], scopes) < 0;
        if (!sorted)
            qsort_r(f->children + scopes[i].child_begin, n, sizeof *f->children, by_first, scopes);
    }
}

/* Lists nodes in pre-order without recursion; `to` is set when the traversal leaves the scope. */
static void list_sequence(struct forest *f)
{
    struct scope *scopes = f->scopes.data;
    VEC(scope_id) stack = {0};
    uint32_t n = 0;

    vec_push(&stack, SCOPE_ROOT);
    scopes[SCOPE_ROOT].from = 0;
    while (stack.n) {
        const scope_id at = stack.data[--stack.n];
        struct scope *s = &scopes[at & ~(UINT32_C(1) << 31)];

        if (at >> 31) {
            s->to = n;
            continue;
        }
        s->from = n;
        if (s->node != NODE_NONE)
            f->sequence[n++] = s->node;
        vec_push(&stack, at | UINT32_C(1) << 31);
        for (uint32_t i = s->child_end; i-- > s->child_begin;)
            vec_push(&stack, f->children[i]);
    }
    vec_done(&stack);
}

/* Base of the polynomial hash; odd. */
#define PATH_BASE UINT64_C(0x9e3779b97f4a7c15)

/* Computes the path hashes of all scopes, parents first. */
static void set_paths(struct forest *f)
{
    struct scope *scopes = f->scopes.data;
    VEC(scope_id) stack = {0};
    uint32_t deepest = 0;

    vec_push(&stack, SCOPE_ROOT);
    while (stack.n) {
        const struct scope *s = &scopes[stack.data[--stack.n]];

        deepest = s->depth > deepest ? s->depth : deepest;
        for (uint32_t i = s->child_begin; i < s->child_end; i++) {
            struct scope *child = &scopes[f->children[i]];

            child->depth = s->depth + 1;
            child->path = s->path * PATH_BASE + child->canonical;
            vec_push(&stack, f->children[i]);
        }
    }
    vec_done(&stack);
    f->powers = xalloc_huge((size_t)deepest + 1, sizeof *f->powers);
    f->powers[0] = 1;
    for (uint32_t i = 1; i <= deepest; i++)
        f->powers[i] = f->powers[i - 1] * PATH_BASE;
}

void forest_init(struct forest *f, const struct profile *p, bool moves)
{
    *f = (struct forest){.p = p};
    f->scope_of = xalloc_huge((size_t)p->n_nodes + 1, sizeof *f->scope_of);
    f->sequence = xalloc_huge((size_t)p->n_nodes + 1, sizeof *f->sequence);
    f->labels = xalloc_huge((size_t)p->n_nodes + 1, sizeof *f->labels);
    f->type_of = xalloc_huge((size_t)p->n_nodes + 1, sizeof *f->type_of);
    vec_reserve(&f->scopes, (size_t)p->n_nodes + p->n_nodes / 2 + 1);
    slots_init(&f->index, (size_t)p->n_nodes + p->n_nodes / 2 + 64);
    vec_push(&f->scopes, ((struct scope){.text = {"", 0}, .parent = SCOPE_NONE, .node = NODE_NONE,
                                         .number = NUMBER_NONE}));
    add_names(f);
    list_children(f);
    if (moves)
        forest_move_mirrors(f);
    set_first(f);
    list_children(f);
    list_sequence(f);
    index_scopes(f);
    set_paths(f);
}

void forest_done(struct forest *f)
{
    vec_done(&f->scopes);
    slots_done(&f->index);
    EACH(free, f->scope_of, f->children, f->sequence, f->powers, f->labels, f->type_of);
    memset(f, 0, sizeof *f);
}
