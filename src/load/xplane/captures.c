/* captures.c: reads the planes and lines of a capture file (formats-xplane.md sections 1 to 3). */
#include "load/xplane/program_nodes.h"

#include <stdlib.h>

#include "base/satmath.h"
#include "base/system/workers.h"
#include "base/xalloc.h"
#include "load/bytes/input.h"
#include "load/bytes/mapping.h"
#include "load/bytes/pipeline.h"
#include "load/xplane/event_batch.h"

/* A line before its events are decoded. */
struct line_scan {
    struct line line;
    int64_t ns; /* start in nanoseconds, by the clock of the line */
    bool has_events, is_read;
    struct wire_in in; /* position after the scan */
    VEC(const uint8_t *) cuts; /* ends of batches, between events */
};

/* State of reading one file. */
struct reading {
    struct loader *l;
    struct run *run;
    uint32_t host;
    VEC(struct plane) planes;
    VEC(struct line_scan) lines;
    size_t next_line, next_cut; /* position of the next batch */
};

static void reading_done(struct reading *c)
{
    for (size_t i = 0; i < c->planes.n; i++)
        plane_done(&c->planes.data[i]);
    for (size_t i = 0; i < c->lines.n; i++)
        vec_done(&c->lines.data[i].cuts);
    EACH(vec_done, &c->planes, &c->lines);
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

/* The number of a device from the name of its plane: "0" of "/device:GPU:0". */
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

/* Finds all planes of X and reads their metadata of events and stats on all cores. */
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
        if (p->kind == PLANE_METADATA)
            join_programs(c->run, c->l, p);
    }
    return true;
}

/* ---- lines */

/* True for lines that viewers derive from others.  Their ids are in a reserved range, which some
 * writers store as negative 32-bit numbers. */
static bool is_derived(int64_t id)
{
    enum { DERIVED_LINES = 400 };
    const uint64_t first = 0xdeadbeef, low = (uint64_t)id & UINT32_MAX;
    const uint64_t high = (uint64_t)id >> 32;

    return (high == 0 || high == UINT32_MAX) && low >= first && low < first + DERIVED_LINES;
}

/* Sets the use of LINE; false for lines that are not read. */
static bool find_use(const struct plane *p, struct line *line)
{
    switch (p->kind) {
    case PLANE_HOST:
        line->use = TRACK_OPS;
        return true;
    case PLANE_GPU:
        line->use = TRACK_DEVICE;
        return !is_derived(line->id) && !span_is(line->name, "_counters_");
    case PLANE_TPU:
    case PLANE_SPARSE_CORE:
        line->use = TRACK_NESTED;
        return span_is(line->name, "XLA Ops") || span_is(line->name, "Sparse Core Ops");
    default:
        return false;
    }
}

/* Picoseconds since the start of the first line.  Clocks that count from 1970 and clocks that count
 * from another origin each have their own first line. */
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

/* Releases the memory of bytes that are read again, if at all, from a mapped file. */
static void forget(const uint8_t *from, const uint8_t *to)
{
    if (mapping_has(from))
        input_forget(from, to);
}

/* How much of a line is read: of a part of the input the same share of each line. */
static size_t bytes_to_read(const struct loader *l, const struct line_scan *scan)
{
    const double share = l->part_bytes && l->part_bytes < l->input.len
                             ? (double)l->part_bytes / (double)l->input.len
                             : 1;

    return (size_t)((double)scan->line.message.len * share);
}

/* First pass over a line.  Fields that describe the line may follow its events: those behind the
 * part that is read are not known. */
static void scan_line(const struct loader *l, struct line_scan *scan)
{
    struct wire_in in = span_walk(scan->line.message);
    const uint8_t *from = in.at, *end = in.at + bytes_to_read(l, scan);
    struct wire_field f;

    while (in.at < end && wire_next(&in, &f)) {
        wire_prefetch(&in, &f);
        if (f.number == XLINE_EVENTS && f.type == WIRE_LEN)
            scan->has_events = true;
        else if (f.number == XLINE_ID && f.type == WIRE_VARINT)
            scan->line.id = (int64_t)f.value;
        else if (f.number == XLINE_NAME && f.type == WIRE_LEN)
            scan->line.name = field_span(&f);
        else if (f.number == XLINE_TIMESTAMP_NS && f.type == WIRE_VARINT)
            scan->ns = (int64_t)f.value;
        if (in.at - from < PIPELINE_BATCH_BYTES)
            continue;
        vec_push(&scan->cuts, in.at);
        forget(from, in.at);
        from = in.at;
    }
    if (in.at != from)
        vec_push(&scan->cuts, in.at);
    scan->in = in;
}

