/* timeline_collect.c: the spans of tracks, from events, also of a baseline. */
#include <stdlib.h>

#include "base/compare.h"
#include "base/lower_bound.h"
#include "base/xalloc.h"
#include "load/slices/nesting.h"
#include "model/events.h"
#include "view/pictures/shown_tracks.h"
#include "view/pictures/timeline_priv.h"

static void extend_range(struct timeline *l, int64_t start, int64_t end)
{
    KEEP_MIN(l->begin_ticks, start);
    KEEP_MAX(l->end_ticks, end);
}

static void add_span(struct timeline *l, const struct timeline_span *span)
{
    struct timeline_track *track = &l->tracks.data[l->tracks.n - 1];

    vec_push(&l->spans, *span);
    track->n++;
    /* spans do not overlap, so the sum cannot overflow */
    track->busy_ticks += span->end_ticks - span->start_ticks;
    extend_range(l, span->start_ticks, span->end_ticks);
}

/* ---- events */

struct event_spans {
    struct timeline *l;
    VEC(struct timeline_span) spans; /* events of the track */
};

static void slice_begins(void *context, const struct nested_slice *slice, uint32_t parent,
                         uint32_t frame, bool partly)
{
    (void)context, (void)slice, (void)parent, (void)frame, (void)partly;
}

static void span_found(void *context, uint32_t timed, uint32_t frame UNUSED, int64_t from,
                       int64_t to)
{
    const struct event_spans *s = context;
    struct timeline_span span;

    if (timed == SLICE_NONE)
        return;
    span = s->spans.data[timed];
    span.start_ticks = from;
    span.end_ticks = to;
    add_span(s->l, &span);
}

/* Gets the current event of R, without a group; false if it is not displayed. */
static bool shown_span(const struct timeline *l, const struct event_store *s,
                       const struct shown_track *shown, const struct event_reader *r,
                       struct timeline_span *span)
{
    const int64_t start = r->start_ticks, end = start + r->dur_ticks;
    const struct event_kind *kind = &s->kinds[r->event.kind];
    const node_id node = profile_node_of_part(l->source, kind->id);

    *span = (struct timeline_span){
        .start_ticks = timeline_near(shown_ticks(shown, start)),
        .end_ticks = timeline_near(shown_ticks(shown, end)),
        .node = node,
        .name = shown->device->is_accelerator && kind->name != STRID_EMPTY ? kind->name
                                                                           : l->source->op[node],
    };
    return span->end_ticks > span->start_ticks && step_is_shown(s, r->event.step, l->step);
}

/* Adds the events as spans. False if two of them overlap; some spans are then added. */
static bool add_events(struct timeline *l, const struct event_store *s,
                       const struct shown_track *shown)
{
    struct event_reader r = event_reader_of(s, shown->id);
    int64_t last_end = INT64_MIN;
    struct timeline_span span;

    while (event_next(&r)) {
        if (!shown_span(l, s, shown, &r, &span))
            continue;
        if (span.start_ticks < last_end)
            return false;
        last_end = span.end_ticks;
        add_span(l, &span);
    }
    return true;
}

/* Adds the events as spans: each instant belongs to the innermost event. */
static void add_nested_events(struct timeline *l, const struct event_store *s,
                              const struct shown_track *shown)
{
    static const struct nesting_calls calls = {.begin = slice_begins, .span = span_found};
    struct event_spans found = {.l = l};
    VEC(struct nested_slice) slices = {0};
    struct event_reader r = event_reader_of(s, shown->id);
    struct timeline_span span;

    while (event_next(&r)) {
        if (!shown_span(l, s, shown, &r, &span))
            continue;
        vec_push(&slices, ((struct nested_slice){.start = span.start_ticks,
                                                 .end = span.end_ticks,
                                                 .id = (uint32_t)found.spans.n,
                                                 .layers = LAYER_TIMED}));
        vec_push(&found.spans, span);
    }
    nesting_sort(slices.data, slices.n);
    nesting_sweep(slices.data, slices.n, &calls, &found);
    EACH(vec_done, &slices, &found.spans);
}

/* Rank of a device if there are several ranks, else its host. */
static uint32_t place_of(const struct event_store *s, const struct profile_device *device)
{
    return s->ranks.n > 1 ? device->rank : device->host;
}

static void add_track(struct timeline *l, const struct event_store *s,
                      const struct shown_track *shown)
{
    const struct timeline_track fresh = {.device = shown->device->name,
                                         .name = shown->track->name,
                                         .rank = shown->rank,
                                         .thread = shown->track->thread,
                                         .is_stream = shown->track->name_is_number,
                                         .is_accelerator = shown->device->is_accelerator,
                                         .device_kind = shown->device->kind,
                                         .device_number = shown->device->number,
                                         .model_name = shown->device->model_name,
                                         .device_id = shown->track->device,
                                         .place = place_of(s, shown->device),
                                         .first = (uint32_t)l->spans.n};

    vec_push(&l->tracks, fresh);
    if (!add_events(l, s, shown)) {
        l->tracks.data[l->tracks.n - 1] = fresh;
        l->spans.n = fresh.first;
        add_nested_events(l, s, shown);
    }
    if (l->spans.n == fresh.first)
        l->tracks.n--;
}

