/* gunzip.c: decompresses gzip data within a limit. */
#include "load/bytes/gunzip.h"

#include <inttypes.h>
#include <limits.h>
#define ZLIB_CONST /* makes next_in const */
#include <zlib.h>

#include "base/xalloc.h"

enum { WINDOW_GZIP = 15 + 16, FIRST_BYTES = 1 << 16, WATCH_EVERY_BYTES = 256 << 10 };

bool gunzip_wanted(const unsigned char *bytes, size_t len)
{
    return len >= 2 && bytes[0] == 0x1f && bytes[1] == 0x8b;
}

/* Doubles the capacity of the output, up to the limit. */
static bool make_room(byte_vec *out, uint64_t max, struct err *err)
{
    uint64_t want = out->n < FIRST_BYTES ? FIRST_BYTES : (uint64_t)out->n * 2;

    if (out->n >= max)
        return err_set(err, ERR_INPUT, "decompresses to more than %" PRIu64
                       " bytes, the limit for its size",
                       max);
    vec_reserve(out, (size_t)(want < max ? want : max));
    return true;
}

static uInt clamp(size_t n)
{
    return n > UINT_MAX ? UINT_MAX : (uInt)n;
}

/* Inflates until the input or a member ends. */
static int inflate_member(z_stream *z, const unsigned char *end, uint64_t max, byte_vec *out,
                          const struct gunzip_watch *watch, struct cancel_mark cancel,
                          struct err *err)
{
    int status = Z_OK;

    while (status == Z_OK) {
        uInt room;

        if (cancel_asked(cancel)) {
            err_set(err, ERR_CANCELLED, "cancelled");
            return Z_ERRNO;
        }
        if (out->n == out->capacity && !make_room(out, max, err))
            return Z_ERRNO;
        room = clamp(out->capacity - out->n);
        if (watch && room > WATCH_EVERY_BYTES)
            room = WATCH_EVERY_BYTES;
        z->next_out = out->data + out->n;
        z->avail_out = room;
        z->avail_in = clamp((size_t)(end - z->next_in));
        status = inflate(z, Z_NO_FLUSH);
        out->n += room - z->avail_out;
        if (watch)
            watch->tell(watch->context, out->n);
    }
    return status;
}

bool gunzip(const unsigned char *packed, size_t len, uint64_t max, byte_vec *out,
            const struct gunzip_watch *watch, struct cancel_mark cancel, struct err *err)
{
    const unsigned char *end = packed + len;
    z_stream z = {.next_in = packed};
    int status;

    if (inflateInit2(&z, WINDOW_GZIP) != Z_OK)
        xalloc_fail(); /* the only possible error */
    do {
        status = inflate_member(&z, end, max, out, watch, cancel, err);
    } while (status == Z_STREAM_END && gunzip_wanted(z.next_in, (size_t)(end - z.next_in)) &&
             inflateReset(&z) == Z_OK);
    if (status == Z_MEM_ERROR)
        xalloc_fail();
    if (status == Z_BUF_ERROR)
        err_set(err, ERR_INPUT, "gzip: the compressed data ends too early");
    else if (status != Z_STREAM_END && status != Z_ERRNO)
        err_set(err, ERR_INPUT, "gzip: offset %td: %s", z.next_in - packed,
                z.msg ? z.msg : "damaged data");
    inflateEnd(&z);
    return status == Z_STREAM_END;
}
