/* rowmap.h: the rows of one tree in another tree of the same view. */
#ifndef TFPROF_TUI_ROWMAP_H
#define TFPROF_TUI_ROWMAP_H

#include "tui/panes/folds.h"

/* A zeroed struct maps nothing. */
struct rowmap {
    struct tree *from, *to; /* with references */
    row_id *row;            /* [rows of from] ROW_NONE: not in TO */
};

/* Fills M with the rows of TO that have the same path of names as those of
 * FROM, or stand for the node of that name; takes time in proportion to both. */
void rowmap_make(struct rowmap *m, struct tree *from, struct tree *to);
/* The same for two trees of the code view of one profile, of which one folds lines that the
 * other has: a row that is folded there is found in the row it is folded into. */
void rowmap_make_code(struct rowmap *m, struct tree *from, struct tree *to);
/* The same for two trees that are one with and without rows for twins. */
void rowmap_make_twins(struct rowmap *m, struct tree *from, struct tree *to);
void rowmap_done(struct rowmap *m);

/* The row in m->to for ROW, or for the nearest row above it that has one. */
row_id rowmap_row(const struct rowmap *m, row_id row);
/* The folds F of m->from for m->to: one reference. */
struct folds *rowmap_folds(const struct rowmap *m, const struct folds *f);
/* Leads *TREE, which is m->from, its *FOLDS and its *ROW over to m->to. */
void rowmap_apply(const struct rowmap *m, struct tree **tree, struct folds **folds, row_id *row);

#endif
