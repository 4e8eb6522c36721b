/* timeline_group.h: the parts of a query that determine the colours of spans. */
#pragma once

#include "view/pictures/timeline.h"

/* Appends a key of everything in VIEW and OPTIONS that removes spans from groups or assigns groups
 * by figure; empty if all spans have groups and BY is not a figure. */
void timeline_filter_text(struct strbuf *sb, enum view_id view, const struct options *options,
                       enum timeline_group_by by);
/* [n_nodes] group of each node by its figure of METRIC, relative to the largest figure; the caller
 * frees the array. */
uint8_t *timeline_figure_groups(struct result *r, enum metric_id metric);
