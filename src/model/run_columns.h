/* run_columns.h: what many nodes did, a column for each figure; private to metric.c. */
#ifndef TFPROF_MODEL_RUN_COLUMNS_H
#define TFPROF_MODEL_RUN_COLUMNS_H

#include "model/run_figures.h"

/* Where figures go: of the first node of a range on; NULL: nobody asks for it. */
struct run_columns {
    int64_t *value[EXEC_FIGURES];
};

/* True when run_columns_read() gives what run_figures_read() gives for each node below n_nodes:
 * no sum meets a limit, and neither ranks nor devices are told apart. */
bool run_columns_fit(const struct figures *f);

/* Fills TO with what the nodes FROM to END - 1 did, all of them below n_nodes. */
void run_columns_read(const struct figures *f, node_id from, node_id end,
                      const struct run_columns *to);

#endif
