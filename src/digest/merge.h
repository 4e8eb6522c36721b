/* merge.h: k-way merge of parts. */
#ifndef TFPROF_DIGEST_MERGE_H
#define TFPROF_DIGEST_MERGE_H

#include "base/cancel.h"
#include "digest/part_in.h"
#include "digest/part_out.h"

/* Writes the records of the N unread parts INS to OUT; records with equal keys are merged to one.
 * *FAILED is the index of the part that ERR is about, N for the output or a cancellation.  The
 * result does not depend on the order of the parts. */
bool digest_merge(struct part_in *ins, size_t n, struct part_out *out, struct cancel_mark cancel,
                  size_t *failed, struct err *err);

#endif
