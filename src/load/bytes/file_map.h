/* file_map.h: maps a file into memory. */
#ifndef TFPROF_LOAD_FILE_MAP_H
#define TFPROF_LOAD_FILE_MAP_H

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

/* Empty when zeroed. */
struct file_map {
    const uint8_t *bytes; /* never NULL when open */
    size_t size_bytes;
};

/* Maps the regular file PATH (mapping.h): a part that is truncated later reads as zeros, which
 * checksums detect.  False with ERR: "PATH: cause". */
bool file_map_open(struct file_map *map, const char *path, struct err *err);
void file_map_close(struct file_map *map);

#endif
