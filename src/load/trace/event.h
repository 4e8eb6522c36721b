/* event.h: one parsed event of a trace (formats-trace.md sections 1 to 3). */
#pragma once

#include "load/trace/json_in.h"

/* The arguments that are read; each has all names that writers use for it. */
enum event_arg {
    ARG_CORRELATION,
    ARG_EXTERNAL_ID,
    ARG_PYTHON_ID,
    ARG_PYTHON_PARENT,
    ARG_SEQUENCE,
    ARG_FORWARD_THREAD,
    ARG_DIMS,
    ARG_VALUES,
    ARG_CALL_STACK,
    ARG_DEVICE,
    ARG_STREAM,
    ARG_BYTES,
    ARG_ADDRESS,
    ARG_TOTAL_ALLOCATED,
    ARG_TOTAL_RESERVED,
    ARG_DEVICE_TYPE,
    ARG_DEVICE_ID,
    ARG_COLLECTIVE,
    ARG_GROUP_NAME,
    ARG_GROUP_RANKS,
    ARG_SEQ,
    ARG_ELEMENTS, /* of a collective: number of input elements, and their type */
    ARG_TYPE,
    ARG_NAME,
    ARG_OP,
    ARG_INPUT, /* the first input; others are looked up in `args` */
    ARG_STEP_NUMBER,
    ARG_GROUP_ID,
    ARG_HLO_OP,
    ARG_HLO_MODULE,
    ARG_TF_OP,
    ARG_SNAPSHOT,
    ARG_WEIGHT,
    ARG_GRID,
    ARG_BLOCK,
    ARG_REGISTERS,
    ARG_SHARED_MEMORY,
    ARG_BLOCKS_PER_SM,
    ARG_WARPS_PER_SM,
    ARG_OCCUPANCY,
    ARG_NODE_OP,       /* of nodes of ONNX Runtime, as these six */
    ARG_PROVIDER,
    ARG_TYPED_INPUTS,  /* like [{"float":[1,3]}] */
    ARG_TYPED_OUTPUTS,
    ARG_OUTPUT_SIZE,
    ARG_THREAD_STATS,
    ARG_PARENT_NAME,   /* of a kernel: the event of its node */
    ARG_KERNEL,        /* of a launch: the kernel's name */
    ARG_GRAPH_NODE,    /* of a launch or work: its node of a CUDA graph */
    ARG_TYPES,         /* of an operator's inputs */
    ARG_SELF, /* of a slice in a timeline that this program writes */
    ARG_COUNT
};

enum { EVENT_FIELDS = 12 };

struct trace_event {
    union {
        struct {
            struct json_value phase, name, category, ts, dur, pid, tid, id, bind, args;
            struct json_value stack_frame, stack; /* of a sample */
        };
        struct json_value fields[EVENT_FIELDS];
    };
    struct json_value arg[ARG_COUNT];
    uint64_t has_arg;        /* bit I: arg[I] is set */
    bool is_empty;           /* the object is {} */
    const uint8_t *at;       /* the opening brace */
};

/* Parses the object at IN.  On a fault returns false and leaves IN inside the object. */
bool event_read(struct json_in *in, struct trace_event *event);

/* True if the object at AT starts with a key that events have; END limits the bytes. */
bool event_is_likely(const uint8_t *at, const uint8_t *end);

static inline bool event_has(const struct trace_event *e, enum event_arg arg)
{
    return e->has_arg >> arg & 1;
}

/* Clears all values but `at`. */
void event_clear(struct trace_event *event);

#define NUMBER_NONE INT64_MIN
/* The value of ARG if it is a whole number, else NUMBER_NONE. */
int64_t event_number(const struct trace_event *e, enum event_arg arg);
/* Converts microseconds to nanoseconds; false when VALUE is no number. */
bool event_time(struct json_value value, int64_t *ns);
/* True for a value that is absent or null. */
bool event_lacks(struct json_value value);
