/* roofline_svg.h: operation types below their roofs as an SVG element. */
#ifndef TFPROF_EXPORT_ROOFLINE_SVG_H
#define TFPROF_EXPORT_ROOFLINE_SVG_H

#include "export/sinks/outbuf.h"
#include "view/query.h"

/* Appends the roofline plot of the operation types of R, as it is at STEP, to OUT: a file of its
 * own.  Source of what it shows: view/pictures/roofline.h. */
void roofline_svg_write(struct outbuf *out, struct result *r, int64_t step);

#endif
