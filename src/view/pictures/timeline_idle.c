/* timeline_idle.c: idle times of accelerators, with their causes. */
#include <stdlib.h>

#include "activity/breakdown.h"
#include "base/lower_bound.h"
#include "base/xalloc.h"
#include "view/pictures/timeline_priv.h"

/* Idle times of one device. */
struct finding {
    struct timeline *l;
    const struct selection *sel;
    int64_t align_ticks; /* from the common clock of all ranks to the clock of the picture */
};

static strid name_of(const struct finding *f, const struct work *work)
{
    const struct event_kind *kind = &f->sel->s->kinds[work->kind];

    if (kind->name != STRID_EMPTY || kind->id == NODE_NONE)
        return kind->name;
    return f->sel->p->op[profile_node_of_part(f->sel->p, kind->id)];
}

static void add_idle(void *context, const struct idle_gap *gap)
{
    const struct finding *f = context;
    const struct profile_clock *clock = &f->sel->s->clocks.data[0];
    const int64_t start = clamp_add(clock_ticks_of(clock, gap->start_ps), f->align_ticks);
    const int64_t end =
        clamp_add(clock_ticks_of(clock, gap->start_ps + gap->dur_ps), f->align_ticks);

    if (end > start)
        vec_push(&f->l->idle,
                 ((struct timeline_idle){start, end, name_of(f, &gap->before),
                                         name_of(f, &gap->after), (uint8_t)gap->cause}));
}

/* A range in timeline.idle. */
struct idle_range {
    uint32_t first, n;
};

/* Finds idle times of devices in the current store, and assigns them to the tracks. */
static void find_in_store(struct timeline *l, const struct selection *sel)
{
    const size_t n_devices = sel->s->devices.n;
    struct idle_range *ranges = xcalloc(n_devices + 1, sizeof *ranges);

    for (uint32_t d = 0; d < n_devices; d++) {
        const struct profile_device *device = &sel->s->devices.data[d];
        struct finding f = {l, sel, origins_align(l->origins, device->name)};

        if (!sel->devices[d] || !device->is_accelerator)
            continue;
        ranges[d].first = (uint32_t)l->idle.n;
        breakdown_gaps(sel, d, IDLE_GAP_PS, add_idle, &f);
        ranges[d].n = (uint32_t)l->idle.n - ranges[d].first;
    }
    vec_each(struct timeline_track, track, &l->tracks) {
        if (!track->is_base && track->device_id < n_devices) {
            track->first_idle = ranges[track->device_id].first;
            track->n_idle = ranges[track->device_id].n;
        }
    }
    free(ranges);
}

void timeline_find_idle(struct timeline *l)
{
    const struct selection_request wanted = {
        .step = l->step, .rank = l->rank, .device_regexes = l->devices, .made = l->made};
    struct selection sel;
    struct err err = {0};

    if (!selection_open(&sel, l->source, &wanted, l->cancel, &err)) {
        err_done(&err);
        return;
    }
    while (selection_next(&sel))
        find_in_store(l, &sel);
    selection_done(&sel);
}

const struct timeline_idle *timeline_idle_at(const struct timeline *l, size_t at, int64_t at_ticks)
{
    const struct timeline_track *track = &l->tracks.data[at];
    const struct timeline_idle *idle = vec_from(&l->idle, track->first_idle);
    size_t i = 0;

    LOWER_BOUND(i, track->n_idle, k, idle[k].end_ticks <= at_ticks);
    return i < track->n_idle && idle[i].start_ticks <= at_ticks ? &idle[i] : NULL;
}

const struct timeline_idle *timeline_idle_next(const struct timeline *l, size_t at,
                                               int64_t from_ticks, int direction,
                                               int64_t min_ticks)
{
    const struct timeline_track *track = &l->tracks.data[at];
    const struct timeline_idle *idle = vec_from(&l->idle, track->first_idle);
    size_t i = 0;

    LOWER_BOUND(i, track->n_idle, k,
                direction > 0 ? idle[k].start_ticks <= from_ticks
                              : idle[k].start_ticks < from_ticks);
    for (; direction > 0 ? i < track->n_idle : i > 0; i += direction > 0 ? 1 : SIZE_MAX) {
        const struct timeline_idle *found = &idle[direction > 0 ? i : i - 1];

        if (found->end_ticks - found->start_ticks >= min_ticks)
            return found;
    }
    return NULL;
}
