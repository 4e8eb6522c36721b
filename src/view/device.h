/* device.h: which rows run on a device that -device_regexes names. */
#ifndef TFPROF_VIEW_DEVICE_H
#define TFPROF_VIEW_DEVICE_H

#include "view/filter.h"

/* Evaluates LIST over the canonical devices, each once: F->match by row.  A
 * row without device has the empty text; a row of several nodes matches when
 * the device of one of its accounted nodes (NODE_ACCOUNTED) does.  Errors as
 * filter_update(). */
bool device_filter_update(struct filter *f, const char *list, const uint8_t *node_accounted,
                          bool is_multi, const struct filter_work *work, struct err *err);

#endif
