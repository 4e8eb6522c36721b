/* rowmap.h: maps rows of one tree to another tree of the same view. */
#pragma once

#include "tui/rows/folds.h"

/* A zeroed struct maps nothing. */
struct rowmap {
    struct tree *from, *to; /* with references */
    row_id *row;            /* [rows of from] ROW_NONE: no row in TO */
};

/* Maps rows with equal paths of names, or of the node with the same name. Takes time linear in
 * both trees. */
void rowmap_make(struct rowmap *m, struct tree *from, struct tree *to);
/* Maps two trees of the code view of one profile that fold different lines: a folded line is
 * mapped to the row it is folded into. */
void rowmap_make_code(struct rowmap *m, struct tree *from, struct tree *to);
/* Maps two trees that differ in the folding of repeated layers only. */
void rowmap_make_repeats(struct rowmap *m, struct tree *from, struct tree *to);
void rowmap_done(struct rowmap *m);

/* The row in m->to of ROW, or of its nearest mapped ancestor. */
row_id rowmap_row(const struct rowmap *m, row_id row);
/* The folds F of m->from for m->to: one reference. */
struct folds *rowmap_folds(const struct rowmap *m, const struct folds *f);
/* Replaces *TREE, which is m->from, by m->to and maps *FOLDS and *ROW. */
void rowmap_apply(const struct rowmap *m, struct tree **tree, struct folds **folds, row_id *row);
