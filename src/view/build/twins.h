/* twins.h: sibling subtrees of equal shape, "layer_0" to "layer_11", under one row each
 * (doc/semantics.md section 4.7). */
#ifndef TFPROF_VIEW_TWINS_H
#define TFPROF_VIEW_TWINS_H

#include "base/err.h"
#include "opt/options.h"
#include "view/build/tree.h"

/* The rows of BUILT, the tree of VIEW, with one row more for each set of twins, as the parent of
 * those: "layer_[0-11] x12".  Twins are siblings whose names differ in a number and whose subtrees
 * have the same shape: the same relative names, and the same operation types at each of them.  A
 * tree without twins is BUILT itself.  One reference; NULL with ERR when it was cancelled. */
struct tree *twins_fold(struct tree *built, enum view_id view, struct cancel_mark cancel,
                        struct err *err);

/* True when FROM and TO are of one tree, with or without rows for twins. */
bool twins_are_of_one_tree(const struct tree *from, const struct tree *to);
/* The row of TO that is ROW of FROM: where TO has no row for twins, the first of them. */
row_id twins_row(const struct tree *from, row_id row, const struct tree *to);

/* ---- twins_name.c */

/* What a name is known by within its parent's: of a scope row what it adds to the parent's. */
struct text twins_relative_name(const struct tree *t, enum view_id view, row_id row);
/* Puts what twins have in common of NAME into SB, empty before: in the scope view all but the
 * last number, in the code view all but the line, in the graph view all but the numbers. */
void twins_key(struct strbuf *sb, enum view_id view, struct text name);
/* Appends one name for N rows of T, at least two: "conv_[0-4,7] x6". */
void twins_name(struct strbuf *sb, const struct tree *t, const row_id *rows, uint32_t n);

#endif
