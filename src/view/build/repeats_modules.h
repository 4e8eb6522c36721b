/* repeats_modules.h: repeated modules of traces of PyTorch, whose numbers run through the whole model
 * (doc/semantics.md section 4.7). */
#ifndef TFPROF_VIEW_REPEATS_MODULES_H
#define TFPROF_VIEW_REPEATS_MODULES_H

#include "base/strbuf.h"
#include "view/build/tree.h"

/* True if the rows of T, a tree of the scope view, have modules. */
bool repeats_have_modules(const struct tree *t);
/* Sets SHAPE [n_rows] of each module to the first of its siblings of the same class with an equal
 * subtree, numbers replaced by their ranks in it; other rows are left.  False when cancelled. */
bool repeats_modules(const struct tree *t, row_id *shape, struct cancel_mark cancel);
/* The size of the set of such modules that is nearest to the root, the largest of several; 0: there is
 * none, or cancelled. */
uint32_t repeats_topmost(const struct tree *t, struct cancel_mark cancel);
/* Appends which siblings come closest to being equal, and where they differ first; nothing without two
 * modules of one class below one row. */
void repeats_why_none(struct strbuf *sb, const struct tree *t, struct cancel_mark cancel);

#endif
