/* details_value.h: the checkpoint's values of a row. */
#ifndef TFPROF_TUI_DETAILS_VALUE_H
#define TFPROF_TUI_DETAILS_VALUE_H

#include "tui/panes/lines.h"

/* Adds type, shape, statistics, a small histogram and the first values of the checkpoint's
 * tensor NAME (LEN bytes), if it exists. Statistics of very large tensors are left out with a
 * note, because reading them takes too long. */
void details_value(struct lines *l, const struct profile *p, const char *name, size_t len);

#endif
