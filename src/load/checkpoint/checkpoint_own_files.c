/* checkpoint_own_files.c: tests whether a file belongs to a checkpoint. */
#include <stdlib.h>
#include <sys/stat.h>

#include "load/checkpoint/checkpoint_parts.h"

static bool is_file(const char *path, dev_t device, ino_t inode)
{
    struct stat st;

    return stat(path, &st) == 0 && st.st_dev == device && st.st_ino == inode;
}

bool checkpoint_has_file(const struct checkpoint *c, dev_t device, ino_t inode)
{
    bool found = false;

    for (size_t i = 0; i < c->files.n_tables && !found; i++)
        found = is_file(c->files.tables[i], device, inode);
    for (size_t i = 0; c->is_v2 && i < c->parts.n && !found; i++) {
        char *path;

        if (i && c->parts.data[i].shard == c->parts.data[i - 1].shard)
            continue;
        path = checkpoint_data_path(&c->files, c->parts.data[i].shard, c->n_shards);
        found = path && is_file(path, device, inode);
        free(path);
    }
    return found;
}
