/* trace_log.h: stores the events of a trace until the file is complete.
 *
 * The meaning of an event may depend on later ones, so nodes are built after reading.  A slice
 * takes 40 bytes; strings and argument sets are stored once. */
#pragma once

#include "load/loader.h"
#include "load/trace/event.h"
#include "model/recorder.h"

/* A set of arguments; equal sets are shared. */
struct trace_args {
    strid dims, values;      /* of an operator's inputs, as JSON */
    strid call_stack;        /* frames joined by ';' */
    strid device, stream;
    strid name, op;          /* of TensorFlow timelines; `name` also of device events */
    strid inputs;            /* of TensorFlow timelines: all arguments, as JSON */
    strid hlo_op, hlo_module, tf_op;
    strid group;             /* group_id */
    strid step;              /* step_num */
    strid collective, group_name, group_ranks, seq; /* of a collective operation */
    strid elements, type;    /* number and type of its input elements */
    strid kernel;            /* name of the kernel that a call launches */
    strid types;             /* input types of an attention operator */
    strid node_op, provider; /* of an ONNX Runtime node; dims and values hold its shapes */
    strid parent;            /* name of the node's event, for an ONNX Runtime kernel */
    strid domain;            /* of ranges of Nsight Systems, in the log's keys; 0: none */
    strid bytes;             /* size of a message, or of outputs */
    uint32_t config;         /* of a kernel: index in the log's configs; 0: none */
};

/* A time interval on a track. */
struct trace_slice {
    int64_t start_ns, dur_ns; /* dur_ns -1: no end found yet */
    int64_t link;             /* correlation, External id, exclusive time (timelines, ns), or
                               * frame_link() of a frame */
    strid name;
    uint32_t track, args; /* indexes; args 0: none */
    uint16_t category;   /* index in the log's categories */
    uint16_t is_mark;    /* from a `B` event */
};

/* The link of a Python frame: its id in the upper half, its parent's id in the lower. */
#define FRAME_NONE UINT32_MAX
static inline int64_t frame_link(uint32_t id, uint32_t parent)
{
    return (int64_t)((uint64_t)id << 32 | parent);
}

struct trace_track {
    strid pid, tid;
    strid name;    /* of the thread */
    int64_t last_ns; /* latest end of a slice, or time of a `B` */
    VEC(uint32_t) open; /* open slices, innermost last */
};

/* An allocation (bytes > 0) or a free. */
#define PART_NONE UINT32_MAX
struct trace_memory {
    int64_t ts_ns, bytes;
    int64_t address; /* NUMBER_NONE if unknown; also for the two totals */
    int64_t total_allocated;
    uint32_t pool;        /* in trace_log.pools */
    uint32_t next;        /* next mark of the same slice, or UINT32_MAX; at last the rank of the device */
    uint32_t track;
    uint32_t order; /* position in the file */
    uint32_t part;  /* its part, or PART_NONE; of a failure the stack of the slice that contains it */
    bool is_failure; /* memory ran out: `bytes` were not allocated */
};

/* What successive marks have in common. */
struct trace_pool {
    int64_t total_reserved;
    int32_t device;      /* negative: the host */
    int32_t device_type; /* 0: CPU, 1: GPU */
};

/* One end of a flow. */
struct trace_flow {
    int64_t ts_ns;
    strid key; /* id in `keys` of category, name and flow id */
    uint32_t track;
    uint32_t path; /* bound slice; PATH_ROOT: none, or not swept yet */
    uint8_t phase;
    bool is_backward; /* fwdbwd: from the forward to the backward pass */
    bool binds_around; /* binds to the enclosing slice, else to the next one */
};

/* An operator with an autograd sequence number. */
struct trace_sequence {
    int64_t number, start_ns;
    int64_t forward_thread; /* positive: backward operator of that thread, an id of the profiler */
    uint32_t slice;
    uint32_t path; /* as in trace_flow */
};

/* The begin or the end of an asynchronous span. */
struct trace_span {
    int64_t ts_ns, dur_ns; /* dur_ns: set in the begin; 0 until the end is found */
    strid key, name;
    uint32_t order; /* position in the file */
    bool is_begin;
};

/* A frame of the top-level key `stackFrames`. */
struct trace_frame {
    strid id, parent, name;
};

/* A call stack sample: its innermost frame, or a list of frames as JSON. */
struct trace_sample {
    int64_t ts_ns, weight;
    strid name, frame, stack;
};

/* The External id of device work; used if the trace has no runtime calls. */
struct trace_external {
    int64_t number;
    uint32_t slice;
};

/* The CUDA graph node of a launch or of device work. */
struct trace_graph_node {
    int64_t number;
    uint32_t slice;
};

/* Size of an operator's output in a TensorFlow timeline. */
struct trace_tensor {
    strid name; /* NODE for output 0, else NODE:INDEX */
    int64_t bytes;
};

struct trace_category {
    strid name; /* in the profile; "" if missing */
    bool is_runtime; /* calls that launch work, in files of PyTorch */
    uint64_t n_slices;
};

