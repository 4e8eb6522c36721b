/* details_devices.h: what a row of a capture took on each host and device. */
#ifndef TFPROF_TUI_DETAILS_DEVICES_H
#define TFPROF_TUI_DETAILS_DEVICES_H

#include "tui/panes/lines.h"

/* Adds the devices that took least, the median and most of ROW's accounted nodes and those below,
 * in all steps; with SINGLE, of the row's own node, each device with its executions and the
 * shortest, median and longest of them; with the root the marks of steps.  Nothing for profiles without captures. */
void details_devices(struct lines *l, const struct result *r, row_id row, bool single);

#endif
