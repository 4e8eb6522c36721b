/* counts.h: operation counts by -flops and its options, made when a figure
 * needs them and shared by a query and its results. */
#ifndef TFPROF_VIEW_COUNTS_H
#define TFPROF_VIEW_COUNTS_H

#include "base/cancel.h"
#include "flops/flops.h"
#include "opt/options.h"

struct counts;

/* The counts of P that O asks for, not made yet; one reference. */
struct counts *counts_new(const struct profile *p, const struct options *o);
struct counts *counts_ref(struct counts *c); /* NULL gives NULL */
void counts_unref(struct counts *c);         /* NULL is fine */
/* True when C answers O. */
bool counts_fits(const struct counts *c, const struct options *o);

/* Makes the counts when they are not there.  NULL with ERR: a bad -bind
 * (usage) or cancelled.  Any thread; alive as long as C. */
const struct flops *counts_get(struct counts *c, struct cancel_mark cancel, struct err *err);
/* The bytes of tensors of P (model/tensor_bytes.h), which no option changes; any thread. */
const int64_t *counts_tensor_bytes(struct counts *c);
/* The counts if they were made, or NULL. */
const struct flops *counts_made(struct counts *c);
/* [n_nodes] of one execution, as far as it was made: what is recorded needs no
 * making.  NULL: counts_get() first. */
const int64_t *counts_column(struct counts *c);

#endif
