/* memory_file.h: bytes that can be opened by a path. */
#ifndef TFPROF_TESTS_MEMORY_FILE_H
#define TFPROF_TESTS_MEMORY_FILE_H

#include <stddef.h>

struct memory_file {
    int fd; /* close() it */
    char path[32];
};

/* A file with these bytes that stands in no folder; ends the program when there
 * is none to be had. */
struct memory_file memory_file(const void *bytes, size_t len);

#endif
