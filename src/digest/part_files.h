/* part_files.h: merging parts that are files: many, none of them in memory as a whole, and one
 * of them open at a time. */
#ifndef TFPROF_DIGEST_PART_FILES_H
#define TFPROF_DIGEST_PART_FILES_H

#include "digest/merge.h"

/* Told of each part that is damaged and left out. */
typedef void part_damaged_fn(void *context, const struct err *err);

struct part_files_request {
    const char *const *paths;
    size_t n;
    struct cancel_mark cancel;
    part_damaged_fn *damaged;
    void *context; /* of damaged */
};

/* Merges the files to OUT; *N_DAMAGED of them are left out, since they are no parts as a whole.
 * False with ERR: one has changed meanwhile, the output cannot be written, cancelled. */
bool part_files_merge(const struct part_files_request *request, struct part_out *out,
                      size_t *n_damaged, struct err *err);

#endif
