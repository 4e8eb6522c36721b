/* file_stamps.h: detects files that changed since they were read. */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>

#include "base/vec.h"

/* State of a file or folder. It has changed if size, time or inode differ. */
struct file_stamp {
    char *path; /* heap */
    bool is_there;
    /* standard input or a pipe: can be read only once; the other members are unused */
    bool is_stream;
    dev_t dev;
    ino_t inode;
    int64_t size_bytes, changed_ns;
};

typedef VEC(struct file_stamp) file_stamp_list;

/* A zeroed struct is empty. */
struct file_stamps {
    file_stamp_list list;
};

/* Adds the current state of PATH ("-": standard input) unless it is listed. Accesses the file
 * system: not for the screen's thread. */
void file_stamps_add(struct file_stamps *s, const char *path);
/* Copies all stamps to TO, which is empty. */
void file_stamps_copy(struct file_stamps *to, const struct file_stamps *from);
/* The first file that has changed; NULL: none. Accesses the file system. */
const char *file_stamps_changed(const struct file_stamps *s);
/* The first one that can be read only once; NULL: none. */
const char *file_stamps_stream(const struct file_stamps *s);
void file_stamps_done(struct file_stamps *s);
