/* file_map.c: a file as bytes in memory, read as they are touched. */
#include "load/bytes/file_map.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "load/bytes/mapping.h"

static bool map_descriptor(struct file_map *map, int fd, const char *path, struct err *err)
{
    struct stat st;
    const uint8_t *bytes;

    if (fstat(fd, &st))
        return err_set(err, ERR_INPUT, "%s: %s", path, strerror(errno));
    if (!S_ISREG(st.st_mode))
        return err_set(err, ERR_INPUT, "%s: not a regular file", path);
    if (st.st_size == 0) {
        map->bytes = (const uint8_t *)""; /* mmap takes no empty range */
        map->size_bytes = 0;
        return true;
    }
    bytes = mapping_new(fd, (size_t)st.st_size);
    if (!bytes)
        return err_set(err, ERR_INPUT, "%s: cannot be mapped: %s", path, strerror(errno));
    map->bytes = bytes;
    map->size_bytes = (size_t)st.st_size;
    return true;
}

bool file_map_open(struct file_map *map, const char *path, struct err *err)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK); /* no pipe may hold us */
    bool ok;

    memset(map, 0, sizeof *map);
    if (fd < 0)
        return err_set(err, ERR_INPUT, "%s: %s", path, strerror(errno));
    ok = map_descriptor(map, fd, path, err);
    close(fd);
    return ok;
}

void file_map_close(struct file_map *map)
{
    if (map->size_bytes)
        mapping_free(map->bytes, map->size_bytes);
    memset(map, 0, sizeof *map);
}
