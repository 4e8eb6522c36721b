/* file_map.c: a file as bytes in memory, read as they are touched. */
#include "base/file_map.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static bool map_descriptor(struct file_map *map, int fd, const char *path, struct err *err)
{
    struct stat st;
    void *bytes;

    if (fstat(fd, &st))
        return err_set(err, ERR_INPUT, "%s: %s", path, strerror(errno));
    if (!S_ISREG(st.st_mode))
        return err_set(err, ERR_INPUT, "%s: not a regular file", path);
    if (st.st_size == 0) {
        map->bytes = (const uint8_t *)""; /* mmap takes no empty range */
        map->size_bytes = 0;
        return true;
    }
    bytes = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
    if (bytes == MAP_FAILED)
        return err_set(err, ERR_INPUT, "%s: %s", path, strerror(errno));
    map->bytes = bytes;
    map->size_bytes = (size_t)st.st_size;
    return true;
}

bool file_map_open(struct file_map *map, const char *path, struct err *err)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
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
        munmap((void *)map->bytes, map->size_bytes);
    memset(map, 0, sizeof *map);
}
