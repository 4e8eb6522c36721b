/* counts.h: FLOP counts for -flops and its options, computed on demand and shared by a query and
 * its results. */
#pragma once

#include "base/cancel.h"
#include "flops/flops.h"
#include "opt/options.h"

struct counts;

/* An object for the counts of P under O, not computed yet; one reference. */
struct counts *counts_new(const struct profile *p, const struct options *o);
struct counts *counts_ref(struct counts *c); /* accepts NULL and returns it */
void counts_unref(struct counts *c);         /* accepts NULL */
/* True when C holds the counts for the options O. */
bool counts_fits(const struct counts *c, const struct options *o);

/* Computes the counts on the first call. NULL with ERR: a bad -bind (usage) or cancelled.
 * Thread-safe; valid as long as C. */
const struct flops *counts_get(struct counts *c, struct cancel_mark cancel, struct err *err);
/* Tensor bytes of P (model/attr.h), independent of the options; thread-safe. */
const int64_t *counts_tensor_bytes(struct counts *c);
/* The counts if they are computed already, else NULL. */
const struct flops *counts_made(struct counts *c);
/* [n_nodes] FLOPs per execution, or recorded counts, which need no computation. NULL: call
 * counts_get() first. */
const int64_t *counts_column(struct counts *c);
