/* step_events.h: the executions of a step as events, for profiles without recorded events. */
#ifndef TFPROF_MODEL_STEP_EVENTS_H
#define TFPROF_MODEL_STEP_EVENTS_H

#include "base/cancel.h"
#include "model/events.h"
#include "model/profile.h"

/* A new store with the executions of STEP of P, a RunMetadata profile, that started on a device;
 * the caller frees it (event_store_free()).  Overlapping executions of a device are on several
 * unnamed tracks, each on the first free one.  Streams of accelerators are device work; the
 * enqueuing device is not.  There are no launches.  Linear time, except for executions with equal
 * starts, and 24 bytes for each.  NULL when cancelled. */
struct event_store *step_events_new(const struct profile *p, int64_t step,
                                    struct cancel_mark cancel);

#endif
