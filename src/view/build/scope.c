/* scope.c: the scope view: a row for each prefix of a name that ends before a '/' (semantics.md
 * section 4.1).
 *
 * Nodes are visited in byte order of their names, so all names below a scope are contiguous and the
 * open scopes form a stack. The common prefix of two neighbours determines which scopes stay open.
 * Time is linear in the bytes of the names, whatever their depth.
 *
 * If no name continues a scope's name with a byte below '/' ("a-b" next to "a/c"), row order equals
 * name order, and scope_parts.c builds the rows in parallel. This file handles all other
 * profiles. */
#include <stdlib.h>
#include <string.h>

#include "base/offsets.h"
#include "base/vec.h"
#include "base/xalloc.h"
#include "view/build/repeats.h"
#include "view/build/scope_parts.h"

enum { CANCEL_EVERY = 4096 };

#define NOT_OWN UINT32_MAX

struct open_scope {
    uint32_t len; /* length of its name, which is a prefix of the current node's name */
    row_id row;
};

struct scopes {
    const struct profile *profile;
    struct tree *tree;
    struct text *names; /* names of the nodes, in byte order */
    /* Rows before they are numbered, as columns. They are given to the tree when the order of the
     * rows is known. */
    VEC(row_id) parent;
    VEC(uint32_t) position; /* number of nodes before it in byte order */
    /* index in `own` of the name of a synthetic scope; NOT_OWN: a node, at its position */
    VEC(uint32_t) own_name;
    VEC(struct text) own;
    VEC(struct open_scope) open;
    uint32_t *common;    /* [n_nodes] length of the prefix shared with the previous name */
    row_id *row_of_node; /* array of the tree, with numbers of draft rows */
};

static struct text row_text(const struct scopes *s, row_id row)
{
    const uint32_t own = s->own_name.data[row];

    return own == NOT_OWN ? s->names[s->position.data[row]] : s->own.data[own];
}

/* Adds a row with the name OWN, or for the node at POSITION. */
static row_id add_row(struct scopes *s, row_id parent, uint32_t position, uint32_t own)
{
    vec_push(&s->parent, parent);
    vec_push(&s->position, position);
    vec_push(&s->own_name, own);
    return (row_id)(s->parent.n - 1);
}

/* Adds a synthetic scope whose name is the first LEN bytes of BYTES, which the profile owns. */
static row_id add_scope(struct scopes *s, row_id parent, uint32_t position, const char *bytes,
                        uint32_t len)
{
    vec_push(&s->own, ((struct text){bytes, len}));
    return add_row(s, parent, position, (uint32_t)s->own.n - 1);
}

static row_id innermost(const struct scopes *s)
{
    return s->open.n ? s->open.data[s->open.n - 1].row : 0;
}

/* Opens the scope named by the first LEN bytes of the name of node number I. In byte order the
 * scope precedes its first descendant and all names that continue with a byte below '/', at the
 * position that a node of the same name would have. */
static void open_scope(struct scopes *s, uint32_t i, uint32_t len)
{
    const struct profile *p = s->profile;
    uint32_t at = i;
    struct open_scope open = {len, ROW_NONE};

    while (at > 0 && s->common[at] >= len && s->names[at - 1].len > len)
        at--;
    if (at > 0 && s->common[at] >= len) {
        open.row = s->row_of_node[p->by_name[at - 1]];
    } else {
        open.row = add_scope(s, innermost(s), at, s->names[i].bytes, len);
    }
    vec_push(&s->open, open);
}

static void add_node(struct scopes *s, uint32_t i)
{
    const struct text text = s->names[i];
    uint32_t from = 0;

    /* The previous name has a '/' after each open scope. */
    while (s->open.n && s->open.data[s->open.n - 1].len >= s->common[i])
        s->open.n--;
    if (s->open.n)
        from = s->open.data[s->open.n - 1].len + 1;
    for (uint32_t at = from; at < text.len; at++)
        if (text.bytes[at] == '/')
            open_scope(s, i, at);
    s->row_of_node[s->profile->by_name[i]] = add_row(s, innermost(s), i, NOT_OWN);
}

static bool sorts_before(struct text a, struct text b)
{
    uint32_t common;

    if (a.bytes == b.bytes)
        return a.len < b.len;
    common = text_common(a, b);
    if (common == a.len || common == b.len)
        return a.len < b.len;
    return (unsigned char)a.bytes[common] < (unsigned char)b.bytes[common];
}

/* All rows except the root, in byte order of their names: counting sort by position, then insertion
 * sort of the few rows with equal positions. */
