/* runmeta.c: loads the steps of RunMetadata files, and classifies device names (semantics.md
 * section 1.2). */
#include "load/run/runmeta.h"

#include <inttypes.h>
#include <string.h>

#include "base/satmath.h"
#include "base/system/workers.h"
#include "base/text.h"
#include "load/bytes/pipeline.h"
#include "load/fits.h"
#include "load/formats.h"
#include "load/run/run_batch.h"
#include "proto/run_meta.pb-c.h"

static const char *find(const char *text, size_t len, const char *word)
{
    return len ? memmem(text, len, word, strlen(word)) : NULL;
}

bool device_is_canonical(const char *device, size_t len)
{
    static const char *const kinds[] = {"/device:gpu:", "/gpu:", "/device:cpu:", "/cpu:",
                                        "/device:sycl:"};
    size_t stem = len;

    while (stem && is_digit(device[stem - 1]))
        stem--;
    if (stem == len)
        return false;
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        size_t n = strlen(kinds[i]);

        /* The regular expression begins with `.*`, which does not match newlines. */
        if (stem >= n && memcmp(device + stem - n, kinds[i], n) == 0 &&
            !memchr(device, '\n', stem - n))
            return true;
    }
    return false;
}

bool device_is_accelerator_stream(const char *device, size_t len)
{
    return find(device, len, "stream:all") != NULL;
}

bool device_is_accelerator(const char *device, size_t len)
{
    return find(device, len, "gpu") || find(device, len, "sycl");
}

void device_host(struct strbuf *sb, const char *device, size_t len)
{
    const char *word = find(device, len, "sycl") ? "device:sycl:" : "gpu:";
    const char *end = device + len;
    const char *at = device;

    while ((at = find(at, (size_t)(end - at), word))) {
        const char *number = at + strlen(word);
        const char *rest = number;

        while (rest < end && is_digit(*rest))
            rest++;
        if (rest > number) {
            sb_add(sb, device, (size_t)(at - device));
            sb_adds(sb, "cpu:0");
            sb_add(sb, rest, (size_t)(end - rest));
            return;
        }
        at = number;
    }
    sb_add(sb, device, len);
}

/* The entries of a device. */
struct run_device {
    struct wire_in in; /* after the scan for the name, which may follow the entries */
    struct span name;
    struct step_device step_device;
};

/* A scan over a step that puts its entries into batches. */
struct run_walk {
    struct loader *l;
    VEC(struct run_device) devices;
    size_t n_begun; /* devices whose scan has begun */
    struct wire_in in; /* scan of the current device */
    bool has_step_stats;
    struct err err; /* why the scan ended early */
};

/* ---- devices, before their entries */

static struct step_device step_device_of(struct loader *l, struct span device, int64_t step)
{
    struct builder *b = l->builder;
    const struct intern *strings = &builder_profile(b)->strings;
    struct step_device at = {.step = step, .device = builder_str_lower(b, device.bytes, device.len)};
    const char *text = intern_text(strings, at.device);
    struct strbuf host = {0};

    at.canonical = device_is_canonical(text, device.len);
    at.stream = device_is_accelerator_stream(text, device.len);
    at.on_cpu = device.len >= 3 && memmem(text, device.len, "cpu", 3);
    l->step_has_accelerator |= device_is_accelerator(text, device.len);
    l->step_has_stream |= device_is_accelerator(text, device.len) && at.stream;
    device_host(&host, text, device.len);
    at.host_device = builder_str(b, host.data, host.len);
    sb_done(&host);
    return at;
}

static void scan_devices(void *arg, size_t from, size_t to)
{
    struct run_walk *w = arg;

    for (size_t i = from; i < to; i++) {
        struct run_device *device = &w->devices.data[i];
        struct wire_in in = device->in;
        struct wire_field f;

        while (wire_next(&in, &f)) {
            wire_prefetch(&in, &f);
            if (f.number == 1 && f.type == WIRE_LEN)
                device->name = field_span(&f);
        }
        device->in = in;
    }
}

static bool add_devices(struct run_walk *w, struct span step_stats)
{
    struct wire_in in = span_walk(step_stats);
    struct wire_field f;

    while (wire_next_len(&in, &f, 1))
        vec_push(&w->devices,
                 ((struct run_device){.in = wire_in_field(&f), .name = {f.bytes, 0}}));
    return load_ended(w->l, &in, "step statistics", &w->err);
}

/* Finds all devices up to a malformed field: w->err. */
static void add_all_devices(struct run_walk *w)
{
    struct wire_in in = span_walk(w->l->input);
    struct wire_field f;

    while (wire_next_len(&in, &f, 1)) {
        w->has_step_stats = true;
        if (!add_devices(w, field_span(&f)))
            return;
    }
    load_ended(w->l, &in, "run metadata", &w->err);
}

