/* work.c: merges the events of a device's tracks. */
#include "activity/work.h"

#include <stdlib.h>

#include "base/min_heap.h"
#include "base/xalloc.h"

/* Events between two checks for cancellation. */
enum { EVENTS_PER_LOOK = 4096 };

/* ---- one track */

static bool clip(const struct selection *sel, struct work *w)
{
    if (sel->has_range) {
        w->start_ps = w->start_ps < sel->from_ps ? sel->from_ps : w->start_ps;
        w->end_ps = w->end_ps > sel->to_ps ? sel->to_ps : w->end_ps;
    }
    KEEP_MIN(w->self_ps, w->end_ps - w->start_ps);
    return w->end_ps > w->start_ps;
}

/* Reads the next work of a track; false: there is none. */
static bool source_next(const struct selection *sel, struct work_source *from)
{
    while (event_next(&from->reader)) {
        const struct event *e = &from->reader.event;
        struct work *w = &from->work;

        if (!sel->s->kinds[e->kind].is_work || !sel->steps[e->step])
            continue;
        *w = (struct work){.start_ps = selection_instant(sel, w->ref.track, e->start_ps),
                           .end_ps = selection_instant(sel, w->ref.track, event_end_ps(e)),
                           .self_ps = e->self_ps, .kind = e->kind, .step = e->step,
                           .ref = {w->ref.track, e->position}, .launch = e->link};
        if (clip(sel, w))
            return true;
    }
    return false;
}

/* ---- the tracks of a device */

static bool is_before(const struct work_reader *r, const uint32_t *first, const uint32_t *second)
{
    const struct work *a = &r->sources[*first].work, *b = &r->sources[*second].work;

    if (a->start_ps != b->start_ps)
        return a->start_ps < b->start_ps;
    if (a->end_ps != b->end_ps)
        return a->end_ps > b->end_ps;
    return *first < *second;
}

static void sift_down(struct work_reader *r, uint32_t at)
{
    HEAP_SIFT_DOWN(uint32_t, r->heap, r->n_heap, at, is_before, r)
}

static void begin(struct work_reader *r, const struct selection *sel, const uint32_t *tracks,
                  uint32_t n)
{
    *r = (struct work_reader){.sel = sel};
    r->sources = xcalloc(n + 1, sizeof *r->sources);
    r->heap = xcalloc(n + 1, sizeof *r->heap);
    event_cache_init(&r->launches, sel->s);
    for (uint32_t i = 0; i < n; i++) {
        r->sources[i].reader = selection_reader(sel, tracks[i]);
        r->sources[i].work.ref.track = tracks[i];
        if (source_next(sel, &r->sources[i]))
            r->heap[r->n_heap++] = i;
    }
    for (uint32_t i = r->n_heap / 2; i-- > 0;)
        sift_down(r, i);
}

void work_begin(struct work_reader *r, const struct selection *sel, uint32_t device)
{
    const uint32_t first = sel->track_begin[device];

    begin(r, sel, sel->device_tracks + first, sel->track_begin[device + 1] - first);
}

void work_begin_track(struct work_reader *r, const struct selection *sel, uint32_t track)
{
    begin(r, sel, &track, 1);
}

static void add_launch(struct work_reader *r, struct work *w)
{
    const struct event *launch = event_cache_at(&r->launches, w->launch);

    w->launch_ps =
        launch ? selection_instant(r->sel, w->launch.track, launch->start_ps) : INSTANT_UNKNOWN;
    w->launch_dur_ps = launch ? launch->dur_ps : 0;
}

bool work_next(struct work_reader *r)
{
    uint32_t first;

    if (!r->n_heap || (r->n_read++ % EVENTS_PER_LOOK == 0 && cancel_asked(r->sel->cancel)))
        return false;
    first = r->heap[0];
    r->work = r->sources[first].work;
    add_launch(r, &r->work);
    if (!source_next(r->sel, &r->sources[first]))
        r->heap[0] = r->heap[--r->n_heap];
    if (r->n_heap)
        sift_down(r, 0);
    return true;
}

void work_end(struct work_reader *r)
{
    EACH(free, r->sources, r->heap);
    event_cache_done(&r->launches);
}

/* ---- launches */

void launch_counts_init(struct launch_counts *c, const struct event_store *s)
{
    c->n_tracks = s->tracks.n;
    c->by_track = xcalloc(s->tracks.n + 1, sizeof *c->by_track);
    for (uint32_t t = 0; t < s->tracks.n; t++) {
        struct event_reader r = event_reader_of(s, t);

        while (event_next(&r)) {
            const struct event_ref launch = r.event.link;
            uint8_t **counts;

            if (launch.track == TRACK_NONE)
                continue;
            counts = &c->by_track[launch.track];
            if (!*counts)
                *counts = xcalloc((size_t)s->tracks.data[launch.track].n_events + 1, 1);
            if ((*counts)[launch.position] < UINT8_MAX)
                (*counts)[launch.position]++;
        }
    }
}

void launch_counts_done(struct launch_counts *c)
{
    for (size_t t = 0; t < c->n_tracks; t++)
        free(c->by_track[t]);
    free(c->by_track);
}
