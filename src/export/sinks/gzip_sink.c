/* gzip_sink.c: a sink that compresses. */
#include "export/sinks/sink.h"

#include <limits.h>
#include <stdlib.h>
#include <zlib.h>

#include "base/xalloc.h"

enum { CHUNK_BYTES = 1 << 15, GZIP_WINDOW = 15 + 16 };

struct gzip_sink {
    struct sink sink; /* must be first */
    struct sink *to;
    z_stream z;
    unsigned char chunk[CHUNK_BYTES];
};

static bool deflate_pending(struct gzip_sink *g, int flush, struct err *err)
{
    do {
        size_t n;

        g->z.next_out = g->chunk;
        g->z.avail_out = CHUNK_BYTES;
        deflate(&g->z, flush);
        n = CHUNK_BYTES - g->z.avail_out;
        if (n && !g->to->write(g->to, g->chunk, n, err))
            return false;
    } while (g->z.avail_out == 0);
    return true;
}

static bool gzip_write(struct sink *s, const void *bytes, size_t len, struct err *err)
{
    struct gzip_sink *g = (struct gzip_sink *)s;
    const unsigned char *next = bytes;

    while (len) {
        uInt part = len > UINT_MAX ? UINT_MAX : (uInt)len;

        g->z.next_in = (unsigned char *)(uintptr_t)next;
        g->z.avail_in = part;
        if (!deflate_pending(g, Z_NO_FLUSH, err))
            return false;
        next += part;
        len -= part;
    }
    return true;
}

struct sink *gzip_sink_new(struct sink *to)
{
    struct gzip_sink *g = xcalloc(1, sizeof *g);

    g->sink.write = gzip_write;
    g->to = to;
    /* The header has no time and no name, so equal profiles give equal files.  The fastest level
     * takes half the time and makes files a tenth larger. */
    if (deflateInit2(&g->z, Z_BEST_SPEED, Z_DEFLATED, GZIP_WINDOW, 8,
                     Z_DEFAULT_STRATEGY) != Z_OK)
        xalloc_fail(); /* the only possible error */
    return &g->sink;
}

bool gzip_sink_free(struct sink *s, bool failed, struct err *err)
{
    struct gzip_sink *g = (struct gzip_sink *)s;
    bool ok = !failed;

    g->z.next_in = NULL;
    g->z.avail_in = 0;
    if (ok)
        ok = deflate_pending(g, Z_FINISH, err);
    deflateEnd(&g->z);
    free(g);
    return ok;
}
