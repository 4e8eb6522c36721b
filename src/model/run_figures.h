/* run_figures.h: what a node did, as its executions say; private to metric.c and run_figures.c. */
#ifndef TFPROF_MODEL_RUN_FIGURES_H
#define TFPROF_MODEL_RUN_FIGURES_H

#include "model/metric.h"

/* What a node did: at one step, or on average over the steps that it ran in.
 * Read once for all metrics, since unpacking is what costs. */
struct run_figures {
    int64_t value[EXEC_FIGURES];
    unsigned saturated; /* a bit for each figure */
};

/* What NODE did at the step of F, or on average over those that it ran in. */
void run_figures_read(const struct figures *f, node_id node, struct run_figures *r);

#endif
