/* trace_streams.c: packs device work and TensorFlow timelines into tracks (formats-trace.md section
 * 9.1).  trace_events.c describes the packed fields of slices. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/compare.h"
#include "base/xalloc.h"
#include "load/trace/trace_build.h"

/* ---- work of accelerators */

/* A stream of a device. */
struct stream_key {
    strid device, name;
};

static uint32_t config_index(struct trace_build *b, uint32_t config)
{
    struct kernel_config value;

    if (!config)
        return 0;
    memcpy(&value, intern_text(&b->log->configs, config), sizeof value);
    return event_store_config(b->events, &value) + 1;
}

static uint32_t collective_index(struct trace_build *b, uint32_t collective)
{
    struct collective value;

    if (!collective)
        return 0;
    memcpy(&value, intern_text(&b->collectives, collective), sizeof value);
    return event_store_collective(b->events, &value) + 1;
}

int64_t element_bytes(const char *type, size_t len)
{
    static const struct {
        const char *name;
        int8_t bytes;
    } types[] = {{"Float", 4}, {"Double", 8}, {"Half", 2},       {"BFloat16", 2},      {"Byte", 1},
                 {"Char", 1},  {"Bool", 1},   {"Short", 2},      {"Int", 4},           {"Long", 8},
                 {"UInt16", 2}, {"UInt32", 4}, {"UInt64", 8},    {"ComplexFloat", 8}, {"ComplexDouble", 16},
                 {"unsigned char", 1}, {"signed char", 1}};

    if (len > 5 && memcmp(type, "c10::", 5) == 0) {
        type += 5;
        len -= 5;
    }
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (len == strlen(types[i].name) && strncasecmp(type, types[i].name, len) == 0)
            return types[i].bytes;
    return len >= 6 && memcmp(type, "Float8", 6) == 0; /* all one-byte floating-point formats */
}

int64_t collective_input_bytes(const struct trace_build *b, const struct trace_args *args)
{
    const int64_t n = strtoll(trace_text(b, args->elements).bytes, NULL, 10);

    const struct text type = trace_text(b, args->type);

    return n > 0 ? clamp_mul(n, element_bytes(type.bytes, type.len)) : 0;
}

void keep_work(struct trace_build *b, struct trace_slice *slice, const struct kept_work *work)
{
    static_assert((int)EVENT_COMMUNICATION == (int)WORK_COMMUNICATION &&
                      (int)EVENT_COPY == (int)WORK_MEMCPY && (int)EVENT_MEMSET == (int)WORK_MEMSET,
                  "classes in one order");
    const struct stream_key stream = {work->device, work->stream};
    const struct event_kind kind = {
        .id = EVENT_PART | work->part,
        .name = slice->name,
        .detail = work->work_class == WORK_COMMUNICATION ? collective_index(b, work->collective) : 0,
        .config = config_index(b, work->config),
        .input_bytes = work->input_bytes,
        .count = b->kernel_rows,
        .event_class = work->work_class,
        .is_work = true,
    };

    slice->args = event_store_kind(b->events, &kind);
    slice->link = (int64_t)((uint64_t)work->launch.track << 32 | work->launch.position);
    slice->name = event_step_of(b, work->step); /* name holds the step from now on */
    slice->track = intern_put(&b->streams, &stream, sizeof stream) - 1;
    vec_push(&b->works, slice);
}

COMPARE_POINTERS(by_start, struct trace_slice, UP(start_ns) || THEN(COMPARE(a, b)))

/* Sorts by stream, then by event order. */
static int by_stream(const void *x, const void *y)
{
    const struct trace_slice *a = *(struct trace_slice *const *)x, *b = *(struct trace_slice *const *)y;

    if (a->track != b->track)
        return a->track < b->track ? -1 : 1;
    if (a->start_ns == b->start_ns && a->dur_ns != b->dur_ns)
        return a->dur_ns > b->dur_ns ? -1 : 1;
    return by_start(x, y);
}

/* Sets index, model ("NVIDIA H100") and compute capability of DEVICE, such as "/gpu:0". */
static void set_model(const struct trace_build *b, struct profile_device *device)
{
    const char *colon = strchr(trace_text(b, device->name).bytes, ':');

    device->number = colon && colon[1] >= '0' && colon[1] <= '9' ? strtoll(colon + 1, NULL, 10) : -1;
    for (size_t i = b->log->device_names.n; i-- > 0;) {
        const struct device_name *named = &b->log->device_names.data[i];

        if (named->number != device->number)
            continue;
        device->model_name = named->name;
        device->compute_major =
            named->compute_major > 0 && named->compute_major < INT32_MAX ? (int32_t)named->compute_major
                                                                         : 0;
    }
}

