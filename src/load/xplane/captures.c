/* captures.c: the reader of captures: planes and lines of one file (formats-xplane.md sections 1 to 3). */
#include "load/xplane/captures.h"

#include <stdlib.h>
#include <string.h>

#include "base/satmath.h"
#include "base/workers.h"
#include "base/xalloc.h"
#include "load/bytes/pipeline.h"
#include "load/xplane/event_batch.h"
#include "load/xplane/join.h"

/* A file in work. */
struct reading {
    struct loader *l;
    struct run *run;
    uint32_t host;
    VEC(struct plane) planes;
    VEC(struct line) lines;
    size_t next_line; /* to be cut into batches */
    struct wire_in in; /* of that line, once begun */
    bool is_begun;
};

static void reading_done(struct reading *c)
{
    for (size_t i = 0; i < c->planes.n; i++)
        plane_done(&c->planes.data[i]);
    vec_done(&c->planes);
    vec_done(&c->lines);
}

/* ---- planes */

static void read_planes(void *arg, size_t from, size_t to)
{
    struct reading *c = arg;

    for (size_t i = from; i < to; i++)
        plane_read(&c->planes.data[i]);
}

static bool check_plane(const struct reading *c, const struct plane *p, struct err *err)
{
    return !p->why || load_fail(c->l, p->why_at, err, "plane: %s", p->why);
}

/* What a plane that is a device is called: "0" of "/device:GPU:0". */
static strid device_number(struct reading *c, struct span name)
{
    static const char begin[] = "/device:GPU:";
    const size_t skip = sizeof begin - 1;

    return builder_str(c->l->builder, name.bytes + skip, name.len - skip);
}

static void place_plane(struct reading *c, struct plane *p)
{
    struct run_device *device;

    p->host = c->host;
    p->device = DEVICE_NONE;
    if (!plane_is_device(p->kind))
        return;
    p->device = run_device(c->run, c->host, p->kind, device_number(c, p->name));
    device = &c->run->devices.data[p->device];
    if (!p->own)
        return;
    if (!device->about)
        device->about = xcalloc(1, sizeof *device->about);
    for (int s = 0; s < STAT_COUNT; s++)
        if (stat_has(p->own, (enum xstat)s))
            device->about->values[s] = p->own->values[s];
    device->about->has |= p->own->has;
}

/* Finds all planes of X and reads their names of events and stats on all cores. */
static bool add_planes(struct reading *c, const struct xspace *x, struct err *err)
{
    struct workers *workers;

    for (size_t i = 0; i < x->planes.n; i++) {
        struct plane plane = {0};

        if (!plane_name(&plane, x->planes.data[i]))
            return check_plane(c, &plane, err);
        vec_push(&c->planes, plane);
    }
    workers = workers_new(pipeline_threads_for(c->l->input.len));
    workers_run(workers, c->planes.n, 1, read_planes, c);
    workers_free(workers);
    for (size_t i = 0; i < c->planes.n; i++) {
        struct plane *p = &c->planes.data[i];

        if (!check_plane(c, p, err))
            return false;
        place_plane(c, p);
        c->run->n_planes++;
        if (p->kind == PLANE_METADATA && !join_programs(c->run, c->l, p, err))
            return false;
    }
    return true;
}

/* ---- lines */

static bool is_text(struct span s, const char *text)
{
    return s.len == strlen(text) && memcmp(s.bytes, text, s.len) == 0;
}

/* Lines that viewers make of others have ids in a block of their own, which some have kept in 32
 * bits with a sign. */
static bool is_derived(int64_t id)
{
    enum { DERIVED_LINES = 400 };
    const uint64_t first = 0xdeadbeef, low = (uint64_t)id & UINT32_MAX;
    const uint64_t high = (uint64_t)id >> 32;

    return (high == 0 || high == UINT32_MAX) && low >= first && low < first + DERIVED_LINES;
}

/* False for lines that are not read. */
static bool find_use(const struct plane *p, struct line *line)
{
    switch (p->kind) {
    case PLANE_HOST:
        line->use = TRACK_OPS;
        return true;
    case PLANE_GPU:
        line->use = TRACK_DEVICE;
        return !is_derived(line->id) && !is_text(line->name, "_counters_");
    case PLANE_TPU:
    case PLANE_SPARSE_CORE:
        line->use = TRACK_NESTED;
        return is_text(line->name, "XLA Ops") || is_text(line->name, "Sparse Core Ops");
    default:
        return false;
    }
}

/* The origin is where the first line begins: of clocks that count from 1970, and of others. */
static int64_t since_origin(struct run *r, int64_t ns)
{
    const int64_t unix_times_ns = INT64_C(1000000000000000);
    const int clock = ns > unix_times_ns;

    if (!r->has_origin[clock]) {
        r->has_origin[clock] = true;
        r->origin_ns[clock] = ns;
    }
    return clamp_mul(clamp_sub(ns, r->origin_ns[clock]), PS_PER_NS);
}

