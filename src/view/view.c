/* view.c: the records of the four views (semantics.md section 4). */
#include "view/view.h"

#include "view/build/builders.h"
#include "view/steps.h"

const struct view views[VIEW_ADVISE] = {
    [VIEW_SCOPE] = {.help = "nodes by the scopes in their names",
                    .kept = KEPT_WITH_DESCENDANTS,
                    .trim = TRIM_DESCENDANTS,
                    .min_static_on_self = true,
                    .min_occurrence = true,
                    .displayed_only = true,
                    .synthetic_type = "_kTFScopeParent",
                    .accounts_synthetic = true,
                    .build = scope_build,
                    .steps = node_steps},
    [VIEW_GRAPH] = {.help = "nodes below the nodes that take their outputs",
                    .kept = KEPT_ACCOUNTED,
                    .trim = TRIM_DESCENDANTS,
                    .min_static_on_self = true,
                    .min_occurrence = true,
                    .displayed_only = true,
                    .synthetic_type = "_TFGraphParent",
                    .build = graph_build,
                    .steps = node_steps},
    [VIEW_OP] = {.help = "operation types, a list",
                 .is_multi = true,
                 .is_list = true,
                 .kept = KEPT_ACCOUNTED,
                 .trim = TRIM_ROW_AND_DESCENDANTS,
                 .min_occurrence = true,
                 .displayed_only = true,
                 .build = op_build,
                 .steps = list_steps},
    [VIEW_CODE] = {.help = "lines of Python below the lines that called them",
                   .is_multi = true,
                   .kept = KEPT_WITH_DESCENDANTS,
                   .trim = TRIM_ROW_AND_DESCENDANTS,
                   .needs_traces = true,
                   .accounts_synthetic = true,
                   .build = code_build,
                   .steps = code_steps},
};
