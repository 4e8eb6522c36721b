/* forest.h: the nodes of a profile as a tree of scopes, prepared for matching; private to match/. */
#pragma once

#include "base/slots.h"
#include "base/text.h"
#include "base/vec.h"
#include "match/sizes.h"
#include "model/profile.h"

/* Index of a scope; 0 is the root. A node has a scope of its own, named by its last component. */
typedef uint32_t scope_id;
#define SCOPE_NONE UINT32_MAX
#define SCOPE_ROOT ((scope_id)0)

/* Component without a trailing number. */
#define NUMBER_NONE UINT32_MAX

struct scope {
    struct text text;    /* component; in a mirror, the mirrored component with its affixes */
    uint64_t name;       /* hash of the component, of a mirror also of its prefix */
    uint64_t canonical;  /* the same without case, separators, decorations and trailing number */
    uint32_t number;     /* trailing number, or NUMBER_NONE */
    scope_id parent;     /* in a mirror: the mirrored scope */
    node_id node;        /* NODE_NONE: none */
    uint32_t first;      /* smallest position in execution order of its nodes */
    uint32_t from, to;   /* its nodes, and those below, in `sequence` */
    uint32_t child_begin, child_end; /* in `children` */
    uint64_t path;       /* polynomial hash of the canonical components from the root on */
    uint32_t depth;      /* number of these components */
    uint64_t exact;      /* hash of names, types and shapes of its nodes and of those below */
    uint64_t content;    /* the same without the names of scopes */
    bool is_mirror;      /* a node or scope of a mirror scope, moved below what it mirrors */
    bool is_mirror_root; /* the prefix of mirror scopes: `gradients` */
};

/* Labels of a node at several levels of detail, for bags. */
struct label {
    uint32_t full;      /* type, shape, last component */
    uint32_t shaped;    /* type, shape */
    uint32_t named;     /* type, last component */
};

struct forest {
    const struct profile *p;
    VEC(struct scope) scopes;
    struct slots index;      /* scopes by parent and name */
    scope_id *scope_of;      /* [n_nodes] */
    scope_id *children;      /* in execution order */
    node_id *sequence;       /* [n_nodes] nodes in pre-order of their scopes */
    struct label *labels;    /* by position in sequence */
    uint64_t *powers;        /* [depth of the deepest scope + 1] of the base of `path` */
    uint64_t *type_of;       /* [n_nodes] hash of the type that pairs must share */
    uint64_t *top_names;     /* private: filter of names of the children of the root */
    uint32_t n_shaped;       /* number of nodes with shapes */
    uint32_t n_mirrored;     /* number of nodes in mirror scopes that were moved */
};

/* Makes the tree of P; free with forest_done(). MOVES: moves mirror scopes below their
 * originals. */
void forest_init(struct forest *f, const struct profile *p, bool moves);
void forest_done(struct forest *f);
/* Fills hashes and labels. SIZES: sizes that count as equal, NULL: none; WITH_SHAPES: whether shapes
 * are part of labels and hashes. May be called again. */
void forest_label(struct forest *f, const struct sizes *sizes, bool with_shapes);

/* Child of PARENT with the hash NAME; SCOPE_NONE: there is none. */
scope_id forest_child(const struct forest *f, scope_id parent, uint64_t name);
/* Hash of the canonical components of SCOPE from ABOVE on, which is one of the scopes above it. */
static inline uint64_t forest_role(const struct forest *f, scope_id above, scope_id scope)
{
    const struct scope *a = &f->scopes.data[above], *s = &f->scopes.data[scope];

    return s->path - a->path * f->powers[s->depth - a->depth];
}

static inline uint32_t forest_size(const struct forest *f, scope_id scope)
{
    return f->scopes.data[scope].to - f->scopes.data[scope].from;
}

static inline uint32_t forest_n_children(const struct forest *f, scope_id scope)
{
    return f->scopes.data[scope].child_end - f->scopes.data[scope].child_begin;
}

/* ---- forest_mirrors.c */

/* Moves mirror scopes below the scopes that they mirror; changes parents and names. */
void forest_move_mirrors(struct forest *f);

/* ---- forest_order.c */

/* Returns the position of each node in topological order; file order breaks ties. Heap. */
uint32_t *forest_order(const struct profile *p);
