/* outbuf.c: gathers text into large writes. */
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

static bool hand_on(struct outbuf *out)
{
    write_text(out, &out->text);
    sb_clear(&out->text);
    return !out->failed;
}

void outbuf_add(struct outbuf *out, const struct strbuf *text)
{
    hand_on(out);
    write_text(out, text);
}

bool outbuf_step(struct outbuf *out)
{
    return out->text.len < ENOUGH_BYTES ? !out->failed : hand_on(out);
}

bool outbuf_end(struct outbuf *out)
{
    bool ok = hand_on(out);

    sb_done(&out->text);
    return ok;
}