/* Converts instant PS of a mark to the common clock. */
static int64_t mark_ticks(const struct event_store *s, const struct shown_track *track, int64_t ps)
{
    return shown_ticks(track, ps / s->clocks.data[track->track->clock].tick_ps);
}

COMPARE_CHAIN(by_start, struct timeline_mark, UP(start_ticks) || UP(place) || UP(end_ticks))

/* Adds the marks of displayed steps, within the time of TRACKS, for ranks or hosts with tracks. */
static void add_marks(struct timeline *l, const struct event_store *s, const shown_tracks *tracks)
{
    const size_t n_places = s->ranks.n > 1 ? s->ranks.n : s->hosts.n;
    const struct shown_track **of_place = xcalloc(n_places + 1, sizeof *of_place);

    for (size_t i = 0; i < tracks->n; i++)
        of_place[place_of(s, tracks->data[i].device)] = &tracks->data[i];
    vec_each(const struct profile_mark, m, &s->marks) {
        const struct profile_step *step = &s->steps.data[m->step];
        const uint32_t place = s->ranks.n > 1 ? step->rank : m->host;
        const struct shown_track *track = of_place[place];

        if (track && step_is_shown(s, m->step, l->step))
            vec_push(&l->marks, ((struct timeline_mark){
                                    .step = step->number,
                                    .start_ticks = timeline_near(mark_ticks(s, track, m->start_ps)),
                                    .end_ticks = timeline_near(mark_ticks(s, track, m->end_ps)),
                                    .place = place}));
    }
    vec_sort(&l->marks, by_start);
    free(of_place);
}

COMPARE_CHAIN(by_place, struct timeline_mark, UP(place) || UP(start_ticks) || DOWN(end_ticks))

/* True when M is the annotation of a step. */
static bool is_step(const struct timeline *l, const struct timeline_mark *m)
{
    size_t i = 0;

    LOWER_BOUND(i, l->marks.n, k, by_start(&l->marks.data[k], m) < 0);
    return i < l->marks.n && by_start(&l->marks.data[i], m) == 0;
}

static bool has_annotations(const struct event_store *s)
{
    for (uint32_t i = 0; i < s->n_kinds; i++)
        if (s->kinds[i].event_class == EVENT_ANNOTATION)
            return true;
    return false;
}

/* Adds the annotations on SHOWN, a track. */
static void add_annotations(struct timeline *l, const struct event_store *s,
                            const struct shown_track *shown)
{
    struct event_reader r = event_reader_of(s, shown->id);
    struct timeline_span span;

    while (event_next(&r)) {
        struct timeline_mark m;

        if (s->kinds[r.event.kind].event_class != EVENT_ANNOTATION ||
            !shown_span(l, s, shown, &r, &span))
            continue;
        m = (struct timeline_mark){.name = span.name, .start_ticks = span.start_ticks,
                                   .end_ticks = span.end_ticks,
                                   .place = place_of(s, shown->device)};
        if (!is_step(l, &m))
            vec_push(&l->annotations, m);
    }
}

/* Sorts the annotations and leaves out those that begin within another one. */
static void keep_outermost(struct timeline *l)
{
    size_t n = 0;

    vec_sort(&l->annotations, by_place);
    for (size_t i = 0; i < l->annotations.n; i++) {
        const struct timeline_mark *all = l->annotations.data, *m = &all[i];

        if (!n || all[n - 1].place != m->place || all[n - 1].end_ticks <= m->start_ticks)
            l->annotations.data[n++] = *m;
    }
    l->annotations.n = n;
}

/* Adds the tracks of S: events of the profile, or the executions of a step. */
static void add_tracks(struct timeline *l, const struct event_store *s,
                       const struct origins *origins, const struct options *options,
                       struct cancel_mark cancel)
{
    shown_tracks tracks = {0};
    struct err err = {0};
    size_t n = 0;

    /* An invalid list of devices is reported when rows are made. */
    if (!shown_tracks_add(&tracks, l->source, s, origins, options, &err))
        tracks.n = 0;
    for (size_t i = 0; i < tracks.n; i++)
        n += tracks.data[i].track->n_events;
    if (l->step == STEP_ALL || s != l->source->events)
        vec_reserve(&l->spans, n);
    for (size_t i = 0; i < tracks.n && !cancel_asked(cancel); i++)
        add_track(l, s, &tracks.data[i]);
    add_marks(l, s, &tracks);
    for (size_t i = 0; has_annotations(s) && i < tracks.n && !cancel_asked(cancel); i++)
        add_annotations(l, s, &tracks.data[i]);
    keep_outermost(l);
    err_done(&err);
    vec_done(&tracks);
}

