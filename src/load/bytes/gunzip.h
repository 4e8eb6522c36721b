/* gunzip.h: unpacking gzip'd inputs within a bound. */
#ifndef TFPROF_LOAD_GUNZIP_H
#define TFPROF_LOAD_GUNZIP_H

#include "base/cancel.h"
#include "base/err.h"
#include "base/vec.h"

typedef VEC(unsigned char) byte_vec;

/* Starts with the magic bytes of gzip. */
bool gunzip_wanted(const unsigned char *bytes, size_t len);

/* Who is told how many bytes there are, every now and then. */
struct gunzip_watch {
    void (*tell)(void *context, size_t n_bytes);
    void *context;
};

/* Unpacks all members of the gzip'd PACKED into OUT, MAX bytes at most.  What
 * follows the last member is ignored.  WATCH may be NULL.  OUT stays where it is
 * when it has room for MAX bytes.  False with ERR (without path). */
bool gunzip(const unsigned char *packed, size_t len, uint64_t max, byte_vec *out,
            const struct gunzip_watch *watch, struct cancel_mark cancel, struct err *err);

#endif
