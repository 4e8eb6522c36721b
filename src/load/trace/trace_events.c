/* trace_events.c: packs the events of a trace into tracks of the profile (formats-trace.md section
 * 9.1).
 *
 * Slices are not copied.  Once a slice is swept, or work is recorded, unused fields hold packed
 * data: args the kind of the event; for threads link the exclusive time and track the step; for
 * work link its launch, name the step and track the stream. */
#include <stdlib.h>

#include "load/slices/work_names.h"
#include "load/trace/trace_build.h"

#define KIND_NONE UINT32_MAX

/* ---- dimensions */

/* The id of the rank if an earlier trace had it, else RANK_NEW. */
#define RANK_NEW UINT32_MAX

static uint32_t rank_of(const struct event_store *s, const struct recorder *r)
{
    return r->has_event_host && s->ranks.data[r->event_rank].host == r->event_host ? r->event_rank : RANK_NEW;
}

/* Numbers the ranks without a number, if there are several ranks. */
static void number_ranks(struct event_store *s, const struct profile *p)
{
    for (uint32_t i = 0; i < p->n_recorders; i++) {
        const uint32_t rank = rank_of(s, &p->recorders[i]);

        if (rank == RANK_NEW)
            continue;
        s->ranks.data[rank].number = p->recorders[i].rank;
        s->ranks.data[rank].world_size = p->recorders[i].world_size;
    }
}

static void add_rank(struct trace_build *b)
{
    const struct profile *p = builder_profile(b->builder);
    struct event_store *s = b->events;
    uint32_t rank = RANK_NEW;

    for (uint32_t i = 0; i + 1 < p->n_recorders; i++)
        if (rank == RANK_NEW && p->recorders[i].rank_index == b->recording->rank_index)
            rank = rank_of(s, &p->recorders[i]);
    if (rank == RANK_NEW) {
        rank = (uint32_t)s->ranks.n;
        vec_push(&s->ranks, ((struct profile_rank){.host = b->host, .clock = b->clock}));
    }
    b->rank = b->recording->event_rank = rank;
    number_ranks(s, p);
}

/* The start of the middle slice of the file as the time origin.  Some writers place a single
 * outlier at 0; it is then clamped instead of all others. */
static int64_t origin_ns(const struct trace_log *log)
{
    return log->slices.n ? log->slices.data[log->slices.n / 2].start_ns : 0;
}

static void add_marks(struct trace_build *b)
{
    const int64_t origin = b->events->clocks.data[b->clock].origin_ticks;

    for (size_t i = 0; i < b->steps.n; i++) {
        const struct step_mark *m = &b->steps.data[i];
        const struct profile_mark mark = {
            .step = event_store_step(b->events, b->rank, m->step),
            .host = b->host,
            .start_ps = clamp_mul(clamp_sub(m->start_ns, origin), PS_PER_NS),
            .end_ps = clamp_mul(clamp_sub(m->end_ns, origin), PS_PER_NS)};

        vec_push(&b->events->marks, mark);
    }
}

void trace_events_begin(struct trace_build *b)
{
    struct event_store *s = builder_events(b->builder);
    const struct profile_clock clock = {
        .tick_ps = PS_PER_NS,
        .origin_ticks = origin_ns(b->log),
        .unix_ns = b->recording->base_ns
                       ? clamp_add(b->recording->base_ns, origin_ns(b->log))
                       : UNIX_NS_UNKNOWN,
    };

    b->events = s;
    b->host = b->recording->event_host = (uint32_t)s->hosts.n;
    b->recording->has_event_host = true;
    b->clock = (uint32_t)s->clocks.n;
    vec_push(&s->hosts, ((struct profile_host){.file = b->recording->file}));
    vec_push(&s->clocks, clock);
    add_rank(b);
    add_marks(b);
    b->last_step = INT64_MAX; /* no step */
}

uint32_t event_step_of(struct trace_build *b, int64_t step)
{
    if (step != b->last_step) {
        b->last_step = step;
        b->last_step_id = event_store_step(b->events, b->rank, step);
    }
    return b->last_step_id;
}

uint32_t event_track_add(struct trace_build *b, const struct profile_device *device,
                         enum track_kind kind, strid name, bool name_is_number)
{
    const struct event_track track = {.device = event_store_device(b->events, device),
                                      .clock = b->clock,
                                      .kind = (uint8_t)kind,
                                      .name = name,
                                      .name_is_number = name_is_number};

    return event_store_track(b->events, &track);
}

/* ---- kinds of events of threads */

/* True for names of input pipelines and data loaders. */
static bool is_input_name(struct trace_build *b, strid name)
{
    enum { UNKNOWN, NO, YES };
    struct text text;

    if (name >= b->input_names.n)
        vec_resize_zero(&b->input_names, (size_t)name + 1 + name / 2);
    if (b->input_names.data[name] == UNKNOWN) {
        text = trace_text(b, name);
        b->input_names.data[name] = name_is_input(text.bytes, text.len) ? YES : NO;
    }
    return b->input_names.data[name] == YES;
}

static enum event_class class_of(struct trace_build *b, const struct trace_slice *slice)
{
    const struct text name = trace_text(b, slice->name);

    if (call_name_is_collective(name.bytes, name.len))
        return EVENT_COMMUNICATION;
    switch (kind_of(b, slice)) {
    case KIND_RUNTIME:
        return call_name_is_sync(name.bytes, name.len)     ? EVENT_SYNC
               : call_name_is_launch(name.bytes, name.len) ? EVENT_LAUNCH
                                                           : EVENT_HOST;
    case KIND_ANNOTATION:
        return is_input_name(b, slice->name) ? EVENT_INPUT : EVENT_ANNOTATION;
    default:
        return is_input_name(b, slice->name) ? EVENT_INPUT : EVENT_HOST;
    }
}

