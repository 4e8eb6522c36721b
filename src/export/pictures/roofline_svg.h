/* roofline_svg.h: draws the roofline of a result as an SVG element. */
#ifndef TFPROF_EXPORT_ROOFLINE_SVG_H
#define TFPROF_EXPORT_ROOFLINE_SVG_H

#include "export/sinks/outbuf.h"
#include "view/query.h"

/* Appends the roofline (view/pictures/roofline.h) of the operation types of R at STEP to OUT, as a
 * file of its own. */
void roofline_svg_write(struct outbuf *out, struct result *r, int64_t step);

#endif
