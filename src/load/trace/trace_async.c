/* trace_async.c: rows of asynchronous spans, which overlap threads and each other, and of profiler
 * overhead, which is counted but has no time (formats-trace.md section 2). */
#include <stdlib.h>
#include <string.h>

#include "base/compare.h"
#include "base/satmath.h"
#include "load/trace/trace_build.h"

/* Counts a run of NAME below GROUP at an instant; returns its path. */
static uint32_t add_run(struct trace_build *b, const char *group, strid name, uint16_t category,
                        struct segment run)
{
    const uint32_t above =
        path_named(b, PATH_ROOT, builder_str(b->builder, group, strlen(group)), category);
    const uint32_t path = path_named(b, above, name, category);

    run.step = step_at(b, run.start_ns);
    run.part = part_of(b, path, 0, 0);
    run.n_runs = 1;
    add_segment(b, run);
    return path;
}

static void add_overhead(struct trace_build *b)
{
    const struct profile *p = builder_profile(b->builder);

    for (size_t i = 0; i < b->log->slices.n; i++) {
        const struct trace_slice *slice = &b->log->slices.data[i];
        const strid category = b->log->categories.data[slice->category].name;

        if (kind_of(b, slice) == KIND_UNTIMED && strcmp(profile_text(p, category), "overhead") == 0)
            add_run(b, "(overhead)", slice->name, slice->category,
                    (struct segment){.start_ns = slice->start_ns});
    }
}

/* ---- asynchronous spans */

COMPARE_CHAIN(by_key_and_time, struct trace_span, UP(key) || UP(ts_ns) || UP(order))

/* Sorts spans by key and time, and pairs each end with the innermost open begin of its key.  A
 * begin without an end has length 0. */
static void close_spans(struct trace_build *b)
{
    VEC(uint32_t) open = {0};
    struct trace_log *log = b->log;

    vec_sort(&log->spans, by_key_and_time);
    for (uint32_t i = 0; i < log->spans.n; i++) {
        struct trace_span *span = &log->spans.data[i], *begin;

        if (i && span->key != span[-1].key)
            open.n = 0;
        if (span->is_begin) {
            vec_push(&open, i);
        } else if (open.n) {
            begin = &log->spans.data[open.data[--open.n]];
            begin->dur_ns = clamp_sub(span->ts_ns, begin->ts_ns);
        }
    }
    vec_done(&open);
}

static void add_spans(struct trace_build *b)
{
    close_spans(b);
    for (size_t i = 0; i < b->log->spans.n; i++) {
        const struct trace_span *span = &b->log->spans.data[i];
        const struct segment run = {
            .start_ns = span->ts_ns, .dur_ns = span->dur_ns, .device = b->async_device};
        uint32_t path;

        if (!span->is_begin)
            continue;
        path = add_run(b, "(async)", span->name, 0, run);
        builder_set_devices(b->builder, b->paths.data[path].node, b->async_device, STRID_EMPTY);
    }
}

void trace_async(struct trace_build *b)
{
    add_overhead(b);
    add_spans(b);
}
