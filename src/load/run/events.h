/* events.h: event files: graphs and traced steps among summaries
 * (formats-runmeta.md section 7). */
#ifndef TFPROF_LOAD_EVENTS_H
#define TFPROF_LOAD_EVENTS_H

#include "load/loader.h"

/* The graphs in l->input; what only steps know is left for load_event_steps(). */
bool load_events(struct loader *l, struct err *err);
/* The RunMetadata in l->input, each as the step of its event; when that number
 * is taken, as the next free one. */
bool load_event_steps(struct loader *l, struct err *err);

#endif
