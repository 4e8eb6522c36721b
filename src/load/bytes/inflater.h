/* inflater.h: inflates gzip members part by part. */
#pragma once

#define ZLIB_CONST /* makes next_in const */
#include <zlib.h>

#include "load/bytes/gunzip.h"

/* Parts of this size, from the beginning of each member on, give the same bytes and the same error on
 * any thread. */
enum { INFLATER_PART_BYTES = 256 << 10 };

struct inflater {
    z_stream z; /* next_in: where it is */
    const unsigned char *end;
    int status; /* of the last part; Z_STREAM_END: at the end of a member */
};

struct inflater *inflater_new(const unsigned char *packed, size_t len);
void inflater_free(struct inflater *i);

/* Continues at AT, where a member begins. */
void inflater_set(struct inflater *i, const unsigned char *at);
/* False after an error and at the end of the last member. */
bool inflater_goes_on(const struct inflater *i);
/* Adds up to PART_BYTES to OUT, within its capacity; begins the next member after the end of one. */
void inflater_part(struct inflater *i, byte_vec *out, size_t part_bytes);

/* Address space, whose memory is only used when written; NULL on failure. Freed by munmap(). */
unsigned char *inflater_reserve(uint64_t size_bytes);
