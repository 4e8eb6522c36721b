/* input.h: reads a whole input into memory. */
#pragma once

#include "base/cancel.h"
#include "base/err.h"
#include "base/system/open_input.h"
#include "load/bytes/gunzip.h"
#include "load/bytes/gunzip_stream.h"
#include "model/profile.h"

/* Limits for inputs, in bytes. */
#define INPUT_STREAM_MAX ((uint64_t)4 << 30) /* from a pipe or standard input */
/* Limit for decompressed data: this multiple of the size plus the floor, so that a small file
 * cannot exhaust memory. */
#define INPUT_GZIP_RATIO 256
#define INPUT_GZIP_FLOOR ((uint64_t)64 << 20)

/* Reads all of PATH ("-": standard input) and decompresses gzip data.  Fills FILE except its
 * format; file->release frees the bytes.  False with ERR ("PATH: ...") when it cannot be read, is a
 * device or a folder, or exceeds a limit.  Large files are mapped (mapping.h); small, compressed
 * and streamed ones are copied.  A mapped file that is truncated reads as zeros from there on;
 * input_check() detects this. */
bool input_read(const char *path, struct source_file *file, struct cancel_mark cancel,
                struct err *err);

/* The same for an input of KIND.  Decompression of a large input is only started: *UNPACKING is
 * set, and gunzip_finish() completes FILE.  For damaged data FILE has the part before the damage,
 * and file->fault is set. */
bool input_begin(const char *path, enum input_kind kind, struct source_file *file,
                 struct gunzip_stream **unpacking, struct cancel_mark cancel, struct err *err);

/* False with ERR when compressed data of FILE were damaged. */
bool input_is_whole(struct source_file *file, struct err *err);

/* Appends the contents of FD to BYTES.  Reads at most EXPECTED bytes of a regular file, because it
 * may grow; 0: size unknown.  False with ERR when it cannot be read or exceeds MAX. */
bool input_read_all(int fd, const char *path, size_t expected, uint64_t max, byte_vec *bytes,
                    struct cancel_mark cancel, struct err *err);

/* True when PATH is a compressed file large enough to be decompressed ahead. */
bool input_is_packed(const char *path);

/* False with ERR when pages of FILE were lost since it was mapped. */
bool input_check(const struct source_file *file, struct err *err);

/* Sets HEAD to the first MAX bytes of the regular file PATH, decompressed. */
bool input_peek(const char *path, size_t max, byte_vec *head, struct err *err);

/* Replaces the bytes of FILE by BYTES (heap, ownership is taken). */
void input_replace(struct source_file *file, void *bytes, size_t len);

/* Releases the memory of whole pages in [FROM, TO); later reads see the same bytes, or zeros. */
void input_forget(const uint8_t *from, const uint8_t *to);

/* Frees the bytes early; path and sizes stay. */
void input_drop(struct source_file *file);
