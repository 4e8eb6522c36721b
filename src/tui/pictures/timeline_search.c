/* timeline_search.c: searching for names in time. */
#include "tui/pictures/timeline_search.h"

#include <inttypes.h>

#include "base/lower_bound.h"
#include "tui/pictures/timeline_geometry.h"

void timeline_count_matches(struct app *a)
{
    struct timeline_pane *p = &a->ui.timeline;
    const struct search *search = &a->nav.search;
    const struct timeline *l = p->timeline;
    uint32_t n = 0;

    if (!search->regexes || !search->strings) {
        p->matches_of = 0;
        return;
    }
    if (p->matches_of == search->generation)
        return;
    vec_resize_zero(&p->matches, l->spans.n + 1);
    for (size_t i = 0; i < l->spans.n; i++) {
        const struct timeline_span *s = &l->spans.data[i];

        p->matches.data[i] = n;
        n += search->strings[s->name] || search->strings[l->profile->name[s->node]];
    }
    p->matches.data[l->spans.n] = n;
    p->matches_of = search->generation;
}

/* First span of TRACK that starts after TICKS (or at TICKS if COUNTS). */
static size_t first_after(const struct timeline *l, const struct timeline_track *track,
                          int64_t ticks, bool counts)
{
    size_t at = track->first;

    LOWER_BOUND(at, track->first + track->n, i,
                counts ? l->spans.data[i].start_ticks < ticks : l->spans.data[i].start_ticks <= ticks);
    return at;
}

/* Nearest match of TRACK from TICKS on (COUNTS: including TICKS) in DIRECTION; SPAN_NONE: none. */
static uint32_t match_on(const struct timeline_pane *p, const struct timeline_track *track,
                         int64_t ticks, bool counts, int direction)
{
    const size_t end = track->first + track->n;
    size_t at = track->first;
    uint32_t wanted;

    if (direction > 0) {
        wanted = p->matches.data[first_after(p->timeline, track, ticks, counts)];
    } else {
        wanted = p->matches.data[first_after(p->timeline, track, ticks, !counts)];
        if (!wanted--)
            return SPAN_NONE;
    }
    if (wanted < p->matches.data[track->first] || wanted >= p->matches.data[end])
        return SPAN_NONE;
    LOWER_BOUND(at, end, i, p->matches.data[i + 1] <= wanted);
    return (uint32_t)at;
}

/* Nearest match from TICKS on TRACK, by time, then track; SPAN_NONE: none. FROM_HERE: a match at
 * TICKS counts. */
static uint32_t next_match(const struct timeline_pane *p, int64_t ticks, size_t track,
                           bool from_here, int direction)
{
    const struct timeline *l = p->timeline;
    uint32_t best = SPAN_NONE;

    for (size_t t = 0; t < l->tracks.n; t++) {
        const bool counts = t == track ? from_here : (t > track) == (direction > 0);
        const uint32_t span = match_on(p, &l->tracks.data[t], ticks, counts, direction);
        int64_t ahead;

        if (span == SPAN_NONE)
            continue;
        ahead = best == SPAN_NONE
                    ? 1
                    : l->spans.data[best].start_ticks - l->spans.data[span].start_ticks;
        if (direction > 0 ? ahead > 0 : ahead <= 0 || best == SPAN_NONE)
            best = span;
    }
    return best;
}

/* Number of the match SPAN in order of time, from 1. */
static uint32_t number_of(const struct timeline_pane *p, uint32_t span)
{
    const struct timeline *l = p->timeline;
    const int64_t ticks = l->spans.data[span].start_ticks;
    const size_t track = timeline_track_of(l, span);
    uint32_t number = 0;

    for (size_t t = 0; t < l->tracks.n; t++)
        number += p->matches.data[first_after(l, &l->tracks.data[t], ticks, t > track)] -
                  p->matches.data[l->tracks.data[t].first];
    return number;
}

static void report(struct app *a, uint32_t span, bool wrapped, int direction)
{
    const struct timeline_pane *p = &a->ui.timeline;
    const uint32_t n = p->matches.data[p->timeline->spans.n];
    const char *text = sb_text(&a->nav.search.text);

    if (!n)
        app_print(a, ROLE_NOTE, "no match for /%s on any track", text);
    else
        app_print(a, wrapped ? ROLE_NOTE : ROLE_TEXT, "%" PRIu32 "/%" PRIu32 " for /%s%s",
                  number_of(p, span), n, text,
                  !wrapped        ? ""
                  : direction > 0 ? ": continued from the start"
                                  : ": continued from the end");
}

void timeline_find(struct app *a, int direction)
{
    struct timeline_pane *p = &a->ui.timeline;
    const bool begins = !direction;
    const int way = direction < 0 ? -1 : 1;
    bool wrapped = false;
    uint32_t span;

    if (!p->timeline || !p->timeline->tracks.n)
        return;
    timeline_count_matches(a);
    if (!p->matches_of)
        return;
    span = next_match(p, begins ? p->search_ticks : p->at_ticks,
                      begins ? p->search_track : p->track, begins, way);
    if (span == SPAN_NONE) {
        wrapped = true;
        span = next_match(p, way > 0 ? p->timeline->begin_ticks : p->timeline->end_ticks,
                          way > 0 ? 0 : p->timeline->tracks.n - 1, true, way);
    }
    if (span != SPAN_NONE) {
        timeline_lines_select_track(p, timeline_track_of(p->timeline, span));
        p->at_ticks = p->timeline->spans.data[span].start_ticks;
        timeline_follow(a);
    }
    report(a, span, wrapped && !begins, way);
}

void timeline_find_begins(struct app *a)
{
    a->ui.timeline.search_ticks = a->ui.timeline.at_ticks;
    a->ui.timeline.search_track = a->ui.timeline.track;
}
