/* gunzip.c: decompresses gzip data within a limit. */
#include "load/bytes/gunzip.h"

#include <inttypes.h>

#include "base/xalloc.h"
#include "load/bytes/gunzip_ahead.h"
#include "load/bytes/inflater.h"

enum { FIRST_BYTES = 1 << 16 };

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

bool gunzip(const unsigned char *packed, size_t len, uint64_t max, byte_vec *out,
            const struct gunzip_watch *watch, struct cancel_mark cancel, struct err *err)
{
    struct inflater *i = inflater_new(packed, len);
    int status;

    do {
        if (cancel_asked(cancel)) {
            err_set(err, ERR_CANCELLED, "cancelled");
            i->status = Z_ERRNO;
        } else if (i->status == Z_STREAM_END && watch && watch->ahead &&
                   gunzip_ahead_take(watch->ahead, &i, out)) {
            ; /* I has changed */
        } else if (out->n == out->capacity && !make_room(out, max, err)) {
            i->status = Z_ERRNO;
        } else {
            inflater_part(i, out, watch ? INFLATER_PART_BYTES : SIZE_MAX);
        }
        if (watch)
            watch->tell(watch->context, out->n);
    } while (inflater_goes_on(i));
    status = i->status;
    if (status == Z_MEM_ERROR)
        xalloc_fail();
    if (status == Z_BUF_ERROR)
        err_set(err, ERR_INPUT, "gzip: the compressed data ends too early");
    else if (status != Z_STREAM_END && status != Z_ERRNO)
        err_set(err, ERR_INPUT, "gzip: offset %td: %s", i->z.next_in - packed,
                i->z.msg ? i->z.msg : "damaged data");
    inflater_free(i);
    return status == Z_STREAM_END;
}
