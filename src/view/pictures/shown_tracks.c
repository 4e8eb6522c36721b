/* shown_tracks.c: the tracks that a timeline displays. */
#include "view/pictures/shown_tracks.h"

#include "base/compare.h"
#include "base/regex/regexes.h"

/* True when DEVICES match the track's device, named as in executions: "/gpu:0/stream:7" for
 * streams. */
static bool has_device(const struct profile *p, const struct event_store *s,
                       const struct event_track *t, const struct regexes *devices)
{
    const struct text device = intern_string(&p->strings, s->devices.data[t->device].name);
    struct strbuf name = {0};
    bool has;

    sb_add(&name, device.bytes, device.len);
    if (t->name_is_number)
        sb_addf(&name, "/stream:%s", profile_text(p, t->name));
    has = regexes_match(devices, sb_text(&name), (uint32_t)name.len) >= 0;
    sb_done(&name);
    return has;
}

/* The regexes apply to tracks of recorded events; executions of a step are selected by node. */
static bool is_taken(const struct profile *p, const struct event_store *s, const struct options *o,
                     const struct regexes *devices, const struct event_track *t)
{
    const int64_t rank = s->ranks.data[s->devices.data[t->device].rank].number;

    return t->kind != TRACK_LAUNCHES && t->kind != TRACK_INPUT &&
           (s != p->events || has_device(p, s, t, devices)) &&
           (o->rank < 0 || rank < 0 || rank == o->rank);
}

int shown_tracks_compare(const struct profile *p, const struct shown_track *a,
                         const struct shown_track *b)
{
    if (a->rank != b->rank)
        return a->rank < b->rank ? -1 : 1;
    return intern_compare(&p->strings, a->device->name, b->device->name);
}

COMPARE_WITH(by_process, struct shown_track, struct profile, THEN(shown_tracks_compare(with, a, b)) || UP(id))

bool shown_tracks_add(shown_tracks *tracks, const struct profile *p, const struct event_store *s,
                      const struct origins *origins, const struct options *options,
                      struct err *err)
{
    struct regexes *devices = regexes_new(options->device_regexes, err);

    if (!devices)
        return false;
    for (uint32_t i = 0; i < s->tracks.n; i++) {
        const struct event_track *t = &s->tracks.data[i];
        const struct profile_device *d = &s->devices.data[t->device];
        const struct shown_track shown = {
            .track = t,
            .device = d,
            .rank = s->ranks.n > 1 ? s->ranks.data[d->rank].number : -1,
            .id = i,
            .origin_ticks = clamp_add(
                clock_ticks_of(&s->clocks.data[0], s->clocks.data[t->clock].shift_ps),
                origins_align(origins, d->name)),
        };

        if (is_taken(p, s, options, devices, t))
            vec_push(tracks, shown);
    }
    vec_sort_arg(tracks, by_process, (void *)(uintptr_t)p);
    regexes_free(devices);
    return true;
}
