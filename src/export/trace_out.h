/* trace_out.h: data of traces, whose nodes have parts, in a profile file. */
#pragma once

#include "base/strbuf.h"
#include "flops/flops.h"
#include "model/profile.h"
#include "view/query.h"

/* Properties shared by all calls of a node. */
struct common_calls {
    struct call_stack stack; /* the common outermost frames */
    int64_t float_ops;  /* per call */
    uint8_t state;      /* enum flops_state; FLOPS_UNKNOWN_SHAPE when counts differ */
    bool stacks_differ, counts_differ;
};

struct common_calls common_calls(const struct profile *p, const struct flops *flops, node_id node);

/* Adjusts *E to the stored form; false if it is not stored: outside of steps, or of another rank
 * than the file's. */
bool trace_exec_is_kept(const struct result *r, struct exec *e);

/* False with ERR (usage) when R has several ranks; a file holds one. */
bool trace_out_check(const struct result *r, struct err *err);
/* Adds notes about data of R's traces that the file cannot hold. */
void trace_out_note(struct result *r, const struct flops *flops);

/* Appends E as an entry of ProfileNode.execs (map<int64, ExecProfile>); LISTS is scratch memory. */
void exec_write(struct strbuf *sb, const struct profile *p, const struct exec *e,
                struct exec_lists *lists);
/* Appends the string TEXT of P in FIELD; nothing for STRID_EMPTY. */
void wire_name(struct strbuf *sb, uint32_t field, const struct profile *p, strid text);
