/* open_input.h: the one way to open a file for reading. */
#ifndef TFPROF_BASE_SYSTEM_OPEN_INPUT_H
#define TFPROF_BASE_SYSTEM_OPEN_INPUT_H

#include <sys/stat.h>

#include "base/err.h"

enum input_kind {
    /* A regular file and nothing else: what a file, a folder or the program
     * itself names.  Who wrote the name is not whom we would wait for. */
    INPUT_REGULAR,
    /* Pipes, terminals, empty devices (/dev/null) and standard input ("-") too:
     * what a person names. */
    INPUT_ANY,
};

/* Opens PATH for reading and fills *ST, never waiting for anybody: a pipe that
 * nobody writes to is open at once, and to be polled.  Returns a descriptor that
 * the caller closes; -1 with ERR (input, "PATH: ...") and errno when there is no
 * such file, it may not be read, or it is of another kind. */
int open_input(const char *path, enum input_kind kind, struct stat *st, struct err *err);

#endif
