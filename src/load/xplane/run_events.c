/* run_events.c: the events of a run as packed tracks of the profile (formats-xplane.md section 12). */

#include <stdlib.h>
#include <string.h>

#include "base/compare.h"
#include "base/interval_set.h"
#include "base/system/workers.h"
#include "base/xalloc.h"
#include "load/xplane/program_nodes.h"
#include "load/xplane/run.h"
#include "load/xplane/stats.h"
#include "model/events.h"

#define KIND_NONE UINT32_MAX

/* Key of a line, which may be stored in several pieces. */
struct line_key {
    int64_t id;
    uint32_t host;
    strid plane;
};

struct line_device {
    uint32_t line, device; /* indexes in packing.lines and run.devices */
};

struct line {
    struct track *sources[TRACK_USES]; /* by use; NULL: it has none */
    uint32_t first_track;              /* in packing.tracks */
};

/* Output track of a line for one device. */
struct line_track {
    uint32_t device, track; /* in run.devices, in the store */
    uint32_t next;          /* next track of the line in packing.tracks; TRACK_NONE: none */
    struct event_packer packer;
};

struct packing {
    struct run *r;
    const struct nodes *n;
    struct loader *l;
    struct event_store *s;
    int64_t origin_ps;
    uint32_t *devices, *steps;   /* indexes in the store, by index in the run */
    uint32_t *kinds;             /* by op: [2 * op] continues an execution, [2 * op + 1] begins one */
    uint32_t **launch_positions; /* by host and launch: position on the track of launches */
    uint32_t *launch_tracks;     /* by host: index in the store */
    uint32_t *launch_devices;    /* by host, in run.devices */
    struct intern line_keys;     /* of struct line_key; id 1 is line 0 */
    struct intern line_devices;  /* of struct line_device; id 1 is track 0 */
    VEC(struct line) lines;
    VEC(struct line_track) tracks;
};

/* ---- tables */

static uint8_t kind_of_device(enum plane_kind kind)
{
    return kind == PLANE_HOST ? DEVICE_CPU : kind == PLANE_GPU ? DEVICE_GPU : DEVICE_TPU;
}

static int64_t number_of(const struct intern *strings, strid text)
{
    return strtoll(intern_text(strings, text), NULL, 10);
}

static void add_devices(struct packing *p)
{
    const struct run *r = p->r;
    const struct intern *strings = &builder_profile(p->l->builder)->strings;

    p->devices = xcalloc(r->devices.n, sizeof *p->devices);
    for (size_t i = 0; i < r->devices.n; i++) {
        const struct run_device *d = &r->devices.data[i];
        const struct profile_device device = {
            .name = d->name,
            .host = d->host,
            .number = number_of(strings, d->number),
            .peak_flops = d->about ? peak_flops(d->about) : 0,
            .peak_bytes_per_s = d->about ? peak_bytes_per_s(d->about) : 0,
            .kind = kind_of_device(d->kind),
            .is_accelerator = plane_is_device(d->kind),
            .is_silent = plane_is_device(d->kind) && !d->has_events,
        };

        p->devices[i] = event_store_device(p->s, &device);
    }
}

/* Unix time of ORIGIN_PS; unknown if some lines count from the start of the capture. */
static int64_t unix_ns_of(const struct run *r, int64_t origin_ps)
{
    return r->has_origin[1] && !r->has_origin[0]
               ? clamp_add(r->origin_ns[1], quotient(origin_ps, PS_PER_NS))
               : UNIX_NS_UNKNOWN;
}

COMPARE_BY(by_compile_start, struct run_compile, start_ps)

/* The time in which HOST compiles programs. */
static void find_compiling(struct run_host *host, interval_set *compiling)
{
    vec_sort(&host->compiles, by_compile_start);
    for (size_t i = 0; i < host->compiles.n; i++)
        interval_set_add(compiling, host->compiles.data[i].start_ps, host->compiles.data[i].end_ps);
}

