/* trace_log.c: the events of a trace as they are kept until all of them are there. */
#include "load/trace/trace_log.h"

#include <stdlib.h>
#include <string.h>

void trace_log_init(struct trace_log *log, struct builder *builder, struct recording *recording)
{
    memset(log, 0, sizeof *log);
    log->builder = builder;
    log->recording = recording;
    log->last_lane = UINT32_MAX;
    intern_init(&log->args);
    intern_init(&log->lane_keys);
    intern_init(&log->category_keys);
    intern_init(&log->keys);
    intern_init(&log->processes);
}

void trace_log_done(struct trace_log *log)
{
    for (size_t i = 0; i < log->lanes.n; i++)
        vec_done(&log->lanes.data[i].open);
    vec_done(&log->slices);
    vec_done(&log->lanes);
    vec_done(&log->memories);
    vec_done(&log->flows);
    vec_done(&log->spans);
    vec_done(&log->categories);
    vec_done(&log->process_names);
    intern_done(&log->args);
    intern_done(&log->lane_keys);
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

/* ---- lanes */

static bool is_null(struct json_value value)
{
    return value.type == JSON_ABSENT ||
           (value.type == JSON_WORD && json_is(value, "null", 4));
}

static bool same_value(struct json_value a, struct json_value b)
{
    return a.len == b.len && a.type == b.type && a.len && memcmp(a.at, b.at, a.len) == 0;
}

static strid process_of(struct trace_log *log, struct json_value pid)
{
    strid id;

    if (is_null(pid))
        return intern_put(&log->processes, "0", 1);
    id = trace_string(log, pid);
    return intern_put(&log->processes, profile_text(builder_profile(log->builder), id),
                      intern_len(&builder_profile(log->builder)->strings, id));
}

/* The lane of a process and thread by their texts: a missing thread is named like its process,
 * a missing process 0. */
static uint32_t lane_of(struct trace_log *log, const struct event *e)
{
    struct trace_lane lane = {.last_ns = INT64_MIN};
    strid key[2];
    size_t n = log->lanes.n;
    strid id;

    if (log->last_lane != UINT32_MAX && same_value(e->pid, log->last_pid) &&
        same_value(e->tid, log->last_tid))
        return log->last_lane;
    key[0] = process_of(log, e->pid);
    lane.pid = builder_str(log->builder, intern_text(&log->processes, key[0]),
                           intern_len(&log->processes, key[0]));
    lane.tid = is_null(e->tid) ? lane.pid : trace_string(log, e->tid);
    key[1] = lane.tid;
    id = intern_put(&log->lane_keys, key, sizeof key) - 1; /* id 0 is the empty string's */
    if (id == n)
        vec_push(&log->lanes, lane);
    log->last_lane = id;
    log->last_pid = e->pid;
    log->last_tid = e->tid;
    return id;
}

/* ---- categories and arguments */

/* The last of 65,536 categories stands for all others. */
static uint16_t category_of(struct trace_log *log, struct json_value value)
{
    enum { CATEGORY_OTHERS = UINT16_MAX };
    static const char others[] = "(other categories)";
    struct trace_category category = {.name = STRID_EMPTY};
    strid id = intern_put(&log->category_keys, value.len ? (const void *)value.at : "", value.len);

    id = id < CATEGORY_OTHERS ? id : CATEGORY_OTHERS;
    while (id >= log->categories.n) {
        const strid next = (strid)log->categories.n;

        category.name = next == CATEGORY_OTHERS
                            ? builder_str(log->builder, others, sizeof others - 1)
                            : builder_str(log->builder, intern_text(&log->category_keys, next),
                                          intern_len(&log->category_keys, next));
        vec_push(&log->categories, category);
    }
    return (uint16_t)id;
}

static strid arg_string(struct trace_log *log, const struct event *e, enum event_arg arg)
{
    return event_has(e, arg) ? trace_string(log, e->arg[arg]) : STRID_EMPTY;
}

/* The bits of the arguments that struct trace_args keeps. */
#define BIT(arg) (UINT64_C(1) << ARG_##arg)
static const uint64_t kept_args =
    BIT(DIMS) | BIT(VALUES) | BIT(CALL_STACK) | BIT(DEVICE) | BIT(STREAM) | BIT(NAME) | BIT(OP) |
    BIT(HLO_OP) | BIT(HLO_MODULE) | BIT(TF_OP) | BIT(GROUP_ID) | BIT(STEP_NUMBER) |
    BIT(COLLECTIVE);
#undef BIT

static uint32_t args_of(struct trace_log *log, const struct event *e)
{
    struct trace_args args = {0};

    if (!(e->has_arg & kept_args))
        return 0;
    args.dims = arg_string(log, e, ARG_DIMS);
    args.values = arg_string(log, e, ARG_VALUES);
    args.call_stack = arg_string(log, e, ARG_CALL_STACK);
    args.device = arg_string(log, e, ARG_DEVICE);
    args.stream = arg_string(log, e, ARG_STREAM);
    args.name = arg_string(log, e, ARG_NAME);
    args.op = arg_string(log, e, ARG_OP);
    args.hlo_op = arg_string(log, e, ARG_HLO_OP);
    args.hlo_module = arg_string(log, e, ARG_HLO_MODULE);
    args.tf_op = arg_string(log, e, ARG_TF_OP);
    args.group = arg_string(log, e, ARG_GROUP_ID);
    args.step = arg_string(log, e, ARG_STEP_NUMBER);
    args.collective = arg_string(log, e, ARG_COLLECTIVE);
    if (args.stream && event_has(e, ARG_CORRELATION))
        args.external = arg_string(log, e, ARG_EXTERNAL_ID);
    if (args.collective) {
        args.group_name = arg_string(log, e, ARG_GROUP_NAME);
        args.group_ranks = arg_string(log, e, ARG_GROUP_RANKS);
        args.seq = arg_string(log, e, ARG_SEQ);
    }
    return intern_put(&log->args, &args, sizeof args);
}

static int64_t number_of(const struct event *e, enum event_arg arg)
{
    int64_t number;

    return event_has(e, arg) && json_integer(e->arg[arg], &number) ? number : NUMBER_NONE;
}

static int64_t link_of(const struct event *e)
{
    int64_t number, parent;

    if (event_has(e, ARG_PYTHON_ID)) {
        number = number_of(e, ARG_PYTHON_ID);
        parent = number_of(e, ARG_PYTHON_PARENT);
        if (number < 0 || number >= FRAME_NONE)
            return NUMBER_NONE;
        return frame_link((uint32_t)number,
                          parent >= 0 && parent < FRAME_NONE ? (uint32_t)parent : FRAME_NONE);
    }
    number = number_of(e, ARG_CORRELATION);
    return number == NUMBER_NONE ? number_of(e, ARG_EXTERNAL_ID) : number;
}

/* ---- phases */

/* Microseconds as nanoseconds; false, counted, when there is no such number. */
static bool time_of(struct trace_log *log, struct json_value value, uint64_t at, int64_t *ns)
{
    /* A sum of two instants has room. */
    if (json_decimal(value, 3, ns) && *ns > INT64_MIN / 4 && *ns < INT64_MAX / 4)
        return true;
    trace_repair(log, REPAIR_NO_TIME, 1, at);
    return false;
}

static void extend(struct trace_lane *lane, int64_t ns)
{
    if (ns > lane->last_ns)
        lane->last_ns = ns;
}

static struct trace_slice slice_of(struct trace_log *log, const struct event *e, int64_t start_ns)
{
    return (struct trace_slice){
        .start_ns = start_ns,
        .dur_ns = -1,
        .link = link_of(e),
        .name = trace_string(log, e->name),
        .lane = lane_of(log, e),
        .args = args_of(log, e),
        .category = category_of(log, e->category),
    };
}

static void add_complete(struct trace_log *log, const struct event *e, uint64_t at)
{
    const uint16_t category = category_of(log, e->category);
    struct trace_slice slice;
    int64_t start_ns, dur_ns = 0;

    log->categories.data[category].n_slices++;
    if (!time_of(log, e->ts, at, &start_ns))
        return;
    if (is_null(e->dur))
        trace_repair(log, REPAIR_NO_DURATION, 1, at);
    else if (!time_of(log, e->dur, at, &dur_ns))
        return;
    if (dur_ns < 0) {
        trace_repair(log, REPAIR_NEGATIVE_DURATION, 1, at);
        dur_ns = 0;
    }
    slice = slice_of(log, e, start_ns);
    slice.dur_ns = dur_ns;
    extend(&log->lanes.data[slice.lane], start_ns + dur_ns);
    vec_push(&log->slices, slice);
}

static void add_begin(struct trace_log *log, const struct event *e, uint64_t at)
{
    struct trace_slice slice;
    int64_t start_ns;

    if (!time_of(log, e->ts, at, &start_ns))
        return;
    slice = slice_of(log, e, start_ns);
    extend(&log->lanes.data[slice.lane], start_ns);
    vec_push(&log->lanes.data[slice.lane].open, (uint32_t)log->slices.n);
    vec_push(&log->slices, slice);
}

static void add_end(struct trace_log *log, const struct event *e, uint64_t at)
{
    struct trace_lane *lane;
    struct trace_slice *slice;
    uint32_t at_lane;
    int64_t end_ns;

    if (!time_of(log, e->ts, at, &end_ns))
        return;
    at_lane = lane_of(log, e);
    lane = &log->lanes.data[at_lane];
    if (!lane->open.n) {
        trace_repair(log, REPAIR_END_WITHOUT_BEGIN, 1, at);
        return;
    }
    slice = &log->slices.data[lane->open.data[--lane->open.n]];
    if (end_ns < slice->start_ns) {
        trace_repair(log, REPAIR_NEGATIVE_DURATION, 1, at);
        end_ns = slice->start_ns;
    }
    slice->dur_ns = end_ns - slice->start_ns;
    if (e->has_arg & kept_args)
        slice->args = args_of(log, e);
    extend(lane, end_ns);
}

static void add_instant(struct trace_log *log, const struct event *e, uint64_t at)
{
    struct trace_memory m = {.device = -1};

    if (!json_is(e->name, "[memory]", 8) || number_of(e, ARG_BYTES) == NUMBER_NONE ||
        !time_of(log, e->ts, at, &m.ts_ns))
        return;
    m.lane = lane_of(log, e);
    m.bytes = number_of(e, ARG_BYTES);
    m.total_allocated = number_of(e, ARG_TOTAL_ALLOCATED);
    m.total_reserved = number_of(e, ARG_TOTAL_RESERVED);
    if (number_of(e, ARG_DEVICE_TYPE) > 0)
        m.device = (int32_t)(number_of(e, ARG_DEVICE_ID) & INT32_MAX);
    vec_push(&log->memories, m);
}

/* Category, id and, for ids that a process has to itself, the process. */
static strid key_of(struct trace_log *log, const struct event *e)
{
    const strid key[2] = {trace_string(log, e->category), trace_string(log, e->id)};

    return intern_put(&log->keys, key, sizeof key);
}

static void add_flow(struct trace_log *log, const struct event *e, uint64_t at)
{
    struct trace_flow flow = {.phase = e->phase.at[0], .binds_around = json_is(e->bind, "e", 1)};

    /* Launches and their work are tied by correlation. */
    if (json_is(e->category, "ac2g", 4) || !time_of(log, e->ts, at, &flow.ts_ns))
        return;
    flow.key = key_of(log, e);
    flow.lane = lane_of(log, e);
    vec_push(&log->flows, flow);
}

static void add_span(struct trace_log *log, const struct event *e, uint64_t at)
{
    const uint8_t phase = e->phase.at[0];
    struct trace_span span = {.is_begin = phase == 'b' || phase == 'S'};

    if (!time_of(log, e->ts, at, &span.ts_ns))
        return;
    span.key = key_of(log, e);
    span.name = trace_string(log, e->name);
    vec_push(&log->spans, span);
}

/* Names of processes and threads: the last one counts. */
static void add_metadata(struct trace_log *log, const struct event *e)
{
    if (!event_has(e, ARG_NAME))
        return;
    if (json_is(e->name, "thread_name", 11)) {
        const uint32_t lane = lane_of(log, e);

        log->lanes.data[lane].name = arg_string(log, e, ARG_NAME);
    } else if (json_is(e->name, "process_name", 12)) {
        const strid process = process_of(log, e->pid);

        if (process >= log->process_names.n)
            vec_resize_zero(&log->process_names, (size_t)process + 1);
        log->process_names.data[process] = arg_string(log, e, ARG_NAME);
    }
}

void trace_log_add(struct trace_log *log, const struct event *e, uint64_t at)
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
    case 'i':
    case 'I':
    case 'R':
        add_instant(log, e, at);
        break;
    case 's':
    case 't':
    case 'f':
        add_flow(log, e, at);
        break;
    case 'b':
    case 'e':
    case 'S':
    case 'F':
        add_span(log, e, at);
        break;
    case 'M':
        add_metadata(log, e);
        break;
    default:
        break;
    }
}

void trace_log_finish(struct trace_log *log)
{
    for (size_t i = 0; i < log->lanes.n; i++) {
        struct trace_lane *lane = &log->lanes.data[i];

        for (size_t k = 0; k < lane->open.n; k++) {
            struct trace_slice *slice = &log->slices.data[lane->open.data[k]];

            slice->dur_ns = lane->last_ns - slice->start_ns;
            log->repairs[REPAIR_BEGIN_WITHOUT_END]++;
        }
        lane->open.n = 0;
    }
}
