/* view.h: properties of the four views as const records. */
#pragma once

#include "opt/options.h"
#include "view/build/builders.h"
#include "view/build/tree.h"

/* Rows that the accounting keeps, besides the root. */
enum kept_rule {
    KEPT_WITH_DESCENDANTS, /* accounted rows and their ancestors */
    KEPT_ACCOUNTED,  /* accounted rows only; descendants of others move up */
};

enum trim_rule {
    TRIM_DESCENDANTS,        /* the matching row may be displayed */
    TRIM_ROW_AND_DESCENDANTS /* the matching row is hidden as well */
};

struct stage;

struct view {
    bool is_multi; /* a row may have several nodes: code, op */
    bool is_list;  /* op view: depth is the position in the list, totals are running sums */
    enum kept_rule kept;
    enum trim_rule trim;
    /* -min_params, -min_float_ops, -min_occurrence apply to self figures */
    bool min_static_on_self;
    bool min_occurrence;     /* supports -min_occurrence */
    bool displayed_only;     /* supports -account_displayed_op_only */
    bool needs_stacks;       /* empty without call stacks */
    /* Type of rows without nodes, including the root, and whether this type (or the wildcard) can
     * account them. */
    const char *synthetic_type;
    bool accounts_synthetic;
    tree_build *build;
    const struct stage *const *stages; /* stages of the query, see stages.h; NULL-terminated */
};

extern const struct view views[VIEW_ADVISE]; /* indexed by view_id */