/* The event kind of PATH; SLICE is one of its slices, or NULL for time in Python only. */
static uint32_t kind_of_path(struct trace_build *b, uint32_t path, const struct trace_slice *slice)
{
    while (b->path_kinds.n <= path)
        vec_push(&b->path_kinds, KIND_NONE);
    if (b->path_kinds.data[path] == KIND_NONE) {
        const struct event_kind kind = {
            .id = node_of(b, path),
            .count = !slice || (!has_work_rows(b, slice->name) && !b->paths.data[path].is_uncounted),
            .event_class = (uint8_t)(slice ? class_of(b, slice) : EVENT_HOST),
            .is_operator = slice && kind_of(b, slice) == KIND_CALL,
        };

        b->path_kinds.data[path] = event_store_kind(b->events, &kind);
    }
    return b->path_kinds.data[path];
}

/* ---- threads */

void thread_keep_slice(struct trace_build *b, struct trace_slice *slice, uint32_t path,
                       int64_t step, int64_t self_ns)
{
    slice->args = kind_of_path(b, path, slice);
    slice->track = event_step_of(b, step);
    slice->link = self_ns;
}

/* Frames that read input get a separate track, because their time is counted elsewhere. */
void thread_skip_slice(struct trace_build *b, struct trace_slice *slice, bool is_frame)
{
    const struct event_kind kind = {
        .id = NODE_NONE, .name = slice->name, .event_class = EVENT_INPUT};

    slice->args = is_frame && is_input_name(b, slice->name) ? event_store_kind(b->events, &kind)
                                                            : KIND_NONE;
    slice->track = TRACK_NONE;
}

void thread_keep_gap(struct thread_events *t, int64_t from_ns, int64_t to_ns, uint32_t path,
                     int64_t step)
{
    const uint32_t step_id = event_step_of(t->b, step);
    struct event_record *last = t->gaps.n ? &t->gaps.data[t->gaps.n - 1] : NULL;

    if (!last || last->start_ticks + last->dur_ticks != from_ns || last->step != step_id) {
        vec_push(&t->gaps, ((struct event_record){.start_ticks = from_ns,
                                                  .kind = kind_of_path(t->b, path, NULL),
                                                  .step = step_id,
                                                  .link = {TRACK_NONE, 0}}));
        last = &t->gaps.data[t->gaps.n - 1];
    }
    last->dur_ticks = last->self_ticks = to_ns - last->start_ticks;
}

static struct event_record record_of(const struct trace_slice *slice)
{
    return (struct event_record){.start_ticks = slice->start_ns,
                                 .dur_ticks = slice->dur_ns,
                                 .self_ticks = slice->link,
                                 .kind = slice->args,
                                 .step = slice->track,
                                 .link = {TRACK_NONE, 0}};
}

/* Replaces the slice indexes in launches by event positions. */
static void place_launches(struct thread_events *t, uint32_t track)
{
    struct trace_build *b = t->b;

    for (size_t i = t->first_launch; i < b->launches.n; i++) {
        const struct trace_slice *slice = &b->log->slices.data[b->launches.data[i].event.position];

        b->launches.data[i].event =
            slice->track == TRACK_NONE ? (struct event_ref){TRACK_NONE, 0}
                                       : (struct event_ref){track, (uint32_t)slice->link};
    }
}

static void pack_input(struct thread_events *t, const uint32_t *order, size_t n,
                       const struct trace_slice *slices, const struct profile_device *device)
{
    const uint32_t outside = event_store_step(t->b->events, t->b->rank, STEP_OUTSIDE);
    struct event_packer packer;
    bool any = false;

    for (size_t i = 0; i < n; i++) {
        const struct trace_slice *slice = &slices[order[i]];
        struct event_record r = record_of(slice);

        if (slice->track != TRACK_NONE || slice->args == KIND_NONE)
            continue;
        if (!any)
            event_packer_begin(&packer, t->b->events,
                               event_track_add(t->b, device, TRACK_INPUT,
                                         t->b->log->tracks.data[t->number].name, false));
        any = true;
        r.self_ticks = 0;
        r.step = t->b->steps.n ? event_step_of(t->b, step_at(t->b, slice->start_ns)) : outside;
        event_packer_add(&packer, &r);
    }
    if (any)
        event_packer_end(&packer);
}

void thread_pack(struct thread_events *t, const uint32_t *order, size_t n,
                 struct trace_slice *slices)
{
    struct trace_build *b = t->b;
    const struct trace_track *of = &b->log->tracks.data[t->number];
    const struct profile_device device = {
        .name = b->cpu_device, .host = b->host, .rank = b->rank, .kind = DEVICE_CPU};
    const uint32_t track =
        event_track_add(b, &device, TRACK_THREAD, of->name ? of->name : of->tid, false);
    struct event_packer packer;
    size_t gap = 0;

    event_packer_begin(&packer, b->events, track);
    for (size_t i = 0; i < n; i++) {
        struct trace_slice *slice = &slices[order[i]];
        const struct event_record r = record_of(slice);

        if (slice->track == TRACK_NONE)
            continue;
        while (gap < t->gaps.n && event_record_compare(&t->gaps.data[gap], &r) <= 0)
            event_packer_add(&packer, &t->gaps.data[gap++]);
        slice->link = event_packer_add(&packer, &r);
    }
    while (gap < t->gaps.n)
        event_packer_add(&packer, &t->gaps.data[gap++]);
    event_packer_end(&packer);
    place_launches(t, track);
    pack_input(t, order, n, slices, &device);
    t->gaps.n = 0;
    t->first_launch = b->launches.n;
}
