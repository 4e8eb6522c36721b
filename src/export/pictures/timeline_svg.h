/* timeline_svg.h: what ran when, as an SVG element. */
#ifndef TFPROF_EXPORT_TIMELINE_SVG_H
#define TFPROF_EXPORT_TIMELINE_SVG_H

#include "export/sinks/outbuf.h"
#include "view/query.h"

/* So many tracks are drawn, of 230 columns each at most. */
enum { TIMELINE_SVG_TRACKS_MAX = 16 };

/* Appends the tracks of the step of R, for a page of HTML, to OUT: of an average the step that the
 * screen shows.  Nothing when no times are known. */
void timeline_svg_write(struct outbuf *out, struct result *r);

#endif
