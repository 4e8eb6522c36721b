/* trace_log.h: stores the events of a trace until the file is complete.
 *
 * The meaning of an event may depend on later ones, so nodes are built after reading.  A slice
 * takes 40 bytes; strings and argument sets are stored once. */
#pragma once

#include "load/loader.h"
#include "load/trace/event.h"
#include "model/recorder.h"

/* A set of arguments, shared by events. */
struct trace_args {
    strid dims, values;      /* of an operator's inputs, as JSON */
    strid call_stack;        /* frames joined by ';' */
    strid device, stream;
    strid name, op;          /* TensorFlow's timeline; `name` also of device events */
    strid inputs;            /* the same: all arguments, as JSON */
    strid hlo_op, hlo_module, tf_op;
    strid group;             /* group_id */
    strid step;              /* step_num */
    strid collective, group_name, group_ranks, seq; /* of a collective operation */
    strid elements, type;    /* of its input: their number, and what they are */
    strid kernel;            /* of a launch: the kernel's name */
    strid types;             /* of the inputs of an operator that computes attention */
    strid node_op, provider; /* of nodes of ONNX Runtime; shapes of these are in dims and values */
    strid parent;            /* of a kernel there: the name of its node's event */
    strid domain;            /* of ranges of Nsight Systems, in the log's keys; 0: none */
    strid bytes;             /* size of a message, or of outputs */
    uint32_t config;         /* of a kernel, in the log's configs; 0: none */
};

/* An interval of a track. */
struct trace_slice {
    int64_t start_ns, dur_ns; /* dur -1: no end was seen yet */
    int64_t link;             /* correlation, External id, self time of a timeline (ns), or of a frame
                               * see frame_link() */
    strid name;
    uint32_t track, args; /* indexes; args 0: none */
    uint16_t category;   /* in the log's categories */
    uint16_t is_mark;    /* a `B` */
};

/* The link of a Python frame: its id above, its parent's below. */
#define FRAME_NONE UINT32_MAX
static inline int64_t frame_link(uint32_t id, uint32_t parent)
{
    return (int64_t)((uint64_t)id << 32 | parent);
}

struct trace_track {
    strid pid, tid;
    strid name;    /* of the thread */
    int64_t last_ns; /* largest end of a slice or time of a `B` */
    VEC(uint32_t) open; /* slices without an end so far, the innermost last */
};

/* An allocation (bytes > 0) or a free. */
#define PART_NONE UINT32_MAX
struct trace_memory {
    int64_t ts_ns, bytes;
    int64_t address; /* NUMBER_NONE: not said, as these two */
    int64_t total_allocated, total_reserved;
    int64_t step;         /* of the slice it belongs to, with its path and stack: */
    uint32_t path, stack; /* set when its track is swept */
    uint32_t next;        /* mark of the same slice; UINT32_MAX: none */
    uint32_t track;
    int32_t device; /* below 0: the host */
    int32_t device_type; /* 0: CPU, 1: GPU */
    uint32_t order; /* in the file */
    uint32_t part;  /* of its node, as path; PART_NONE: not known */
};

/* One end of a flow. */
struct trace_flow {
    int64_t ts_ns;
    strid key; /* of category, name and id, in the log's `keys` */
    uint32_t track;
    uint32_t path; /* it is bound to; PATH_ROOT: none, or its track was not swept yet */
    uint8_t phase;
    bool is_backward; /* from the forward to the backward pass: fwdbwd */
    bool binds_around; /* to the slice around it, else the next one */
};

/* An operator that took part in computing gradients. */
struct trace_sequence {
    int64_t number, start_ns;
    int64_t forward_thread; /* above 0: thread whose backward pass it belongs to; a number of the profiler */
    uint32_t slice;
    uint32_t path; /* as of a flow */
};

/* An asynchronous span's begin or end. */
struct trace_span {
    int64_t ts_ns, dur_ns; /* dur_ns of a begin: 0 until its end is found */
    strid key, name;
    uint32_t order; /* in the file */
    bool is_begin;
};

/* Of the top-level key `stackFrames`. */
struct trace_frame {
    strid id, parent, name;
};

/* A sample of a call stack: its innermost frame, or a list of frames as JSON. */
struct trace_sample {
    int64_t ts_ns, weight;
    strid name, frame, stack;
};

/* The External id of work, as long as there is no call that launches. */
struct trace_external {
    int64_t number;
    uint32_t slice;
};

/* The node of a CUDA graph that a launch or work belongs to. */
struct trace_graph_node {
    int64_t number;
    uint32_t slice;
};

/* What an output of an operator takes, in TensorFlow's timeline. */
struct trace_tensor {
    strid name; /* NODE, or NODE:INDEX but for the first output */
    int64_t bytes;
};

struct trace_category {
    strid name; /* in the profile; "" without one */
    bool is_runtime; /* of calls that launch work, in files of PyTorch */
    uint64_t n_slices;
};

