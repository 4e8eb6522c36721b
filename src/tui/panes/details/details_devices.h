/* details_devices.h: time of a row of a capture on each host and device. */
#ifndef TFPROF_TUI_DETAILS_DEVICES_H
#define TFPROF_TUI_DETAILS_DEVICES_H

#include "tui/panes/lines.h"

/* Adds the devices, and with several hosts the hosts, with the least, median and most time of
 * ROW's accounted nodes and those below, at the step of R's options or in all steps. With
 * SINGLE: of the row's own node, each device with its executions and their shortest, median and
 * longest duration. With the root: the step marks. Adds nothing for profiles without captures. */
void details_devices(struct lines *l, const struct result *r, row_id row, bool single);

#endif
