/* trace_out.h: what a profile file keeps of traces, whose nodes have parts. */
#ifndef TFPROF_EXPORT_TRACE_OUT_H
#define TFPROF_EXPORT_TRACE_OUT_H

#include "flops/flops.h"
#include "view/query.h"

/* What the calls of a node have in common. */
struct common_calls {
    struct call_stack stack; /* the outermost frames that all have */
    int64_t float_ops;  /* of one call */
    uint8_t state;      /* enum flops_state; FLOPS_UNKNOWN_SHAPE where counts differ */
    bool stacks_differ, counts_differ;
};

struct common_calls common_calls(const struct profile *p, const struct flops *flops, node_id node);

/* Makes *E what a file says of it: false when that is nothing, as it is of another rank than the file
 * or of no step. */
bool trace_exec_is_kept(const struct result *r, struct exec *e);

/* False with ERR (usage) when R is of several ranks: a file has one. */
bool trace_out_check(const struct result *r, struct err *err);
/* Notes what of the traces of R is not in the file. */
void trace_out_note(struct result *r, const struct flops *flops);

#endif
