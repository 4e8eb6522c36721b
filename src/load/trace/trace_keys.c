/* trace_keys.c: top-level keys of a trace other than its events (formats-trace.md section 1.1). */
#include "load/trace/trace_log.h"

static void read_number(struct json_value value, int64_t *number)
{
    int64_t given;

    if (json_integer(value, &given))
        *number = given;
}

/* Reads rank and world_size of distributedInfo. */
static void read_distributed(struct trace_log *log, struct json_value info)
{
    struct json_in in = json_again(info, false);
    struct json_value key, value;

    if (info.type != JSON_OBJECT || !json_open(&in))
        return;
    while (json_key(&in, &key) && json_value(&in, &value)) {
        if (json_is(key, "rank", 4))
            read_number(value, &log->recording->rank);
        else if (json_is(key, "world_size", 10))
            read_number(value, &log->recording->world_size);
    }
}

static void read_metadata(struct trace_log *log, struct json_value metadata)
{
    struct json_in in = json_again(metadata, false);
    struct json_value key, value;

    if (metadata.type != JSON_OBJECT || !json_open(&in))
        return;
    while (json_key(&in, &key) && json_value(&in, &value))
        log->has_highres |= json_is(key, "highres-ticks", 13);
}

/* Reads id, name and compute capability of each device in deviceProperties. */
static void read_devices(struct trace_log *log, struct json_value devices)
{
    struct json_in in = json_again(devices, false);
    struct json_value device, key, value;

    while (devices.type == JSON_ARRAY && json_element(&in, &device)) {
        struct json_in members = json_again(device, false);
        struct device_name found = {.number = -1};

        if (device.type != JSON_OBJECT || !json_open(&members))
            continue;
        while (json_key(&members, &key) && json_value(&members, &value)) {
            if (json_is(key, "id", 2))
                read_number(value, &found.number);
            else if (json_is(key, "name", 4))
                found.name = trace_string(log, value);
            else if (json_is(key, "computeMajor", 12))
                read_number(value, &found.compute_major);
        }
        if (found.number >= 0 && found.name)
            vec_push(&log->device_names, found);
    }
}

/* Reads the errors reported by the profiler: a line, or an array of lines. */
static void read_errors(struct trace_log *log, struct json_value errors)
{
    struct json_in in = json_again(errors, false);
    struct json_value line;

    if (errors.type == JSON_STRING)
        vec_push(&log->errors, trace_string(log, errors));
    while (errors.type == JSON_ARRAY && json_element(&in, &line))
        if (line.type == JSON_STRING)
            vec_push(&log->errors, trace_string(log, line));
}

static bool is_true(struct json_value value)
{
    return json_is(value, "1", 1) || json_is(value, "true", 4);
}

void trace_key_add(struct trace_log *log, struct json_value key, struct json_value value)
{
    log->has_schema |= json_is(key, "schemaVersion", 13) || json_is(key, "deviceProperties", 16);
    if (json_is(key, "deviceProperties", 16))
        read_devices(log, value);
    else if (json_is(key, "ERROR", 5))
        read_errors(log, value);
    else if (json_is(key, "distributedInfo", 15))
        read_distributed(log, value);
    else if (json_is(key, "metadata", 8))
        read_metadata(log, value);
    else if (json_is(key, "displayTimeUnit", 15))
        log->has_ns_unit = json_is(value, "ns", 2);
    else if (json_is(key, "baseTimeNanoseconds", 19))
        read_number(value, &log->recording->base_ns);
    else if (json_is(key, "stackFrames", 11))
        trace_frames_add(log, value);
    else if (json_is(key, "record_shapes", 13))
        log->recording->has_shapes = is_true(value);
    else if (json_is(key, "with_stack", 10))
        log->recording->has_stacks = is_true(value);
}
