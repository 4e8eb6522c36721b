/* view.c: the table of the four views (semantics.md section 4). */
#include "view/view.h"

#include "view/build/builders.h"
#include "view/stages.h"

const struct view views[VIEW_ADVISE] = {
    [VIEW_SCOPE] = {.help = "nodes by the scopes in their names", .kept = KEPT_WITH_DESCENDANTS,
                    .trim = TRIM_DESCENDANTS, .min_static_on_self = true, .min_occurrence = true,
                    .displayed_only = true, .synthetic_type = "_kTFScopeParent",
                    .accounts_synthetic = true, .build = scope_build, .stages = node_stages},
    [VIEW_GRAPH] = {.help = "nodes below the nodes that take their outputs", .kept = KEPT_ACCOUNTED,
                    .trim = TRIM_DESCENDANTS, .min_static_on_self = true, .min_occurrence = true,
                    .displayed_only = true, .synthetic_type = "_TFGraphParent",
                    .build = graph_build, .stages = node_stages},
    [VIEW_OP] = {.help = "operation types, a list", .is_multi = true, .is_list = true,
                 .kept = KEPT_ACCOUNTED, .trim = TRIM_ROW_AND_DESCENDANTS, .min_occurrence = true,
                 .displayed_only = true, .build = op_build, .stages = list_stages},
    [VIEW_CODE] = {.help = "lines of Python below the lines that called them", .is_multi = true,
                   .kept = KEPT_WITH_DESCENDANTS, .trim = TRIM_ROW_AND_DESCENDANTS,
                   .needs_stacks = true, .accounts_synthetic = true, .build = code_build,
                   .stages = code_stages},
};
