/* trace_log.c: stores the events of a trace until the file is complete. */
#include "load/trace/trace_log.h"

#include <stdlib.h>
#include <string.h>

#include "model/attention.h"

void trace_log_init(struct trace_log *log, struct builder *builder, struct recording *recording)
{
    memset(log, 0, sizeof *log);
    log->builder = builder;
    log->recording = recording;
    log->last_track = UINT32_MAX;
    intern_init(&log->args);
    intern_init(&log->configs);
    intern_init(&log->track_keys);
    intern_init(&log->category_keys);
    intern_init(&log->keys);
    intern_init(&log->processes);
}

void trace_log_done(struct trace_log *log)
{
    for (size_t i = 0; i < log->tracks.n; i++)
        vec_done(&log->tracks.data[i].open);
    vec_done(&log->slices);
    vec_done(&log->tracks);
    vec_done(&log->memories);
    vec_done(&log->flows);
    vec_done(&log->spans);
    vec_done(&log->sequences);
    vec_done(&log->tensors);
    vec_done(&log->frames);
    vec_done(&log->samples);
    vec_done(&log->externals);
    vec_done(&log->graph_nodes);
    vec_done(&log->categories);
    vec_done(&log->process_names);
    vec_done(&log->device_names);
    vec_done(&log->errors);
    intern_done(&log->args);
    intern_done(&log->configs);
    intern_done(&log->track_keys);
    intern_done(&log->category_keys);
    intern_done(&log->keys);
    intern_done(&log->processes);
    sb_done(&log->scratch);
}

void trace_repair(struct trace_log *log, enum repair repair, uint64_t n, uint64_t at)
{
    if (n && !log->repairs[repair])
        log->first_at[repair] = at;
    log->repairs[repair] += n;
}

strid trace_string(struct trace_log *log, struct json_value value)
{
    if (value.type == JSON_ABSENT)
        return STRID_EMPTY;
    if (!value.is_escaped)
        return builder_str(log->builder, value.at, value.len);
    sb_clear(&log->scratch);
    json_unescape(&log->scratch, value);
    return builder_str(log->builder, log->scratch.data, log->scratch.len);
}

struct trace_args trace_args_of(const struct trace_log *log, uint32_t args)
{
    struct trace_args found = {0};

    if (args)
        memcpy(&found, intern_text(&log->args, args), sizeof found);
    return found;
}

/* ---- tracks */

static bool same_value(struct json_value value, const struct track_text *last)
{
    return last->len && value.len == last->len && value.type == last->type &&
           memcmp(value.at, last->bytes, last->len) == 0;
}

static struct track_text track_text_of(struct json_value value)
{
    struct track_text text = {.type = value.type};

    if (value.len <= sizeof text.bytes && value.len) {
        text.len = (uint8_t)value.len;
        memcpy(text.bytes, value.at, value.len);
    }
    return text;
}

strid trace_process_of(struct trace_log *log, struct json_value pid)
{
    strid id;

    if (event_lacks(pid))
        return intern_put(&log->processes, "0", 1);
    id = trace_string(log, pid);
    return intern_put(&log->processes, profile_text(builder_profile(log->builder), id),
                      intern_len(&builder_profile(log->builder)->strings, id));
}

/* The track of a process and thread by their texts: a missing thread is named like its process,
 * a missing process 0. */
uint32_t trace_track_of(struct trace_log *log, const struct trace_event *e)
{
    struct trace_track track = {.last_ns = INT64_MIN};
    strid key[2];
    size_t n = log->tracks.n;
    strid id;

    if (log->last_track != UINT32_MAX && same_value(e->pid, &log->last_pid) &&
        same_value(e->tid, &log->last_tid))
        return log->last_track;
    key[0] = trace_process_of(log, e->pid);
    track.pid = builder_str(log->builder, intern_text(&log->processes, key[0]),
                           intern_len(&log->processes, key[0]));
    track.tid = event_lacks(e->tid) ? track.pid : trace_string(log, e->tid);
    key[1] = track.tid;
    id = intern_put(&log->track_keys, key, sizeof key) - 1; /* id 0 is the empty string's */
    if (id == n)
        vec_push(&log->tracks, track);
    log->last_track = id;
    log->last_pid = track_text_of(e->pid);
    log->last_tid = track_text_of(e->tid);
    return id;
}

/* ---- categories and arguments */

