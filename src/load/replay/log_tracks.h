/* log_tracks.h: the slices of chosen CPU tracks of a log as read, by track, prepared for a sweep. */
#pragma once

#include "load/trace/trace_build.h"

struct log_tracks {
    const struct trace_log *log;
    const uint8_t *kinds;  /* by category */
    uint32_t *slices;      /* by track, in file order */
    uint32_t *first, *n_of; /* by track */
};

/* TRACKS[I]: track I is wanted.  KINDS is borrowed. */
void log_tracks_init(struct log_tracks *t, const struct trace_log *log, const uint8_t *kinds,
                     const bool *tracks);
void log_tracks_done(struct log_tracks *t);
/* The n_of[TRACK] slices of TRACK, in the log. */
const uint32_t *log_track_slices(const struct log_tracks *t, uint32_t track);
/* Replaces NESTED by the slices of TRACK that have one of LAYERS, sorted; ids are positions among its
 * slices. */
void log_tracks_nest(const struct log_tracks *t, uint32_t track, unsigned layers, nested_slices *nested);

/* The layers of SLICE of a trace of PyTorch, of KIND; 0: it is not swept. */
unsigned slice_layers(const struct trace_log *log, const struct trace_slice *slice,
                      enum category_kind kind);
