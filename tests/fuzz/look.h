/* look.h: a profile seen through everything that is made of it. */
#ifndef TFPROF_TESTS_FUZZ_LOOK_H
#define TFPROF_TESTS_FUZZ_LOOK_H

#include "opt/options.h"
#include "view/query.h"

/* Every view of P with O, and every output of it, which goes nowhere; why its rows are displayed. */
void look_at_views(struct query *q, const struct options *o);
/* The advice on P. */
void look_at_advice(const struct profile *p, struct query *q);
/* The summary; FLOPS as for summary_new(). */
void look_at_summary(const struct profile *p, const struct flops *flops);
/* The counts of R: of each node its formula and its shapes, and what was counted. */
void look_at_flops(struct result *r);

/* True when OK says what ERR says; empties ERR. */
void look_settle(bool ok, struct err *err);

#endif
