/* inflater.c: inflates gzip members part by part. */
#include "load/bytes/inflater.h"

#include <limits.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "base/xalloc.h"

/* The input of one part is limited as well: a member may have any number of empty blocks. */
enum { WINDOW_GZIP = 15 + 16, PART_INPUT_BYTES = 1 << 20 };

struct inflater *inflater_new(const unsigned char *packed, size_t len)
{
    struct inflater *i = xcalloc(1, sizeof *i);

    i->z.next_in = packed;
    i->end = packed + len;
    if (inflateInit2(&i->z, WINDOW_GZIP) != Z_OK)
        xalloc_fail(); /* the only possible error */
    return i;
}

void inflater_free(struct inflater *i)
{
    inflateEnd(&i->z);
    free(i);
}

void inflater_set(struct inflater *i, const unsigned char *at)
{
    inflateReset(&i->z);
    i->z.next_in = at;
    i->status = Z_OK;
}

bool inflater_goes_on(const struct inflater *i)
{
    return i->status == Z_OK ||
           (i->status == Z_STREAM_END &&
            gunzip_wanted(i->z.next_in, (size_t)(i->end - i->z.next_in)));
}

void inflater_part(struct inflater *i, byte_vec *out, size_t part_bytes)
{
    const size_t left = (size_t)(i->end - i->z.next_in);
    uInt room = part_bytes < UINT_MAX ? (uInt)part_bytes : UINT_MAX;

    if (i->status == Z_STREAM_END)
        inflateReset(&i->z);
    if (out->capacity - out->n < room)
        room = (uInt)(out->capacity - out->n);
    i->z.next_out = out->data + out->n;
    i->z.avail_out = room;
    i->z.avail_in = left < PART_INPUT_BYTES ? (uInt)left : PART_INPUT_BYTES;
    i->status = inflate(&i->z, Z_NO_FLUSH);
    out->n += room - i->z.avail_out;
}

unsigned char *inflater_reserve(uint64_t size_bytes)
{
    void *room = size_bytes > SIZE_MAX ? MAP_FAILED
                                       : mmap(NULL, (size_t)size_bytes, PROT_READ | PROT_WRITE,
                                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

    return room == MAP_FAILED ? NULL : room;
}
