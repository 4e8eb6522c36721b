/* sink.h: a destination of bytes. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

/* write() may be called any number of times; it returns false with ERR on failure. */
struct sink {
    bool (*write)(struct sink *s, const void *bytes, size_t len, struct err *err);
    /* Random access, for writers that need it; NULL if the sink is not a file. read_at() returns
     * zeros after the end. */
    bool (*write_at)(struct sink *s, const void *bytes, size_t len, uint64_t at, struct err *err);
    bool (*read_at)(struct sink *s, void *bytes, size_t len, uint64_t at, struct err *err);
};

/* A sink that writes gzip data to TO (borrowed). */
struct sink *gzip_sink_new(struct sink *to);
/* Frees S, such a sink; unless FAILED, first writes the end of the stream. False if that fails, or if FAILED. */
bool gzip_sink_free(struct sink *s, bool failed, struct err *err);
