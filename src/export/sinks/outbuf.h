/* outbuf.h: text on its way to a sink, gathered into large writes. */
#ifndef TFPROF_EXPORT_OUTBUF_H
#define TFPROF_EXPORT_OUTBUF_H

#include "base/strbuf.h"
#include "export/output.h"

/* Writers append to `text` and call outbuf_step() now and then; the memory
 * stays bounded whatever the size of the result.  After a failure nothing
 * more is written and outbuf_end() returns false. */
struct outbuf {
    struct strbuf text;
    struct sink *sink;
    struct err *err;
    bool failed;
};

void outbuf_init(struct outbuf *out, struct sink *sink, struct err *err);
/* Hands the text on when there is enough of it; false after a failure. */
bool outbuf_step(struct outbuf *out);
/* Hands on what there is, and TEXT behind it. */
void outbuf_add(struct outbuf *out, const struct strbuf *text);
/* Hands on the rest and frees the buffer; false when any write failed. */
bool outbuf_end(struct outbuf *out);

#endif