static void scan_lines(void *arg, size_t from, size_t to)
{
    struct reading *c = arg;

    for (size_t i = from; i < to; i++)
        scan_line(c->l, &c->lines.data[i]);
}

static bool take_line(struct reading *c, struct line_scan *scan, struct err *err)
{
    const struct plane *p = scan->line.plane;

    if (!load_ended(c->l, &scan->in, "line", err))
        return false;
    if (!scan->has_events)
        return true;
    if (p->device != DEVICE_NONE)
        c->run->devices.data[p->device].has_events = true;
    scan->is_read = find_use(p, &scan->line);
    if (scan->is_read)
        scan->line.start_ps = since_origin(c->run, scan->ns);
    return true;
}

/* Finds all lines and scans them on all cores. */
static bool add_lines(struct reading *c, struct err *err)
{
    struct workers *workers;

    for (size_t i = 0; i < c->planes.n; i++) {
        const struct plane *p = &c->planes.data[i];

        if (p->kind != PLANE_HOST && !plane_is_device(p->kind))
            continue;
        for (size_t k = 0; k < p->lines.n; k++) {
            const struct span message = p->lines.data[k];

            vec_push(&c->lines, ((struct line_scan){.line = {.plane = p,
                                                             .message = message,
                                                             .name = {message.bytes, 0}}}));
        }
    }
    workers = workers_new(pipeline_threads_for(c->l->input.len));
    workers_run(workers, c->lines.n, 1, scan_lines, c);
    workers_free(workers);
    for (size_t i = 0; i < c->lines.n; i++)
        if (!take_line(c, &c->lines.data[i], err))
            return false;
    return true;
}

/* ---- events */

/* Each batch holds the next piece of a line, as cut by scan_line(). */
static size_t capture_add_next(void *context, void *into)
{
    struct reading *c = context;

    for (; c->next_line < c->lines.n; c->next_line++, c->next_cut = 0) {
        const struct line_scan *scan = &c->lines.data[c->next_line];
        const uint8_t *from;

        if (!scan->is_read || c->next_cut == scan->cuts.n)
            continue;
        from = c->next_cut ? scan->cuts.data[c->next_cut - 1] : scan->line.message.bytes;
        event_batch_begin(into, &scan->line,
                          (struct span){from, (size_t)(scan->cuts.data[c->next_cut] - from)},
                          c->run->kept_ops);
        c->next_cut++;
        return PIPELINE_BATCH_BYTES;
    }
    return 0;
}

static void capture_decode(const void *context UNUSED, void *batch)
{
    event_batch_decode(batch);
}

/* Reports progress for each batch, as batches are few. */
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
    forget(b->events.bytes, b->events.bytes + b->events.len);
    return true;
}

static bool read_events(struct reading *c, struct err *err)
{
    const struct pipeline pipeline = {
        .n_threads = pipeline_threads_for(c->l->input.len),
        .context = c,
        .batch_bytes = sizeof(struct event_batch),
        .batch_done = event_batch_done,
        .batch_clear = event_batch_clear,
        .add_next = capture_add_next,
        .decode = capture_decode,
        .join = capture_join,
    };

    return pipeline_run(&pipeline, err);
}

/* ---- files */

/* The kinds of ops that become nodes with -host_events HOST_EVENTS, as bits. */
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

static bool read_host(struct loader *l, const struct xspace *x, uint32_t file, struct err *err)
{
    struct reading c = {.l = l, .run = l->run, .host = join_host(l->run, l, x, file)};
    const bool done = add_planes(&c, x, err) && add_lines(&c, err) && read_events(&c, err);

    reading_done(&c);
    return done;
}

bool load_capture(struct loader *l, struct err *err)
{
    struct xspace x = {0};
    bool done;

    if (!l->run)
        l->run = run_new(kept_ops(l->request->options->host_events));
    done = xspace_read(&x, l, err);
    if (done) {
        join_name(l->run, l, &x);
        done = l->hosts.regexes || read_host(l, &x, (uint32_t)l->run->names.n - 1, err);
    }
    xspace_done(&x);
    return done;
}

bool read_capture(struct loader *l, uint32_t file, struct err *err)
{
    struct xspace x = {0};
    const bool done = xspace_read(&x, l, err) && read_host(l, &x, file, err);

    xspace_done(&x);
    return done;
}
