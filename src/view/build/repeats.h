/* repeats.h: merges sibling subtrees of equal shape, such as "layer_0" to "layer_11", under one row
 * (doc/semantics.md section 4.7). */
#pragma once

#include "base/err.h"
#include "base/strbuf.h"
#include "opt/options.h"
#include "view/build/tree.h"

/* Returns BUILT, the tree of VIEW, with an additional row for each set of repeated layers, which
 * becomes their parent: "layer_[0-11] x12". Repeated layers are siblings whose names differ in a
 * number and whose subtrees have the same shape: the same relative names and the same operation
 * types. Without repeated layers BUILT itself is returned. One reference; NULL with ERR when
 * cancelled. */
struct tree *repeats_fold(struct tree *built, enum view_id view, struct cancel_mark cancel,
                        struct err *err);

/* True when FROM and TO were built from the same tree, with or without rows of repeated layers. */
bool repeats_share_tree(const struct tree *from, const struct tree *to);
/* The row of TO that corresponds to ROW of FROM. A row of repeated layers that TO does not have
 * maps to the first of its layers. */
row_id repeats_row(const struct tree *from, row_id row, const struct tree *to);

/* ---- repeats_name.c */

/* Name relative to the parent: for a scope row the part after the parent's name. */
struct text repeats_relative_name(const struct tree *t, enum view_id view, row_id row);
/* Replaces the content of SB (empty at first) by the part of NAME that repeated layers share: in
 * the scope view all but the last number, in the code view all but the line number, in the graph
 * view all but the numbers. */
void repeats_key(struct strbuf *sb, enum view_id view, struct text name);
/* Appends one name for N >= 2 rows of T: "conv_[0-4,7] x6". */
void repeats_name(struct strbuf *sb, const struct tree *t, const row_id *rows, uint32_t n);

/* True if T, a tree of the scope view, has modules. */
bool repeats_have_modules(const struct tree *t);
/* Sets SHAPE [n_rows] of each module to the first of its siblings with the same class and an equal
 * subtree, in which numbers are replaced by their ranks. Other rows do not change. False when
 * cancelled. */
bool repeats_modules(const struct tree *t, row_id *shape, struct cancel_mark cancel);
/* Returns the size of the largest set of such modules nearest to the root; 0: none, or
 * cancelled. */
uint32_t repeats_topmost(const struct tree *t, struct cancel_mark cancel);
/* Appends the siblings that are most similar, and their first difference. Appends nothing if no row
 * has two child modules of one class. */
void repeats_explain_none(struct strbuf *sb, const struct tree *t, struct cancel_mark cancel);
