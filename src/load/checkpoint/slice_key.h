/* slice_key.h: encodes keys of tensor slices in checkpoints (formats-checkpoint.md section 3.4). */
#ifndef TFPROF_LOAD_SLICE_KEY_H
#define TFPROF_LOAD_SLICE_KEY_H

#include <stddef.h>
#include <stdint.h>

#include "base/strbuf.h"

/* A range of one dimension; length -1: all of it. */
struct slice_extent {
    int64_t start, length;
};

/* Appends the key of a slice of tensor NAME. */
void slice_key_add(struct strbuf *key, const char *name, size_t name_len,
                   const struct slice_extent *extents, size_t n_extents);

#endif
