/* gunzip_stream.h: decompresses gzip data on another thread while its first bytes are read.
 * Address space for the maximum size is reserved at once (memory is only used when written), so
 * bytes do not move and a reader can follow the writer. */
#pragma once

#include "base/cancel.h"
#include "base/err.h"
#include "model/profile.h"

struct gunzip_stream;

/* Starts to decompress the LEN bytes of PACKED (heap, ownership is taken), at most MAX bytes.  NULL
 * when there is no address space or no thread; PACKED then stays the caller's. */
struct gunzip_stream *gunzip_start(unsigned char *packed, size_t len, uint64_t max,
                                   struct cancel_mark cancel);

const uint8_t *gunzip_bytes(const struct gunzip_stream *s);
/* Waits for the first WANT bytes or the end; returns the number available.  *ENDED: there are no
 * more. Only one thread may call it. */
size_t gunzip_await(struct gunzip_stream *s, size_t want, bool *ended);

/* Waits for the end, moves all bytes to FILE, and frees S.  False with ERR (without path) when the
 * data are damaged or too long; FILE then has the decompressed part. */
bool gunzip_finish(struct gunzip_stream *s, struct source_file *file, struct err *err);
/* Stops and frees S; it may be NULL. */
void gunzip_cancel(struct gunzip_stream *s);
