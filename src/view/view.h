/* view.h: the four views as const records; where they differ is a field. */
#ifndef TFPROF_VIEW_VIEW_H
#define TFPROF_VIEW_VIEW_H

#include "opt/options.h"
#include "view/build/builders.h"
#include "view/build/tree.h"

/* Which rows the accounting keeps, the root aside. */
enum kept_rule {
    KEPT_WITH_DESCENDANTS, /* accounted, or with a kept row below */
    KEPT_ACCOUNTED,  /* accounted; the others hand their descendants up */
};

enum trim_rule {
    TRIM_DESCENDANTS,        /* a row that matches may show */
    TRIM_ROW_AND_DESCENDANTS /* it does not */
};

struct step;

struct view {
    const char *help;
    bool is_multi; /* rows stand for several nodes: code, op */
    bool is_list;  /* op: depth is the list position, totals run */
    enum kept_rule kept;
    enum trim_rule trim;
    bool min_static_on_self; /* -min_params, _float_ops, _occurrence on self */
    bool min_occurrence;     /* understands -min_occurrence */
    bool displayed_only;     /* understands -account_displayed_op_only */
    bool needs_traces;       /* nothing at all without code traces */
    /* Type of the rows without nodes, the root included, and whether they can
     * be accounted by it (or by the wildcard). */
    const char *synthetic_type;
    bool accounts_synthetic;
    tree_build *build;
    const struct step *const *steps; /* of the query, see steps.h; the last is NULL */
};

extern const struct view views[VIEW_ADVISE]; /* by view_id */

#endif