/* Copy of the source text of a pid or tid; the file's bytes are released. */
struct track_text {
    uint8_t bytes[22], len, type; /* len 0: too long, not kept */
};

struct trace_log {
    struct builder *builder; /* owns the strings */
    VEC(struct trace_slice) slices;
    VEC(struct trace_track) tracks;
    VEC(struct trace_memory) memories;
    struct intern pools; /* of struct trace_pool */
    VEC(struct trace_flow) flows;
    VEC(struct trace_span) spans;
    VEC(struct trace_tensor) tensors;
    VEC(struct trace_frame) frames;
    VEC(struct trace_sample) samples;
    VEC(strid) recorded; /* by name of a slice: its arguments at first, as JSON (ONNX Runtime) */
    VEC(struct trace_external) externals; /* by slice */
    VEC(struct trace_graph_node) graph_nodes; /* by slice until slices are reordered */
    bool has_runtime; /* a runtime call was read */
    VEC(struct trace_sequence) sequences; /* by slice */
    bool has_backward_flows; /* from fwdbwd flows; sequence numbers are then not used for inputs */
    VEC(struct trace_category) categories;
    struct intern args;       /* struct trace_args; id 0 is empty */
    struct intern configs;    /* struct kernel_config; id 0 is none */
    struct intern track_keys, category_keys, keys;
    struct intern processes;  /* texts of pids */
    VEC(strid) process_names; /* by id in processes */
    VEC(strid) domain_names;  /* by id in keys */
    uint64_t n_events, n_phases[128], n_phaseless;
    uint64_t repairs[REPAIR_COUNT];
    uint64_t first_at[REPAIR_COUNT]; /* offsets in the decompressed file */
    uint64_t cut_at;    /* offset of the truncated event, or of the end */
    bool is_cut_within; /* the file ends within an event */
    struct recorder *recording; /* facts from top-level keys; owned by the builder */
    VEC(struct device_name) device_names;
    VEC(strid) errors;
    bool is_nsys;     /* converted from an export of Nsight Systems */
    bool has_schema;  /* has schemaVersion or deviceProperties */
    bool has_highres; /* has metadata.highres-ticks */
    bool has_ns_unit; /* displayTimeUnit is ns */
    struct strbuf scratch;
    uint32_t last_track; /* cache: the track of the previous event */
    struct track_text last_pid, last_tid;
};

void trace_log_init(struct trace_log *log, struct builder *builder, struct recorder *recording);
void trace_log_done(struct trace_log *log);

/* Counts N repairs at offset AT. */
void trace_repair(struct trace_log *log, enum repair repair, uint64_t n, uint64_t at);

struct trace_batch; /* load/trace/trace_batch.h */
struct decoded_event;

/* Adds the decoded event E of BATCH; AT is its offset. */
void trace_log_add(struct trace_log *log, struct trace_batch *batch, const struct decoded_event *e,
                   uint64_t at);
/* Ends open slices; called after the last event. */
void trace_log_finish(struct trace_log *log);

/* Interns a JSON value: a string unescaped, other values as source text. */
strid trace_string(struct trace_log *log, struct json_value value);

/* A string of the profile under construction. */
static inline struct text log_text(const struct trace_log *log, strid id)
{
    return intern_string(&builder_profile(log->builder)->strings, id);
}
/* The category NAME, added if new. */
uint16_t trace_category(struct trace_log *log, struct text name);
/* True for categories of calls that launch work. */
bool trace_is_runtime(const char *category);

/* True if events of PHASE, which is not that of a slice, are used. */
bool trace_mark_counts(const struct trace_event *e, uint8_t phase);
/* Adds such an event. */
void trace_mark_add(struct trace_log *log, const struct trace_event *e, uint8_t phase, uint64_t at);

/* Add the frames of `stackFrames`, and a call stack sample. */
void trace_frames_add(struct trace_log *log, struct json_value frames);
void trace_sample_add(struct trace_log *log, const struct trace_event *e, uint64_t at);

/* The track of an event.  A missing thread is named like its process; a missing process is 0. */
uint32_t trace_track_of(struct trace_log *log, const struct trace_event *e);
/* The id of a process in log->processes. */
strid trace_process_of(struct trace_log *log, struct json_value pid);
/* An argument as a string of the profile; STRID_EMPTY if absent. */
strid trace_arg(struct trace_log *log, const struct trace_event *e, enum event_arg arg);
/* Converts microseconds to nanoseconds.  Without a valid number counts a repair at offset AT and
 * returns false. */
bool trace_time(struct trace_log *log, struct json_value value, uint64_t at, int64_t *ns);

/* The argument set with id ARGS; id 0 is empty. */
struct trace_args trace_args_of(const struct trace_log *log, uint32_t args);

/* trace_keys.c: handles one top-level key and its value. */
void trace_key_add(struct trace_log *log, struct json_value key, struct json_value value);

/* Reads the input of L and repairs malformed events.  False with ERR: cancelled, not a trace, or no
 * event. */
bool trace_read(struct trace_log *log, struct loader *l, struct err *err);