static void add_marks_of(struct packing *p, uint32_t h)
{
    struct run_host *host = &p->r->hosts.data[h];
    interval_set compiling = {0};

    find_compiling(host, &compiling);
    vec_each(const struct run_mark, m, &host->marks) {
        const int64_t start_ps = clamp_sub(m->start_ps, p->origin_ps);
        const struct profile_mark mark = {
            .step = p->steps[m->step],
            .host = h,
            .start_ps = start_ps,
            .end_ps = clamp_add(start_ps, m->dur_ps),
            .compile_ps = interval_set_within(&compiling, m->start_ps,
                                              clamp_add(m->start_ps, m->dur_ps)),
        };

        vec_push(&p->s->marks, mark);
    }
    vec_done(&compiling);
}

/* All hosts share one rank, because their steps are the same. */
static void add_tables(struct packing *p)
{
    const struct run *r = p->r;
    const struct profile_clock clock = {.tick_ps = 1, .unix_ns = unix_ns_of(r, p->origin_ps)};
    const struct profile_rank rank = {.number = -1, .world_size = -1};

    vec_push(&p->s->clocks, clock);
    vec_push(&p->s->ranks, rank);
    for (size_t h = 0; h < r->hosts.n; h++)
        vec_push(&p->s->hosts, ((struct profile_host){.name = r->hosts.data[h].name}));
    add_devices(p);
    p->steps = xcalloc(r->steps.n, sizeof *p->steps);
    for (size_t i = 0; i < r->steps.n; i++)
        p->steps[i] = event_store_step(p->s, 0, r->steps.data[i]);
    for (uint32_t h = 0; h < r->hosts.n; h++)
        add_marks_of(p, h);
    p->kinds = xreallocarray(NULL, 2 * r->ops.n, sizeof *p->kinds);
    for (size_t i = 0; i < 2 * r->ops.n; i++)
        p->kinds[i] = KIND_NONE;
}

static uint32_t *kind_of(const struct packing *p, const struct run_event *e)
{
    return &p->kinds[2 * (size_t)e->op + ((e->step & EVENT_BEGINS) != 0)];
}

static void add_kind(struct packing *p, const struct run_event *e)
{
    const struct run_op *op = &p->r->ops.data[e->op];
    enum event_class class;

    if (*kind_of(p, e) != KIND_NONE)
        return;
    class = op_class(p->r, p->n, op, &builder_profile(p->l->builder)->strings);
    *kind_of(p, e) = event_store_kind(
        p->s, &(struct event_kind){
                  .id = op->node,
                  .name = op->kernel,
                  .count = e->step & EVENT_BEGINS ? op->count : 0,
                  .event_class = (uint8_t)class,
                  .is_work = class != EVENT_CONTROL && class != EVENT_INPUT && class != EVENT_HOST,
              });
}

static struct event_record record_of(const struct packing *p, const struct run_event *e)
{
    return (struct event_record){.start_ticks = clamp_sub(e->start_ps, p->origin_ps),
                                 .dur_ticks = e->dur_ps,
                                 .self_ticks = e->self_ps,
                                 .kind = *kind_of(p, e),
                                 .step = p->steps[e->step & ~EVENT_BEGINS],
                                 .link = {TRACK_NONE, 0}};
}

/* ---- launches: calls that started device work, by start */

static uint32_t launch_kind(struct packing *p, strid name)
{
    return event_store_kind(
        p->s, &(struct event_kind){.id = NODE_NONE, .event_class = EVENT_LAUNCH, .name = name});
}

/* Sets STEPS [launch] to 1 + the step of the first work that each launch of TRACK started; false if
 * there are none.  Kinds get their ids in this order. */
static bool take_launches(struct packing *p, const struct track *track, uint32_t *steps)
{
    const struct run_host *host = &p->r->hosts.data[track->host];
    strid last = STRID_EMPTY;
    bool any = false;

    for (size_t i = 0; i < track->launches.n; i++) {
        const uint32_t at = track->launches.data[i];

        if (at == LAUNCH_NONE || steps[at])
            continue;
        steps[at] = 1 + p->steps[track->events.data[i].step & ~EVENT_BEGINS];
        if (any && host->launches.data[at].name == last)
            continue;
        last = host->launches.data[at].name;
        any = true;
        launch_kind(p, last);
    }
    return any;
}

static bool starts_before(const void *x, const void *y)
{
    const struct run_launch *a = x, *b = y;

    return a->start_ps != b->start_ps ? a->start_ps < b->start_ps : a->dur_ps > b->dur_ps;
}

