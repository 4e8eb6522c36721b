/* flops_priv.h: the implementation of struct flops, shared by flops.c and flops_coverage.c. */
#pragma once

#include "flops/count_table.h"
#include "flops/flops.h"
#include "flops/flops_types.h"
#include "flops/function_counts.h"
#include "model/profile.h"
#include "shapes/shape_graph.h"

struct flops_priv {
    const struct profile *p;
    struct flops_request request;
    struct op_table ops;
    struct count_table rules;
    struct arena keep;
    struct shape_request shapes;
    struct shape_graph *graph; /* NULL: recorded counts only */
    struct function_counts *functions; /* of the graph's calls */
    uint32_t n_batch_binds;    /* unknown counts that -batch would make known */
};

/* Counts one call of operator OP.  DIMS and VALUES are JSON lists from the trace, "" when absent.
 * FULL selects the rules of FlopCounterMode, else those of with_flops=True.  *BYTES is what it reads
 * and writes; 0: not known. */
enum flops_state count_aten(const char *op, const char *dims, const char *values, bool full,
                            int64_t *count, int64_t *bytes);

/* Fills counts and states of all nodes and parts of P, a profile of traces. */
void count_parts(struct flops *f, const struct profile *p, const struct flops_request *request);

/* The same for a profile of another op set, whose nodes were counted before. */
void count_runs(struct flops *f, const struct profile *p);

/* Bytes of the outputs of each node: heap.  F has inferred shapes. */
int64_t *output_bytes_new(const struct flops *f);

/* Appends the share of calls and of time that is counted. */
void parts_coverage(const struct flops *f, const struct profile *p, struct strbuf *sb);

/* Counts the nodes of P's capture into COUNT and STATE, with the rules of REQUEST; other nodes keep
 * the counts of the graph. */
void count_programs(const struct profile *p, const struct flops_request *request, int64_t *count,
                   uint8_t *state);

/* Appends NODE's formula with its numbers; false when NODE is not part of a capture. */
bool explain_programs(const struct profile *p, const struct flops_request *request, node_id node,
                     struct strbuf *sb);

/* The name under which a node without a rule is reported: an instruction's call target, else the
 * op. */
strid name_without_rule(const struct profile *p, node_id node);