/* At most 65,536 categories are kept; the last one stands for all others. */
uint16_t trace_category(struct trace_log *log, struct text name)
{
    enum { CATEGORY_OTHERS = UINT16_MAX };
    static const char others[] = "(other categories)";
    struct trace_category category = {.name = STRID_EMPTY};
    strid id = intern_put(&log->category_keys, name.bytes, name.len);

    id = id < CATEGORY_OTHERS ? id : CATEGORY_OTHERS;
    while (id >= log->categories.n) {
        const strid next = (strid)log->categories.n;

        category.name = next == CATEGORY_OTHERS
                            ? builder_str(log->builder, others, sizeof others - 1)
                            : builder_str(log->builder, intern_text(&log->category_keys, next),
                                          intern_len(&log->category_keys, next));
        category.is_runtime = trace_is_runtime(intern_text(&log->category_keys, next));
        vec_push(&log->categories, category);
    }
    return (uint16_t)id;
}

strid trace_arg(struct trace_log *log, const struct trace_event *e, enum event_arg arg)
{
    return event_has(e, arg) ? trace_string(log, e->arg[arg]) : STRID_EMPTY;
}

static uint16_t category_of(struct trace_log *log, struct json_value value)
{
    return trace_category(
        log, (struct text){value.len ? (const char *)value.at : "", (uint32_t)value.len});
}

/* The bits of the arguments that struct trace_args keeps. */
#define BIT(arg) (UINT64_C(1) << ARG_##arg)
static const uint64_t kept_args =
    BIT(DIMS) | BIT(VALUES) | BIT(CALL_STACK) | BIT(DEVICE) | BIT(STREAM) | BIT(NAME) | BIT(OP) |
    BIT(HLO_OP) | BIT(HLO_MODULE) | BIT(TF_OP) | BIT(GROUP_ID) | BIT(STEP_NUMBER) |
    BIT(COLLECTIVE) | BIT(INPUT) | BIT(GRID) | BIT(NODE_OP) | BIT(KERNEL);
#undef BIT

static uint32_t config_of(struct trace_log *log, const struct trace_event *e)
{
    const struct kernel_config config = {
        .grid = trace_arg(log, e, ARG_GRID),
        .block = trace_arg(log, e, ARG_BLOCK),
        .registers = trace_arg(log, e, ARG_REGISTERS),
        .shared_memory = trace_arg(log, e, ARG_SHARED_MEMORY),
        .blocks_per_sm = trace_arg(log, e, ARG_BLOCKS_PER_SM),
        .warps_per_sm = trace_arg(log, e, ARG_WARPS_PER_SM),
        .occupancy_percent = trace_arg(log, e, ARG_OCCUPANCY),
    };

    return intern_put(&log->configs, &config, sizeof config);
}

static bool is_attention(const struct trace_event *e)
{
    unsigned first;

    return e->name.len && attention_inputs((struct text){(const char *)e->name.at,
                                                         (uint32_t)e->name.len}, &first);
}

static uint32_t args_of(struct trace_log *log, const struct trace_event *e)
{
    struct trace_args args = {0};

    if (!(e->has_arg & kept_args))
        return 0;
    log->recording->has_calls_with_shapes |=
        event_has(e, ARG_DIMS) || event_has(e, ARG_TYPED_INPUTS);
    args.dims = trace_arg(log, e, ARG_DIMS);
    args.values = trace_arg(log, e, ARG_VALUES);
    args.call_stack = trace_arg(log, e, ARG_CALL_STACK);
    args.device = trace_arg(log, e, ARG_DEVICE);
    args.stream = trace_arg(log, e, ARG_STREAM);
    args.name = trace_arg(log, e, ARG_NAME);
    args.op = trace_arg(log, e, ARG_OP);
    if (event_has(e, ARG_INPUT) && args.op)
        args.inputs = trace_string(log, e->args);
    args.hlo_op = trace_arg(log, e, ARG_HLO_OP);
    args.hlo_module = trace_arg(log, e, ARG_HLO_MODULE);
    args.tf_op = trace_arg(log, e, ARG_TF_OP);
    args.group = trace_arg(log, e, ARG_GROUP_ID);
    args.step = trace_arg(log, e, ARG_STEP_NUMBER);
    if (event_has(e, ARG_GRID))
        args.config = config_of(log, e);
    args.kernel = trace_arg(log, e, ARG_KERNEL);
    if (event_has(e, ARG_TYPES) && is_attention(e))
        args.types = trace_arg(log, e, ARG_TYPES);
    args.node_op = trace_arg(log, e, ARG_NODE_OP);
    if (args.node_op) {
        args.provider = trace_arg(log, e, ARG_PROVIDER);
        args.dims = trace_dims_of(log, e, ARG_TYPED_INPUTS);
        args.values = trace_dims_of(log, e, ARG_TYPED_OUTPUTS);
    }
    args.collective = trace_arg(log, e, ARG_COLLECTIVE);
    if (args.collective) {
        args.group_name = trace_arg(log, e, ARG_GROUP_NAME);
        args.group_ranks = trace_arg(log, e, ARG_GROUP_RANKS);
        args.seq = trace_arg(log, e, ARG_SEQ);
        args.elements = trace_arg(log, e, ARG_ELEMENTS);
        args.type = trace_arg(log, e, ARG_TYPE);
    }
    return intern_put(&log->args, &args, sizeof args);
}

