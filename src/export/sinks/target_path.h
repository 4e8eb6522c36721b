/* target_path.h: resolves the path of an output file. */
#ifndef TFPROF_EXPORT_TARGET_PATH_H
#define TFPROF_EXPORT_TARGET_PATH_H

#include <sys/stat.h>

#include "base/err.h"

/* A name in an open folder, so later changes of the folders above have no effect. */
struct target_path {
    int folder_fd; /* O_PATH */
    char *name;    /* heap; in the folder, "." for the folder itself */
    bool exists;
    bool is_descriptor; /* NAME is a link in /proc to a pipe or device: /dev/stdout */
    struct stat st;     /* if it exists; never that of a link */
};

/* Resolves PATH and its links, one by one; the file need not exist.  False with ERR (input) when a
 * folder is missing, or at a link of another user in a sticky, world-writable folder like /tmp,
 * because that user chooses its target.  The kernel has this rule as fs.protected_symlinks
 * (proc(5)), but it is optional and does not apply to readlink(). */
bool target_path_find(const char *path, struct target_path *t, struct err *err);
void target_path_done(struct target_path *t);

#endif
