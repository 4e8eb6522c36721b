/* drill.h: shows the subject of one row alone. */
#pragma once

#include "activity/table.h"
#include "tui/app.h"

/* Each shows a single thing: the type of ROW by scope, the tree of S, which is no node
 * (for a device of a trace its rank and step), or FRAME of NODE in the code view. Backspace returns. */
void drill_type(struct app *a, row_id row);
void drill_subject(struct app *a, const struct subject *s);
void drill_frame(struct app *a, node_id node, const struct frame *frame);

/* Relaxes the option that hides ROW, or rows below it, for reason WHY. */
void cure(struct app *a, row_id row, unsigned why);
/* Separates ROW's node from its partner in the baseline. Reads the compared files again. */
void unmatch(struct app *a, row_id row);

/* The row of NODE in T, a tree of the code view: of FRAME, if it has a row; else the innermost
 * one outside of libraries; else the innermost one. ROW_NONE if NODE has no row. */
row_id user_code_row(const struct tree *t, node_id node, const struct frame *frame);