static int64_t link_of(const struct trace_event *e)
{
    int64_t number, parent;

    if (event_has(e, ARG_PYTHON_ID)) {
        number = event_number(e, ARG_PYTHON_ID);
        parent = event_number(e, ARG_PYTHON_PARENT);
        if (number < 0 || number >= FRAME_NONE)
            return NUMBER_NONE;
        return frame_link((uint32_t)number,
                          parent >= 0 && parent < FRAME_NONE ? (uint32_t)parent : FRAME_NONE);
    }
    if (event_has(e, ARG_SELF) && json_decimal(e->arg[ARG_SELF], 3, &number) && number >= 0 &&
        number < INT64_MAX / 4)
        return number;
    number = event_number(e, ARG_CORRELATION);
    return number == NUMBER_NONE ? event_number(e, ARG_EXTERNAL_ID) : number;
}

/* ---- phases */

bool trace_time(struct trace_log *log, struct json_value value, uint64_t at, int64_t *ns)
{
    if (event_time(value, ns))
        return true;
    trace_repair(log, REPAIR_NO_TIME, 1, at);
    return false;
}

static void extend(struct trace_track *track, int64_t ns)
{
    if (ns > track->last_ns)
        track->last_ns = ns;
}

static struct trace_slice slice_of(struct trace_log *log, const struct trace_event *e, int64_t start_ns)
{
    return (struct trace_slice){
        .start_ns = start_ns,
        .dur_ns = -1,
        .link = link_of(e),
        .name = trace_string(log, e->name),
        .track = trace_track_of(log, e),
        .args = args_of(log, e),
        .category = category_of(log, e->category),
    };
}

/* Stores the sequence number of the slice added last. */
static void add_sequence(struct trace_log *log, const struct trace_event *e, int64_t start_ns)
{
    const struct trace_sequence sequence = {.number = event_number(e, ARG_SEQUENCE),
                                            .start_ns = start_ns,
                                            .slice = (uint32_t)(log->slices.n - 1),
                                            .forward_thread = event_number(e, ARG_FORWARD_THREAD)};

    if (sequence.number >= 0)
        vec_push(&log->sequences, sequence);
}

/* Stores the External id of a slice that has a correlation too. */
static void add_external(struct trace_log *log, const struct trace_event *e)
{
    const struct trace_external external = {.number = event_number(e, ARG_EXTERNAL_ID),
                                            .slice = (uint32_t)(log->slices.n - 1)};

    if (external.number != NUMBER_NONE)
        vec_push(&log->externals, external);
}

/* Stores the node of a graph that the slice added last belongs to. */
static void add_graph_node(struct trace_log *log, const struct trace_event *e)
{
    const struct trace_graph_node node = {.number = event_number(e, ARG_GRAPH_NODE),
                                          .slice = (uint32_t)(log->slices.n - 1)};

    if (node.number != NUMBER_NONE)
        vec_push(&log->graph_nodes, node);
}

