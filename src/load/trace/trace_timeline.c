/* trace_timeline.c: the timeline of TensorFlow 1: nodes by their names (formats-trace.md section 9). */
#include <string.h>

#include "load/trace/trace_build.h"

/* DEVICE of a process `DEVICE Compute`. */
static bool device_of(struct trace_build *b, const struct trace_slice *slice, strid *device,
                      bool *accelerator)
{
    static const char suffix[] = " Compute";
    const size_t n_suffix = sizeof suffix - 1;
    const struct profile *p = builder_profile(b->builder);
    const struct trace_log *log = b->log;
    const strid pid = log->lanes.data[slice->lane].pid;
    const strid process =
        intern_find(&log->processes, profile_text(p, pid), intern_len(&p->strings, pid));
    const char *name;
    size_t len;

    if (process >= log->process_names.n)
        return false;
    name = profile_text(p, log->process_names.data[process]);
    len = intern_len(&p->strings, log->process_names.data[process]);
    if (len < n_suffix || memcmp(name + len - n_suffix, suffix, n_suffix) != 0)
        return false;
    *device = builder_str_lower(b->builder, name, len - n_suffix);
    name = profile_text(p, *device);
    *accelerator = strstr(name, "stream:all") || strstr(name, "gpu");
    return true;
}

static void add_op(struct trace_build *b, const struct trace_slice *slice)
{
    const struct trace_args args = trace_args_of(b->log, slice->args);
    const strid name = args.name ? args.name : slice->name;
    const strid op = args.op ? args.op : slice->name;
    struct exec_time time = {.start_ticks = slice->start_ns, .dur_ticks = slice->dur_ns};
    struct exec_record r = {
        .step = ranked_step(b->recording->rank_index, 0),
        .run_count = 1,
        .start_ticks = slice->start_ns,
        .latest_end_ticks = slice->start_ns + slice->dur_ns,
        .times = &time,
        .n_times = 1,
    };
    node_id node;
    bool added;

    if (!device_of(b, slice, &time.device, &time.accelerator))
        return;
    node = builder_node(b->builder, name, op, &added);
    builder_set_device(b->builder, node, time.device, STRID_EMPTY);
    r.devices = &time.device;
    r.n_devices = 1;
    builder_add_record(b->builder, node, &r);
    if (time.accelerator)
        b->recording->accelerator_ns = clamp_add(b->recording->accelerator_ns, slice->dur_ns);
    else
        b->recording->cpu_ns = clamp_add(b->recording->cpu_ns, slice->dur_ns);
}

void trace_timeline(struct trace_build *b)
{
    bool *met;

    for (size_t i = 0; i < b->log->slices.n; i++)
        add_op(b, &b->log->slices.data[i]);
    met = arena_calloc(&b->l->pieces, b->log->lanes.n + 1, sizeof *met);
    for (size_t i = 0; i < b->log->slices.n; i++) {
        bool *lane = &met[b->log->slices.data[i].lane];

        b->recording->n_threads += !*lane;
        *lane = true;
    }
}
