/* outbuf.c: text on its way to a sink, gathered into large writes. */
#include "export/outbuf.h"

enum { ENOUGH_BYTES = 1 << 16 };

void outbuf_init(struct outbuf *out, struct sink *sink, struct err *err)
{
    *out = (struct outbuf){.sink = sink, .err = err};
}

static bool hand_on(struct outbuf *out)
{
    if (!out->failed && out->text.len)
        out->failed = !out->sink->write(out->sink, out->text.data, out->text.len, out->err);
    sb_clear(&out->text);
    return !out->failed;
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
