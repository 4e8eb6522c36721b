/* tree.h: the data structure of all four views: rows in pre-order.
 *
 * Each view has a builder (view.h); all later stages are linear scans over the rows (query.h). */
#pragma once

#include "base/system/workers.h"
#include "base/text.h"
#include "model/profile.h"

/* Index of a row. The root is row 0; parents precede their children. */
typedef uint32_t row_id;
#define ROW_NONE UINT32_MAX
#define ROOT_NAME "_TFProfRoot"

/* Immutable once built. Siblings are in the order of the original profiler: by name in the scope
 * and op views, by input in the graph view, by insertion in the code view. */
struct tree {
    struct arena arena; /* owns all arrays below except the strings */
    const struct profile *profile;
    uint32_t n_rows;
    row_id *parent;  /* [n_rows] ROW_NONE for the root */
    row_id *end;     /* index after the last row of the subtree */
    uint32_t *depth; /* 0 for the root */
    /* id of a string of the profile or, from n_base on, of the tree; see tree_text() */
    strid *name;
    /* rank of the name among all names; equal names have equal ranks. NULL: rows are in name order;
     * see tree_rank() */
    uint32_t *rank;
    /* CSR of members in name order: nodes, or parts of nodes, whose figures add up to the self
     * figures of the row */
    uint32_t *member_begin; /* [n_rows + 1] */
    const node_id *members;
    /* [n_nodes] row of each node; ROW_NONE: not in this view */
    row_id *row_of_node;
    /* code view: frame of the row; NULL elsewhere */
    const struct frame **frame;
    /* code view: number of rows that -hide_frames folded into this one; NULL in other views */
    uint32_t *n_folded;
    /* by row: number of repeated layers below a row that represents a set; 0: an ordinary row.
     * NULL: the tree has no such row */
    uint32_t *n_repeats;
    /* scope view of traces: number of repeated modules that could share a row; 0: none */
    uint32_t n_alike;
    row_id outside;      /* row of work outside of steps, the last one (outside.c); 0: none */
    bool *is_gradient;   /* code view: the name ends in " (gradient)"; NULL in other views */
    strid n_base;        /* ids below this are strings of the profile */
    struct text *own;    /* text of string n_base + I */
    strid n_own;
    uint8_t *is_name;    /* [n_base + n_own] 1 for strings that are names of rows */
    struct intern store; /* owns the bytes of `own` that are not substrings of the profile's */
    struct notes notes;  /* notes from building the tree */
    /* The tree without rows of repeated layers (a reference), or NULL. row_of_under [under->n_rows]
     * maps its rows to rows of this tree; under_row [n_rows] is the inverse, and maps a row of
     * repeated layers to its first layer. */
    struct tree *under;
    row_id *row_of_under, *under_row;
    _Atomic uint32_t refs; /* private: tree_ref, tree_unref */
};

/* Returns an empty tree of P with one reference, for a builder to fill. */
struct tree *tree_new(const struct profile *p);
struct tree *tree_ref(struct tree *t);
/* Drops one reference; the last one frees T. Accepts NULL. */
void tree_unref(struct tree *t);

/* Text of a name id, not NUL-terminated; valid as long as T. */
static inline struct text tree_name_text(const struct tree *t, strid id)
{
    if (id >= t->n_base)
        return t->own[id - t->n_base];
    return intern_string(&t->profile->strings, id);
}

/* Name of ROW, not NUL-terminated. */
static inline struct text tree_text(const struct tree *t, row_id row)
{
    return tree_name_text(t, t->name[row]);
}

/* Sort key of the name of ROW: lower for names earlier in byte order, equal for equal names. */
static inline uint32_t tree_rank(const struct tree *t, row_id row)
{
    return t->rank ? t->rank[row] : row;
}

/* Number of repeated layers that are the children of ROW (repeats.h); 0: ROW is an ordinary row. */
static inline uint32_t tree_n_repeats(const struct tree *t, row_id row)
{
    return t->n_repeats ? t->n_repeats[row] : 0;
}

/* Pointer and length of tree_text(). */
static inline const char *tree_name(const struct tree *t, row_id row)
{
    return tree_text(t, row).bytes;
}

static inline uint32_t tree_name_len(const struct tree *t, row_id row)
{
    return tree_text(t, row).len;
}

/* The node of a row of the scope or graph view, or NODE_NONE. */
static inline node_id tree_node(const struct tree *t, row_id row)
{
    return t->member_begin[row] < t->member_begin[row + 1]
               ? profile_node_of_part(t->profile, t->members[t->member_begin[row]])
               : NODE_NONE;
}

/* Fills is_name; every builder calls it last. */
void tree_mark_names(struct tree *t);

/* Stores in ROWS [MAX] the rows CHUNK, 2 CHUNK, ... and their ancestors below the root, in
 * ascending order. Returns their number, or MAX + 1 if there are more. After these rows are done,
 * each chunk of CHUNK rows can be processed independently from parent to child. */
uint32_t tree_chunk_ancestors(const struct tree *t, uint32_t chunk, uint32_t max, row_id *rows);

/* First row of that name in pre-order, except the root; ROW_NONE if there is none. */
row_id tree_find(const struct tree *t, const char *name, size_t len);

/* Names of P's nodes in byte order; the caller frees the array. WORKERS may be NULL. */
struct text *tree_sorted_names(const struct profile *p, struct workers *workers);
/* Prefetches the bytes of a name. Names in byte order are scattered over memory, and cache misses
 * dominate the time. */
static inline void tree_prefetch(const struct text *names, uint32_t i, uint32_t n)
{
    enum { AHEAD = 12 };

    if (i + AHEAD < n) {
        __builtin_prefetch(names[i + AHEAD].bytes);
        __builtin_prefetch(names[i + AHEAD].bytes + names[i + AHEAD].len);
    }
}

/* Rows before they are numbered, in any order with parents before children; the root is row 0. */
struct tree_draft {
    uint32_t n;
    row_id *parent;
    strid *name;
    /* Rows 1 to n - 1, ordered so that siblings are in their final order. */
    const row_id *siblings;
};

/* Numbers the rows of a draft in pre-order and fills n_rows, parent, end, depth and name of T.
 * Returns the new number of each draft row; the caller frees the array. Uses no recursion: a chain
 * may be as deep as the graph is large. */
row_id *tree_number(struct tree *t, const struct tree_draft *draft);

/* Fills T's members from row_of_node; members of a row are in name order. */
void tree_fill_members(struct tree *t);
/* Makes parts members, in place of the nodes that have parts. ROW_OF_ID [profile_n_ids()] is the
 * row of each part. Also fills row_of_node. */
void tree_fill_part_members(struct tree *t, const row_id *row_of_id);
