/* work.h: reads the work of a device by start: the merged selected events of its tracks. */
#pragma once

#include "activity/selection.h"

#define INSTANT_UNKNOWN INT64_MIN

struct work {
    /* On the common clock of all ranks, clipped to the selected time; end_ps > start_ps. */
    int64_t start_ps, end_ps;
    int64_t self_ps;       /* self time of the whole event, at most its selected length */
    int64_t launch_ps;     /* start of its launch; INSTANT_UNKNOWN: not recorded */
    int64_t launch_dur_ps; /* 0: unknown */
    uint32_t kind, step;   /* indexes in the store */
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
    struct work work; /* the current work */
    /* The following are private. */
    const struct selection *sel;
    struct work_source *sources; /* by track of the device; heap */
    uint32_t *heap;              /* binary heap of sources with work left, earliest first */
    uint32_t n_heap;
    uint32_t n_read;
    struct event_cache launches;
};

/* Begins to read the work of DEVICE in the current store; each event takes O(log tracks). Events
 * without a length are skipped. Reading ends early when cancelled (selection_is_whole()). */
void work_begin(struct work_reader *r, const struct selection *sel, uint32_t device);
void work_begin_track(struct work_reader *r, const struct selection *sel, uint32_t track);
bool work_next(struct work_reader *r);
void work_end(struct work_reader *r);

/* Number of device events per launch. The duration of a launch applies to its work only if there is
 * one event. */
struct launch_counts {
    uint8_t **by_track; /* by position; NULL: the track has no launches */
    size_t n_tracks;
};

void launch_counts_init(struct launch_counts *c, const struct event_store *s);
void launch_counts_done(struct launch_counts *c);

static inline bool launch_is_of_one(const struct launch_counts *c, struct event_ref launch)
{
    return launch.track != TRACK_NONE && c->by_track[launch.track][launch.position] == 1;
}
