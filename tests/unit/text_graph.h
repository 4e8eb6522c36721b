/* text_graph.h: graphs with functions for tests, written as texts. */
#ifndef TFPROF_TESTS_TEXT_GRAPH_H
#define TFPROF_TESTS_TEXT_GRAPH_H

#include "load/load.h"

/* The profile of a GraphDef that stands in TEXTS, one behind the other, up to
 * NULL; fails the test when it is none. */
struct profile *text_graph(const char *const *texts, enum functions_mode functions);
/* The node of a name, which must be there. */
node_id text_graph_node(const struct profile *p, const char *name);

#endif
