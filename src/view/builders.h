/* builders.h: the four makers of trees; view.c names them in its records. */
#ifndef TFPROF_VIEW_BUILDERS_H
#define TFPROF_VIEW_BUILDERS_H

#include "opt/options.h"
#include "view/tree.h"

/* Each returns the rows of P in its view with one reference, or NULL with ERR
 * when it was cancelled. */
struct tree *scope_build(const struct profile *p, const struct options *o,
                         struct cancel_mark cancel, struct err *err);
struct tree *graph_build(const struct profile *p, const struct options *o,
                         struct cancel_mark cancel, struct err *err);
struct tree *op_build(const struct profile *p, const struct options *o, struct cancel_mark cancel,
                      struct err *err);
struct tree *code_build(const struct profile *p, const struct options *o,
                        struct cancel_mark cancel, struct err *err);

#endif