/* Names the devices, all scanned on all cores, up to a malformed one: w->err. */
static void find_devices(struct run_walk *w, int64_t step)
{
    struct workers *workers;

    add_all_devices(w);
    workers = workers_new(pipeline_threads_for(w->l->input.len));
    workers_run(workers, w->devices.n, 1, scan_devices, w);
    workers_free(workers);
    for (size_t i = 0; i < w->devices.n; i++) {
        struct run_device *device = &w->devices.data[i];

        if (device->in.why) {
            err_done(&w->err);
            load_ended(w->l, &device->in, "device statistics", &w->err);
            w->devices.n = i;
        } else {
            device->step_device = step_device_of(w->l, device->name, step);
        }
    }
}

/* ---- entries */

/* The next field of the devices; false at the end. */
static bool next_field(struct run_walk *w, struct wire_field *f)
{
    while (w->n_begun == 0 || !wire_next(&w->in, f)) {
        if (w->n_begun == w->devices.n)
            return false;
        w->in = w->devices.data[w->n_begun++].in;
        w->in.at = w->in.begin;
    }
    return true;
}

static size_t runmeta_add_next(void *context, void *batch)
{
    struct run_walk *w = context;
    struct wire_field f;

    while (next_field(w, &f)) {
        wire_prefetch(&w->in, &f);
        if (f.number != 2 || f.type != WIRE_LEN)
            continue;
        if (f.len > UINT32_MAX) {
            err_done(&w->err);
            load_fail(w->l, f.start, &w->err, "execution record of more than 4 GiB");
            return 0;
        }
        run_batch_add(batch, field_span(&f), &w->devices.data[w->n_begun - 1].step_device);
        return pipeline_cost_bytes(f.len);
    }
    return 0;
}

static void runmeta_decode(const void *context, void *batch)
{
    const struct run_walk *w = context;

    run_batch_decode(batch, w->l);
}

static bool runmeta_join(void *context, void *batch, struct err *err)
{
    struct run_walk *w = context;

    return run_batch_join(batch, w->l, err);
}

static bool add_entries(struct run_walk *w, struct err *err)
{
    struct pipeline pipeline = {
        .n_threads = pipeline_threads_for(w->l->input.len),
        .context = w,
        .batch_bytes = sizeof(struct run_batch),
        .batch_done = run_batch_done,
        .batch_clear = run_batch_clear,
        .add_next = runmeta_add_next,
        .end_err = &w->err,
        .decode = runmeta_decode,
        .join = runmeta_join,
    };

    return pipeline_run(&pipeline, err);
}

/* ---- files */

/* Adds the note that the original prints after each file, and its warning. */
static void finish_step(struct loader *l, int64_t step)
{
    struct profile *p = builder_profile(l->builder);
    uint32_t n_nodes = builder_n_nodes(l->builder);

    builder_add_step(l->builder, step);
    p->has_runtime = true;
    note_add(&p->notes, "%s: step %" PRId64 ", %.2f%% of the nodes have run so far", l->path, step,
             n_nodes ? 100.0 * (double)l->n_covered / n_nodes : 0.0);
    if (!l->step_has_accelerator || l->step_has_stream)
        return;
    p->misses_accelerator_stream = true;
    note_add(&p->notes, "%s: an accelerator was used, but no device is a stream:all: "
             "accelerator time is missing", l->path);
}

bool load_runmeta(struct loader *l, struct err *err)
{
    struct run_walk w = {.l = l};
    const int64_t step = l->next_step;
    bool done;

    l->next_step = clamp_add(step, 1);
    l->step_has_accelerator = false;
    l->step_has_stream = false;
    find_devices(&w, step);
    done = add_entries(&w, err);
    if (done && w.has_step_stats)
        finish_step(l, step);
    else if (done)
        note_add_kind(&builder_profile(l->builder)->notes, NOTE_SKIPPED,
                 "%s: invalid, has no step statistics: skipped", l->path);
    vec_done(&w.devices);
    return done;
}

const struct format_row format_run_meta = {
    .name = "RunMetadata",
    .help = "a step of a TensorFlow session (RunOptions(trace_level=FULL_TRACE)) with its figures, "
            "beside a graph or alone",
    .binary_name = "RunMetadata, binary",
    .text_name = "RunMetadata, text",
    .contents = CONTAINS_STEPS,
    .load_order = 80,
    .detect_order = 80,
    .fits = fits_run_meta,
    .message = &tfp__run_metadata__descriptor,
    .load = load_runmeta,
};
