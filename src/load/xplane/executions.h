/* executions.h: where executions begin: of ops, and of the program that divides the run into steps
 * (formats-xplane.md section 9). */
#ifndef TFPROF_LOAD_XPLANE_EXECUTIONS_H
#define TFPROF_LOAD_XPLANE_EXECUTIONS_H

#include "load/xplane/program_nodes.h"

/* Of the program with most time on each host: when its executions on a device began. */
struct device_runs {
    VEC(int64_t) starts_ps; /* ascending */
};

/* The program with the most time on each host of R: a place in run.programs, UINT32_MAX: none.
 * Host tracks have their self times.  Heap memory. */
uint32_t *executions_main_programs(struct run *r);

/* Marks the events that begin executions of their ops, and fills RUNS [r->devices.n]. */
void executions_find(const struct nodes *n, struct run *r, const uint32_t *main_programs,
                     struct device_runs *runs);

#endif
