/* builders.h: the tree builders of the four views, which the table in view.c refers to. */
#pragma once

#include "base/system/workers.h"
#include "opt/options.h"
#include "view/build/tree.h"

/* Input of a tree builder. */
struct tree_request {
    const struct profile *profile;
    const struct options *options;
    struct workers *workers; /* NULL: use the calling thread only */
    struct cancel_mark cancel;
};

/* Builds the rows of a view. Returns a tree with one reference, or NULL with ERR when cancelled. */
typedef struct tree *tree_build(const struct tree_request *request, struct err *err);
tree_build scope_build, graph_build, op_build, code_build;
