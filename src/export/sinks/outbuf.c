/* outbuf.c: buffers text for large writes. */
#include "export/sinks/outbuf.h"

enum { ENOUGH_BYTES = 1 << 16 };

void outbuf_init(struct outbuf *out, struct sink *sink, struct err *err)
{
    *out = (struct outbuf){.sink = sink, .err = err};
}

static void write_text(struct outbuf *out, const struct strbuf *text)
{
    if (!out->failed && text->len)
        out->failed = !out->sink->write(out->sink, text->data, text->len, out->err);
}

static bool flush_text(struct outbuf *out)
{
    write_text(out, &out->text);
    sb_clear(&out->text);
    return !out->failed;
}

void outbuf_add(struct outbuf *out, const struct strbuf *text)
{
    flush_text(out);
    write_text(out, text);
}

bool outbuf_step(struct outbuf *out)
{
    return out->text.len < ENOUGH_BYTES || !out->sink ? !out->failed : flush_text(out);
}

bool outbuf_end(struct outbuf *out)
{
    bool ok = flush_text(out);

    sb_done(&out->text);
    return ok;
}
