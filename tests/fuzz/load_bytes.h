/* load_bytes.h: any bytes as an input of a given kind, and whether what they
 * become holds together. */
#ifndef TFPROF_TESTS_LOAD_BYTES_H
#define TFPROF_TESTS_LOAD_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

enum bytes_kind {
    BYTES_GRAPH,
    BYTES_OP_LOG,
    BYTES_RUN_META,
    BYTES_PROFILE,
    BYTES_FILE, /* told by content */
    BYTES_KINDS
};

/* Loads LEN bytes as KIND (op logs and runs join a small graph), looks at all
 * that came of it, attributes included, and frees it.  False with ERR when they
 * were refused.  Ends the program when a profile points outside of itself or
 * an error is not one line. */
bool load_bytes(enum bytes_kind kind, const uint8_t *bytes, size_t len, struct err *err);

#endif
