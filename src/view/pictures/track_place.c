/* track_place.c: threads for the events of a track that overlap in part. */
#include "view/pictures/track_place.h"

#include "model/track_ends.h"

uint32_t events_place(struct placed_event *events, size_t n)
{
    VEC(int64_t) open = {0}; /* ends of open events in thread 0, each within the one before */
    struct track_ends others = {0};
    uint32_t n_threads = 1;

    for (size_t i = 0; i < n; i++) {
        struct placed_event *at = &events[i];
        const int64_t start = at->event.start_ps, end = event_end_ps(&at->event);

        while (open.n && open.data[open.n - 1] <= start)
            open.n--;
        if (!open.n || end <= open.data[open.n - 1]) {
            vec_push(&open, end);
            continue;
        }
        at->thread = 1 + track_ends_place(&others, start, end);
        if (at->thread >= n_threads)
            n_threads = at->thread + 1;
    }
    track_ends_done(&others);
    vec_done(&open);
    return n_threads;
}
