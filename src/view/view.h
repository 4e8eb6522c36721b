/* view.h: the four views as const records; where they differ is a field. */
#ifndef TFPROF_VIEW_VIEW_H
#define TFPROF_VIEW_VIEW_H

#include "opt/options.h"
#include "view/tree.h"

enum kept_rule { KEPT_WITH_HEIRS, KEPT_ACCOUNTED };
enum self_rule { SELF_NODE, SELF_ACCOUNTED_MEMBERS };
enum trim_rule { TRIM_HEIRS, TRIM_ROW_AND_HEIRS };

struct view {
    const char *name;
    const char *help;
    bool is_multi;   /* rows stand for several nodes: code, op */
    bool is_list;    /* op: depth is the list position, totals run */
    bool contracts;  /* graph: rows that are not kept hand heirs up */
    enum kept_rule kept;
    enum self_rule self;
    enum trim_rule trim;
    bool min_static_on_self; /* -min_params, _float_ops, _occurrence on self */
    bool displayed_only;     /* understands -account_displayed_op_only */
    /* Builds the rows; NULL when cancelled or in error. */
    struct tree *(*build)(const struct profile *p, const struct options *o,
                          struct cancel_mark cancel, struct err *err);
};

extern const struct view views[VIEW_ADVISE]; /* by view_id */

#endif
