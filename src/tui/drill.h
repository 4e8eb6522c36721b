/* drill.h: shows the subject of one row alone. */
#pragma once

#include "tui/app.h"

/* Each shows a single thing: the type of ROW by scope, the operations of DEVICE or
 * HOST, or FRAME of NODE in the code view. Backspace returns. */
void drill_type(struct app *a, row_id row);
void drill_device(struct app *a, struct text device);
void drill_host(struct app *a, struct text host);
void drill_rank(struct app *a, int64_t rank);
void drill_frame(struct app *a, node_id node, const struct frame *frame);

/* Relaxes the option that hides ROW, or rows below it, for reason WHY. */
void cure(struct app *a, row_id row, unsigned why);
/* Separates ROW's node from its partner in the baseline. Reads the compared files again. */
void unmatch(struct app *a, row_id row);

/* The row of NODE in T, a tree of the code view: of FRAME, if it has a row; else the innermost
 * one outside of libraries; else the innermost one. ROW_NONE if NODE has no row. */
row_id user_code_row(const struct tree *t, node_id node, const struct frame *frame);
