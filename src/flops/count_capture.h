/* count_capture.h: operation counts of instructions of compiled programs. */
#ifndef TFPROF_FLOPS_COUNT_CAPTURE_H
#define TFPROF_FLOPS_COUNT_CAPTURE_H

#include "flops/flops_types.h"
#include "model/profile.h"

/* Counts the nodes of P's capture into COUNT and STATE, with the rules of REQUEST; other nodes keep
 * the counts of the graph. */
void count_capture(const struct profile *p, const struct flops_request *request, int64_t *count,
                   uint8_t *state);

/* Appends NODE's formula with its numbers; false when NODE is not part of a capture. */
bool explain_capture(const struct profile *p, const struct flops_request *request, node_id node,
                     struct strbuf *sb);

/* The name under which a node without a rule is reported: an instruction's call target, else the
 * op. */
strid name_without_rule(const struct profile *p, node_id node);

#endif