/* Packs the launches of HOST that started work.  POSITIONS holds steps as set by take_launches(), and
 * then positions. */
static void pack_launches(struct packing *p, uint32_t host, uint32_t *positions)
{
    const struct run_host *h = &p->r->hosts.data[host];
    const void **sorted = run_launches_by(h, starts_before);
    const struct run_launch *last = NULL;
    struct event_packer packer;
    uint32_t kind = KIND_NONE;

    p->launch_tracks[host] = event_store_track(
        p->s, &(struct event_track){.device = p->devices[p->launch_devices[host]],
                                    .kind = TRACK_LAUNCHES});
    event_packer_begin(&packer, p->s, p->launch_tracks[host]);
    for (size_t i = 0; i < h->launches.n; i++) {
        const struct run_launch *launch = sorted ? sorted[i] : &h->launches.data[i];
        uint32_t *position = &positions[launch - h->launches.data];

        if (!*position)
            continue;
        if (!last || last->name != launch->name)
            kind = launch_kind(p, launch->name);
        last = launch;
        *position = event_packer_add(
            &packer, &(struct event_record){.start_ticks = clamp_sub(launch->start_ps, p->origin_ps),
                                            .dur_ticks = launch->dur_ps,
                                            .self_ticks = launch->dur_ps,
                                            .kind = kind,
                                            .step = *position - 1,
                                            .link = {TRACK_NONE, 0}});
    }
    event_packer_end(&packer);
    free(sorted);
}

/* Packs the launches of HOST that started work, if any; returns their positions. */
static uint32_t *add_launches_of(struct packing *p, uint32_t host)
{
    uint32_t *positions = xcalloc(p->r->hosts.data[host].launches.n, sizeof *positions);
    bool any = false;

    vec_each(const struct track, track, &p->r->tracks)
        if (track->host == host)
            any |= take_launches(p, track, positions);
    if (any)
        pack_launches(p, host, positions);
    return positions;
}

void run_events_add_launches(struct packing *p)
{
    for (uint32_t h = 0; h < p->r->hosts.n; h++)
        p->launch_positions[h] = add_launches_of(p, h);
}

/* The devices of the tracks of launches. */
static void find_launch_devices(struct packing *p)
{
    struct run *r = p->r;
    const strid number = builder_str(p->l->builder, "0", 1);

    p->launch_positions = xcalloc(r->hosts.n, sizeof *p->launch_positions);
    p->launch_tracks = xcalloc(r->hosts.n, sizeof *p->launch_tracks);
    p->launch_devices = xcalloc(r->hosts.n, sizeof *p->launch_devices);
    for (uint32_t h = 0; h < r->hosts.n; h++)
        if (r->hosts.data[h].launches.n)
            p->launch_devices[h] = run_device(r, h, PLANE_HOST, number);
}

/* ---- tracks */

/* The track of the events of DEVICE on LINE, which has some. */
static struct line_track *track_of(const struct packing *p, uint32_t line, uint32_t device)
{
    const struct line_device key = {line, device};

    return &p->tracks.data[intern_find(&p->line_devices, &key, sizeof key) - 1];
}

static void add_track(struct packing *p, struct line *line, uint32_t device, strid name)
{
    const enum plane_kind kind = p->r->devices.data[device].kind;
    const uint32_t track = event_store_track(
        p->s, &(struct event_track){.device = p->devices[device],
                                    .kind = plane_is_device(kind) ? TRACK_STREAM : TRACK_THREAD,
                                    .name = name});

    vec_push(&p->tracks, ((struct line_track){
                             .device = device, .track = track, .next = line->first_track}));
    line->first_track = (uint32_t)(p->tracks.n - 1);
}

/* Adds SOURCE to its line and creates tracks for the devices of its events. */
static void add_source(struct packing *p, struct track *source)
{
    const struct line_key key = {source->id, source->host, source->plane};
    const uint32_t number = intern_put(&p->line_keys, &key, sizeof key) - 1;
    uint32_t last_device = DEVICE_NONE;

    if (number == p->lines.n)
        vec_push(&p->lines, ((struct line){.first_track = TRACK_NONE}));
    p->lines.data[number].sources[source->use] = source;
    for (size_t i = 0; i < source->events.n; i++) {
        const struct line_device of = {number, p->r->ops.data[source->events.data[i].op].device};

        if (of.device == last_device)
            continue;
        last_device = of.device;
        if (intern_put(&p->line_devices, &of, sizeof of) == p->tracks.n + 1)
            add_track(p, &p->lines.data[number], of.device, source->name);
    }
}

