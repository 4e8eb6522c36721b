/* stdout_sink.h: standard output as a sink. */
#ifndef TFPROF_CLI_STDOUT_SINK_H
#define TFPROF_CLI_STDOUT_SINK_H

#include "export/output.h"

/* A buffered sink; fields are private. */
struct stdout_sink {
    struct sink sink; /* must be first */
    struct strbuf waiting;
};

void stdout_sink_init(struct stdout_sink *s);
/* Writes the buffer.  False with ERR (input) when it cannot be written.  When the reader is gone,
 * the program ends by SIGPIPE. */
bool stdout_sink_flush(struct stdout_sink *s, struct err *err);
void stdout_sink_done(struct stdout_sink *s);

#endif
