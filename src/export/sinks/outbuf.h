/* outbuf.h: gathers text into large writes. */
#pragma once

#include "base/strbuf.h"
#include "export/sinks/sink.h"

/* Writers append to `text` and call outbuf_step() regularly; this bounds the memory for results of
 * any size.  After a failure nothing is written and outbuf_end() returns false. */
struct outbuf {
    struct strbuf text;
    struct sink *sink;
    struct err *err;
    bool failed;
};

/* SINK NULL: all stays in `text`. */
void outbuf_init(struct outbuf *out, struct sink *sink, struct err *err);
/* Writes the text if there is enough of it; false after a failure. */
bool outbuf_step(struct outbuf *out);
/* Writes the buffered text, then TEXT. */
void outbuf_add(struct outbuf *out, const struct strbuf *text);
/* Writes the rest and frees the buffer; false when any write failed. */
bool outbuf_end(struct outbuf *out);
