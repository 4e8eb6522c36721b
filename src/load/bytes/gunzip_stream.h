/* gunzip_stream.h: the bytes of a gzip'd input while another thread unpacks them.
 *
 * Room for all that the input may unpack to is reserved at once (the system
 * gives memory only to what is written), so bytes stay where they are while more
 * of them arrive, and a reader may follow close behind. */
#ifndef TFPROF_LOAD_GUNZIP_STREAM_H
#define TFPROF_LOAD_GUNZIP_STREAM_H

#include "base/cancel.h"
#include "base/err.h"
#include "model/profile.h"

struct gunzip_stream;

/* Begins to unpack the LEN bytes of PACKED (heap, taken over), MAX bytes at most;
 * NULL, with PACKED still the caller's, when the system has no room or no thread. */
struct gunzip_stream *gunzip_start(unsigned char *packed, size_t len, uint64_t max,
                                   struct cancel_mark cancel);

const uint8_t *gunzip_bytes(const struct gunzip_stream *s);
/* Waits for the first WANT bytes, or the end; returns how many are there.  *ENDED:
 * no more will come.  One thread at a time. */
size_t gunzip_await(struct gunzip_stream *s, size_t want, bool *ended);

/* Waits for the end and gives all bytes to FILE; S is gone.  False with ERR (without
 * path) when the packed data are bad or too much: FILE then has what there was. */
bool gunzip_finish(struct gunzip_stream *s, struct source_file *file, struct err *err);
/* Stops unpacking and forgets what there is; NULL is fine. */
void gunzip_cancel(struct gunzip_stream *s);

#endif
