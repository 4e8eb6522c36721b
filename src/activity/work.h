/* work.h: what a device worked at, by start: the selected events of its tracks, merged. */
#pragma once

#include "activity/selection.h"

#define INSTANT_UNKNOWN INT64_MIN

struct work {
    /* On the clock of all ranks, within the selected time; end_ps is above start_ps. */
    int64_t start_ps, end_ps;
    int64_t self_ps;       /* exclusive time of the whole event, but no more than is selected */
    int64_t launch_ps;     /* start of its launch; INSTANT_UNKNOWN: none is recorded */
    int64_t launch_dur_ps; /* 0: none */
    uint32_t kind, step;   /* in the store */
    struct event_ref ref, launch;
};

/* The next event of one track. */
struct work_source {
    struct event_reader reader;
    struct work work;
};

/* Reads work by start, of equal starts the longest first:
 *
 *     work_begin(&r, sel, device);
 *     while (work_next(&r)) ... r.work ...
 *     work_end(&r); */
struct work_reader {
    struct work work; /* the current one */
    /* The following are private. */
    const struct selection *sel;
    struct work_source *sources; /* by track of the device; heap */
    uint32_t *heap;              /* sources that have work left, the earliest first; heap */
    uint32_t n_heap;
    uint32_t n_read;
    struct event_cache launches;
};

/* Work of DEVICE of the current store; takes time in O(log tracks) for each event.  Events without a
 * length are left out.  It ends early when cancelled (selection_is_whole()). */
void work_begin(struct work_reader *r, const struct selection *sel, uint32_t device);
/* The same of one track. */
void work_begin_track(struct work_reader *r, const struct selection *sel, uint32_t track);
bool work_next(struct work_reader *r);
void work_end(struct work_reader *r);

/* How many events of a store each launch has, which its duration tells nothing about when there are
 * several. */
struct launch_counts {
    uint8_t **by_track; /* by position; NULL: nothing of this track is a launch */
    size_t n_tracks;
};

void launch_counts_init(struct launch_counts *c, const struct event_store *s);
void launch_counts_done(struct launch_counts *c);

static inline bool launch_is_of_one(const struct launch_counts *c, struct event_ref launch)
{
    return launch.track != TRACK_NONE && c->by_track[launch.track][launch.position] == 1;
}
