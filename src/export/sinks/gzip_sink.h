/* gzip_sink.h: a sink that packs what passes through it. */
#ifndef TFPROF_EXPORT_GZIP_SINK_H
#define TFPROF_EXPORT_GZIP_SINK_H

#include "export/output.h"

struct gzip_sink; /* its first member is a struct sink */

/* A sink that hands gzip'd bytes on to TO (borrowed). */
struct gzip_sink *gzip_sink_new(struct sink *to);
struct sink *gzip_sink_get(struct gzip_sink *g);
/* Writes the end of the stream unless FAILED, frees G; false when the last
 * bytes could not be written (or FAILED). */
bool gzip_sink_free(struct gzip_sink *g, bool failed, struct err *err);

#endif
