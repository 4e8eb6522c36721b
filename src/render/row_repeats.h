/* row_repeats.h: the suffix of rows that stand for repeated layers. */
#ifndef TFPROF_RENDER_ROW_REPEATS_H
#define TFPROF_RENDER_ROW_REPEATS_H

#include "base/strbuf.h"
#include "view/query.h"

/* If ROW stands for repeated layers, appends mean, minimum, maximum and outliers of the compared
 * metric, which R has to contain: " each 25.81ms (20.10ms to 30.22ms), outlier: layer_3
 * 30.22ms". */
void render_repeats(struct strbuf *sb, const struct result *r, row_id row);
/* Appends the part of REPEAT's name that differs from its siblings: of a scope the last
 * component. */
void render_repeat_name(struct strbuf *sb, const struct result *r, row_id repeat);

#endif
