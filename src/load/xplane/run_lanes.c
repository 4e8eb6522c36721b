/* run_lanes.c: the lines of captures as timelines show them (formats-xplane.md section 4). */
#include "load/xplane/run_lanes.h"

#include "base/satmath.h"
#include "load/xplane/executions.h"

/* A line, of which a file may have several pieces, and a device with events in it. */
struct lane_key {
    int64_t id;
    uint32_t host, device;
    strid plane, unused;
};

struct taking {
    struct run *r;
    struct loader *l;
    struct intern lanes; /* of struct lane_key; id 1 is lane first_lane of the profile */
    uint32_t first_lane;
    uint32_t last_device, last_lane;
};

/* The lane of events of DEVICE in TRACK. */
static struct profile_lane *lane_of(struct taking *t, const struct track *track, uint32_t device)
{
    const struct lane_key key = {track->id, track->host, device, track->plane, 0};
    const struct run_device *d = &t->r->devices.data[device];
    struct profile *p = builder_profile(t->l->builder);

    if (device != t->last_device) {
        t->last_device = device;
        t->last_lane = t->first_lane + intern_put(&t->lanes, &key, sizeof key) - 1;
    }
    if (t->last_lane == p->n_lanes)
        builder_lane(t->l->builder,
                     &(struct profile_lane){.device = d->name,
                                            .name = track->name,
                                            .is_accelerator = plane_is_device(d->kind)});
    return &p->lanes[t->last_lane];
}

static void take_track(struct taking *t, const struct track *track, int64_t origin_ps)
{
    t->last_device = DEVICE_NONE;
    for (size_t i = 0; i < track->events.n; i++) {
        const struct run_event *e = &track->events.data[i];
        const struct run_op *op = &t->r->ops.data[e->op];
        const struct lane_slice slice = {
            .start_ticks = clamp_sub(e->start_ps, origin_ps),
            .dur_ticks = e->dur_ps,
            .self_ticks = e->self_ps,
            .step = t->r->steps.data[e->step & ~EVENT_BEGINS],
            .node = op->node,
            .name = op->kernel,
        };

        lane_add(lane_of(t, track, op->device), &slice);
    }
}

void run_lanes_take(struct run *r, struct loader *l, int64_t origin_ps)
{
    struct taking t = {.r = r, .l = l, .first_lane = builder_profile(l->builder)->n_lanes};

    intern_init(&t.lanes);
    for (size_t i = 0; i < r->tracks.n; i++) {
        if (r->tracks.data[i].use != TRACK_SUMS) /* they have no place in time */
            take_track(&t, &r->tracks.data[i], origin_ps);
        vec_done(&r->tracks.data[i].events);
    }
    intern_done(&t.lanes);
}
