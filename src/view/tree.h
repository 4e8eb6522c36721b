/* tree.h: one shape for all four views: rows in pre-order.
 *
 * A view is a builder of this shape (view.h); everything after it is one
 * pipeline of linear scans (query.h). */
#ifndef TFPROF_VIEW_TREE_H
#define TFPROF_VIEW_TREE_H

#include "base/cancel.h"
#include "model/profile.h"

/* Index of a row; the root is row 0, a parent stands before its children. */
typedef uint32_t row_id;
#define ROW_NONE UINT32_MAX
#define ROOT_NAME "_TFProfRoot"

struct tree {
    struct arena arena; /* owns all below */
    const struct profile *profile;
    uint32_t n_rows;
    row_id *parent;   /* [n_rows] the root's is ROW_NONE */
    row_id *end;      /* one past the last row of the subtree */
    uint32_t *depth;  /* root 0 */
    strid *name;      /* in tree->strings when has_own_strings, else profile's */
    /* CSR: the graph nodes whose figures are the row's self */
    uint32_t *member_begin;
    node_id *members;
    /* [n_nodes] row of a node, ROW_NONE when the view does not have it */
    row_id *row_of_node;
    /* code view: frame of the row; NULL elsewhere */
    const struct frame **frame;
    bool *is_gradient; /* code view: name ends in " (gradient)"; NULL elsewhere */
    /* [n_rows] 1 when the row is named by its siblings' walk order already
     * (code view may have equal names) */
    struct intern *strings; /* names of the rows: the profile's, or the tree's own */
    bool owns_strings;
    struct notes notes;
};

void tree_free(struct tree *t);

static inline const char *tree_name(const struct tree *t, row_id row)
{
    return intern_text(t->strings, t->name[row]);
}

static inline uint32_t tree_name_len(const struct tree *t, row_id row)
{
    return intern_len(t->strings, t->name[row]);
}

#endif
