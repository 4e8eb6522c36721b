/* trace_timeline.c: TensorFlow 1 timelines, whose slices are nodes (formats-trace.md section 9). */
#include <string.h>

#include "load/trace/trace_build.h"

/* The device of SLICE, from the name of its process. */
static bool device_of(struct trace_build *b, const struct trace_slice *slice, strid *device,
                      bool *accelerator)
{
    const struct profile *p = builder_profile(b->builder);
    const struct trace_log *log = b->log;
    const strid pid = log->tracks.data[slice->track].pid;
    const strid process =
        intern_find(&log->processes, profile_text(p, pid), intern_len(&p->strings, pid));
    struct timeline_device found;
    strid process_name;

    if (process >= log->process_names.n)
        return false;
    process_name = log->process_names.data[process];
    if (!timeline_device(profile_text(p, process_name), intern_len(&p->strings, process_name),
                         &found))
        return false;
    *device = builder_str_lower(b->builder, found.name.bytes, found.name.len);
    *accelerator = found.is_accelerator;
    return true;
}

/* NODE or NODE:INDEX without the control input mark. */
static strid node_name(struct trace_build *b, const char *text, size_t len)
{
    size_t n = len;

    if (len && *text == '^') {
        text++;
        n = --len;
    }
    while (n && text[n - 1] >= '0' && text[n - 1] <= '9')
        n--;
    return builder_str(b->builder, text, n > 1 && n < len && text[n - 1] == ':' ? n - 1 : len);
}

/* Adds the inputs of NODE from arguments `input0`, `input1` and so on. */
static void add_inputs(struct trace_build *b, node_id node, strid args)
{
    static const char prefix[] = "input";
    const struct profile *p = builder_profile(b->builder);
    struct json_value all = {.at = (const uint8_t *)profile_text(p, args),
                             .len = intern_len(&p->strings, args),
                             .type = JSON_OBJECT};
    struct json_in in = json_again(all, false);
    struct json_value key, value;
    int32_t n = 0;

    if (!json_open(&in))
        return;
    while (json_key(&in, &key) && json_value(&in, &value)) {
        const strid source = trace_string(b->log, value);

        if (key.len > sizeof prefix - 1 && memcmp(key.at, prefix, sizeof prefix - 1) == 0)
            builder_add_input(b->builder, node, n++,
                              node_name(b, profile_text(p, source), intern_len(&p->strings, source)),
                              0, 0);
    }
}

/* Adds output sizes of a node, if known. */
static void add_tensors(struct trace_build *b)
{
    const struct profile *p = builder_profile(b->builder);

    for (size_t i = 0; i < b->log->tensors.n; i++) {
        const struct trace_tensor *tensor = &b->log->tensors.data[i];
        const node_id node =
            builder_find(b->builder, node_name(b, profile_text(p, tensor->name),
                                               intern_len(&p->strings, tensor->name)));
        const struct exec_memory memory = {.output_bytes = tensor->bytes};
        const strid device = node == NODE_NONE ? STRID_EMPTY : builder_get_device(b->builder, node);
        const struct exec_record r = {
            .step = ranked_step(b->recording->rank_index, 0),
            .memories = &memory,
            .n_memories = 1,
            .devices = &device,
            .n_devices = 1,
        };

        if (node != NODE_NONE)
            builder_add_record(b->builder, node, &r);
    }
}

/* The exclusive time of a slice if the writer recorded it, else its duration. */
static int64_t self_of(const struct trace_slice *slice)
{
    return slice->link == NUMBER_NONE ? slice->dur_ns : slice->link;
}

static void add_op(struct trace_build *b, struct trace_slice *slice)
{
    const struct trace_args args = trace_args_of(b->log, slice->args);
    const strid name = args.name ? args.name : slice->name;
    const strid op = args.op ? args.op : slice->name;
    const int64_t self_ns = self_of(slice);
    struct exec_time time = {.start_ticks = slice->start_ns, .dur_ticks = self_ns};
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
    if (added && args.inputs)
        add_inputs(b, node, args.inputs);
    builder_set_devices(b->builder, node, time.device, STRID_EMPTY);
    r.devices = &time.device;
    r.n_devices = 1;
    builder_add_record(b->builder, node, &r);
    if (time.accelerator)
        b->recording->accelerator_ns = clamp_add(b->recording->accelerator_ns, self_ns);
    else
        b->recording->cpu_ns = clamp_add(b->recording->cpu_ns, self_ns);
    timeline_keep_slice(b, slice, node, &time);
}

void trace_timeline(struct trace_build *b)
{
    bool *met;

    for (size_t i = 0; i < b->log->slices.n; i++)
        add_op(b, &b->log->slices.data[i]);
    timeline_pack(b);
    add_tensors(b);
    met = arena_calloc(&b->l->pieces, b->log->tracks.n + 1, sizeof *met);
    for (size_t i = 0; i < b->log->slices.n; i++) {
        bool *track = &met[b->log->slices.data[i].track];

        b->recording->n_threads += !*track;
        *track = true;
    }
}
