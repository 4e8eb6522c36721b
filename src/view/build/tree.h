/* tree.h: one shape for all four views: rows in pre-order.
 *
 * A view is a builder of this shape (view.h); everything after it is one
 * pipeline of linear scans (query.h). */
#ifndef TFPROF_VIEW_TREE_H
#define TFPROF_VIEW_TREE_H

#include "base/cancel.h"
#include "base/text.h"
#include "base/workers.h"
#include "model/profile.h"

/* Index of a row; the root is row 0, a parent stands before its children. */
typedef uint32_t row_id;
#define ROW_NONE UINT32_MAX
#define ROOT_NAME "_TFProfRoot"

/* Immutable once built.  Siblings stand in the order in which the original
 * walks them: by name in scope and op, by input in graph, as they were inserted
 * in code. */
struct tree {
    struct arena arena; /* owns all below but the strings */
    const struct profile *profile;
    uint32_t n_rows;
    row_id *parent;  /* [n_rows] the root's is ROW_NONE */
    row_id *end;     /* one past the last row of the subtree */
    uint32_t *depth; /* root 0 */
    strid *name;     /* the profile's strings first, then own; see tree_text() */
    /* place of the name among all names; equal names, equal ranks.  NULL: the rows stand in the order
     * of their names; see tree_rank() */
    uint32_t *rank;
    /* CSR: the graph nodes, or parts of nodes, whose figures are the row's self, in name order */
    uint32_t *member_begin; /* [n_rows + 1] */
    const node_id *members;
    /* [n_nodes] row of a node, ROW_NONE when the view does not have it */
    row_id *row_of_node;
    /* code view: frame of the row; NULL elsewhere */
    const struct frame **frame;
    /* code view: how many rows this one stands for, which -hide_frames folded into it, else 0;
     * NULL elsewhere */
    uint32_t *n_folded;
    uint32_t *n_twins; /* by row: how many twins it stands for, its children; 0: none.  NULL: none
                        * in the whole tree */
    bool *is_gradient;   /* code view: name ends in " (gradient)"; NULL elsewhere */
    strid n_base;        /* names below this are the profile's */
    struct text *own;    /* names that are not: id n_base + I */
    strid n_own;
    uint8_t *is_name;    /* [n_base + n_own] 1 for names that rows have */
    struct intern store; /* the bytes of own, unless they are parts of the profile's */
    struct notes notes;  /* what building has to say */
    /* NULL, or the tree without rows for twins, with a reference: where its rows are here
     * [under->n_rows], and ours there [n_rows], a row for twins where the first of them is. */
    struct tree *under;
    row_id *row_of_under, *under_row;
    _Atomic uint32_t refs; /* private: tree_ref, tree_unref */
};

/* An empty tree of P with one reference; the builder fills it. */
struct tree *tree_new(const struct profile *p);
struct tree *tree_ref(struct tree *t);
/* Gives one reference back; the last one frees T.  NULL is fine. */
void tree_unref(struct tree *t);

/* The name of an id; its bytes live as long as T and are not terminated. */
static inline struct text tree_name_text(const struct tree *t, strid id)
{
    if (id >= t->n_base)
        return t->own[id - t->n_base];
    return intern_string(&t->profile->strings, id);
}

/* The name of ROW, likewise. */
static inline struct text tree_text(const struct tree *t, row_id row)
{
    return tree_name_text(t, t->name[row]);
}

/* Less than that of a row whose name stands behind ROW's, equal for equal names. */
static inline uint32_t tree_rank(const struct tree *t, row_id row)
{
    return t->rank ? t->rank[row] : row;
}

/* How many twins ROW stands for, which are its children (twins.h); 0: it is a row of its own. */
static inline uint32_t tree_n_twins(const struct tree *t, row_id row)
{
    return t->n_twins ? t->n_twins[row] : 0;
}

/* The two halves of tree_text(). */
static inline const char *tree_name(const struct tree *t, row_id row)
{
    return tree_text(t, row).bytes;
}

static inline uint32_t tree_name_len(const struct tree *t, row_id row)
{
    return tree_text(t, row).len;
}

/* The graph node of a row that stands for one (scope, graph), or NODE_NONE. */
static inline node_id tree_node(const struct tree *t, row_id row)
{
    return t->member_begin[row] < t->member_begin[row + 1]
               ? profile_whole(t->profile, t->members[t->member_begin[row]])
               : NODE_NONE;
}

/* Fills is_name; the last call of every builder. */
void tree_mark_names(struct tree *t);

/* Puts to ROWS [MAX] the rows CHUNK, 2 CHUNK, ... and their ancestors below the root, ascending;
 * returns how many, or MAX + 1 when there are more.  Once these are done, what a row hands to its
 * children can be worked out in each chunk of CHUNK rows by itself. */
uint32_t tree_chunk_ancestors(const struct tree *t, uint32_t chunk, uint32_t max, row_id *rows);

/* First row of that name in pre-order, the root aside; ROW_NONE when there is
 * none. */
row_id tree_find(const struct tree *t, const char *name, size_t len);

/* The names of P's nodes in byte order; heap memory.  WORKERS may be NULL. */
struct text *tree_sorted_names(const struct profile *p, struct workers *workers);
/* Asks for the bytes of a name that is needed soon: in byte order names lie
 * anywhere in memory, and waiting for each costs more than all else. */
static inline void tree_prefetch(const struct text *names, uint32_t i, uint32_t n)
{
    enum { AHEAD = 12 };

    if (i + AHEAD < n) {
        __builtin_prefetch(names[i + AHEAD].bytes);
        __builtin_prefetch(names[i + AHEAD].bytes + names[i + AHEAD].len);
    }
}

/* What builders have before the rows are numbered: rows in any order in which
 * parents stand before their children; the root is row 0. */
struct tree_draft {
    uint32_t n;
    row_id *parent;
    strid *name;
    /* Rows 1..n-1 in an order that is right for siblings. */
    const row_id *siblings;
};

/* Numbers the rows of a draft in pre-order: fills T's n_rows, parent, end,
 * depth and name; returns the new number of each draft row (heap memory).  Needs no stack: a chain may be as deep as the
 * graph is large. */
row_id *tree_number(struct tree *t, const struct tree_draft *draft);

/* Fills T's members from row_of_node, each row's in name order. */
void tree_fill_members(struct tree *t);
/* Makes parts members in the place of the nodes that have them: ROW_OF_ID [profile_n_ids()] says
 * where; also fills row_of_node. */
void tree_fill_part_members(struct tree *t, const row_id *row_of_id);

#endif
