/* function.h: the body of a library function as a graph. */
#pragma once

#include <inttypes.h>

#include "base/strbuf.h"
#include "model/attr.h"
#include "model/profile.h"

/* One result of a function: an output of a node of its body. */
struct function_result {
    node_id node;
    int32_t output; /* index over all outputs of the node */
};

/* A body is a profile: columns, inputs (node:name:index converted to an index over all outputs),
 * recorded shapes.  Its first N_ARGS nodes are the arguments, in order, with the op "_Arg". */
struct function_body {
    uint32_t index; /* unique in a profile: 0, 1, ... */
    const struct profile *graph;
    uint32_t n_args;
    uint32_t n_results;
    const struct function_result *results;
    bool no_inline; /* attribute _noinline: calls are not inlined */
};

/* Appends the role of a function: the attribute ATTR of the call that names it, and its index ITEM
 * in a list: "then_branch", "branches_0"; nothing when the op itself names it. */
static inline void function_role_add(struct strbuf *sb, struct attr_bytes attr, int64_t item)
{
    sb_add(sb, attr.bytes, attr.len);
    if (item >= 0)
        sb_addf(sb, "_%" PRId64, item);
}
