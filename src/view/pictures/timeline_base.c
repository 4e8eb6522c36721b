/* timeline_base.c: the tracks of a baseline in the timeline that it is compared with. */
#include <stdlib.h>

#include "base/xalloc.h"
#include "view/pictures/timeline_priv.h"

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
