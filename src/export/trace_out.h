/* trace_out.h: the data of traces, whose nodes have parts, that a profile file keeps. */
#pragma once

#include "base/strbuf.h"
#include "flops/flops.h"
#include "model/profile.h"
#include "view/query.h"

/* What all calls of a node have in common. */
struct common_calls {
    struct call_stack stack; /* the common outermost frames */
    int64_t float_ops;  /* of one call */
    uint8_t state;      /* enum flops_state; FLOPS_UNKNOWN_SHAPE when counts differ */
    bool stacks_differ, counts_differ;
};

struct common_calls common_calls(const struct profile *p, const struct flops *flops, node_id node);

/* Adjusts *E to what the file stores; false when it is not stored: another rank than the file's, or
 * no step. */
bool trace_exec_is_kept(const struct result *r, struct exec *e);

/* False with ERR (usage) when R has several ranks, because a file has one. */
bool trace_out_check(const struct result *r, struct err *err);
/* Adds notes on data of the traces of R that the file does not store. */
void trace_out_note(struct result *r, const struct flops *flops);

/* Appends E as an entry of ProfileNode.execs (map<int64, ExecProfile>); LISTS is scratch memory. */
void exec_write(struct strbuf *sb, const struct profile *p, const struct exec *e,
                struct exec_lists *lists);
