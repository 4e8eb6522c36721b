/* say.c: standard error: one line each, `tfprof: ...`. */
#include "cli/say.h"

#include <stdio.h>

int say_error(const struct err *err)
{
    if (err->kind != ERR_CANCELLED && *err_text(err))
        fprintf(stderr, "tfprof: %s\n", err_text(err));
    return err_status(err->kind);
}

void say_notes(const struct notes *notes, size_t first, bool quiet)
{
    for (size_t i = first; !quiet && i < notes->n; i++)
        fprintf(stderr, "tfprof: %s\n", notes->lines[i]);
}
