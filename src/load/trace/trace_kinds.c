/* trace_kinds.c: identifies the writer of a trace and the kinds of its categories (formats-trace.md
 * sections 3, 5, 9). */
#include <string.h>
#include <strings.h>

#include "base/xalloc.h"
#include "load/slices/work_names.h"
#include "load/trace/trace_build.h"

struct category_row {
    const char *name;
    uint8_t kind;
    bool is_telling; /* only PyTorch writes it */
};

/* Categories of PyTorch; before 2022 names begin with a capital. */
static const struct category_row category_rows[] = {
    {"cpu_op", KIND_CALL, true},
    {"Operator", KIND_CALL, true},
    {"user_annotation", KIND_ANNOTATION, false},
    {"python_function", KIND_FRAME, false},
    {"cuda_runtime", KIND_RUNTIME, true},
    {"Runtime", KIND_RUNTIME, true},
    {"cuda_driver", KIND_RUNTIME, false},
    {"xpu_runtime", KIND_RUNTIME, false},
    {"xpu_driver", KIND_RUNTIME, false},
    {"mtia_runtime", KIND_RUNTIME, false},
    {"privateuse1_runtime", KIND_RUNTIME, false},
    {"privateuse1_driver", KIND_RUNTIME, false},
    {"glow_runtime", KIND_RUNTIME, false},
    {"kernel", KIND_KERNEL, true},
    {"Kernel", KIND_KERNEL, true},
    {"mtia_ccp_events", KIND_KERNEL, false},
    {"hpu_op", KIND_KERNEL, false},
    {"gpu_memcpy", KIND_MEMCPY, true},
    {"Memcpy", KIND_MEMCPY, true},
    {"gpu_memset", KIND_MEMSET, true},
    {"Memset", KIND_MEMSET, true},
    {"gpu_user_annotation", KIND_UNTIMED, false},
    {"cuda_sync", KIND_UNTIMED, false},
    {"overhead", KIND_UNTIMED, false},
    {"Trace", KIND_UNTIMED, false},
    {"cuda_profiler_range", KIND_UNTIMED, false},
    {"gpu_pm_counter", KIND_UNTIMED, false},
    {"external_correlation", KIND_UNTIMED, false},
    {"cuda_event", KIND_UNTIMED, false},
    {"collective_comm", KIND_UNTIMED, false},
    {"xpu_sync", KIND_UNTIMED, false},
    {"mtia_insight", KIND_UNTIMED, false},
    {"mtia_counters", KIND_UNTIMED, false},
    {"xpu_scope_profiler", KIND_UNTIMED, false},
    {"hardware_counters", KIND_UNTIMED, false},
};

static const struct category_row *find_category(const char *name)
{
    for (size_t i = 0; i < sizeof category_rows / sizeof *category_rows; i++)
        if (strcmp(category_rows[i].name, name) == 0)
            return &category_rows[i];
    return NULL;
}

static const struct category_row *category_row(const struct trace_log *log, size_t category)
{
    return find_category(
        profile_text(builder_profile(log->builder), log->categories.data[category].name));
}

enum category_kind category_kind_of(const struct trace_log *log, size_t category)
{
    const struct category_row *row = category_row(log, category);

    return row ? (enum category_kind)row->kind : KIND_OTHER;
}

bool trace_is_runtime(const char *category)
{
    const struct category_row *row = find_category(category);

    return row && row->kind == KIND_RUNTIME;
}

static bool holds(const char *name, size_t len, const char *what)
{
    const size_t n = strlen(what);

    for (size_t i = 0; i + n <= len; i++)
        if (strncasecmp(name + i, what, n) == 0)
            return true;
    return false;
}

static bool ends_with(const char *text, size_t len, const char *end)
{
    const size_t n = strlen(end);

    return len >= n && memcmp(text + len - n, end, n) == 0;
}

static const char *process_name(const struct trace_log *log, size_t process, size_t *len)
{
    const struct profile *p = builder_profile(log->builder);

    *len = intern_len(&p->strings, log->process_names.data[process]);
    return profile_text(p, log->process_names.data[process]);
}

