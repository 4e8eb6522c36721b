/* user_code.h: which lines of a call stack are the user's own. */
#ifndef TFPROF_TUI_USER_CODE_H
#define TFPROF_TUI_USER_CODE_H

#include "view/build/tree.h"

/* True for a file of Python itself, of an installed package or of a framework, by its path. */
bool is_library_file(const char *path);
/* The row of NODE in T, a tree of the code view: that of FRAME, one of its frames, or (NULL) of
 * the innermost one that is the user's; of the innermost one when there is none such.  ROW_NONE
 * when NODE has no row. */
row_id user_code_row(const struct tree *t, node_id node, const struct frame *frame);

#endif
