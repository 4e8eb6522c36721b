/* executions.h: finds where executions of ops begin, and those of the program that divides the
 * capture into steps (formats-xplane.md section 9). */
#ifndef TFPROF_LOAD_XPLANE_EXECUTIONS_H
#define TFPROF_LOAD_XPLANE_EXECUTIONS_H

#include "load/xplane/program_nodes.h"

/* Start times of the main program of a host on one device. */
struct device_runs {
    VEC(int64_t) starts_ps; /* ascending */
};

/* The program with the most time on each host of R: an index in run.programs, UINT32_MAX if none.
 * Host tracks must have self times.  The caller frees the array. */
uint32_t *executions_main_programs(struct run *r);

/* Marks the events that begin executions of their ops, and fills RUNS [r->devices.n]. */
void executions_find(const struct nodes *n, struct run *r, const uint32_t *main_programs,
                     struct device_runs *runs);

#endif
