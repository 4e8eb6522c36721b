/* memory_file.c: bytes that can be opened by a path. */
#include "memory_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

struct memory_file memory_file(const void *bytes, size_t len)
{
    struct memory_file f = {.fd = memfd_create("bytes", MFD_CLOEXEC)};

    if (f.fd < 0 || write(f.fd, bytes, len) != (ssize_t)len)
        abort();
    snprintf(f.path, sizeof f.path, "/proc/self/fd/%d", f.fd);
    return f;
}
