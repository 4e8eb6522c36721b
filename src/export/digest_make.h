/* digest_make.h: the part that says what a profile says, record by record. */
#ifndef TFPROF_EXPORT_DIGEST_MAKE_H
#define TFPROF_EXPORT_DIGEST_MAKE_H

#include "digest/part_out.h"
#include "model/profile.h"

/* All borrowed. */
struct digest_request {
    const struct profile *profile;
    const int64_t *float_ops; /* [n_nodes] of one execution */
    const char *program;      /* label; NULL: none */
    const char *host;         /* label of all; NULL: as devices and ranks say, else `fallback` */
    const char *fallback;
    struct notes *notes;      /* what is left out */
};

/* Writes the records of all nodes that ran, of all steps together.  False with ERR as WRITE. */
bool digest_make(const struct digest_request *request, part_write_fn *write, void *context,
                 struct err *err);

#endif
