/* user_code.h: frames of a call stack that are not of libraries. */
#ifndef TFPROF_TUI_USER_CODE_H
#define TFPROF_TUI_USER_CODE_H

#include "view/build/tree.h"

/* The row of NODE in T, a tree of the code view: of FRAME, if it has a row; else the innermost
 * one outside of libraries; else the innermost one. ROW_NONE if NODE has no row. */
row_id user_code_row(const struct tree *t, node_id node, const struct frame *frame);

#endif
