/* op_class.h: classifies events as compute, communication, copies and so on (formats-xplane.md
 * section 12). */
#ifndef TFPROF_LOAD_XPLANE_OP_CLASS_H
#define TFPROF_LOAD_XPLANE_OP_CLASS_H

#include "load/xplane/program_nodes.h"
#include "load/xplane/run.h"
#include "model/events.h"

/* The class of the events of OP, which has a node. */
enum event_class op_class(const struct run *r, const struct nodes *n, const struct run_op *op,
                          const struct intern *strings);

#endif
