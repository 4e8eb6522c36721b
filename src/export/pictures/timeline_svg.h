/* timeline_svg.h: draws the timeline as an SVG element. */
#ifndef TFPROF_EXPORT_TIMELINE_SVG_H
#define TFPROF_EXPORT_TIMELINE_SVG_H

#include "export/sinks/outbuf.h"
#include "view/query.h"

/* Limit for tracks; each has at most 230 columns. */
enum { TIMELINE_SVG_TRACKS_MAX = 16 };

/* Appends the tracks of the step of R to OUT, for an HTML page; for an average of steps, those of
 * the step that the screen shows.  Appends nothing without known times. */
void timeline_svg_write(struct outbuf *out, struct result *r);

#endif
