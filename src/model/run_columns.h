/* run_columns.h: figures of many nodes, one column for each figure; private to metric.c. */
#pragma once

#include "model/metric.h"

/* Destination of each figure, for the first node of a range; NULL: not requested. */
struct run_columns {
    int64_t *value[EXEC_FIGURES];
};

/* True when run_columns_read() equals run_figures_read() for each node below n_nodes: no sum
 * reaches a limit, and neither ranks nor devices are filtered. */
bool run_columns_fit(const struct figures *f);

/* Fills TO for the nodes [FROM, END), all below n_nodes. */
void run_columns_read(const struct figures *f, node_id from, node_id end,
                      const struct run_columns *to);

/* The figures of a node, at one step or averaged over the steps in which it ran.  Unpacked once for
 * all metrics, because that is the expensive part. */
struct run_figures {
    int64_t value[EXEC_FIGURES];
    unsigned saturated; /* a bit for each figure */
};

/* Reads the figures of NODE, see struct run_figures. */
void run_figures_read(const struct figures *f, node_id node, struct run_figures *r);
