/* host_times.h: hosts that took longer than others for the same nodes, computed from executions
 * because events of several hosts are not available. */
#pragma once

#include "base/vec.h"
#include "model/profile.h"

struct host_time {
    strid name;        /* in hosts.names */
    int64_t time_ps;   /* over all executions on its devices in all steps */
    int64_t excess_ps; /* of `node`, above the median of its hosts; 0: not above */
    node_id node;      /* node with the largest excess */
};

struct host_times {
    struct intern names;
    VEC(struct host_time) rows; /* by descending time, then name */
};

/* Computes HOSTS for the hosts in device names (model/host.h). */
void host_times_make(const struct profile *p, struct host_times *hosts);
void host_times_done(struct host_times *hosts);
