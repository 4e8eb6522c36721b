/* shown_tracks.h: the tracks of a profile that a timeline shows, with all ranks and hosts on a
 * common clock. */
#pragma once

#include "base/vec.h"
#include "model/events.h"
#include "model/profile.h"
#include "opt/options.h"
#include "view/origins.h"

struct shown_track {
    const struct event_track *track;
    const struct profile_device *device;
    int64_t rank; /* -1: there is one, or it is not known */
    uint32_t id;  /* in event_store.tracks */
    int64_t origin_ticks; /* its instant 0 in ticks of executions, on the common clock */
};

/* Sorted by rank, then by device in byte order, then in file order. */
typedef VEC(struct shown_track) shown_tracks;

/* Appends the tracks of S, the events of P or of a step of it (model/events.h), on devices and of
 * the rank that OPTIONS select.  ORIGINS are those of P and the shown step: origins of hosts without a
 * common clock are at the same instant.  False with ERR (usage) for a bad regex. */
bool shown_tracks_add(shown_tracks *tracks, const struct profile *p, const struct event_store *s,
                      const struct origins *origins, const struct options *options,
                      struct err *err);

/* Orders tracks by rank, then by device; 0 means that both belong to the same process. */
int shown_tracks_compare(const struct profile *p, const struct shown_track *a,
                         const struct shown_track *b);

/* True when step id STEP has the number WANTED, or WANTED is STEP_ALL. */
static inline bool step_is_shown(const struct event_store *s, uint32_t step, int64_t wanted)
{
    return wanted == STEP_ALL || s->steps.data[step].number == wanted;
}

/* An instant of T, in ticks since its origin, on the common clock. */
static inline int64_t shown_ticks(const struct shown_track *t, int64_t ticks)
{
    return clamp_add(t->origin_ticks, ticks);
}
