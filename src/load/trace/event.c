/* event.c: parses one event of a trace. */
#include "load/trace/event.h"

#include <string.h>

struct arg_name {
    const char *name;
    uint8_t len;
    uint8_t arg; /* enum event_arg */
};

#define NAMED(text, id) {(text), sizeof(text) - 1, (id)}

/* Sorted by length: arg_of_length[N] is the first name of N bytes. */
static const struct arg_name arg_names[] = {
    NAMED("op", ARG_OP),
    NAMED("Seq", ARG_SEQ),
    NAMED("name", ARG_NAME),
    NAMED("Addr", ARG_ADDRESS),
    NAMED("grid", ARG_GRID),
    NAMED("Bytes", ARG_BYTES),
    NAMED("bytes", ARG_BYTES),
    NAMED("tf_op", ARG_TF_OP),
    NAMED("block", ARG_BLOCK),
    NAMED("dtype", ARG_TYPE),
    NAMED("device", ARG_DEVICE),
    NAMED("stream", ARG_STREAM),
    NAMED("hlo_op", ARG_HLO_OP),
    NAMED("kernel", ARG_KERNEL),
    NAMED("input0", ARG_INPUT),
    NAMED("weight", ARG_WEIGHT),
    NAMED("self_us", ARG_SELF),
    NAMED("op_name", ARG_NODE_OP),
    NAMED("snapshot", ARG_SNAPSHOT),
    NAMED("step_num", ARG_STEP_NUMBER),
    NAMED("group_id", ARG_GROUP_ID),
    NAMED("provider", ARG_PROVIDER),
    NAMED("Python id", ARG_PYTHON_ID),
    NAMED("Device Id", ARG_DEVICE_ID),
    NAMED("Input Dims", ARG_DIMS),
    NAMED("Input dims", ARG_DIMS),
    NAMED("hlo_module", ARG_HLO_MODULE),
    NAMED("Call stack", ARG_CALL_STACK),
    NAMED("Input type", ARG_TYPES),
    NAMED("correlation", ARG_CORRELATION),
    NAMED("External id", ARG_EXTERNAL_ID),
    NAMED("external id", ARG_EXTERNAL_ID),
    NAMED("Device Type", ARG_DEVICE_TYPE),
    NAMED("parent_name", ARG_PARENT_NAME),
    NAMED("output_size", ARG_OUTPUT_SIZE),
    NAMED("Input types", ARG_TYPES),
    NAMED("Input shapes", ARG_DIMS),
    NAMED("warps per SM", ARG_WARPS_PER_SM),
    NAMED("Fwd thread id", ARG_FORWARD_THREAD),
    NAMED("graph node id", ARG_GRAPH_NODE),
    NAMED("shared memory", ARG_SHARED_MEMORY),
    NAMED("blocks per SM", ARG_BLOCKS_PER_SM),
    NAMED("In msg nelems", ARG_ELEMENTS),
    NAMED("correlation_id", ARG_CORRELATION),
    NAMED("Total Reserved", ARG_TOTAL_RESERVED),
    NAMED("Total Allocated", ARG_TOTAL_ALLOCATED),
    NAMED("Sequence number", ARG_SEQUENCE),
    NAMED("Concrete Inputs", ARG_VALUES),
    NAMED("Collective name", ARG_COLLECTIVE),
    NAMED("Python parent id", ARG_PYTHON_PARENT),
    NAMED("input_type_shape", ARG_TYPED_INPUTS),
    NAMED("output_type_shape", ARG_TYPED_OUTPUTS),
    NAMED("Process Group Name", ARG_GROUP_NAME),
    NAMED("Process Group Ranks", ARG_GROUP_RANKS),
    NAMED("registers per thread", ARG_REGISTERS),
    NAMED("thread_scheduling_stats", ARG_THREAD_STATS),
    NAMED("est. achieved occupancy %", ARG_OCCUPANCY),
};

enum { LONGEST_ARG = 25 };

