/* trace_marks.c: handles events other than slices: marks, flows, spans, tensors and names. */
#include <stdlib.h>
#include <string.h>

#include "load/trace/trace_log.h"

/* True if E is an out-of-memory event. */
static bool is_failure(const struct trace_event *e)
{
    return json_is(e->name, "[OutOfMemory]", 13);
}

static void add_instant(struct trace_log *log, const struct trace_event *e, uint64_t at)
{
    struct trace_memory m = {.part = PART_NONE, .order = (uint32_t)log->memories.n};
    struct trace_pool pool = {.device = -1};
    const int64_t type = event_number(e, ARG_DEVICE_TYPE);

    if (event_number(e, ARG_BYTES) == NUMBER_NONE || !trace_time(log, e->ts, at, &m.ts_ns))
        return;
    m.track = trace_track_of(log, e);
    m.is_failure = is_failure(e);
    m.bytes = event_number(e, ARG_BYTES);
    m.address = event_number(e, ARG_ADDRESS);
    m.total_allocated = event_number(e, ARG_TOTAL_ALLOCATED);
    pool.total_reserved = event_number(e, ARG_TOTAL_RESERVED);
    pool.device_type = type > 0 && type <= INT32_MAX ? (int32_t)type : 0;
    if (type > 0)
        pool.device = (int32_t)(event_number(e, ARG_DEVICE_ID) & INT32_MAX);
    m.pool = intern_put(&log->pools, &pool, sizeof pool);
    vec_push(&log->memories, m);
}

/* Flows from launches to work are skipped, since correlations tie them. */
static bool is_launch_flow(struct json_value category)
{
    return json_is(category, "ac2g", 4) || json_is(category, "async_gpu", 9) ||
           json_is(category, "async_cpu_to_gpu", 16);
}

/* Interns category, NAME and id. */
static strid key_of(struct trace_log *log, const struct trace_event *e, strid name)
{
    const strid key[3] = {trace_string(log, e->category), name, trace_string(log, e->id)};

    return intern_put(&log->keys, key, sizeof key);
}

static void add_flow(struct trace_log *log, const struct trace_event *e, uint64_t at)
{
    struct trace_flow flow = {.phase = e->phase.at[0], .binds_around = json_is(e->bind, "e", 1)};

    if (!trace_time(log, e->ts, at, &flow.ts_ns))
        return;
    flow.key = key_of(log, e, trace_string(log, e->name));
    flow.track = trace_track_of(log, e);
    flow.binds_around |= flow.phase != 'f';
    flow.is_backward = json_is(e->category, "fwdbwd", 6);
    log->has_backward_flows |= flow.is_backward;
    vec_push(&log->flows, flow);
}

/* Interns category and id of a span, and its process if the id is local to it. */
static strid span_key(struct trace_log *log, const struct trace_event *e)
{
    const bool is_local = e->id.type == JSON_OBJECT && memmem(e->id.at, e->id.len, "\"local\"", 7);
    const strid key[4] = {trace_string(log, e->category), is_local, trace_string(log, e->id),
                          is_local ? trace_string(log, e->pid) : STRID_EMPTY};

    return intern_put(&log->keys, key, sizeof key);
}

/* The name of a span is that of its begin event. */
static void add_span(struct trace_log *log, const struct trace_event *e, uint64_t at)
{
    const uint8_t phase = e->phase.at[0];
    struct trace_span span = {.is_begin = phase == 'b' || phase == 'S',
                              .order = (uint32_t)log->spans.n};

    if (!trace_time(log, e->ts, at, &span.ts_ns))
        return;
    if (span.is_begin)
        span.name = trace_string(log, e->name);
    span.key = span_key(log, e);
    vec_push(&log->spans, span);
}

/* Sets the name of a process or thread; the last name counts. */
static void add_metadata(struct trace_log *log, const struct trace_event *e)
{
    if (!event_has(e, ARG_NAME))
        return;
    if (json_is(e->name, "thread_name", 11)) {
        const uint32_t track = trace_track_of(log, e);

        log->tracks.data[track].name = trace_arg(log, e, ARG_NAME);
    } else if (json_is(e->name, "process_name", 12)) {
        const strid process = trace_process_of(log, e->pid);

        if (process >= log->process_names.n)
            vec_resize_zero(&log->process_names, (size_t)process + 1);
        log->process_names.data[process] = trace_arg(log, e, ARG_NAME);
    }
}

/* ---- tensors of TensorFlow's timeline */

/* The number after KEY in TEXT, or 0. */
static int64_t number_behind(const char *text, const char *key)
{
    const char *at = strstr(text, key);
    struct json_value digits = {.type = JSON_WORD};
    int64_t number;

    if (!at)
        return 0;
    at += strlen(key);
    digits.at = (const uint8_t *)at;
    digits.len = strspn(at, "0123456789");
    return digits.len && json_integer(digits, &number) ? number : 0;
}

/* Reads the size from a snapshot's tensor_description, which is a text proto in a string. */
static void add_tensor(struct trace_log *log, const struct trace_event *e)
{
    struct trace_tensor tensor = {.bytes = 0};
    struct json_in in;
    struct json_value key, value;

    if (!event_has(e, ARG_SNAPSHOT) || e->arg[ARG_SNAPSHOT].type != JSON_OBJECT)
        return;
    in = json_again(e->arg[ARG_SNAPSHOT], false);
    if (!json_open(&in))
        return;
    while (json_key(&in, &key) && json_value(&in, &value)) {
        if (!json_is(key, "tensor_description", 18) || value.type != JSON_STRING)
            continue;
        sb_clear(&log->scratch);
        json_unescape(&log->scratch, value);
        tensor.bytes = number_behind(sb_text(&log->scratch), "requested_bytes: ");
        tensor.name = trace_string(log, e->name);
        vec_push(&log->tensors, tensor);
    }
}

bool trace_mark_counts(const struct trace_event *e, uint8_t phase)
{
    switch (phase) {
    case 'i':
    case 'I':
    case 'R':
        return json_is(e->name, "[memory]", 8) || is_failure(e);
    case 's':
    case 't':
    case 'f':
        return !is_launch_flow(e->category);
    default:
        return phase && strchr("beSFPMO", phase);
    }
}

void trace_mark_add(struct trace_log *log, const struct trace_event *e, uint8_t phase, uint64_t at)
{
    switch (phase) {
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
    case 'P':
        trace_sample_add(log, e, at);
        break;
    case 'M':
        add_metadata(log, e);
        break;
    case 'O':
        add_tensor(log, e);
        break;
    default:
        break;
    }
}
