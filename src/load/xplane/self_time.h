/* self_time.h: exclusive time of events (formats-xplane.md section 7). */
#ifndef TFPROF_LOAD_XPLANE_SELF_TIME_H
#define TFPROF_LOAD_XPLANE_SELF_TIME_H

#include "load/xplane/run.h"

/* Orders events of a track by start, then longer first, then by input order. */
static inline bool track_event_before(const struct run_event *a, const struct run_event *b)
{
    return a->start_ps != b->start_ps ? a->start_ps < b->start_ps : a->dur_ps > b->dur_ps;
}

/* Sorts the events of T. */
void track_sort(struct track *t);

/* Sets self_ps of the sorted events of T by its use: the full duration on devices, the duration
 * minus contained events for compiled code, and the time on top of the stack for host ops. */
void track_self_times(struct track *t);

#endif
