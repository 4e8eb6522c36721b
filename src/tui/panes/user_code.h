/* user_code.h: which lines of a call stack are the user's own. */
#ifndef TFPROF_TUI_USER_CODE_H
#define TFPROF_TUI_USER_CODE_H

#include "view/build/tree.h"

/* The row of NODE in T, a tree of the code view: that of FRAME, one of its frames; with NULL, or
 * where that has no row, of the innermost one outside of libraries; of the innermost one when
 * there is none such.  ROW_NONE when NODE has no row. */
row_id user_code_row(const struct tree *t, node_id node, const struct frame *frame);

#endif