bool timeline_device(const char *name, size_t len, struct timeline_device *d)
{
    static const char suffix[] = " Compute", scheduling[] = "Op scheduling threads: ",
                      execution[] = "Op execution threads: ";

    *d = (struct timeline_device){.name = {name, (uint32_t)len}};
    if (ends_with(name, len, suffix)) {
        d->name.len -= (uint32_t)sizeof suffix - 1;
        d->is_accelerator = holds(name, d->name.len, "stream:") || holds(name, d->name.len, "gpu");
        return true;
    }
    for (int i = 0; i < 2; i++) {
        const char *prefix = i ? execution : scheduling;
        const size_t n = strlen(prefix);

        if (len > n && memcmp(name, prefix, n) == 0) {
            d->name = (struct text){name + n, (uint32_t)(len - n)};
            d->is_accelerator = prefix == execution;
            return true;
        }
    }
    return false;
}

/* True for a timeline with one process per device and operators in it. */
static bool is_tf_timeline(const struct trace_log *log)
{
    bool compute = false, op = false;
    struct timeline_device device;
    size_t len;

    for (size_t i = 0; i < log->process_names.n; i++) {
        const char *name = process_name(log, i, &len);

        compute |= timeline_device(name, len, &device);
    }
    for (size_t i = 0; i < log->categories.n; i++)
        op |= log->categories.data[i].n_slices &&
              strcmp(profile_text(builder_profile(log->builder), log->categories.data[i].name),
                     "Op") == 0;
    return compute && op;
}

static bool has_host_process(const struct trace_log *log)
{
    size_t len;

    for (size_t i = 0; i < log->process_names.n; i++) {
        const char *name = process_name(log, i, &len);

        if ((len >= 6 && memcmp(name, "/host:", 6) == 0) ||
            (len >= 8 && memcmp(name, "/device:", 8) == 0))
            return true;
    }
    return false;
}

enum dialect dialect_of(const struct trace_log *log)
{
    if (log->is_nsys)
        return DIALECT_NSYS;
    if (log->has_schema)
        return DIALECT_KINETO;
    if (is_onnxruntime(log))
        return DIALECT_ONNXRUNTIME;
    for (size_t i = 0; i < log->categories.n; i++) {
        const struct category_row *row = category_row(log, i);

        if (log->categories.data[i].n_slices && row && row->is_telling)
            return DIALECT_KINETO;
    }
    if (is_tf_timeline(log))
        return DIALECT_TF_TIMELINE;
    if (log->has_highres || (log->has_ns_unit && has_host_process(log)))
        return DIALECT_XPROF;
    return DIALECT_GENERIC;
}

/* Accelerators that are not GPUs have their own categories, for work or for calls. */
static uint8_t work_kind_of(const struct trace_log *log)
{
    static const char *const others[] = {"mtia_", "hpu_", "xpu_", "privateuse1_"};
    size_t len;

    for (size_t i = 0; i < log->categories.n; i++) {
        const char *name = profile_text(builder_profile(log->builder), log->categories.data[i].name);

        for (size_t k = 0; k < sizeof others / sizeof *others; k++)
            if (log->categories.data[i].n_slices &&
                strncmp(name, others[k], strlen(others[k])) == 0)
                return DEVICE_OTHER;
    }
    for (size_t i = 0; i < log->process_names.n; i++)
        if (strncmp(process_name(log, i, &len), "/device:TPU", 11) == 0)
            return DEVICE_TPU;
    return DEVICE_GPU;
}

static void note_work_names(struct trace_build *b)
{
    const bool is_session = b->dialect == DIALECT_ONNXRUNTIME;

    for (size_t i = 0; i < b->log->slices.n && (b->kernel_rows || is_session); i++) {
        const struct trace_slice *slice = &b->log->slices.data[i];

        if (!(b->kernel_rows && kind_is_work(kind_of(b, slice))) &&
            !(is_session && is_fence(trace_text(b, slice->name))))
            continue;
        if (slice->name >= b->is_work_name.n)
            vec_resize_zero(&b->is_work_name, (size_t)slice->name + 1);
        b->is_work_name.data[slice->name] = 1;
    }
}

bool has_work_rows(const struct trace_build *b, strid name)
{
    return name < b->is_work_name.n && b->is_work_name.data[name];
}