static row_id *rows_by_name(const struct scopes *s)
{
    uint32_t n_nodes = s->profile->n_nodes;
    const uint32_t *position = s->position.data;
    const uint32_t n_rows = (uint32_t)s->position.n;
    uint32_t *begin, *used;
    row_id *sorted;

    begin = xcalloc((size_t)n_nodes + 1, sizeof *begin);
    used = xcalloc((size_t)n_nodes + 1, sizeof *used);
    sorted = xalloc_huge(n_rows, sizeof *sorted);
    for (row_id row = 1; row < n_rows; row++)
        begin[position[row] + 1]++;
    (void)offsets_sum(begin, n_nodes); /* the number of rows fits into 32 bits */
    for (row_id row = 1; row < n_rows; row++) {
        uint32_t first = begin[position[row]];
        uint32_t at = first + used[position[row]]++;

        for (; at > first && sorts_before(row_text(s, row), row_text(s, sorted[at - 1])); at--)
            sorted[at] = sorted[at - 1];
        sorted[at] = row;
    }
    EACH(free, begin, used);
    return sorted;
}

/* Moves a vec to the tree's arena; the vec is empty afterwards. */
#define GIVE(s, to, column)                                                                   \
    do {                                                                                      \
        vec_fit(&(s)->column);                                                                \
        (to) = (s)->column.data;                                                              \
        arena_adopt(&(s)->tree->arena, (to), (s)->column.n * sizeof *(s)->column.data);       \
        memset(&(s)->column, 0, sizeof (s)->column);                                          \
    } while (0)

/* Names the rows: a node's name belongs to the profile, other names to the tree. */
static void name_rows(struct scopes *s, uint32_t n)
{
    const struct profile *p = s->profile;
    struct tree *t = s->tree;
    uint32_t *name = s->own_name.data;

    t->n_own = (strid)s->own.n;
    GIVE(s, t->own, own);
    for (row_id row = 0; row < n; row++)
        name[row] = name[row] == NOT_OWN ? p->name[p->by_name[s->position.data[row]]]
                                         : t->n_base + name[row];
}

static void rank_rows(const struct scopes *s, const row_id *by_name, const row_id *number)
{
    struct tree *t = s->tree;

    t->rank = ARENA_NEW(&t->arena, uint32_t, t->n_rows);
    t->rank[0] = 0;
    for (uint32_t i = 0; i + 1 < t->n_rows; i++)
        t->rank[number[by_name[i]]] = i;
}

/* Scratch arrays are freed before the tree is allocated. */
static void make_tree(struct scopes *s)
{
    struct tree *t = s->tree;
    uint32_t n = (uint32_t)s->parent.n;
    row_id *by_name = rows_by_name(s);
    struct tree_draft draft = {.n = n, .siblings = by_name};
    row_id *number;

    EACH(free, s->names, s->common);
    s->names = NULL;
    s->common = NULL;
    name_rows(s, n);
    GIVE(s, draft.parent, parent);
    GIVE(s, draft.name, own_name);
    number = tree_number(t, &draft);
    rank_rows(s, by_name, number);
    for (node_id node = 0; node < s->profile->n_nodes; node++)
        t->row_of_node[node] = number[t->row_of_node[node]];
    tree_fill_members(t);
    tree_mark_names(t);
    EACH(free, by_name, number);
}

/* Builds the tree on the calling thread; returns false when cancelled. */
static bool build_unordered(struct scopes *s, const struct tree_request *request)
{
    const uint32_t n_nodes = s->profile->n_nodes;
    const size_t likely_rows = (size_t)n_nodes + n_nodes / 2 + 1;
    uint32_t i;

    vec_reserve(&s->parent, likely_rows);
    vec_reserve(&s->position, likely_rows);
    vec_reserve(&s->own_name, likely_rows);
    add_scope(s, 0, 0, ROOT_NAME, sizeof ROOT_NAME - 1);
    for (i = 0; i < n_nodes; i++) {
        if (i % CANCEL_EVERY == 0 && cancel_asked(request->cancel))
            break;
        tree_prefetch(s->names, i, n_nodes);
        add_node(s, i);
    }
    if (i == n_nodes)
        make_tree(s);
    EACH(vec_done, &s->parent, &s->position, &s->own_name, &s->own, &s->open);
    return i == n_nodes;
}

struct tree *scope_build(const struct tree_request *request, struct err *err)
{
    const struct profile *p = request->profile;
    struct scopes s = {.profile = p};
    bool is_whole;

    if (scope_is_mirrored(request))
        return scope_mirror_build(request, err);
    s.tree = tree_new(p);
    xalloc_keep_freed(false); /* most of it is freed before the tree is complete */
    s.names = tree_sorted_names(p, request->workers);
    s.common = xalloc_huge(p->n_nodes, sizeof *s.common);
    s.row_of_node = s.tree->row_of_node = ARENA_NEW(&s.tree->arena, row_id, p->n_nodes);
    if (scope_parts_build(s.tree, request, s.names, s.common))
        is_whole = !cancel_asked(request->cancel);
    else
        is_whole = build_unordered(&s, request);
    if (is_whole)
        s.tree->n_alike = repeats_topmost(s.tree, request->cancel);
    if (!is_whole) {
        err_set(err, ERR_CANCELLED, "cancelled");
        tree_unref(s.tree);
        s.tree = NULL;
    }
    EACH(free, s.names, s.common);
    xalloc_keep_freed(true);
    return s.tree;
}
