/* open_input.h: opens input files. */
#pragma once

#include <sys/stat.h>

#include "base/err.h"

enum input_kind {
    /* Regular files only: for paths that come from a file, a folder or the program itself. Such a
     * path must not make the program wait. */
    INPUT_REGULAR,
    /* Also pipes, terminals, empty devices (/dev/null) and standard input ("-"): for paths that the
     * user gives. */
    INPUT_ANY,
};

/* Opens PATH for reading and fills *ST. Never blocks: a pipe without a writer is opened at once and
 * must be polled. Returns a descriptor that the caller closes; on failure -1 with ERR (input,
 * "PATH: ...") and errno. */
int open_input(const char *path, enum input_kind kind, struct stat *st, struct err *err);
