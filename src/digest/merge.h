/* merge.h: several parts as one, record by record. */
#ifndef TFPROF_DIGEST_MERGE_H
#define TFPROF_DIGEST_MERGE_H

#include "base/cancel.h"
#include "digest/part_in.h"
#include "digest/part_out.h"

/* Writes the records of the N parts INS, none of which was read from yet; those of one key become
 * one.  *FAILED is the part that ERR is about, N: none, it is the output or cancelled.  The
 * order of the parts makes no difference. */
bool digest_merge(struct part_in *ins, size_t n, struct part_out *out, struct cancel_mark cancel,
                  size_t *failed, struct err *err);

#endif
