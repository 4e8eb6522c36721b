/* siblings.h: one-to-one assignment of the children of two paired scopes; private to match/. */
#pragma once

#include "base/cancel.h"
#include "match/bags.h"

#define SIBLING_NONE UINT32_MAX

typedef VEC(scope_id) scope_list;

/* One of the two lists, in execution order. */
struct sibling_list {
    const struct forest *f;
    const scope_id *scopes;
    uint32_t n;
    uint32_t *partner; /* [n] position in the other list, or SIBLING_NONE */
};

/* Kind of evidence for a pair of siblings, by position in list A. */
enum sibling_reason { SIBLING_BY_NAME, SIBLING_BY_CONTENT, SIBLING_BY_ORDER };

struct siblings {
    struct sibling_list a, b;
    uint8_t *reason;   /* [a.n] enum sibling_reason */
    float *similarity; /* [a.n] with shapes, 0 to 1 */
    struct cancel_mark cancel;
};

/* Fills partner, reason and similarity of both lists. Short lists are aligned by dynamic programming,
 * long ones by hashes. Partners that are set already stay. */
void siblings_assign(struct siblings *s);

/* Sorts siblings that differ only in their numbers, within the positions that they occupy. */
void siblings_sort_equal(const struct forest *f, scope_list *list);

/* ---- for the files of this module */

/* True when the types of nodes and the kinds of scopes allow a pair. O: overlap of their bags. */
bool siblings_may_pair(const struct siblings *s, uint32_t a, uint32_t b, struct overlap o);
/* Assignment of long lists. */
void siblings_assign_many(struct siblings *s);
/* For lists A and B of child positions: positions in B by name of A; SIBLING_NONE: none. Heap. */
uint32_t *siblings_by_name(const struct siblings *s);
/* Chooses between two complete assignments for each group of siblings that exclude each other:
 * BY_CONTENT if more nodes agree in type and shape, else BY_NAME. AGREE(arg, a, b) counts these
 * nodes. */
typedef int64_t agreement(const void *arg, uint32_t a, uint32_t b);
void siblings_choose(struct siblings *s, const uint32_t *by_name, const uint32_t *by_content,
                     agreement *agree, const void *arg);

static inline const struct scope *sibling_at(const struct sibling_list *list, uint32_t i)
{
    return &list->f->scopes.data[list->scopes[i]];
}
