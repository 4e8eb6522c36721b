/* details_value.h: what a checkpoint holds for a row. */
#ifndef TFPROF_TUI_DETAILS_VALUE_H
#define TFPROF_TUI_DETAILS_VALUE_H

#include "tui/panes/lines.h"

/* Adds type, shape, figures, a small histogram and the first values of the
 * checkpoint's tensor NAME (LEN bytes), if there is one.  Of very large tensors,
 * whose reading would be felt, the figures are left out, and that is said. */
void details_value(struct lines *l, const struct profile *p, const char *name, size_t len);

#endif
