/* open_input.c: opens input files. */
#include "base/system/open_input.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

/* First descriptor after the standard streams. */
enum { FIRST_FREE = 3 };

static bool fail(struct err *err, const char *path, const char *why, int number)
{
    err_set(err, ERR_INPUT, "%s: %s", path, why);
    errno = number;
    return false;
}

/* Refuses devices, which can be endless, unless they are empty (/dev/null) or a terminal. */
static bool check_any(int fd, const struct stat *st, const char *path, struct err *err)
{
    char byte;

    if (S_ISBLK(st->st_mode) || (S_ISCHR(st->st_mode) && !isatty(fd) && read(fd, &byte, 1) != 0))
        return fail(err, path, "is a device, not a file", EINVAL);
    return true;
}

static bool check_mode(mode_t mode, enum input_kind kind, const char *path, struct err *err)
{
    if (S_ISDIR(mode))
        return fail(err, path, "is a folder", EISDIR);
    if (kind == INPUT_REGULAR && !S_ISREG(mode))
        return fail(err, path, "is not a regular file", EINVAL);
    return true;
}

int open_input(const char *path, enum input_kind kind, struct stat *st, struct err *err)
{
    const bool is_stdin = kind == INPUT_ANY && strcmp(path, "-") == 0;
    int fd, why;

    /* Opening a device can have side effects. */
    if (!is_stdin && stat(path, st) == 0 && !check_mode(st->st_mode, kind, path, err))
        return -1;
    fd = is_stdin ? fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, FIRST_FREE)
                  : open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    if (fd < 0) {
        fail(err, path, strerror(errno), errno);
        return -1;
    }
    /* The name may refer to another file since stat(). */
    if (fstat(fd, st) != 0)
        fail(err, path, strerror(errno), errno);
    else if (check_mode(st->st_mode, kind, path, err) &&
             (kind == INPUT_REGULAR || check_any(fd, st, path, err)))
        return fd;
    why = errno;
    close(fd);
    errno = why;
    return -1;
}
