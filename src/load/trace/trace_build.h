/* trace_build.h: from the events of a trace to nodes, parts and executions (formats-trace.md section 4);
 * private to src/load/trace. */
#ifndef TFPROF_LOAD_TRACE_BUILD_H
#define TFPROF_LOAD_TRACE_BUILD_H

#include "base/budget.h"
#include "base/text.h"
#include "load/slices/nesting.h"
#include "load/trace/trace_log.h"

/* What slices of a category are. */
enum category_kind {
    KIND_OTHER,      /* of no known category: timed */
    KIND_CALL,       /* an operator */
    KIND_ANNOTATION,
    KIND_FRAME,      /* of Python */
    KIND_RUNTIME,    /* a call of an interface that launches work */
    KIND_KERNEL,     /* work of an accelerator, from here on */
    KIND_MEMCPY,
    KIND_MEMSET,
    KIND_BESIDE,     /* repeats others or says nothing of time, from here on */
};

static inline bool kind_is_work(enum category_kind kind)
{
    return kind >= KIND_KERNEL && kind <= KIND_MEMSET;
}

/* A path of calls, of which there is one for each sequence of slice names. */
struct call_path {
    uint32_t parent;
    uint32_t source; /* what it depends on in the graph view: the parent, of work its launch */
    strid name;      /* of the node of a slice that is on top by itself */
    strid prefix;    /* of the paths below it: "" for the root */
    strid op;
    node_id node;    /* NODE_NONE: not met yet */
    uint16_t category;
};

enum { PATH_ROOT = 0 };

/* A stack of Python frames; 0 is the empty one. */
struct stack_node {
    uint32_t parent;
    struct frame frame;
    trace_id trace; /* TRACE_NONE: not made yet */
};

/* A launch of work. */
struct launch {
    int64_t correlation, start_ns, step;
    uint32_t path;  /* of the operator around it, or its own */
    uint32_t own_path;
    uint32_t stack, args;
    uint32_t own_args; /* of the call itself */
    uint32_t dur_ns; /* UINT32_MAX at most */
    uint32_t first_work; /* that it launched, in the recording; SLICE_NONE: none so far */
};

/* Time or a run of a part in a step. */
struct segment {
    int64_t start_ns, dur_ns, step;
    uint32_t part;
    uint32_t next;   /* of the same part, SLICE_NONE: none */
    uint32_t n_runs; /* that begin with it */
    strid device;    /* STRID_EMPTY: the CPU */
};

struct trace_build {
    struct loader *l;
    struct trace_log *log;
    struct builder *builder;
    struct recording *recording;
    enum dialect dialect;
    bool kernel_rows;
    bool is_outline; /* rows of a tree that this program or TensorFlow's profiler wrote */
    uint8_t *kinds; /* by category, enum category_kind */
    bool has_runtime;
    VEC(uint8_t) is_work_name; /* with kernel_rows: by name of a slice */
    VEC(struct step_mark) steps; /* by start */
    struct idmap group_steps;    /* group_id -> index in steps */
    struct intern path_keys, stack_keys;
    VEC(struct call_path) paths;
    VEC(struct stack_node) stacks;
    VEC(uint32_t) stack_of_frame; /* by Python id, below n_dense_frames */
    size_t n_dense_frames;
    struct idmap frame_stacks; /* Python id -> stack: the others */
    struct idmap frame_of_name; /* name of a slice -> index of frames */
    VEC(struct frame) frames;
    VEC(struct launch) launches;
    VEC(struct segment) segments;
    VEC(uint32_t) first_segment; /* by part, SLICE_NONE: none */
    VEC(uint32_t) parts_met;
    VEC(struct exec_time) times; /* scratch */
    VEC(struct allocation) allocations; /* likewise */
    VEC(struct memory_use) uses;
    VEC(struct memory_left) left;
    struct intern devices, collectives;
    struct intern kernel_keys; /* of kernel_uses */
    VEC(struct kernel_use) kernel_uses;
    struct intern inputs;     /* pairs of nodes: of a node and what it depends on */
    VEC(uint32_t) n_inputs;   /* by node */
    strid cpu_device;
    struct strbuf name, scratch;
    struct budget names; /* bytes that names of paths have of the names above them */
    struct budget stack_bytes; /* memory of call stacks */
    uint64_t n_deep;      /* paths below DEEP_CALLS, for want of room for their names */
    uint64_t n_cut_stacks;
};

