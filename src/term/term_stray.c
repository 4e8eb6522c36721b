/* term_stray.c: standard error is kept while the screen is on. */
#include "term/term_stray.h"

#include <stdio.h>
#include <sys/mman.h>
#include <sys/types.h>
#include <unistd.h>

void stray_open(struct stray *s)
{
    *s = (struct stray){.real_fd = -1, .memory_fd = -1};
    if (!isatty(STDERR_FILENO))
        return;
    fflush(stderr);
    s->memory_fd = memfd_create("tfprof-stderr", MFD_CLOEXEC);
    s->real_fd = s->memory_fd < 0 ? -1 : dup(STDERR_FILENO);
    if (s->real_fd >= 0 && dup2(s->memory_fd, STDERR_FILENO) >= 0)
        return;
    if (s->memory_fd >= 0)
        close(s->memory_fd);
    if (s->real_fd >= 0)
        close(s->real_fd);
    *s = (struct stray){.real_fd = -1, .memory_fd = -1};
}

size_t stray_lines(struct stray *s)
{
    char bytes[4096];
    ssize_t n;

    if (s->real_fd < 0)
        return 0;
    while ((n = pread(s->memory_fd, bytes, sizeof bytes, (off_t)s->read_bytes)) > 0) {
        for (ssize_t i = 0; i < n; i++)
            s->lines += bytes[i] == '\n';
        s->read_bytes += (size_t)n;
    }
    return s->lines;
}

void stray_close(struct stray *s)
{
    char bytes[4096];
    off_t at = 0;
    ssize_t n;

    if (s->real_fd < 0)
        return;
    fflush(stderr);
    dup2(s->real_fd, STDERR_FILENO);
    while ((n = pread(s->memory_fd, bytes, sizeof bytes, at)) > 0) {
        if (write(STDERR_FILENO, bytes, (size_t)n) < 0)
            break;
        at += n;
    }
    close(s->real_fd);
    close(s->memory_fd);
    *s = (struct stray){.real_fd = -1, .memory_fd = -1};
}