/* Timelines of the scope and code view have one process per depth of the tree. */
static bool is_outline(const struct trace_log *log)
{
    static const char prefix[] = "Scope:";
    bool some = false;
    size_t len;

    for (size_t i = 0; i < log->process_names.n; i++) {
        const char *name = process_name(log, i, &len);

        if (len && (len < sizeof prefix || memcmp(name, prefix, sizeof prefix - 1) != 0))
            return false;
        some |= len > 0;
    }
    return some;
}

bool is_outline_root(const struct trace_build *b, const struct trace_slice *slice)
{
    return b->is_outline &&
           strcmp(profile_text(builder_profile(b->builder), slice->name), "_TFProfRoot") == 0;
}

/* Merges all depths of an outline into one track, so that rows nest. */
static void join_depths(struct trace_build *b)
{
    b->is_outline = b->dialect == DIALECT_GENERIC && is_outline(b->log);
    for (size_t i = 0; i < b->log->slices.n && b->is_outline; i++)
        b->log->slices.data[i].track = 0;
}

void trace_kinds(struct trace_build *b)
{
    join_depths(b);
    b->kinds = xcalloc(b->log->categories.n + 1, sizeof *b->kinds);
    for (size_t i = 0; i < b->log->categories.n; i++) {
        b->kinds[i] = (uint8_t)(b->dialect == DIALECT_KINETO || b->dialect == DIALECT_NSYS
                                    ? category_kind_of(b->log, i)
                                    : KIND_OTHER);
        if (b->dialect == DIALECT_ONNXRUNTIME)
            b->kinds[i] = (uint8_t)session_kind(trace_text(b, b->log->categories.data[i].name));
    }
    for (size_t i = 0; i < b->log->slices.n && !b->has_runtime; i++)
        b->has_runtime = b->kinds[b->log->slices.data[i].category] == KIND_RUNTIME;
    b->recording->has_runtime = b->has_runtime;
    b->work_kind = work_kind_of(b->log);
    note_work_names(b);
}

/* The kind of a device track written by XProf: device events, or lines derived from them. */
static enum category_kind device_track_kind(const struct trace_build *b, uint32_t track)
{
    const char *name = profile_text(builder_profile(b->builder), b->log->tracks.data[track].name);

    return strncmp(name, "Stream #", 8) == 0 || strcmp(name, "XLA Ops") == 0 ? KIND_KERNEL
                                                                             : KIND_UNTIMED;
}

static enum category_kind xprof_kind(const struct trace_build *b, const struct trace_slice *slice)
{
    const struct profile *p = builder_profile(b->builder);
    const struct trace_track *track = &b->log->tracks.data[slice->track];
    const strid process = intern_find(&b->log->processes, profile_text(p, track->pid),
                                      intern_len(&p->strings, track->pid));
    size_t len;

    if (process < b->log->process_names.n &&
        strncmp(process_name(b->log, process, &len), "/device:", 8) == 0 &&
        strncmp(process_name(b->log, process, &len), "/device:CPU", 11) != 0)
        return device_track_kind(b, slice->track);
    return profile_text(p, slice->name)[0] == '$' ? KIND_FRAME : KIND_OTHER;
}

enum category_kind kind_of(const struct trace_build *b, const struct trace_slice *slice)
{
    return b->dialect == DIALECT_XPROF ? xprof_kind(b, slice) : b->kinds[slice->category];
}

/* ---- classes of work */

static bool begins(const char *name, size_t len, const char *with)
{
    const size_t n = strlen(with);

    return len >= n && strncasecmp(name, with, n) == 0;
}

enum work_class work_class_of(enum category_kind kind, const char *name, size_t len,
                              bool is_collective)
{
    if (is_collective || work_name_is_communication(name, len))
        return WORK_COMMUNICATION;
    if (kind == KIND_MEMCPY || begins(name, len, "MEMORY_COPY_") ||
        begins(name, len, "__amd_rocclr_copyBuffer") || begins(name, len, "Memcpy") ||
        begins(name, len, "hipMemcpy") || begins(name, len, "dma"))
        return WORK_MEMCPY;
    if (kind == KIND_MEMSET || begins(name, len, "__amd_rocclr_fillBuffer") ||
        begins(name, len, "Memset") || begins(name, len, "hipMemset"))
        return WORK_MEMSET;
    return WORK_COMPUTE;
}
