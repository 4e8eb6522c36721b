/* host_times.h: which hosts took longer than the others for the same work, by executions:
 * where events of several hosts are not known. */
#pragma once

#include "base/vec.h"
#include "model/profile.h"

struct host_time {
    strid name;        /* in hosts.names */
    int64_t time_ps;   /* of all executions on its devices, in all steps */
    int64_t excess_ps; /* of `node`, over the median of the hosts that ran it; 0: none is above */
    node_id node;      /* whose excess is the largest */
};

struct host_times {
    struct intern names;
    VEC(struct host_time) rows; /* longest time first, then by name */
};

/* Hosts are those that devices name (model/host.h). */
void host_times_make(const struct profile *p, struct host_times *hosts);
void host_times_done(struct host_times *hosts);
