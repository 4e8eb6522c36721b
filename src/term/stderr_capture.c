/* stderr_capture.c: captures standard error while the screen is active. */
#include "term/stderr_capture.h"

#include <sys/mman.h>
#include <sys/types.h>
#include <unistd.h>

void stderr_capture_open(struct stderr_capture *s)
{
    *s = (struct stderr_capture){.real_fd = -1, .memory_fd = -1};
    if (!isatty(STDERR_FILENO))
        return;
    s->memory_fd = memfd_create("tfprof-stderr", MFD_CLOEXEC);
    s->real_fd = s->memory_fd < 0 ? -1 : dup(STDERR_FILENO);
    if (s->real_fd >= 0 && dup2(s->memory_fd, STDERR_FILENO) >= 0)
        return;
    if (s->memory_fd >= 0)
        close(s->memory_fd);
    if (s->real_fd >= 0)
        close(s->real_fd);
    *s = (struct stderr_capture){.real_fd = -1, .memory_fd = -1};
}

size_t stderr_capture_lines(struct stderr_capture *s)
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

/* Copies printable ASCII and newlines, and escapes other bytes as \xNN. OUT has room for four times
 * LEN. */
static size_t escape(char *out, const char *bytes, size_t len)
{
    static const char digits[] = "0123456789abcdef";
    size_t n = 0;

    for (size_t i = 0; i < len; i++) {
        const unsigned char c = (unsigned char)bytes[i];

        if (c == '\n' || (c >= 0x20 && c < 0x7f)) {
            out[n++] = bytes[i];
            continue;
        }
        out[n++] = '\\';
        out[n++] = 'x';
        out[n++] = digits[c >> 4];
        out[n++] = digits[c & 15];
    }
    return n;
}

void stderr_capture_replay(int real_fd, int memory_fd)
{
    char bytes[1024], text[4 * sizeof bytes];
    off_t at = 0;
    ssize_t n;

    dup2(real_fd, STDERR_FILENO);
    while ((n = pread(memory_fd, bytes, sizeof bytes, at)) > 0 &&
           write(STDERR_FILENO, text, escape(text, bytes, (size_t)n)) >= 0)
        at += n;
}

void stderr_capture_close(struct stderr_capture *s)
{
    if (s->real_fd < 0)
        return;
    stderr_capture_replay(s->real_fd, s->memory_fd);
    close(s->real_fd);
    close(s->memory_fd);
    *s = (struct stderr_capture){.real_fd = -1, .memory_fd = -1};
}
