/* file_map.c: maps a file into memory. */

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/system/open_input.h"
#include "load/bytes/mapping.h"

static bool map_descriptor(struct file_map *map, int fd, size_t size_bytes, const char *path,
                           struct err *err)
{
    const uint8_t *bytes;

    if (size_bytes == 0) {
        map->bytes = (const uint8_t *)""; /* mmap() rejects empty ranges */
        return true;
    }
    bytes = mapping_new(fd, size_bytes);
    if (!bytes)
        return err_set(err, ERR_INPUT, "%s: cannot be mapped: %s", path, strerror(errno));
    map->bytes = bytes;
    map->size_bytes = size_bytes;
    return true;
}

bool file_map_open(struct file_map *map, const char *path, struct err *err)
{
    struct stat st;
    const int fd = open_input(path, INPUT_REGULAR, &st, err);
    bool ok;

    memset(map, 0, sizeof *map);
    if (fd < 0)
        return false;
    ok = map_descriptor(map, fd, (size_t)st.st_size, path, err);
    close(fd);
    return ok;
}

void file_map_close(struct file_map *map)
{
    if (map->size_bytes)
        mapping_free(map->bytes, map->size_bytes);
    memset(map, 0, sizeof *map);
}
