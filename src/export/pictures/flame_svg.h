/* flame_svg.h: the flame graph of a result as an SVG element. */
#ifndef TFPROF_EXPORT_FLAME_SVG_H
#define TFPROF_EXPORT_FLAME_SVG_H

#include "export/sinks/outbuf.h"
#include "view/query.h"

/* So many cells are drawn, whatever the profile has; levels that would be more are left out. */
enum { FLAME_SVG_CELLS_MAX = 8000 };

/* Appends the displayed rows of R, as it is at STEP, to OUT: a cell is as wide as the total of
 * METRIC, which R has.  ALONE as for svg_begin(). */
void flame_svg_write(struct outbuf *out, struct result *r, enum metric_id metric, int64_t step,
                      bool alone);

#endif
