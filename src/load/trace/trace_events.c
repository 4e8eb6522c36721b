/* trace_events.c: packs the events of a trace into tracks of the profile (formats-trace.md section
 * 9.1).
 *
 * Slices of work are not copied: once work is recorded, unused fields hold packed data: args the kind of the event,
 * link its launch, name the step and track the stream. */
#include <stdlib.h>
#include <string.h>

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

void thread_begin(struct thread_events *t, uint32_t number)
{
    struct trace_build *b = t->b;
    const struct trace_track *of = &b->log->tracks.data[number];
    const struct profile_device device = {
        .name = b->cpu_device, .host = b->host, .rank = b->rank, .kind = DEVICE_CPU};

    t->number = number;
    t->first = 0;
    t->track = event_track_add(b, &device, TRACK_THREAD, of->name ? of->name : of->tid, false);
    event_packer_begin(&t->packer, b->events, t->track);
}

uint32_t thread_open_slice(struct thread_events *t, const struct trace_slice *slice)
{
    vec_push(&t->waiting, ((struct thread_event){.start_ns = slice->start_ns, .dur_ns = slice->dur_ns}));
    return t->first + (uint32_t)t->waiting.n - 1;
}

static struct thread_event *waiting_at(const struct thread_events *t, uint32_t number)
{
    return &t->waiting.data[number - t->first];
}

void thread_set_launch(struct thread_events *t, uint32_t number)
{
    waiting_at(t, number)->launch = (uint32_t)t->b->launches.n;
}

void thread_keep_slice(struct thread_events *t, uint32_t number, const struct trace_slice *slice, uint32_t path,
                       int64_t step, int64_t self_ns)
{
    struct thread_event *e = waiting_at(t, number);

    e->kind = kind_of_path(t->b, path, slice);
    e->step = event_step_of(t->b, step);
    e->self_ns = self_ns;
    e->has_ended = true;
}

/* Frames that read input get a separate track, because their time is counted elsewhere. */
void thread_skip_slice(struct thread_events *t, uint32_t number, const struct trace_slice *slice, bool is_frame)
{
    const struct event_kind kind = {
        .id = NODE_NONE, .name = slice->name, .event_class = EVENT_INPUT};
    struct thread_event *e = waiting_at(t, number);

    e->kind = is_frame && is_input_name(t->b, slice->name) ? event_store_kind(t->b->events, &kind) : KIND_NONE;
    e->has_ended = e->is_skipped = true;
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

static void pack_gap(struct thread_events *t)
{
    event_packer_add(&t->packer, &t->gaps.data[t->n_gaps_packed++]);
}

/* Packs the gaps before R; false if the last of them may still grow. */
static bool pack_gaps_before(struct thread_events *t, const struct event_record *r, int64_t now_ns)
{
    while (t->n_gaps_packed < t->gaps.n) {
        const struct event_record *gap = &t->gaps.data[t->n_gaps_packed];

        if (gap->start_ticks > r->start_ticks)
            break;
        if (t->n_gaps_packed + 1 == t->gaps.n && gap->start_ticks + gap->dur_ticks >= now_ns)
            return false;
        if (event_record_compare(gap, r) > 0)
            break;
        pack_gap(t);
    }
    return true;
}

/* Packs E, which ended; false if it has to wait. */
static bool pack_event(struct thread_events *t, const struct thread_event *e, int64_t now_ns)
{
    const struct event_record r = {.start_ticks = e->start_ns,
                                   .dur_ticks = e->dur_ns,
                                   .self_ticks = e->self_ns,
                                   .kind = e->kind,
                                   .step = e->step,
                                   .link = {TRACK_NONE, 0}};
    uint32_t position;

    if (e->is_skipped) {
        if (e->kind != KIND_NONE)
            vec_push(&t->inputs, *e);
        return true;
    }
    if (!pack_gaps_before(t, &r, now_ns))
        return false;
    position = event_packer_add(&t->packer, &r);
    if (e->launch)
        t->b->launches.data[e->launch - 1].position = position;
    return true;
}

/* Removes what is packed, once it is half of all. */
static void drop_packed(struct thread_events *t)
{
    if (t->n_packed > t->waiting.n / 2) {
        t->waiting.n -= t->n_packed;
        memmove(t->waiting.data, t->waiting.data + t->n_packed, t->waiting.n * sizeof *t->waiting.data);
        t->first += (uint32_t)t->n_packed;
        t->n_packed = 0;
    }
    if (t->n_gaps_packed > t->gaps.n / 2) {
        t->gaps.n -= t->n_gaps_packed;
        memmove(t->gaps.data, t->gaps.data + t->n_gaps_packed, t->gaps.n * sizeof *t->gaps.data);
        t->n_gaps_packed = 0;
    }
}

/* An event that starts at NOW_NS may follow a gap that starts there and is not known yet. */
void thread_pack(struct thread_events *t, int64_t now_ns)
{
    while (t->n_packed < t->waiting.n) {
        const struct thread_event *e = &t->waiting.data[t->n_packed];

        if (!e->has_ended || e->start_ns >= now_ns || !pack_event(t, e, now_ns))
            break;
        t->n_packed++;
    }
    drop_packed(t);
}

static void pack_inputs(struct thread_events *t)
{
    struct trace_build *b = t->b;
    const struct profile_device device = {
        .name = b->cpu_device, .host = b->host, .rank = b->rank, .kind = DEVICE_CPU};
    const uint32_t outside = event_store_step(b->events, b->rank, STEP_OUTSIDE);
    struct event_packer packer;

    if (!t->inputs.n)
        return;
    event_packer_begin(&packer, b->events,
                       event_track_add(b, &device, TRACK_INPUT, b->log->tracks.data[t->number].name, false));
    vec_each(const struct thread_event, e, &t->inputs) {
        const struct event_record r = {
            .start_ticks = e->start_ns,
            .dur_ticks = e->dur_ns,
            .kind = e->kind,
            .step = b->steps.n ? event_step_of(b, step_at(b, e->start_ns)) : outside,
            .link = {TRACK_NONE, 0}};

        event_packer_add(&packer, &r);
    }
    event_packer_end(&packer);
    t->inputs.n = 0;
}

void thread_end(struct thread_events *t)
{
    thread_pack(t, INT64_MAX);
    while (t->n_gaps_packed < t->gaps.n)
        pack_gap(t);
    event_packer_end(&t->packer);
    pack_inputs(t);
    t->gaps.n = t->n_gaps_packed = 0;
    t->waiting.n = t->n_packed = 0;
}
