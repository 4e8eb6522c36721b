/* instruction_facts.h: cost formulas and attributes of nodes that are instructions
 * (model/capture.h). */
#ifndef TFPROF_LOAD_XPLANE_INSTRUCTION_FACTS_H
#define TFPROF_LOAD_XPLANE_INSTRUCTION_FACTS_H

#include "load/xplane/program_nodes.h"

/* CONTEXT: a struct nodes. */
void instruction_formula(void *context, node_id node, bool transcendentals, struct strbuf *sb);
struct text instruction_target(void *context, node_id node);
const struct attr *instruction_attrs(void *context, node_id node, struct arena *arena, size_t *n);

#endif
