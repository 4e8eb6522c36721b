/* sizes.h: shapes of nodes, and sizes that were replaced throughout (batch size, sequence length);
 * private to match/. */
#pragma once


#include "base/vec.h"
#include "model/profile.h"

/* Size of the baseline, its replacement in now, and how many dimensions were seen. */
struct size_change {
    int64_t from, to;
    uint32_t n;
};

struct sizes {
    VEC(struct size_change) list; /* distinct, by `from` */
};

/* Returns the representative of SIZE and of all sizes that replaced it. */
int64_t sizes_of(const struct sizes *sizes, int64_t size);

/* Appends the dimensions of NODE's shapes: of its outputs, else of itself, else of its call inputs.
 * SHAPE_END ends each shape. Empty: unknown. */
typedef VEC(int64_t) dim_list;
#define SHAPE_END INT64_MIN
void shapes_of_node(const struct profile *p, node_id node, dim_list *dims);

/* Counts differing dimensions of two nodes with equally many, and accepts replacements. */
struct size_votes;
struct size_votes *size_votes_new(void);
void size_votes_add(struct size_votes *v, const dim_list *base, const dim_list *now);
/* Accepts a replacement if at least 90 % of the differing dimensions of its size have it, and at
 * least three. Frees V. */
void size_votes_accept(struct size_votes *v, struct sizes *sizes);
