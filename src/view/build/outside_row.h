/* outside_row.h: the row of work outside of all steps, which is part of no total: the last row at the
 * top of each view of a trace that has such work of devices. */
#ifndef TFPROF_VIEW_BUILD_OUTSIDE_ROW_H
#define TFPROF_VIEW_BUILD_OUTSIDE_ROW_H

#include "view/build/tree.h"

/* True when devices of P worked outside of all steps of their trace. */
bool outside_has_work(const struct profile *p);
/* Appends the row to T, which was just built. */
void outside_row_add(struct tree *t);

#endif
