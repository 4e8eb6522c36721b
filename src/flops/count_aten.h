/* count_aten.h: operation counts of PyTorch operators from the input shapes and values in a trace
 * (formats-trace.md section 6). */
#ifndef TFPROF_FLOPS_COUNT_ATEN_H
#define TFPROF_FLOPS_COUNT_ATEN_H

#include "flops/flops_types.h"

/* Counts one call of operator OP.  DIMS and VALUES are JSON lists from the trace, "" when absent.
 * FULL selects the rules of FlopCounterMode, else those of with_flops=True. */
enum flops_state count_aten(const char *op, const char *dims, const char *values, bool full,
                            int64_t *count);

/* Fills counts and states of all nodes and parts of P, a profile of traces. */
void count_parts(struct flops *f, const struct profile *p, const struct flops_request *request);

/* The same for a profile of another set of operations, whose nodes are counted already. */
void count_runs(struct flops *f, const struct profile *p);

/* Appends the share of calls and of time that is counted. */
void parts_coverage(const struct flops *f, const struct profile *p, struct strbuf *sb);

#endif
