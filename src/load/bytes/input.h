/* input.h: a whole input in memory, whatever it comes from. */
#ifndef TFPROF_LOAD_INPUT_H
#define TFPROF_LOAD_INPUT_H

#include "base/cancel.h"
#include "base/err.h"
#include "base/system/open_input.h"
#include "load/bytes/gunzip.h"
#include "load/bytes/gunzip_stream.h"
#include "model/profile.h"

/* Bounds on what is taken from outside, in bytes. */
#define INPUT_STREAM_MAX ((uint64_t)4 << 30) /* from a pipe or standard input */
/* What a gzip'd input may unpack to: this many times its size, and the floor on
 * top, so that a small file of zeros cannot fill the machine. */
#define INPUT_GZIP_RATIO 256
#define INPUT_GZIP_FLOOR ((uint64_t)64 << 20)

/* Reads all of PATH ("-": standard input) and unpacks it when it is gzip'd.
 * Fills FILE but for its format; file->release gives the bytes back.  False
 * with ERR ("PATH: ...") when it cannot be read, is a device or a folder,
 * or breaks a bound above.
 *
 * Large files are mapped (mapping.h), small, packed and streamed ones copied.  A
 * file that somebody cuts while we look at it reads as zeros from there on:
 * input_check() finds that out. */
bool input_read(const char *path, struct source_file *file, struct cancel_mark cancel,
                struct err *err);

/* The same for an input of KIND; but when it is packed and large, only begins to unpack it:
 * then *UNPACKING is set, and gunzip_finish() fills the rest of FILE.  Of packed data that are
 * damaged FILE has what came before, and file->fault. */
bool input_begin(const char *path, enum input_kind kind, struct source_file *file,
                 struct gunzip_stream **unpacking, struct cancel_mark cancel, struct err *err);

/* False with ERR when packed data of FILE were damaged. */
bool input_is_whole(struct source_file *file, struct err *err);

/* Appends all of FD to BYTES, in pieces as they come.  Of a regular file of EXPECTED bytes no more
 * than those, since one that grows may have no end; 0: the size is not known.  False with ERR when
 * it cannot be read or is more than MAX. */
bool input_read_all(int fd, const char *path, size_t expected, uint64_t max, byte_vec *bytes,
                    struct cancel_mark cancel, struct err *err);

/* True when PATH is a packed file so large that it pays to begin with it ahead of
 * its turn. */
bool input_is_packed(const char *path);

/* False with ERR when bytes of FILE were lost since it was read. */
bool input_check(const struct source_file *file, struct err *err);

/* Makes HEAD the first MAX bytes of the regular file PATH, as many of what it
 * unpacks to when it is gzip'd. */
bool input_peek(const char *path, size_t max, byte_vec *head, struct err *err);

/* Puts BYTES (heap, taken over) in place of the file's own. */
void input_replace(struct source_file *file, void *bytes, size_t len);

/* Gives back the memory of the bytes from FROM to TO, whole pages of it: who reads them again sees
 * them as they were, or zeros. */
void input_forget(const uint8_t *from, const uint8_t *to);

/* Gives the bytes back early; path and sizes stay. */
void input_drop(struct source_file *file);

#endif