static void add_complete(struct trace_log *log, const struct trace_event *e, uint64_t at)
{
    const uint16_t category = category_of(log, e->category);
    struct trace_slice slice;
    int64_t start_ns, dur_ns = 0;

    log->categories.data[category].n_slices++;
    if (!trace_time(log, e->ts, at, &start_ns))
        return;
    if (event_lacks(e->dur))
        trace_repair(log, REPAIR_NO_DURATION, 1, at);
    else if (!trace_time(log, e->dur, at, &dur_ns))
        return;
    if (dur_ns < 0) {
        trace_repair(log, REPAIR_NEGATIVE_DURATION, 1, at);
        dur_ns = 0;
    }
    slice = slice_of(log, e, start_ns);
    slice.dur_ns = dur_ns;
    extend(&log->tracks.data[slice.track], start_ns + dur_ns);
    vec_push(&log->slices, slice);
    if (event_has(e, ARG_SEQUENCE))
        add_sequence(log, e, start_ns);
    if (event_has(e, ARG_GRAPH_NODE))
        add_graph_node(log, e);
    log->has_runtime |= log->categories.data[category].is_runtime;
    if (!log->has_runtime && event_has(e, ARG_STREAM) && event_has(e, ARG_CORRELATION))
        add_external(log, e);
}

static void add_begin(struct trace_log *log, const struct trace_event *e, uint64_t at)
{
    struct trace_slice slice;
    int64_t start_ns;

    if (!trace_time(log, e->ts, at, &start_ns))
        return;
    slice = slice_of(log, e, start_ns);
    extend(&log->tracks.data[slice.track], start_ns);
    vec_push(&log->tracks.data[slice.track].open, (uint32_t)log->slices.n);
    vec_push(&log->slices, slice);
}

static void add_end(struct trace_log *log, const struct trace_event *e, uint64_t at)
{
    struct trace_track *track;
    struct trace_slice *slice;
    uint32_t at_track;
    int64_t end_ns;

    if (!trace_time(log, e->ts, at, &end_ns))
        return;
    at_track = trace_track_of(log, e);
    track = &log->tracks.data[at_track];
    if (!track->open.n) {
        trace_repair(log, REPAIR_END_WITHOUT_BEGIN, 1, at);
        return;
    }
    slice = &log->slices.data[track->open.data[--track->open.n]];
    if (end_ns < slice->start_ns) {
        trace_repair(log, REPAIR_NEGATIVE_DURATION, 1, at);
        end_ns = slice->start_ns;
    }
    slice->dur_ns = end_ns - slice->start_ns;
    if (e->has_arg & kept_args)
        slice->args = args_of(log, e);
    extend(track, end_ns);
}

void trace_log_add(struct trace_log *log, const struct trace_event *e, uint64_t at)
{
    const uint8_t phase = e->phase.len == 1 && e->phase.type == JSON_STRING ? e->phase.at[0] : 0;

    if (e->phase.type == JSON_ABSENT) {
        log->n_phaseless++;
        trace_repair(log, REPAIR_NO_PHASE, !e->is_empty, at);
        return;
    }
    if (phase < sizeof log->n_phases / sizeof *log->n_phases)
        log->n_phases[phase]++;
    switch (phase) {
    case 'X':
        add_complete(log, e, at);
        break;
    case 'B':
        add_begin(log, e, at);
        break;
    case 'E':
        add_end(log, e, at);
        break;
    default:
        trace_mark_add(log, e, phase, at);
        break;
    }
}

void trace_log_finish(struct trace_log *log)
{
    for (size_t i = 0; i < log->tracks.n; i++) {
        struct trace_track *track = &log->tracks.data[i];

        for (size_t k = 0; k < track->open.n; k++) {
            struct trace_slice *slice = &log->slices.data[track->open.data[k]];

            slice->dur_ns = track->last_ns - slice->start_ns;
            log->repairs[REPAIR_BEGIN_WITHOUT_END]++;
        }
        track->open.n = 0;
    }
}

strid trace_dims_of(struct trace_log *log, const struct trace_event *e, enum event_arg arg)
{
    struct json_value typed, type, dims;
    struct strbuf text = {0};
    struct json_in in;
    strid id;

    if (!event_has(e, arg) || e->arg[arg].type != JSON_ARRAY)
        return STRID_EMPTY;
    in = json_again(e->arg[arg], false);
    sb_addc(&text, '[');
    while (json_element(&in, &typed)) {
        struct json_in member = json_again(typed, false);

        if (text.len > 1)
            sb_addc(&text, ',');
        if (typed.type == JSON_OBJECT && json_open(&member) && json_key(&member, &type) &&
            json_value(&member, &dims) && dims.type == JSON_ARRAY)
            sb_add(&text, dims.at, dims.len);
        else
            sb_adds(&text, "[-1]");
    }
    sb_addc(&text, ']');
    id = builder_str(log->builder, sb_text(&text), text.len);
    sb_done(&text);
    return id;
}
