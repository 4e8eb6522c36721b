/* log_tracks.c: slices of selected CPU tracks of a log. */
#include "load/replay/log_tracks.h"

#include <stdlib.h>

#include "base/xalloc.h"

static bool is_swept(const struct log_tracks *t, const bool *tracks, size_t slice)
{
    const struct trace_slice *s = &t->log->slices.data[slice];

    return tracks[s->track] && t->kinds[s->category] < KIND_KERNEL;
}

void log_tracks_init(struct log_tracks *t, const struct trace_log *log, const uint8_t *kinds,
                     const bool *tracks)
{
    const size_t n_tracks = log->tracks.n;
    uint32_t n = 0;

    *t = (struct log_tracks){.log = log,
                             .kinds = kinds,
                             .first = xcalloc(n_tracks + 1, sizeof *t->first),
                             .n_of = xcalloc(n_tracks + 1, sizeof *t->n_of)};
    for (size_t i = 0; i < log->slices.n; i++)
        t->n_of[log->slices.data[i].track] += is_swept(t, tracks, i);
    for (size_t i = 0; i < n_tracks; i++) {
        t->first[i] = n;
        n += t->n_of[i];
        t->n_of[i] = 0;
    }
    t->slices = xreallocarray(NULL, (size_t)n + 1, sizeof *t->slices);
    for (size_t i = 0; i < log->slices.n; i++) {
        const uint32_t track = log->slices.data[i].track;

        if (is_swept(t, tracks, i))
            t->slices[t->first[track] + t->n_of[track]++] = (uint32_t)i;
    }
}

void log_tracks_done(struct log_tracks *t)
{
    EACH(free, t->slices, t->first, t->n_of);
}

const uint32_t *log_track_slices(const struct log_tracks *t, uint32_t track)
{
    return t->slices + t->first[track];
}

unsigned slice_layers(const struct trace_log *log, const struct trace_slice *slice,
                      enum category_kind kind)
{
    if (kind >= KIND_KERNEL)
        return 0;
    if (kind != KIND_FRAME)
        return LAYER_TIMED;
    return is_module_name(profile_text(builder_profile(log->builder), slice->name))
               ? LAYER_TIMED | LAYER_FRAME
               : LAYER_FRAME;
}

void log_tracks_nest(const struct log_tracks *t, uint32_t track, unsigned layers, nested_slices *nested)
{
    const uint32_t *slices = log_track_slices(t, track);

    nested->n = 0;
    for (uint32_t i = 0; i < t->n_of[track]; i++) {
        const struct trace_slice *slice = &t->log->slices.data[slices[i]];
        const unsigned has =
            slice_layers(t->log, slice, (enum category_kind)t->kinds[slice->category]) & layers;

        if (has)
            vec_push(nested, ((struct nested_slice){.start = slice->start_ns,
                                                    .end = slice->start_ns + slice->dur_ns,
                                                    .id = i,
                                                    .layers = (uint8_t)has}));
    }
    nesting_sort(nested->data, nested->n);
}