/* The source with the earliest next event, NULL at the end.  Ties are broken by order in the
 * run. */
static struct track *first_source(const struct line *line, const size_t *next)
{
    struct track *first = NULL;

    for (size_t use = 0; use < TRACK_USES; use++) {
        struct track *source = line->sources[use];

        if (!source || next[use] == source->events.n)
            continue;
        if (!first || track_event_before(&source->events.data[next[use]],
                                         &first->events.data[next[first->use]]) ||
            (source < first && !track_event_before(&first->events.data[next[first->use]],
                                                   &source->events.data[next[use]])))
            first = source;
    }
    return first;
}

/* Gives the events of a line their kinds, in their order. */
static void find_kinds(struct packing *p, const struct line *line)
{
    size_t next[TRACK_USES] = {0};
    struct track *source;

    while ((source = first_source(line, next)))
        add_kind(p, &source->events.data[next[source->use]++]);
}

/* Appends event I of SOURCE to the track of its device, *TRACK if it is the device of the event
 * before. */
static void add_event(const struct packing *p, uint32_t line, const struct track *source, size_t i,
                      struct line_track **track)
{
    const struct run_event *e = &source->events.data[i];
    struct event_record record = record_of(p, e);
    const uint32_t device = p->r->ops.data[e->op].device;

    if (!*track || device != (*track)->device)
        *track = track_of(p, line, device);
    if (source->launches.n && source->launches.data[i] != LAUNCH_NONE)
        record.link = (struct event_ref){
            p->launch_tracks[source->host],
            p->launch_positions[source->host][source->launches.data[i]]};
    event_packer_add(&(*track)->packer, &record);
}

static void pack_line(const struct packing *p, uint32_t number)
{
    struct line *line = &p->lines.data[number];
    struct line_track *track = NULL;
    size_t next[TRACK_USES] = {0};
    struct track *source;

    for (uint32_t t = line->first_track; t != TRACK_NONE; t = p->tracks.data[t].next)
        event_packer_begin(&p->tracks.data[t].packer, p->s, p->tracks.data[t].track);
    while ((source = first_source(line, next)))
        add_event(p, number, source, next[source->use]++, &track);
    for (uint32_t t = line->first_track; t != TRACK_NONE; t = p->tracks.data[t].next)
        event_packer_end(&p->tracks.data[t].packer);
    for (size_t use = 0; use < TRACK_USES; use++) {
        if (!line->sources[use])
            continue;
        EACH(vec_done, &line->sources[use]->events, &line->sources[use]->launches);
    }
}

static void pack_lines(void *arg, size_t from, size_t to)
{
    for (size_t i = from; i < to; i++)
        pack_line(arg, (uint32_t)i);
}

struct packing *run_events_begin(struct run *r, const struct nodes *n, struct loader *l,
                                 int64_t origin_ps)
{
    struct packing *p = xcalloc(1, sizeof *p);

    *p = (struct packing){.r = r, .n = n, .l = l, .s = builder_events(l->builder),
                          .origin_ps = origin_ps};
    EACH(intern_init, &p->line_keys, &p->line_devices);
    find_launch_devices(p);
    add_tables(p);
    for (size_t i = 0; i < r->tracks.n; i++)
        if (r->tracks.data[i].use != TRACK_SUMS) /* these have no start times */
            add_source(p, &r->tracks.data[i]);
    return p;
}

void run_events_end(struct packing *p)
{
    vec_each(const struct line, line, &p->lines)
        find_kinds(p, line);
    workers_run(p->r->workers, p->lines.n, 1, pack_lines, p);
    for (size_t h = 0; h < p->r->hosts.n; h++)
        free(p->launch_positions[h]);
    EACH(free, p->launch_positions, p->launch_tracks, p->launch_devices, p->devices, p->steps,
         p->kinds);
    EACH(intern_done, &p->line_keys, &p->line_devices);
    EACH(vec_done, &p->lines, &p->tracks);
    free(p);
}
