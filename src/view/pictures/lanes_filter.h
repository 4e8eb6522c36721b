/* lanes_filter.h: what of a query decides how spans of lanes are drawn. */
#ifndef TFPROF_VIEW_PICTURES_LANES_FILTER_H
#define TFPROF_VIEW_PICTURES_LANES_FILTER_H

#include "view/pictures/lanes.h"

/* Appends what of VIEW and OPTIONS takes groups from spans, or gives them one by a figure; nothing
 * when all spans have groups and BY is no figure. */
void lanes_filter_text(struct strbuf *sb, enum view_id view, const struct options *options,
                       enum lane_group_by by);
/* [n_nodes] a group for each node by its figure METRIC, beside the largest one; heap. */
uint8_t *lanes_figure_groups(struct result *r, enum metric_id metric);
/* What group G of these is called: static text; "" of the one that has none. */
const char *lanes_figure_group_name(uint32_t g);

#endif
