/* row_repeats.h: what a row of repeated layers says of them behind its figures. */
#ifndef TFPROF_RENDER_ROW_REPEATS_H
#define TFPROF_RENDER_ROW_REPEATS_H

#include "base/strbuf.h"
#include "view/query.h"

/* Appends, if ROW stands for repeated layers, the mean, the least and the most of them in the metric that
 * comparisons compare, which R has, and which of them are outliers: " each 25.81ms (20.10ms to
 * 30.22ms), outlier: layer_3 30.22ms". */
void render_repeats(struct strbuf *sb, const struct result *r, row_id row);
/* Appends what the name of REPEAT has that those beside it have not: of a scope its last part. */
void render_repeat_name(struct strbuf *sb, const struct result *r, row_id repeat);

#endif
