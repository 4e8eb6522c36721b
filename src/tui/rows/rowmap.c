/* rowmap.c: maps the rows of one tree to another by their paths of names. */
#include "tui/rows/rowmap.h"

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "view/build/childmap.h"
#include "view/build/repeats.h"

/* Row of the node NAME, which may be elsewhere in the graph view; ROW_NONE: no such node, or its
 * row has several nodes. */
static row_id row_of_name(const struct tree *t, struct text name)
{
    const node_id node = profile_find(t->profile, name.bytes, name.len);
    const row_id row = node == NODE_NONE ? ROW_NONE : t->row_of_node[node];
    struct text own;

    if (row == ROW_NONE)
        return ROW_NONE;
    own = tree_text(t, row);
    return own.len == name.len && memcmp(own.bytes, name.bytes, name.len) == 0 ? row : ROW_NONE;
}

static void match_paths(const struct tree *from, const struct tree *to, row_id *row)
{
    struct intern names;
    struct childmap children = {0};

    intern_init(&names);
    for (row_id i = 1; i < to->n_rows; i++) {
        const struct text name = tree_text(to, i);
        row_id *slot = childmap_at(&children, to->parent[i],
                                   intern_put(&names, name.bytes, name.len));

        if (!*slot)
            *slot = i;
    }
    for (row_id i = 1; i < from->n_rows; i++) {
        const struct text name = tree_text(from, i);
        const strid id = intern_find(&names, name.bytes, name.len);
        const row_id parent = row[from->parent[i]];
        row_id *slot = id == STRID_NONE || parent == ROW_NONE
                           ? NULL
                           : childmap_at(&children, parent, id);

        row[i] = slot && *slot ? *slot : row_of_name(to, name);
    }
    childmap_done(&children);
    intern_done(&names);
}

static void begin(struct rowmap *m, struct tree *from, struct tree *to)
{
    m->from = tree_ref(from);
    m->to = tree_ref(to);
    m->row = xcalloc(from->n_rows, sizeof *m->row);
}

void rowmap_make(struct rowmap *m, struct tree *from, struct tree *to)
{
    begin(m, from, to);
    if (from != to)
        match_paths(from, to, m->row);
    else
        for (row_id i = 0; i < from->n_rows; i++)
            m->row[i] = i;
}

/* ---- code */

static bool same_line(const struct frame *a, const struct frame *b)
{
    return a->file == b->file && a->lineno == b->lineno && a->function == b->function;
}

/* The child of PARENT on the path to LEAF; ROW_NONE if PARENT is the leaf. */
static row_id child_towards(const struct tree *t, row_id parent, row_id leaf)
{
    row_id child = ROW_NONE;

    for (row_id row = leaf; row != parent && row; row = t->parent[row])
        child = row;
    return child;
}

/* The row of TO above LEAF for the source line of ROW in FROM. If the line is folded in TO, the
 * row that it is folded into: the child of the next line above that exists. */
static row_id row_of_line(const struct tree *from, row_id row, const struct tree *to, row_id leaf)
{
    row_id child;

    for (row_id line = row; line; line = from->parent[line])
        for (row_id there = leaf; there; there = to->parent[there]) {
            if (to->n_folded[there] || !same_line(from->frame[line], to->frame[there]))
                continue;
            child = line == row ? ROW_NONE : child_towards(to, there, leaf);
            return child != ROW_NONE && to->n_folded[child] ? child : there;
        }
    child = child_towards(to, 0, leaf);
    return child != ROW_NONE && to->n_folded[child] ? child : 0;
}

void rowmap_make_code(struct rowmap *m, struct tree *from, struct tree *to)
{
    row_id *leaf = xcalloc(profile_n_ids(from->profile), sizeof *leaf); /* 0: no row in TO */

    begin(m, from, to);
    for (row_id row = 1; row < to->n_rows; row++)
        for (uint32_t i = to->member_begin[row]; i < to->member_begin[row + 1]; i++)
            leaf[to->members[i]] = row;
    for (row_id row = 1; row < from->n_rows; row++) {
        const uint32_t first = from->member_begin[row]; /* of the subtree */

        m->row[row] = first < from->member_begin[from->end[row]]
                          ? row_of_line(from, row, to, leaf[from->members[first]])
                          : ROW_NONE;
    }
    free(leaf);
}

void rowmap_make_repeats(struct rowmap *m, struct tree *from, struct tree *to)
{
    begin(m, from, to);
    for (row_id row = 1; row < from->n_rows; row++)
        m->row[row] = repeats_row(from, row, to);
}

void rowmap_done(struct rowmap *m)
{
    EACH(tree_unref, m->from, m->to);
    free(m->row);
    memset(m, 0, sizeof *m);
}

row_id rowmap_row(const struct rowmap *m, row_id row)
{
    if (row >= m->from->n_rows)
        return 0;
    while (m->row[row] == ROW_NONE)
        row = m->from->parent[row]; /* the root is always mapped */
    return m->row[row];
}

struct folds *rowmap_folds(const struct rowmap *m, const struct folds *f)
{
    struct folds *g = folds_new(m->to->n_rows);

    for (row_id row = folds_next_open(f, 0); row != ROW_NONE; row = folds_next_open(f, row + 1))
        if (row < m->from->n_rows && m->row[row] != ROW_NONE)
            folds_set(g, m->row[row], true);
    folds_set(g, 0, folds_is_open(f, 0));
    return g;
}

void rowmap_apply(const struct rowmap *m, struct tree **tree, struct folds **folds, row_id *row)
{
    struct folds *mapped = rowmap_folds(m, *folds);

    folds_unref(*folds);
    *folds = mapped;
    *row = rowmap_row(m, *row);
    tree_unref(*tree);
    *tree = tree_ref(m->to);
}
