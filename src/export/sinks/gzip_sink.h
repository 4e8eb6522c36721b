/* gzip_sink.h: a sink that compresses. */
#ifndef TFPROF_EXPORT_GZIP_SINK_H
#define TFPROF_EXPORT_GZIP_SINK_H

#include "export/sinks/sink.h"

struct gzip_sink; /* its first member is a struct sink */

/* A sink that writes gzip data to TO (borrowed). */
struct gzip_sink *gzip_sink_new(struct sink *to);
struct sink *gzip_sink_get(struct gzip_sink *g);
/* Frees G; unless FAILED, writes the end of the stream first.  False when that fails, or with
 * FAILED. */
bool gzip_sink_free(struct gzip_sink *g, bool failed, struct err *err);

#endif
