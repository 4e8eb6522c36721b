/* flops_priv.h: the implementation of struct flops, shared by flops.c and flops_coverage.c. */
#ifndef TFPROF_FLOPS_FLOPS_PRIV_H
#define TFPROF_FLOPS_FLOPS_PRIV_H

#include "flops/function_counts.h"
#include "flops/count_table.h"
#include "flops/flops.h"
#include "shapes/shape_graph.h"

struct flops_priv {
    const struct profile *p;
    struct flops_request request;
    struct op_table ops;
    struct count_table rules;
    struct arena keep;
    struct shape_request shapes;
    struct shape_graph *graph; /* NULL: recorded counts only */
    struct function_counts *functions; /* of the graph's calls */
    uint32_t n_batch_binds;    /* unknown counts that -batch would make known */
};

#endif
