/* file_stamps.h: whether files are still what was read. */
#ifndef TFPROF_TUI_FILE_STAMPS_H
#define TFPROF_TUI_FILE_STAMPS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>

#include "base/vec.h"

/* A file or folder as it was: another size, time or inode is another file. */
struct file_stamp {
    char *path; /* heap */
    bool is_there;
    bool is_stream; /* standard input, a pipe: can be read only once, and the rest says nothing */
    dev_t dev;
    ino_t inode;
    int64_t size_bytes, changed_ns;
};

typedef VEC(struct file_stamp) file_stamp_list;

/* A zeroed struct is empty and ready. */
struct file_stamps {
    file_stamp_list list;
};

/* Adds PATH, "-" for standard input, as it is now, unless it is there already.  Asks the file
 * system, which may take its time: not for the screen's thread. */
void file_stamps_add(struct file_stamps *s, const char *path);
/* Copies of the list's stamps into TO, which is empty. */
void file_stamps_copy(struct file_stamps *to, const struct file_stamps *from);
/* The first file that is not what it was; NULL: none.  Asks the file system. */
const char *file_stamps_changed(const struct file_stamps *s);
/* The first that can be read only once; NULL: none. */
const char *file_stamps_stream(const struct file_stamps *s);
void file_stamps_done(struct file_stamps *s);

#endif