bool timeline_collect(struct timeline *l, const struct origins *origins,
                      const struct options *options, struct cancel_mark cancel)
{
    const struct event_store *s = l->source->events;

    if (!s)
        s = l->made = step_events_new(l->source, l->step, cancel);
    l->begin_ticks = INT64_MAX;
    l->end_ticks = INT64_MIN;
    if (s)
        add_tracks(l, s, origins, options, cancel);
    if (!l->spans.n)
        l->begin_ticks = l->end_ticks = 0;
    return !cancel_asked(cancel);
}

struct append {
    struct timeline *l;
    const struct timeline *base;
    node_id *id_of; /* by node of the baseline: the merged node; NULL: the same */
};

/* Returns the id of a string of the baseline in the profile of the timeline; STRID_EMPTY: none. */
static strid string_of(const struct append *a, strid string)
{
    const struct text text = intern_string(&a->base->profile->strings, string);
    const strid id = a->base->profile == a->l->profile
                         ? string
                         : intern_find(&a->l->profile->strings, text.bytes, text.len);

    return id == STRID_NONE ? STRID_EMPTY : id;
}

/* Converts an instant; the first one of the baseline becomes the first one of the timeline. */
static int64_t ticks_of(const struct append *a, int64_t ticks)
{
    const int64_t ps =
        clock_ps_between(a->base->profile->clock, a->base->begin_ticks, timeline_near(ticks));

    return timeline_near(clamp_add(a->l->begin_ticks, ps / a->l->profile->clock.tick_ps));
}

/* Appends the spans of TRACK that are at least a tick long. */
static void append_spans(struct append *a, const struct timeline_track *track,
                         struct timeline_track *to)
{
    for (uint32_t i = track->first; i < track->first + track->n; i++) {
        struct timeline_span span = a->base->spans.data[i];

        span.start_ticks = ticks_of(a, span.start_ticks);
        span.end_ticks = ticks_of(a, span.end_ticks);
        if (span.end_ticks <= span.start_ticks)
            continue;
        span.node = a->id_of ? a->id_of[span.node] : span.node;
        span.name = string_of(a, span.name);
        vec_push(&a->l->spans, span);
        to->n++;
        to->busy_ticks += span.end_ticks - span.start_ticks;
        KEEP_MAX(a->l->end_ticks, span.end_ticks);
    }
}

static void append_track(struct append *a, const struct timeline_track *track)
{
    struct timeline_track to = *track;

    to.is_base = true;
    to.device = string_of(a, track->device);
    to.name = string_of(a, track->name);
    to.model_name = string_of(a, track->model_name);
    to.first = (uint32_t)a->l->spans.n;
    to.n = 0;
    to.busy_ticks = 0;
    to.first_idle = track->first_idle + (uint32_t)a->l->idle.n;
    append_spans(a, track, &to);
    if (to.n)
        vec_push(&a->l->tracks, to);
}

static struct timeline_mark mark_of(const struct append *a, const struct timeline_mark *mark)
{
    struct timeline_mark to = *mark;

    to.name = string_of(a, mark->name);
    to.start_ticks = ticks_of(a, mark->start_ticks);
    to.end_ticks = ticks_of(a, mark->end_ticks);
    to.is_base = true;
    return to;
}

/* Returns the merged ids of the baseline's nodes, heap; NULL: the profiles are the same. */
static node_id *merged_ids(const struct timeline *l)
{
    const struct comparison *c = l->comparison;
    node_id *ids = c ? xcalloc((size_t)l->base->n_nodes + 1, sizeof *ids) : NULL;

    for (node_id id = 0; c && id < l->profile->n_nodes; id++)
        if (c->base_of[id] != NODE_NONE)
            ids[c->base_of[id]] = id;
    return ids;
}

void timeline_append_base(struct timeline *l, const struct timeline *base)
{
    struct append a = {l, base, merged_ids(l)};

    vec_reserve(&l->spans, l->spans.n + base->spans.n);
    vec_each(const struct timeline_track, track, &base->tracks) {
        append_track(&a, track);
    }
    l->base_ticks = ticks_of(&a, base->end_ticks) - l->begin_ticks;
    vec_each(const struct timeline_idle, idle, &base->idle) {
        vec_push(&l->idle, ((struct timeline_idle){ticks_of(&a, idle->start_ticks),
                                                   ticks_of(&a, idle->end_ticks),
                                                   string_of(&a, idle->before),
                                                   string_of(&a, idle->after), idle->cause}));
    }
    vec_each(const struct timeline_mark, mark, &base->marks) {
        vec_push(&l->marks, mark_of(&a, mark));
    }
    vec_each(const struct timeline_mark, mark, &base->annotations) {
        vec_push(&l->annotations, mark_of(&a, mark));
    }
    free(a.id_of);
}
