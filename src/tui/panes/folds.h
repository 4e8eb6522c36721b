/* folds.h: which rows of a tree are open on the screen.  A set is never
 * changed once it is shared, so undo keeps old ones for the price of a
 * reference, and other threads may read it. */
#ifndef TFPROF_TUI_FOLDS_H
#define TFPROF_TUI_FOLDS_H

#include "view/query.h"

struct folds;

/* A set for a tree of N_ROWS rows: all closed but the root; one reference. */
struct folds *folds_new(uint32_t n_rows);
struct folds *folds_ref(struct folds *f);
void folds_unref(struct folds *f); /* NULL is fine */
/* A copy with one reference, to be changed by its maker. */
struct folds *folds_copy(const struct folds *f);

bool folds_is_open(const struct folds *f, row_id row);
/* A bit for every row of the tree, from the lowest of each word: for scans. */
const uint64_t *folds_bits(const struct folds *f);
void folds_set(struct folds *f, row_id row, bool open);
/* The first open row from ROW on, or ROW_NONE. */
row_id folds_next_open(const struct folds *f, row_id row);
/* Rows BEGIN to END - 1: a subtree is such a range. */
void folds_set_range(struct folds *f, row_id begin, row_id end, bool open);
/* Opens every displayed row with fewer than LEVEL displayed ancestors and
 * closes the others. */
void folds_set_level(struct folds *f, const struct result *r, uint32_t level);
/* Opens ROW and below it as long as there is just one child to see: a chain of
 * only children opens at once, of a very long one the first FOLDS_CHAIN_MAX. */
enum { FOLDS_CHAIN_MAX = 1000 };
void folds_open_chain(struct folds *f, struct result *r, row_id row);
/* Opens all ancestors that ROW is displayed under. */
void folds_reveal(struct folds *f, const struct result *r, row_id row);
/* The set F of tree FROM carried over to tree TO of the same view: one
 * reference. */
struct folds *folds_remap(struct folds *f, const struct tree *from, const struct tree *to);

#endif
