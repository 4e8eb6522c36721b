/* digest_make.h: writes a profile as a digest part. */
#pragma once

#include "digest/part_out.h"
#include "model/profile.h"

/* All borrowed. */
struct digest_request {
    const struct profile *profile;
    const int64_t *float_ops; /* [n_nodes] per execution */
    const char *program;      /* label; NULL: none */
    const char *host;         /* label for all records; NULL: from devices and ranks, else
                               * `fallback` */
    const char *fallback;
    struct notes *notes;      /* receives notes on omitted data */
};

/* Writes the records of all nodes that ran; steps are summed.  False with ERR when WRITE fails. */
bool digest_make(const struct digest_request *request, part_write_fn *write, void *context,
                 struct err *err);
