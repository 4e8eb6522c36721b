/* hosts.h: which hosts took longer than the others for the same work. */
#ifndef TFPROF_VIEW_HOSTS_H
#define TFPROF_VIEW_HOSTS_H

#include "base/vec.h"
#include "model/profile.h"

struct host_row {
    strid name;        /* in hosts.names */
    int64_t time_ps;   /* of all executions on its devices, in all steps */
    int64_t excess_ps; /* of `node`, over the median of the hosts that ran it; 0: none is above */
    node_id node;      /* whose excess is the largest */
};

struct hosts {
    struct intern names;
    VEC(struct host_row) rows; /* longest time first, then by name */
    int64_t median_ps; /* of the times; of two in the middle the shorter */
};

/* Hosts are those that devices name (model/host.h); of traces that name none the ranks. */
void hosts_make(const struct profile *p, struct hosts *hosts);
void hosts_done(struct hosts *hosts);

/* By how much TIME_PS is above the median, in percent; 0 of a median of 0. */
double hosts_percent(const struct hosts *hosts, int64_t time_ps);

#endif
