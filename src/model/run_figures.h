/* run_figures.h: figures of a node from its executions; private to metric.c and run_figures.c. */
#ifndef TFPROF_MODEL_RUN_FIGURES_H
#define TFPROF_MODEL_RUN_FIGURES_H

#include "model/metric.h"

/* The figures of a node, at one step or averaged over the steps in which it ran.  Unpacked once for
 * all metrics, because that is the expensive part. */
struct run_figures {
    int64_t value[EXEC_FIGURES];
    unsigned saturated; /* a bit for each figure */
};

/* Reads the figures of NODE at the step of F, or averaged over the steps in which it ran. */
void run_figures_read(const struct figures *f, node_id node, struct run_figures *r);

#endif
