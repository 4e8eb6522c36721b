/* track_place.h: threads for the events of a track that overlap in part. */
#ifndef TFPROF_VIEW_PICTURES_TRACK_PLACE_H
#define TFPROF_VIEW_PICTURES_TRACK_PLACE_H

#include "model/events.h"

/* An event in its thread. */
struct placed_event {
    struct event event;
    uint32_t thread; /* set by events_place() */
};

/* Assigns each of the N events of a track, sorted by start, then longest first, to a thread. Thread
 * 0 holds events that are nested or disjoint. An event that partially overlaps another one there,
 * which trace viewers drop, gets a further thread. Returns the number of threads. */
uint32_t events_place(struct placed_event *events, size_t n);

#endif
