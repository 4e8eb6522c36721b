/* function.h: the body of a library function, as a graph of its own. */
#ifndef TFPROF_MODEL_FUNCTION_H
#define TFPROF_MODEL_FUNCTION_H

#include <inttypes.h>

#include "base/strbuf.h"
#include "model/attr.h"
#include "model/profile.h"

/* One result of a function: an output of a node of its body. */
struct function_result {
    node_id node;
    int32_t output; /* counted over all outputs of the node */
};

/* A body looks like any profile: columns, inputs (node:name:index already
 * counted over all outputs), recorded shapes.  Its first N_ARGS nodes stand
 * for the arguments, in order, with the op "_Arg". */
struct function_body {
    uint32_t index; /* tells the functions of a profile apart: 0, 1, ... */
    const struct profile *graph;
    uint32_t n_args;
    uint32_t n_results;
    const struct function_result *results;
    bool no_inline; /* attribute _noinline: a call of it stays a call */
};

/* Appends the role of a function that attribute ATTR of a call names, of a list as its
 * item ITEM: "then_branch", "branches_0"; nothing where the op itself names it. */
static inline void function_role_add(struct strbuf *sb, struct attr_bytes attr, int64_t item)
{
    sb_add(sb, attr.bytes, attr.len);
    if (item >= 0)
        sb_addf(sb, "_%" PRId64, item);
}

#endif
