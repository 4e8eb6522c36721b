/* small_graph.h: graphs for tests of shapes and counts, in a short notation:
 *
 *     x = Placeholder [?,24,7]
 *     c = Const (1,-1)          a vector; 5 a scalar; 2x2(0,0,1,1) a matrix
 *     y = Reshape x c
 *     z = Conv2D x:1 f ^y strides=(1,2,2,1) padding='SAME' axis=3 keep_dims=true
 *     v = VarHandleOp shape=[3,4] T=#3 f=@body shapes={[3],?}
 *     producer 21               the version of what wrote the graph
 *
 * '?' is an unknown size, and as a whole shape an unknown rank. */
#ifndef TFPROF_TESTS_SMALL_GRAPH_H
#define TFPROF_TESTS_SMALL_GRAPH_H

#include "flops/flops.h"
#include "model/profile.h"

/* Loads the graph that TEXT spells; fails the test when it is malformed. */
struct profile *small_graph(const char *text);
/* The same with the checkpoint CHECKPOINT (NULL: none). */
struct profile *small_graph_with(const char *text, const char *checkpoint);
/* Infers and counts by RULES. */
struct flops *small_flops(const struct profile *p, enum flops_rules rules);
/* Output "NODE" or "NODE:k" as "[8,?,3]", "[]", or "?" for an unknown rank;
 * valid until the next call. */
const char *small_shape(const struct profile *p, const struct flops *f, const char *output);

#endif
