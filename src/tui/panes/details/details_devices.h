/* details_devices.h: what a row of a capture took on each host and device. */
#ifndef TFPROF_TUI_DETAILS_DEVICES_H
#define TFPROF_TUI_DETAILS_DEVICES_H

#include "tui/panes/lines.h"

/* Adds the devices, and where there are several the hosts, that took least, the median and most of
 * ROW's accounted nodes and those below, at the step of R's options or in all; with SINGLE, of the
 * row's own node, each device with its executions and the shortest, median and longest of them; with
 * the root the marks of steps.  Nothing for profiles without captures. */
void details_devices(struct lines *l, const struct result *r, row_id row, bool single);

#endif