#define DEEP_CALLS "(deep calls)"

/* The bytes of a string of the profile. */
static inline struct text trace_text(const struct trace_build *b, strid id)
{
    const struct profile *p = builder_profile(b->builder);

    return (struct text){profile_text(p, id), intern_len(&p->strings, id)};
}

/* trace_kinds.c */
enum dialect dialect_of(const struct trace_log *log);
/* Fills b->kinds. */
void trace_kinds(struct trace_build *b);
/* The slice of an outline that is the root of its rows. */
bool is_outline_root(const struct trace_build *b, const struct trace_slice *slice);
/* True when work has a row of NAME of its own: a launch of the same name, as Triton's are, is no
 * further run of it. */
bool names_work(const struct trace_build *b, strid name);
/* A device that a process of a timeline stands for. */
struct timeline_device {
    struct text name; /* within that of the process */
    bool is_accelerator;
};
/* By the process's name: `DEVICE Compute` of TensorFlow's helper, `Op scheduling threads: DEVICE` or
 * `Op execution threads: DEVICE`, of an accelerator, of its profiler and of this program.  False: the
 * process is none of these. */
bool timeline_device(const char *name, size_t len, struct timeline_device *d);
enum category_kind kind_of(const struct trace_build *b, const struct trace_slice *slice);
enum work_class work_class_of(enum category_kind kind, const char *name, size_t len,
                              bool is_collective);

/* trace_steps.c */
void trace_steps(struct trace_build *b);
/* The step that contains an instant; STEP_OUTSIDE, or 0 when there are no steps. */
int64_t step_at(const struct trace_build *b, int64_t ns);
int64_t step_of_slice(const struct trace_build *b, const struct trace_slice *slice);
/* The first border of a step behind an instant; INT64_MAX: none. */
int64_t next_step_border(const struct trace_build *b, int64_t ns);
/* True when NAME is that of a step's mark, ProfilerStep#N. */
bool is_step_name(const char *name, size_t len);

/* trace_ranks.c */
/* Says which rank the recording loaded last is, among those before it; false with ERR when they
 * contradict each other.  Unless *IS_WANTED (-host_regexes) it is taken out again. */
bool trace_ranks(struct loader *l, bool *is_wanted, struct err *err);
/* The same for its steps, once they are known: two files of a rank must not share one. */
bool trace_rank_steps(const struct trace_build *b, struct err *err);

/* trace_paths.c */
void trace_paths_init(struct trace_build *b);
void trace_paths_done(struct trace_build *b);
/* The path of SLICE below PARENT. */
uint32_t path_of_slice(struct trace_build *b, uint32_t parent, const struct trace_slice *slice);
/* A path with a name and category of its own. */
uint32_t path_named(struct trace_build *b, uint32_t parent, strid name, uint16_t category);
/* The path of work below PARENT, which LAUNCH launched. */
uint32_t path_of_work(struct trace_build *b, uint32_t parent, uint32_t launch,
                      const struct trace_slice *slice, enum work_class work_class, strid device);
/* What the node of TO depends on in the graph view: one input more, unless it has it already. */
void add_dependence(struct trace_build *b, uint32_t to, uint32_t from);
/* The node of a path, made when something is booked there first. */
node_id node_of(struct trace_build *b, uint32_t path);
/* The part of a path, a stack and arguments. */
uint32_t part_of(struct trace_build *b, uint32_t path, uint32_t stack, uint32_t args);