/* Text of a pid or tid, copied because the bytes of the file are released. */
struct track_text {
    uint8_t bytes[22], len, type; /* len 0: too long to keep */
};

struct trace_log {
    struct builder *builder; /* for its strings */
    VEC(struct trace_slice) slices;
    VEC(struct trace_track) tracks;
    VEC(struct trace_memory) memories;
    VEC(struct trace_flow) flows;
    VEC(struct trace_span) spans;
    VEC(struct trace_tensor) tensors;
    VEC(struct trace_frame) frames;
    VEC(struct trace_sample) samples;
    VEC(struct trace_external) externals; /* by slice */
    VEC(struct trace_graph_node) graph_nodes; /* by slice, until slices are ordered */
    bool has_runtime; /* calls that launch, so far */
    VEC(struct trace_sequence) sequences; /* by slice */
    bool has_backward_flows; /* fwdbwd: no need to look at sequences */
    VEC(struct trace_category) categories;
    struct intern args;       /* of struct trace_args; 0 is none */
    struct intern configs;    /* of struct kernel_config; 0 is none */
    struct intern track_keys, category_keys, keys;
    struct intern processes;  /* of pid texts */
    VEC(strid) process_names; /* by id in processes */
    VEC(strid) domain_names;  /* by id in keys */
    uint64_t n_events, n_phases[128], n_phaseless;
    uint64_t repairs[REPAIR_COUNT];
    uint64_t first_at[REPAIR_COUNT]; /* offsets in the unpacked file */
    uint64_t cut_at;    /* where an event begins that the end of the file cuts, or where it ends */
    bool is_cut_within; /* within an event */
    struct recorder *recording; /* what top-level keys say; the builder's */
    VEC(struct device_name) device_names;
    VEC(strid) errors;
    bool is_nsys;     /* made of an export of Nsight Systems */
    bool has_schema;  /* schemaVersion or deviceProperties */
    bool has_highres; /* metadata.highres-ticks */
    bool has_ns_unit; /* displayTimeUnit ns */
    struct strbuf scratch;
    uint32_t last_track; /* of the event before: most are of the same */
    struct track_text last_pid, last_tid;
};

void trace_log_init(struct trace_log *log, struct builder *builder, struct recorder *recording);
void trace_log_done(struct trace_log *log);

/* Counts a repair at offset AT. */
void trace_repair(struct trace_log *log, enum repair repair, uint64_t n, uint64_t at);

struct trace_batch; /* load/trace/trace_batch.h */
struct decoded_event;

/* Adds the event E of BATCH, which is decoded; AT is its offset. */
void trace_log_add(struct trace_log *log, struct trace_batch *batch, const struct decoded_event *e,
                   uint64_t at);
/* Ends open slices.  Called after the last event. */
void trace_log_finish(struct trace_log *log);

/* The string of a value as an id of the profile: text of a string, a word or a container as it
 * stands. */
strid trace_string(struct trace_log *log, struct json_value value);

/* A string of the profile under construction. */
static inline struct text log_text(const struct trace_log *log, strid id)
{
    return intern_string(&builder_profile(log->builder)->strings, id);
}
/* The category of that name, added when it is new. */
uint16_t trace_category(struct trace_log *log, struct text name);
/* True for the category of calls that launch work. */
bool trace_is_runtime(const char *category);

/* True for an event of PHASE, no slice, whose values are looked at. */
bool trace_mark_counts(const struct trace_event *e, uint8_t phase);
/* Takes such an event. */
void trace_mark_add(struct trace_log *log, const struct trace_event *e, uint8_t phase, uint64_t at);

/* Takes the frames that samples name, and a sample. */
void trace_frames_add(struct trace_log *log, struct json_value frames);
void trace_sample_add(struct trace_log *log, const struct trace_event *e, uint64_t at);

/* The track of a process and thread by their texts: a missing thread is named like its process, a
 * missing process 0. */
uint32_t trace_track_of(struct trace_log *log, const struct trace_event *e);
/* The id of a process in log->processes. */
strid trace_process_of(struct trace_log *log, struct json_value pid);
/* An argument as a string of the profile; STRID_EMPTY: it is not there. */
strid trace_arg(struct trace_log *log, const struct trace_event *e, enum event_arg arg);
/* Microseconds as nanoseconds; false, counted as a repair at offset AT, when there is no such
 * number. */
bool trace_time(struct trace_log *log, struct json_value value, uint64_t at, int64_t *ns);

/* All empty for 0. */
struct trace_args trace_args_of(const struct trace_log *log, uint32_t args);

/* trace_keys.c: takes a key of the top level, and its value. */
void trace_key_take(struct trace_log *log, struct json_value key, struct json_value value);

/* Reads the whole input of L and repairs what is malformed.  False with ERR set: cancelled, not a
 * trace, or no event. */
bool trace_read(struct trace_log *log, struct loader *l, struct err *err);
