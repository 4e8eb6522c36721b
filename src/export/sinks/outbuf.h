/* outbuf.h: buffers text for large writes. */
#pragma once

#include "base/strbuf.h"
#include "export/sinks/sink.h"

/* Writers append to `text` and call outbuf_step() regularly, which bounds the memory. After a
 * failure nothing more is written, and outbuf_end() returns false. */
struct outbuf {
    struct strbuf text;
    struct sink *sink;
    struct err *err;
    bool failed;
};

/* SINK NULL: all text stays in `text`. */
void outbuf_init(struct outbuf *out, struct sink *sink, struct err *err);
/* Writes `text` if it is large enough; false after a failure. */
bool outbuf_step(struct outbuf *out);
/* Writes the buffered text, then TEXT. */
void outbuf_add(struct outbuf *out, const struct strbuf *text);
/* Writes the rest and frees the buffer; false when any write failed. */
bool outbuf_end(struct outbuf *out);