static bool add_line(struct reading *c, const struct plane *p, struct span message, bool *any,
                     struct err *err)
{
    struct line line = {.plane = p, .message = message, .name = {message.bytes, 0}};
    struct wire_in in = span_walk(message);
    struct wire_field f;
    int64_t ns = 0;
    bool has_events = false;

    while (wire_next(&in, &f)) {
        if (f.number == XLINE_EVENTS && f.type == WIRE_LEN)
            has_events = true;
        else if (f.number == XLINE_ID && f.type == WIRE_VARINT)
            line.id = (int64_t)f.value;
        else if (f.number == XLINE_NAME && f.type == WIRE_LEN)
            line.name = field_span(&f);
        else if (f.number == XLINE_TIMESTAMP_NS && f.type == WIRE_VARINT)
            ns = (int64_t)f.value;
    }
    if (!load_ended(c->l, &in, "line", err))
        return false;
    *any |= has_events;
    if (!has_events || !find_use(p, &line))
        return true;
    line.start_ps = since_origin(c->run, ns);
    vec_push(&c->lines, line);
    return true;
}

static bool add_lines(struct reading *c, struct err *err)
{
    for (size_t i = 0; i < c->planes.n; i++) {
        const struct plane *p = &c->planes.data[i];
        bool any = false;

        if (p->kind != PLANE_HOST && !plane_is_device(p->kind))
            continue;
        for (size_t k = 0; k < p->lines.n; k++)
            if (!add_line(c, p, p->lines.data[k], &any, err))
                return false;
        if (any && p->device != DEVICE_NONE)
            c->run->devices.data[p->device].has_events = true;
    }
    return true;
}

/* ---- events */

/* Cuts the lines into pieces of at most so many bytes, none of them through an event. */
static bool capture_frame(void *context, void *into)
{
    struct reading *c = context;
    const struct line *line;
    struct wire_field f;
    const uint8_t *from;

    while (c->next_line < c->lines.n) {
        line = &c->lines.data[c->next_line];
        if (!c->is_begun)
            c->in = span_walk(line->message);
        c->is_begun = true;
        from = c->in.at;
        while (c->in.at - from < PIPELINE_BATCH_BYTES && wire_next(&c->in, &f))
            ;
        if (c->in.at != from) {
            event_batch_begin(into, line, (struct span){from, (size_t)(c->in.at - from)},
                              c->run->kept_ops);
            return true;
        }
        c->is_begun = false;
        c->next_line++;
    }
    return false;
}

static void *capture_batch_new(void)
{
    return event_batch_new();
}

static void capture_batch_free(void *batch)
{
    event_batch_free(batch);
}

static void capture_decode(const void *context, void *batch)
{
    (void)context;
    event_batch_decode(batch);
}

/* Batches are few: each of them counts. */
static void report(struct loader *l, const uint8_t *at)
{
    const size_t done = (size_t)(at - l->input.bytes);

    if (!l->progress || done <= l->reported_bytes)
        return;
    atomic_fetch_add(&l->progress->bytes_done, done - l->reported_bytes);
    l->reported_bytes = done;
}

static bool capture_join(void *context, void *batch, struct err *err)
{
    struct reading *c = context;
    const struct event_batch *b = batch;

    if (b->why)
        return load_fail(c->l, b->why_at, err, "event: %s", b->why);
    if (cancel_asked(c->l->cancel))
        return err_set(err, ERR_CANCELLED, "cancelled");
    report(c->l, b->events.bytes);
    join_events(c->run, c->l, b);
    return true;
}

static bool read_events(struct reading *c, struct err *err)
{
    const struct pipeline pipeline = {
        .n_threads = pipeline_threads_for(c->l->input.len),
        .context = c,
        .batch_new = capture_batch_new,
        .batch_free = capture_batch_free,
        .frame = capture_frame,
        .decode = capture_decode,
        .join = capture_join,
    };

    return pipeline_run(&pipeline, err);
}

/* ---- files */

/* What becomes nodes with -host_events. */
static uint32_t kept_ops(int host_events)
{
    static const uint32_t also[] = {
        [HOST_EVENTS_OPS] = 0,
        [HOST_EVENTS_PYTHON] = 1u << OP_PYTHON,
        [HOST_EVENTS_RUNTIME] = 1u << OP_RUNTIME,
        [HOST_EVENTS_ALL] = 1u << OP_PYTHON | 1u << OP_RUNTIME,
    };

    return KEPT_OPS | also[host_events];
}

bool load_capture(struct loader *l, struct err *err)
{
    struct reading c = {.l = l};
    struct xspace x = {0};
    bool done;

    if (!l->run)
        l->run = run_new(kept_ops(l->request->options->host_events));
    c.run = l->run;
    done = xspace_read(&x, l, err);
    if (done) {
        c.host = join_host(c.run, l, &x);
        done = add_planes(&c, &x, err) && add_lines(&c, err) && read_events(&c, err);
    }
    reading_done(&c);
    xspace_done(&x);
    return done;
}
