/* gunzip.h: decompresses gzip data within a limit. */
#pragma once

#include "base/cancel.h"
#include "base/err.h"
#include "base/vec.h"

typedef VEC(unsigned char) byte_vec;

/* True when BYTES begin with the gzip magic. */
bool gunzip_wanted(const unsigned char *bytes, size_t len);

struct gunzip_ahead; /* load/bytes/gunzip_ahead.h */

/* Called regularly with the number of bytes so far. */
struct gunzip_watch {
    void (*tell)(void *context, size_t n_bytes);
    void *context;
    struct gunzip_ahead *ahead; /* NULL, or inflates later members of PACKED; OUT has its capacity MAX */
};

/* Decompresses all members of PACKED into OUT, at most MAX bytes.  Ignores what follows the last
 * member. WATCH may be NULL.  OUT is not moved if its capacity is MAX.  False with ERR (without
 * path). */
bool gunzip(const unsigned char *packed, size_t len, uint64_t max, byte_vec *out,
            const struct gunzip_watch *watch, struct cancel_mark cancel, struct err *err);
