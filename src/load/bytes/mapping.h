/* mapping.h: maps files into memory and survives their truncation.
 *
 * Reading a mapped page beyond the end of a truncated file, or one that the disk cannot read,
 * raises SIGBUS, which would end the program.  A signal handler therefore has a list of our mappings: it
 * replaces the lost page by zeros and counts it, and readers check the count at the end.  Faults
 * elsewhere are passed to the previous handler. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

/* Maps the first SIZE_BYTES of the file FD for reading; NULL on failure (the file should be read
 * instead). */
const uint8_t *mapping_new(int fd, size_t size_bytes);
void mapping_free(const uint8_t *bytes, size_t size_bytes);
/* True if AT is a byte of a mapped file, whose memory can be released and read again. */
bool mapping_has(const uint8_t *at);

/* The number of pages lost so far.  Reads the last one first: the zeros behind a cut within a page may
 * have ended a reader before it came to a lost page. */
unsigned mapping_lost_pages(const uint8_t *bytes);

/* Empty when zeroed. */
struct file_map {
    const uint8_t *bytes; /* never NULL when open */
    size_t size_bytes;
};

/* Maps the regular file PATH (mapping.h): a part that is truncated later reads as zeros, which
 * checksums detect.  False with ERR: "PATH: cause". */
bool file_map_open(struct file_map *map, const char *path, struct err *err);
void file_map_close(struct file_map *map);
