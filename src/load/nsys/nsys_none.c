/* nsys_none.c: rejects exports of Nsight Systems in builds without SQLite. */
#include <string.h>

#include "load/formats.h"

static bool fits_nsys(struct span bytes, struct evidence *e)
{
    static const char magic[] = "SQLite format 3";

    return !e && bytes.len >= sizeof magic && memcmp(bytes.bytes, magic, sizeof magic) == 0;
}

static bool load_nsys(struct loader *l, struct err *err)
{
    return err_set(err, ERR_INPUT,
                   "%s: an SQLite database, which this build cannot read: it was configured "
                   "--without-sqlite", l->path);
}

const struct format_row format_nsys = {
    .name = "nsys export",
    .help = "SQLite exports of Nsight Systems: not supported by this build (--without-sqlite)",
    .binary_name = "nsys export",
    .contents = CONTAINS_STEPS,
    .load_order = 91,
    .detect_order = 2,
    .fits = fits_nsys,
    .load = load_nsys,
};
