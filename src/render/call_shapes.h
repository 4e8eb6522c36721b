/* call_shapes.h: the shapes that a trace recorded of an operator's inputs (formats-trace.md
 * section 4.6). */
#ifndef TFPROF_RENDER_CALL_SHAPES_H
#define TFPROF_RENDER_CALL_SHAPES_H

#include "base/strbuf.h"
#include "model/profile.h"

/* True when what is known of the inputs of ID, a node or a part of one, is what a trace recorded of
 * its calls. */
bool call_has_shapes(const struct profile *p, node_id id);
/* Appends "0:32x64|1:16" with BETWEEN for the bar: of a node those of the call that began first;
 * "[]" is a scalar or no tensor, a list of tensors stands in brackets.  Nothing when none were
 * recorded. */
void call_shapes(struct strbuf *sb, const struct profile *p, node_id id, const char *between);

#endif
