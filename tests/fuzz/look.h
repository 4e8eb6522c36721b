/* look.h: computes everything that depends on a profile. */
#pragma once

#include "opt/options.h"
#include "view/query.h"

/* Computes every view of P with O, writes every output to a sink without storage, and explains
 * rows. */
void look_at_views(struct query *q, const struct options *o);
/* The advice on P. */
void look_at_advice(const struct profile *p, struct query *q);
/* Computes the summary; FLOPS as in summary_new(). */
void inspect_summary(const struct profile *p, const struct flops *flops);
/* Computes formula and shapes of each node, and the coverage, for R's counts. */
void look_at_flops(struct result *r);

/* Aborts unless OK and ERR agree; clears ERR; returns OK. */
void look_settle(bool ok, struct err *err);