static const uint8_t arg_of_length[LONGEST_ARG + 2] = {
    [2] = 0, [3] = 1, [4] = 2, [5] = 5, [6] = 10, [7] = 16, [8] = 18, [9] = 22, [10] = 24,
    [11] = 29, [12] = 36, [13] = 38, [14] = 43, [15] = 45, [16] = 49, [17] = 51, [18] = 52,
    [19] = 53, [20] = 54, [21] = 55, [22] = 55, [23] = 55, [24] = 56, [25] = 56, [26] = 57,
};

_Static_assert(sizeof arg_names / sizeof *arg_names == 57, "arg_of_length counts them");

/* The argument with this name, or ARG_COUNT. */
static enum event_arg arg_of(struct json_value key)
{
    if (key.len > LONGEST_ARG)
        return ARG_COUNT;
    for (unsigned i = arg_of_length[key.len]; i < arg_of_length[key.len + 1]; i++)
        if (*arg_names[i].name == *key.at && memcmp(arg_names[i].name, key.at, key.len) == 0)
            return arg_names[i].arg;
    return ARG_COUNT;
}

static bool read_args(struct json_in *in, struct trace_event *e)
{
    struct json_value key, value;

    e->has_arg = 0;
    e->args.at = in->at;
    if (!json_open(in))
        return false;
    while (json_key(in, &key)) {
        const enum event_arg arg = arg_of(key);

        if (!json_value(in, &value))
            return false;
        if (arg < ARG_COUNT) {
            e->arg[arg] = value;
            e->has_arg |= UINT64_C(1) << arg;
        }
    }
    e->args.len = (size_t)(in->at - e->args.at);
    e->args.type = JSON_OBJECT;
    return in->fault == JSON_FINE;
}

/* The field of E with this name, or NULL. */
static struct json_value *field_of(struct trace_event *e, struct json_value key)
{
    switch (key.len) {
    case 2:
        return json_is(key, "ph", 2)   ? &e->phase
               : json_is(key, "ts", 2) ? &e->ts
               : json_is(key, "id", 2) ? &e->id
               : json_is(key, "bp", 2) ? &e->bind
               : json_is(key, "sf", 2) ? &e->stack_frame
                                       : NULL;
    case 3:
        return json_is(key, "cat", 3)   ? &e->category
               : json_is(key, "dur", 3) ? &e->dur
               : json_is(key, "pid", 3) ? &e->pid
               : json_is(key, "tid", 3) ? &e->tid
               : json_is(key, "id2", 3) ? &e->id
                                        : NULL;
    case 4:
        return json_is(key, "name", 4) ? &e->name : json_is(key, "args", 4) ? &e->args : NULL;
    case 5:
        return json_is(key, "stack", 5) ? &e->stack : NULL;
    default:
        return NULL;
    }
}

void event_clear(struct trace_event *e)
{
    memset(e->fields, 0, sizeof e->fields);
    e->has_arg = 0;
    e->is_empty = true;
}

bool event_read(struct json_in *in, struct trace_event *e)
{
    struct json_value key, ignored;

    event_clear(e);
    e->at = in->at;
    if (!json_open(in))
        return false;
    while (json_key(in, &key)) {
        struct json_value *field = field_of(e, key);

        e->is_empty = false;
        if (field == &e->args && *in->at == '{') {
            if (!read_args(in, e))
                return false;
            continue;
        }
        if (field == &e->args)
            e->has_arg = 0;
        if (!json_value(in, field ? field : &ignored))
            return false;
    }
    return in->fault == JSON_FINE;
}

bool event_is_likely(const uint8_t *at, const uint8_t *end)
{
    struct json_in in = {.at = at, .end = end};
    struct trace_event event;
    struct json_value key;

    return json_open(&in) && json_key(&in, &key) && field_of(&event, key);
}

int64_t event_number(const struct trace_event *e, enum event_arg arg)
{
    int64_t number;

    return event_has(e, arg) && json_integer(e->arg[arg], &number) ? number : NUMBER_NONE;
}

bool event_time(struct json_value value, int64_t *ns)
{
    /* leaves room for sums of two times */
    return json_decimal(value, 3, ns) && *ns > INT64_MIN / 4 && *ns < INT64_MAX / 4;
}

bool event_lacks(struct json_value value)
{
    return value.type == JSON_ABSENT || (value.type == JSON_WORD && json_is(value, "null", 4));
}
