/* step_events.h: the executions of a step as events, for profiles that have no events of their own. */
#ifndef TFPROF_MODEL_STEP_EVENTS_H
#define TFPROF_MODEL_STEP_EVENTS_H

#include "base/cancel.h"
#include "model/events.h"
#include "model/profile.h"

/* A store with the executions of STEP of P, RunMetadata, that started on a device; of the caller
 * (event_store_free()).  What runs at once on a device is on as many tracks as it takes, each execution
 * on the first one that is free; they have no names.  Streams of accelerators are work; the device that
 * enqueues it is not.  No launches are known.  Takes linear time, but for executions that start
 * together, and 24 bytes for each.  NULL: CANCEL was asked. */
struct event_store *step_events_new(const struct profile *p, int64_t step,
                                    struct cancel_mark cancel);

#endif
