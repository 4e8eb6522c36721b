/* count_capture.h: counts of nodes that are instructions of compiled programs. */
#ifndef TFPROF_FLOPS_COUNT_CAPTURE_H
#define TFPROF_FLOPS_COUNT_CAPTURE_H

#include "flops/flops_types.h"
#include "model/profile.h"

/* Counts the nodes of P's capture, as REQUEST says, into COUNT and STATE; what a graph beside it
 * knows of others stays. */
void count_capture(const struct profile *p, const struct flops_request *request, int64_t *count,
                   uint8_t *state);

/* Appends how NODE was counted, with its numbers; false for a node that is not of a capture. */
bool explain_capture(const struct profile *p, const struct flops_request *request, node_id node,
                     struct strbuf *sb);

/* What has no rule is called so: of an instruction what it calls, of any other node its op. */
strid name_without_rule(const struct profile *p, node_id node);

#endif
