/* target_path.h: where the name of a file to write leads to. */
#ifndef TFPROF_EXPORT_TARGET_PATH_H
#define TFPROF_EXPORT_TARGET_PATH_H

#include <sys/stat.h>

#include "base/err.h"

/* A name in a folder that is open: what happens to the folders above it meanwhile
 * changes nothing any more. */
struct target_path {
    int folder_fd; /* O_PATH */
    char *name;    /* heap; within the folder, "." for the folder itself */
    bool exists;
    bool is_descriptor; /* NAME is a link of /proc to a pipe or the like: /dev/stdout */
    struct stat st;     /* when it exists; never of a link */
};

/* Follows PATH and the links in it, one by one, as a file that need not be there.
 * False with ERR (input) when a folder is missing, and at a link that somebody
 * else left in a folder that all may write to (sticky, as /tmp is): it leads to
 * where that person wants.  The kernel has the same rule, fs.protected_symlinks
 * of proc(5), but need not be told to keep it, and not for who reads links as we do. */
bool target_path_find(const char *path, struct target_path *t, struct err *err);
void target_path_done(struct target_path *t);

#endif
