/* trace_beside.c: rows of asynchronous spans, which overlap, and of profiler overhead.  These rows
 * have runs, but no time (formats-trace.md section 2). */
#include <stdlib.h>
#include <string.h>

#include "load/trace/trace_build.h"

/* A run of NAME below GROUP that began at an instant. */
static void add_run(struct trace_build *b, const char *group, strid name, uint16_t category,
                    int64_t start_ns)
{
    const uint32_t above =
        path_named(b, PATH_ROOT, builder_str(b->builder, group, strlen(group)), category);

    add_segment(b, (struct segment){.start_ns = start_ns,
                                    .step = step_at(b, start_ns),
                                    .part = part_of(b, path_named(b, above, name, category), 0, 0),
                                    .n_runs = 1});
}

static void add_overhead(struct trace_build *b)
{
    const struct profile *p = builder_profile(b->builder);

    for (size_t i = 0; i < b->log->slices.n; i++) {
        const struct trace_slice *slice = &b->log->slices.data[i];
        const strid category = b->log->categories.data[slice->category].name;

        if (kind_of(b, slice) == KIND_BESIDE && strcmp(profile_text(p, category), "overhead") == 0)
            add_run(b, "(overhead)", slice->name, slice->category, slice->start_ns);
    }
}

void trace_beside(struct trace_build *b)
{
    add_overhead(b);
    for (size_t i = 0; i < b->log->spans.n; i++)
        if (b->log->spans.data[i].is_begin)
            add_run(b, "(async)", b->log->spans.data[i].name, 0, b->log->spans.data[i].ts_ns);
}
