/* slice_key.h: the names under which checkpoints store pieces of tensors
 * (formats-checkpoint.md section 3.4). */
#ifndef TFPROF_LOAD_SLICE_KEY_H
#define TFPROF_LOAD_SLICE_KEY_H

#include <stddef.h>
#include <stdint.h>

#include "base/strbuf.h"

/* A piece of one dimension; a length of -1 is all of it. */
struct slice_extent {
    int64_t start, length;
};

/* Appends the key of the piece of tensor NAME. */
void slice_key_add(struct strbuf *key, const char *name, size_t name_len,
                   const struct slice_extent *extents, size_t n_extents);

#endif
