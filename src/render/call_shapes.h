/* call_shapes.h: input shapes that a trace recorded for an operator (formats-trace.md section
 * 4.6). */
#ifndef TFPROF_RENDER_CALL_SHAPES_H
#define TFPROF_RENDER_CALL_SHAPES_H

#include "base/strbuf.h"
#include "model/profile.h"

/* True when the input shapes of ID, a node or a part of one, come from the calls in a trace. */
bool call_has_shapes(const struct profile *p, node_id id);
/* Appends "0:32x64|1:16", with BETWEEN instead of the bar.  A node has the shapes of the call that
 * began first.  "[]" is a scalar or not a tensor; a list of tensors is in brackets.  Appends
 * nothing when no shapes were recorded. */
void call_shapes(struct strbuf *sb, const struct profile *p, node_id id, const char *between);

#endif
