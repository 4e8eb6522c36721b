/* file_lanes.c: the threads of captures and traces and the streams of their devices. */
#include "view/pictures/file_lanes.h"

#include "base/regexes.h"

/* ---- streams of accelerators, of traces */

struct stream_key {
    uint32_t recording, device;
    strid stream, unused;
};

static strid stream_lane(struct file_lanes *f, const struct profile *p, struct intern *keys,
                         uint32_t recording, const struct device_work *work)
{
    const struct stream_key key = {recording, work->device, work->stream, 0};
    const strid id = intern_put(keys, &key, sizeof key) - 1;
    const struct profile_lane fresh = {
        .device = p->recordings[recording].devices[work->device],
        .name = work->stream,
        .is_accelerator = true,
        .recording = recording,
    };

    if (id == f->streams.n)
        vec_push(&f->streams, fresh);
    return id;
}

static void make_streams(struct file_lanes *f, const struct profile *p)
{
    struct intern keys;

    intern_init(&keys);
    for (uint32_t i = 0; i < p->n_recordings; i++) {
        const struct recording *r = &p->recordings[i];

        for (uint32_t k = 0; k < r->n_works; k++) {
            const struct device_work *work = &r->works[k];
            const struct lane_slice slice = {
                .start_ticks = work->start_ns,
                .dur_ticks = work->dur_ns,
                .self_ticks = work->dur_ns,
                .step = ranked_step(r->rank_index, work->step),
                .node = work->node,
                .name = work->name,
            };
            const strid lane = stream_lane(f, p, &keys, i, work);

            lane_add(&f->streams.data[lane], &slice);
        }
    }
    intern_done(&keys);
}

/* ---- ranks */

struct ranks {
    bool has_several;
    int64_t first_base_ns; /* as recordings_first_base_ns() */
};

static struct ranks find_ranks(const struct profile *p)
{
    struct ranks ranks = {false, recordings_first_base_ns(p->recordings, p->n_recordings)};

    for (uint32_t i = 0; i < p->n_recordings; i++)
        ranks.has_several |= p->recordings[i].rank_index != p->recordings[0].rank_index;
    return ranks;
}

/* ---- lanes */

static void add_lane(struct file_lanes *f, const struct profile *p, const struct ranks *ranks,
                     const struct profile_lane *lane, bool is_stream)
{
    struct file_lane made = {.lane = lane,
                             .rank = -1,
                             .order = (uint32_t)f->lanes.n,
                             .is_stream = is_stream};

    if (p->n_recordings) {
        const struct recording *r = &p->recordings[lane->recording];

        if (ranks->has_several)
            made.rank = r->rank;
        if (ranks->first_base_ns)
            made.shift_ticks = clamp_sub(r->base_ns, ranks->first_base_ns);
    }
    vec_push(&f->lanes, made);
}

static bool is_taken(const struct profile *p, const struct options *o,
                     const struct regexes *devices, const struct profile_lane *lane)
{
    if (devices && regexes_match(devices, profile_text(p, lane->device),
                                 intern_len(&p->strings, lane->device)) < 0)
        return false;
    return !p->n_recordings || o->rank < 0 || p->recordings[lane->recording].rank == o->rank;
}

int file_lanes_compare(const struct profile *p, const struct file_lane *a,
                       const struct file_lane *b)
{
    if (a->rank != b->rank)
        return a->rank < b->rank ? -1 : 1;
    return intern_compare(&p->strings, a->lane->device, b->lane->device);
}

static int by_process(const void *x, const void *y, void *profile)
{
    const struct file_lane *a = x, *b = y;
    const int order = file_lanes_compare(profile, a, b);

    return order ? order : a->order < b->order ? -1 : a->order > b->order;
}

bool file_lanes_make(struct file_lanes *f, const struct profile *p, const struct options *options,
                     struct err *err)
{
    const struct ranks ranks = find_ranks(p);
    struct regexes *devices = NULL;

    if (p->capture) {
        devices = regexes_new(options->device_regexes, err);
        if (!devices)
            return false;
    }
    make_streams(f, p);
    for (uint32_t i = 0; i < p->n_lanes; i++)
        if (is_taken(p, options, devices, &p->lanes[i]))
            add_lane(f, p, &ranks, &p->lanes[i], false);
    for (size_t i = 0; i < f->streams.n; i++)
        if (is_taken(p, options, devices, &f->streams.data[i]))
            add_lane(f, p, &ranks, &f->streams.data[i], true);
    vec_sort_arg(&f->lanes, by_process, (void *)(uintptr_t)p);
    regexes_free(devices);
    return true;
}

void file_lanes_done(struct file_lanes *f)
{
    for (size_t i = 0; i < f->streams.n; i++)
        lane_done(&f->streams.data[i]);
    vec_done(&f->streams);
    vec_done(&f->lanes);
}
