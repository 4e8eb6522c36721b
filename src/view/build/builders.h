/* builders.h: the four makers of trees; view.c names them in its records. */
#ifndef TFPROF_VIEW_BUILDERS_H
#define TFPROF_VIEW_BUILDERS_H

#include "base/workers.h"
#include "opt/options.h"
#include "view/build/tree.h"

/* What a builder is given. */
struct tree_request {
    const struct profile *profile;
    const struct options *options;
    struct workers *workers; /* NULL: this thread alone */
    struct cancel_mark cancel;
};

/* Each returns the rows of the profile in its view with one reference, or NULL
 * with ERR when it was cancelled. */
typedef struct tree *tree_build(const struct tree_request *request, struct err *err);
tree_build scope_build, graph_build, op_build, code_build;

#endif
