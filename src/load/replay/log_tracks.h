/* log_tracks.h: slices of selected CPU tracks of a log, grouped by track for a sweep. */
#pragma once

#include "load/trace/trace_build.h"

struct log_tracks {
    const struct trace_log *log;
    const uint8_t *kinds;  /* by category */
    uint32_t *slices;      /* by track, in file order */
    uint32_t *first, *n_of; /* by track */
};

/* Groups the slices of each track I with TRACKS[I].  KINDS is borrowed. */
void log_tracks_init(struct log_tracks *t, const struct trace_log *log, const uint8_t *kinds,
                     const bool *tracks);
void log_tracks_done(struct log_tracks *t);
/* Indexes in the log of the n_of[TRACK] slices of TRACK. */
const uint32_t *log_track_slices(const struct log_tracks *t, uint32_t track);
/* Fills NESTED with the slices of TRACK that belong to LAYERS, sorted; ids are indexes in
 * log_track_slices(). */
void log_tracks_nest(const struct log_tracks *t, uint32_t track, unsigned layers, nested_slices *nested);

/* The layers of SLICE of KIND in a trace of PyTorch; 0 if it is not swept. */
unsigned slice_layers(const struct trace_log *log, const struct trace_slice *slice,
                      enum category_kind kind);
