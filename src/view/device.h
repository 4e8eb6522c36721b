/* device.h: evaluates -device_regexes: the rows that run on matching devices. */
#ifndef TFPROF_VIEW_DEVICE_H
#define TFPROF_VIEW_DEVICE_H

#include "view/filter.h"

/* Evaluates LIST once for each distinct canonical device and fills F->match by row. A row without a
 * device is matched as the empty text; a row of several nodes matches if the device of one of its
 * accounted nodes (NODE_ACCOUNTED) does. Errors as for filter_update(). */
bool device_filter_update(struct filter *f, const char *list, const uint8_t *node_accounted,
                          bool is_multi, const struct filter_work *work, struct err *err);

#endif