/* trace_stacks.c */
/* The stack of a frame's slice that PARENT called. */
uint32_t stack_of(struct trace_build *b, uint32_t parent, strid name);
/* The frames of a stack as the profile keeps them. */
trace_id trace_of(struct trace_build *b, uint32_t stack);
/* The stack of the frame of a number, which are dense in files of PyTorch; 0: not in the file. */
uint32_t numbered_stack(const struct trace_build *b, uint32_t number);
void number_stack(struct trace_build *b, uint32_t number, uint32_t stack);

/* trace_order.c */
/* The layers of a lane of the CPU that SLICE is in; 0: it is not swept. */
unsigned layers_of(const struct trace_build *b, const struct trace_slice *slice);
/* Puts slices that are not swept first, and behind them lanes from the last one to the first, each
 * in the order of the file: what is swept can be forgotten.  N_OF[I], 0 before, becomes the number
 * of slices of lane I that are swept. */
void order_slices(struct trace_build *b, uint32_t *n_of);

/* trace_lanes.c */
/* Sweeps all lanes of the CPU: segments, launches, memory.  Slices that were swept leave the log; the
 * others stay in their order. */
void trace_lanes(struct trace_build *b);

/* trace_keep.c */
/* A lane of the profile under construction. */
struct kept_lane {
    struct trace_build *b;
    struct profile_lane *lane; /* until the next one is begun */
    struct lane_slice gap;     /* of Python alone, so far; dur_ticks 0: none */
};
/* Begins the lane that shows lane NUMBER of the log. */
struct kept_lane keep_lane(struct trace_build *b, uint32_t number);
void keep_slice(struct kept_lane *kept, const struct trace_slice *slice, uint32_t path,
                int64_t step, int64_t self_ns);
/* Time between slices that is of PATH: what joins without a gap is one slice. */
void keep_gap(struct kept_lane *kept, int64_t from_ns, int64_t to_ns, uint32_t path, int64_t step);
void keep_end(struct kept_lane *kept);

/* trace_segments.c */
void add_segment(struct trace_build *b, struct segment segment);
/* Hands all segments to the builder. */
void flush_segments(struct trace_build *b);

/* trace_flows.c */
/* Sorts flows by lane and time. */
void trace_flows_sort(struct trace_build *b);
/* Sorts sequences by slice. */
void trace_sequences_sort(struct trace_build *b);
/* Notes that SLICE, a slice of the log, is an execution of PATH. */
void trace_sequence_bind(struct trace_build *b, uint32_t slice, uint32_t path);
/* Makes inputs of what flows and sequence numbers tie, once the lanes are swept. */
void trace_flows(struct trace_build *b);

/* trace_beside.c: rows of what takes no time of a thread: asynchronous spans, and the profiler's own
 * overhead */
void trace_beside(struct trace_build *b);

/* trace_samples.c */
/* Rows of samples of call stacks, which have runs and no time. */
void trace_samples(struct trace_build *b);

/* trace_memory.c */
/* One record of what a slice allocated: the mark at index FIRST and those behind it. */
void add_memory(struct trace_build *b, uint32_t first, uint32_t part);
/* Call it once the lanes are swept. */
void trace_memory(struct trace_build *b);

/* trace_work.c */
void trace_work(struct trace_build *b);
/* A copy of N elements of SIZE_BYTES at DATA in the profile's memory. */
void *keep_array(struct trace_build *b, const void *data, size_t n, size_t size_bytes);

/* trace_kernels.c */
/* Adds WORK to the uses of kernels by its node; it has ARGS, and LAUNCH, NULL: not known. */
void note_kernel(struct trace_build *b, const struct device_work *work, uint32_t args,
                 const struct launch *launch);
/* Hands the uses to the recording. */
void keep_kernels(struct trace_build *b);

/* trace_timeline.c */
void trace_timeline(struct trace_build *b);

#endif
