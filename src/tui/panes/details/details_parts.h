/* details_parts.h: the parts of the details of a row; private to this folder. */
#pragma once

#include "tui/lines.h"

struct app;
struct doc;

/* Appends the string ID of P, as lines_name() does. */
void details_text(struct lines *l, enum role role, const struct profile *p, strid id);
/* Adds file, line and, if the file exists, the text of ROW if it is a source line. */
void details_source(struct lines *l, struct app *a, row_id row);
/* Adds the call stack of NODE, innermost frame first. Runs of frames that match -hide_frames
 * take one line. The innermost other frame has its text unless the details have one already. */
void details_stack(struct lines *l, struct app *a, node_id node);

/* Adds the devices, and with several hosts the hosts, with the least, median and most time of
 * ROW's accounted nodes and those below, at the step of R's options or in all steps. With
 * SINGLE: of the row's own node, each device with its executions and their shortest, median and
 * longest duration. With the root: the step marks. Adds nothing for profiles without captures. */
void details_devices(struct lines *l, const struct result *r, row_id row, bool single);

/* Adds self and total figures of ROW, their shares of the root, and ratios. */
void details_figures(struct app *a, struct lines *l, row_id row);
/* Explains a "+" after the operations: the number of nodes of unknown shape at or below ROW. */
void details_uncounted(struct doc *doc, struct lines *l, row_id row);

/* If ROW of R represents repeated layers, adds mean, minimum and maximum of METRIC, then the layers
 * with their figures, outliers first; in a comparison with differences. */
void details_repeats(struct lines *l, const struct result *r, row_id row, enum metric_id metric);
/* Adds baseline, current value and difference of the metrics that ROW has on either side. R is a
 * comparison. */
void details_sides(struct lines *l, const struct result *r, row_id row);

/* Adds a figure of ROW (by_step_metric()) at each step as a sparkline, its median, spread and
 * worst step. Adds nothing if R has no figures by step, or all of ROW's are 0. */
void details_steps(struct lines *l, const struct result *r, row_id row);
/* Adds the figure at each step; of many steps those furthest from the median. */
void details_step_list(struct lines *l, const struct result *r, row_id row);

/* Adds the figure for each rank; nothing with fewer than two ranks. */
void details_ranks(struct lines *l, const struct result *r, row_id row);
/* True when figures of R include STEP, a step of executions. */
bool details_is_of_step(const struct result *r, int64_t step);
/* Adds the header "WHAT, step 3", with the steps of R's options. */
void details_header(struct lines *l, const struct result *r, const char *what);

/* Adds ranks. With SINGLE: of ROW's own node, executions by input shape, what the first one recorded
 * of itself, and the kernels that it launched. Adds nothing without traces. */
void details_trace(struct lines *l, const struct result *r, row_id row, bool single);

/* Adds the number of allocations of NODE, and how long the largest live; nothing without recorded
 * allocations. */
void details_memory(struct lines *l, const struct profile *p, node_id node);

/* Adds type, shape, statistics, a small histogram and the first values of the checkpoint's
 * tensor NAME (LEN bytes), if it exists. Statistics of very large tensors are left out with a
 * note, because reading them takes too long. */
void details_value(struct lines *l, const struct profile *p, const char *name, size_t len);
