/* flame_svg.h: draws the flame graph of a result as an SVG element. */
#ifndef TFPROF_EXPORT_FLAME_SVG_H
#define TFPROF_EXPORT_FLAME_SVG_H

#include "export/sinks/outbuf.h"
#include "view/query.h"

/* Limit for cells; deeper levels are left out. */
enum { FLAME_SVG_CELLS_MAX = 8000 };

/* Appends the displayed rows of R at STEP to OUT; the width of a cell is its total of METRIC, which
 * R has.  ALONE as in svg_begin(). */
void flame_svg_write(struct outbuf *out, struct result *r, enum metric_id metric, int64_t step,
                      bool alone);

#endif