static uint32_t add_stream(struct trace_build *b, uint32_t stream)
{
    struct stream_key key;
    struct profile_device device = {
        .host = b->host, .rank = b->rank, .kind = b->work_kind, .is_accelerator = true};

    memcpy(&key, intern_text(&b->streams, stream + 1), sizeof key);
    device.name = key.device;
    set_model(b, &device);
    return event_track_add(b, &device, TRACK_STREAM, key.name, true);
}

/* Adds a track for each stream, ordered by first event. */
static void add_streams(struct trace_build *b, uint32_t *tracks)
{
    vec_sort(&b->works, by_start);
    for (size_t i = 0; i < b->works.n; i++) {
        const uint32_t stream = b->works.data[i]->track;

        if (tracks[stream] == TRACK_NONE)
            tracks[stream] = add_stream(b, stream);
    }
}

void pack_work(struct trace_build *b)
{
    const size_t n_streams = b->streams.n - 1;
    uint32_t *tracks = xreallocarray(NULL, n_streams, sizeof *tracks);
    struct event_packer packer;

    memset(tracks, 0xff, n_streams * sizeof *tracks);
    add_streams(b, tracks);
    vec_sort(&b->works, by_stream);
    for (size_t i = 0; i < b->works.n; i++) {
        const struct trace_slice *slice = b->works.data[i];
        const uint64_t launch = (uint64_t)slice->link;
        const struct event_record r = {
            .start_ticks = slice->start_ns,
            .dur_ticks = slice->dur_ns,
            .self_ticks = slice->dur_ns,
            .kind = slice->args,
            .step = slice->name,
            .link = {(uint32_t)(launch >> 32), (uint32_t)launch},
        };

        if (!i || slice->track != b->works.data[i - 1]->track)
            event_packer_begin(&packer, b->events, tracks[slice->track]);
        event_packer_add(&packer, &r);
        if (i + 1 == b->works.n || slice->track != b->works.data[i + 1]->track)
            event_packer_end(&packer);
    }
    free(tracks);
}

/* ---- timelines of TensorFlow */

void timeline_keep_slice(struct trace_build *b, struct trace_slice *slice, node_id node,
                         const struct exec_time *time)
{
    const struct text name = trace_text(b, slice->name);
    const struct event_kind kind = {
        .id = node,
        .name = slice->name,
        .count = 1,
        .event_class = (uint8_t)(time->accelerator
                                     ? work_class_of(KIND_KERNEL, name.bytes, name.len, false)
                                     : EVENT_HOST),
        .is_work = time->accelerator,
    };

    slice->args = event_store_kind(b->events, &kind);
    slice->link = time->dur_ticks;
    slice->name = time->device;
    slice->is_mark = time->accelerator;
    vec_push(&b->works, slice);
}

void timeline_pack(struct trace_build *b)
{
    struct event_packer packer;

    vec_sort(&b->works, by_stream);
    for (size_t i = 0; i < b->works.n; i++) {
        const struct trace_slice *slice = b->works.data[i];
        const struct event_record r = {.start_ticks = slice->start_ns,
                                       .dur_ticks = slice->dur_ns,
                                       .self_ticks = slice->link,
                                       .kind = slice->args,
                                       .step = event_step_of(b, 0),
                                       .link = {TRACK_NONE, 0}};

        if (!i || slice->track != b->works.data[i - 1]->track) {
            const struct profile_device device = {
                .name = slice->name,
                .host = b->host,
                .rank = b->rank,
                .kind = slice->is_mark ? DEVICE_GPU : DEVICE_CPU,
                .is_accelerator = slice->is_mark,
            };

            event_packer_begin(&packer, b->events,
                               event_track_add(b, &device, slice->is_mark ? TRACK_STREAM : TRACK_THREAD,
                                         b->log->tracks.data[slice->track].name, false));
        }
        event_packer_add(&packer, &r);
        if (i + 1 == b->works.n || slice->track != b->works.data[i + 1]->track)
            event_packer_end(&packer);
    }
    b->works.n = 0;
}
