/* part_files.h: merges many parts in files with bounded memory and one open file at a time. */
#pragma once

#include "base/cancel.h"
#include "digest/part_in.h"
#include "digest/part_out.h"

/* Called for each part that is damaged and left out. */
typedef void part_damaged_fn(void *context, const struct err *err);

struct part_files_request {
    const char *const *paths;
    size_t n;
    struct cancel_mark cancel;
    part_damaged_fn *damaged;
    void *context; /* passed to damaged */
};

/* Merges the files to OUT; *N_DAMAGED files are left out because they are not valid parts.  False
 * with ERR when a file changed meanwhile, the output cannot be written, or cancelled. */
bool part_files_merge(const struct part_files_request *request, struct part_out *out,
                      size_t *n_damaged, struct err *err);

/* Writes the records of the N unread parts INS to OUT; records with equal keys are merged to one.
 * *FAILED is the index of the part that ERR is about, N for the output or a cancellation.  The
 * result does not depend on the order of the parts. */
bool digest_merge(struct part_in *ins, size_t n, struct part_out *out, struct cancel_mark cancel,
                  size_t *failed, struct err *err);
