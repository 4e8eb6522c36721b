/* folds.h: the set of open rows of a tree. A set is immutable once it is shared, so undo keeps
 * old sets by reference, and other threads may read it. */
#pragma once

#include "view/query.h"

struct folds;

/* A set for a tree of N_ROWS rows with only the root open; one reference. */
struct folds *folds_new(uint32_t n_rows);
struct folds *folds_ref(struct folds *f);
void folds_unref(struct folds *f); /* NULL is fine */
/* A copy with one reference, which the caller may change. */
struct folds *folds_copy(const struct folds *f);

bool folds_is_open(const struct folds *f, row_id row);
/* One bit for each row, starting with the lowest bit of each word. */
const uint64_t *folds_bits(const struct folds *f);
void folds_set(struct folds *f, row_id row, bool open);
/* The first open row at or after ROW, or ROW_NONE. */
row_id folds_next_open(const struct folds *f, row_id row);
/* Opens or closes rows BEGIN to END - 1. A subtree is such a range. */
void folds_set_range(struct folds *f, row_id begin, row_id end, bool open);
/* Opens displayed rows with fewer than LEVEL displayed ancestors and closes the others. */
void folds_set_level(struct folds *f, const struct result *r, uint32_t level);
/* Opens ROW and the chain of only children below it, at most FOLDS_CHAIN_MAX rows. */
enum { FOLDS_CHAIN_MAX = 1000 };
void folds_open_chain(struct folds *f, struct result *r, row_id row);
/* As folds_open_chain() below the root of a tree that is displayed for the first time. In the scope
 * and code views a child with at least 80 % of its parent's METRIC counts as an only child, for at
 * most FOLDS_DOMINANT_MAX rows, so that the first screen shows where the time is spent. */
enum { FOLDS_DOMINANT_MAX = 8 };
void folds_open_first(struct folds *f, struct result *r, enum metric_id metric);
/* Opens all displayed ancestors of ROW. */
void folds_reveal(struct folds *f, const struct result *r, row_id row);
/* The set F of tree FROM for tree TO of the same view: one reference. */
struct folds *folds_remap(struct folds *f, const struct tree *from, const struct tree *to);
