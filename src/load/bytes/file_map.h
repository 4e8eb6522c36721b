/* file_map.h: a file as bytes in memory, read as they are touched. */
#ifndef TFPROF_LOAD_FILE_MAP_H
#define TFPROF_LOAD_FILE_MAP_H

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

/* A zeroed one is empty. */
struct file_map {
    const uint8_t *bytes; /* never NULL when open */
    size_t size_bytes;
};

/* Maps the regular file PATH, safely (mapping.h): what is cut off later reads as
 * zeros, which no checksum fits.  False with ERR: "PATH: cause". */
bool file_map_open(struct file_map *map, const char *path, struct err *err);
void file_map_close(struct file_map *map);

#endif
