/* trace_build.h: converts trace events to nodes, parts and executions (formats-trace.md section 4);
 * private to src/load/trace. */
#pragma once

#include "base/budget.h"
#include "base/text.h"
#include "load/slices/nesting.h"
#include "load/trace/trace_log.h"
#include "model/events.h"
#include "model/recorder.h"

/* Kinds of slices, by category. */
enum category_kind {
    KIND_OTHER,      /* of no known category: timed */
    KIND_CALL,       /* an operator */
    KIND_ANNOTATION,
    KIND_FRAME,      /* of Python */
    KIND_RUNTIME,    /* a call of an interface that launches work */
    KIND_KERNEL,     /* work of an accelerator: this and all below */
    KIND_MEMCPY,
    KIND_MEMSET,
    KIND_BESIDE,     /* not timed: this and all below */
};

static inline bool kind_is_work(enum category_kind kind)
{
    return kind >= KIND_KERNEL && kind <= KIND_MEMSET;
}

/* A path of calls: one for each sequence of slice names. */
struct call_path {
    uint32_t parent;
    uint32_t source; /* what it depends on in the graph view: its parent, or for work its launch */
    strid name;      /* name of the node of a slice without a parent */
    strid prefix;    /* of the paths below it: "" for the root */
    strid op;
    node_id node;    /* NODE_NONE: not met yet */
    uint16_t category;
    bool is_moved;     /* it is not as recorded; several operation types may share its node */
    bool is_uncounted; /* its slices are no runs of its node */
    bool is_joined;  /* of a node of a graph that was read before */
    bool is_captured; /* of a captured graph, and not in the trace */
    uint8_t free_name; /* enum free_name */
    int64_t self_ns; /* of its slices, in files of ONNX Runtime */
};

enum { PATH_ROOT = 0 };

/* A launch of work. */
struct launch {
    int64_t correlation, start_ns, step;
    uint32_t path;  /* of the operator around it, or its own */
    uint32_t own_path;
    uint32_t stack, args;
    uint32_t own_args; /* of the call itself */
    strid autograd;    /* node of the backward pass that it is in; STRID_EMPTY: none */
    uint8_t pass;      /* enum backward_pass */
    struct event_ref event; /* position: slice in the log until the thread is packed */
};

/* When device work with a correlation ends. */
struct work_end {
    int64_t correlation, end_ns;
};

/* Time in which a slice of autograd is open on one track, or on several: TRACK_NONE. */
struct autograd_span {
    int64_t from_ns, to_ns;
    uint32_t track;
};

/* Time or runs of a part in a step. */
struct segment {
    int64_t start_ns, dur_ns, step;
    uint32_t part;
    uint32_t n_runs; /* that begin with it */
    strid device;    /* STRID_EMPTY: the CPU; b->async_device; else an accelerator */
    bool is_of_part; /* its run is one of its part, not of the node */
    uint8_t wait;    /* enum wait_kind */
};

struct trace_build {
    struct loader *l;
    struct trace_log *log;
    struct builder *builder;
    struct recorder *recording;
    enum dialect dialect;
    bool kernel_rows;
    bool moves_backward; /* slices of the backward pass stand below the forward pass */
    struct regexes *step_regexes; /* NULL, or names of ranges that are steps */
    VEC(uint8_t) step_names;      /* by name, with step_regexes: 0: not looked at, 1: none, 2: a step */
    bool is_outline; /* rows of a tree that this program or TensorFlow's profiler wrote */
    uint8_t *kinds; /* by category, enum category_kind */
    bool has_runtime;
    uint8_t work_kind; /* enum device_kind of all devices with work */
    VEC(uint8_t) is_work_name; /* with kernel_rows: by name of a slice */
    VEC(struct step_mark) steps; /* by start */
    struct idmap group_steps;    /* group_id -> index in steps */
    struct intern path_keys;
    VEC(struct call_path) paths;
    VEC(uint32_t) stack_of_frame; /* by Python id, below n_dense_frames */
    size_t n_dense_frames;
    struct idmap frame_stacks; /* Python id -> stack: the others */
    struct idmap frame_of_name; /* name of a slice -> frame of the builder's stacks */
    VEC(struct launch) launches;
    VEC(struct segment) segments;
    VEC(uint32_t) part_segments; /* by part: the number of its segments */
    VEC(uint32_t) parts_met;     /* with segments */
    VEC(uint32_t) segment_order; /* scratch: segments by part */
    VEC(struct exec_time) times; /* scratch */
    VEC(struct allocation) allocations; /* likewise */
    VEC(struct memory_use) uses;
    VEC(struct memory_left) left;
    struct intern collectives;
    struct intern inputs;     /* pairs of nodes: of a node and what it depends on */
    VEC(uint32_t) n_inputs;   /* by node */
    struct event_store *events;
    uint32_t host, clock, rank; /* of the trace, in events */
    int64_t last_step;          /* looked up last, with its id in events */
    uint32_t last_step_id;
    VEC(uint32_t) path_kinds;   /* by path, in events; UINT32_MAX: not known yet */
    VEC(uint8_t) wait_names;        /* by string, of trace_waits.c */
    VEC(struct work_end) work_ends; /* by correlation, then end */
    VEC(struct autograd_span) autograd; /* by time, disjoint */
    VEC(struct thread_time) threads;
    VEC(uint8_t) kernel_classes; /* by name: class of work + 1; 0: not looked at */
    VEC(uint8_t) input_names;   /* by string: 0: not looked at, 1: none of input, 2: of input */
    struct intern streams;      /* of devices and names of streams; id 1 is stream 0 */
    VEC(struct trace_slice *) works; /* slices that are packed once all are there */
    strid cpu_device, async_device;
    struct strbuf name, scratch;
    struct budget names; /* bytes of parents' names that names of paths may repeat */
    struct budget stack_bytes; /* of callers' names that paths of call stacks may repeat */
    struct backward *backward;   /* NULL: the trace has no backward pass */
    struct placing *placing;     /* NULL: no replay is joined */
    struct trace_replays *replays;     /* NULL: the trace has no replays and no iterations */
    bool has_iterations;         /* these are steps and phases */
    struct idmap unplaced;       /* names of autograd nodes -> index of unplaced_ns */
    VEC(int64_t) unplaced_ns;    /* device time without a forward operator */
    uint64_t n_deep; /* paths and stacks below DEEP_CALLS that did not fit their budgets */
};

#define DEEP_CALLS "(deep calls)"

/* The bytes of a string of the profile. */
static inline struct text trace_text(const struct trace_build *b, strid id)
{
    const struct profile *p = builder_profile(b->builder);

    return (struct text){profile_text(p, id), intern_len(&p->strings, id)};
}

/* trace_kinds.c */
/* The kind of a category of PyTorch, by its index in the log. */
enum category_kind category_kind_of(const struct trace_log *log, size_t category);
enum dialect dialect_of(const struct trace_log *log);
/* Fills b->kinds. */
void trace_kinds(struct trace_build *b);
/* True for the slice that is the root of an outline. */
bool is_outline_root(const struct trace_build *b, const struct trace_slice *slice);
/* True if work named NAME has rows of its own.  A launch with the same name, as Triton makes, is
 * not another run of it. */
bool names_work(const struct trace_build *b, strid name);
/* A device that a process of a timeline represents. */
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
/* The step that contains time NS; STEP_OUTSIDE if none does, 0 if the trace has no steps. */
int64_t step_at(const struct trace_build *b, int64_t ns);
int64_t step_of_slice(const struct trace_build *b, const struct trace_slice *slice);
/* The first step boundary after NS; INT64_MAX if none. */
int64_t next_step_border(const struct trace_build *b, int64_t ns);
/* True when NAME is that of a step's mark, ProfilerStep#N. */
bool is_step_name(const char *name, size_t len);
/* The same for ranges of Nsight Systems, by -nvtx_steps; *AT and *N: where its number is. */
bool is_step_range(struct trace_build *b, strid name, uint32_t *at, uint32_t *n);
/* Builds nodes and executions of a log whose struct recorder is set. */
bool trace_build_log(struct loader *l, struct trace_log *log, struct err *err);

/* Adds one note about all repairs; false with ERR set if the file had no event. */
bool say_repairs(struct loader *l, const struct trace_log *log, struct err *err);

/* trace_steps.c: ranks */
/* The number behind the last `rank` in the name of a file, `rank_3` or `rank-3` too; -1: none. */
int64_t rank_in_name(const char *path);
/* Determines the rank of the trace loaded last.  Returns false with ERR set if it contradicts
 * earlier ones.  If -host_regexes does not select it, *IS_WANTED is false and it is removed. */
bool trace_ranks(struct loader *l, bool *is_wanted, struct err *err);
/* Checks its steps, once they are known: two files of a rank must not share a step. */
bool trace_rank_steps(const struct trace_build *b, struct err *err);

/* trace_paths.c */
void trace_paths_init(struct trace_build *b);
void trace_paths_done(struct trace_build *b);
/* The path of SLICE below PARENT. */
uint32_t path_of_slice(struct trace_build *b, uint32_t parent, const struct trace_slice *slice);
/* The path of a mark of an iteration, below PARENT; PHASE is that of the outermost mark, in which it
 * is nested or not. */
uint32_t path_of_phase(struct trace_build *b, uint32_t parent, const char *phase, uint16_t category,
                       bool is_nested);
/* The path of SLICE, where it is moved to BELOW: named as that, with its own name, without the prefix
 * of autograd slices, behind it if IS_NAMED.  In the graph view it depends on SOURCE.  Its slices are not
 * counted as runs unless IS_COUNTED. */
uint32_t path_of_moved(struct trace_build *b, uint32_t below, uint32_t source,
                       const struct trace_slice *slice, bool is_named, bool is_counted);
/* The path of a key, or a new one: *ADDED. */
uint32_t path_at(struct trace_build *b, uint32_t parent, strid name, uint32_t category,
                 bool *added);
/* A path with a name and category of its own. */
uint32_t path_named(struct trace_build *b, uint32_t parent, strid name, uint16_t category);
/* The path of work below PARENT, which LAUNCH launched. */
uint32_t path_of_work(struct trace_build *b, uint32_t parent, uint32_t launch,
                      const struct trace_slice *slice, enum work_class work_class, strid device);
/* Adds "_NAME" to the types of NODE. */
void path_add_type(struct trace_build *b, node_id node, struct text name);
/* Adds the name of DOMAIN, in the log's keys, to the types of the node of PATH, once. */
void path_set_domain(struct trace_build *b, uint32_t path, strid domain);
/* Adds an input to the node of TO in the graph view, unless it has that input already. */
void add_dependence(struct trace_build *b, uint32_t to, uint32_t from);
/* The node of a path, created on first use. */
node_id node_of(struct trace_build *b, uint32_t path);
/* The part of a path, a stack and arguments. */
uint32_t part_of(struct trace_build *b, uint32_t path, uint32_t stack, uint32_t args);

/* trace_stacks.c */
/* Stacks are nodes of the builder's tree of stacks.  The stack of a Python frame NAME called from
 * CALLER. */
uint32_t stack_child(struct trace_build *b, uint32_t caller, strid name);
/* The id of a stack in the profile; STACK_NONE: it is empty. */
stack_id stack_id_of(struct trace_build *b, uint32_t stack);
/* The stack of a Python frame SLICE: below its parent by number, else below CALLER, the stack it was
 * called from.  Notes the stack of its number. */
uint32_t stack_of_call(struct trace_build *b, const struct trace_slice *slice, uint32_t caller);

/* trace_order.c */
/* True for the name of a slice of a module of PyTorch. */
bool is_module_name(const char *name);
/* Reorders slices: those that are not swept first, then tracks from last to first, each in file
 * order, so that swept slices can be truncated.  N_OF[I], initially 0, becomes the number of swept
 * slices of track I. */
void order_slices(struct trace_build *b, uint32_t *n_of);
typedef VEC(struct nested_slice) nested_slices;
/* Replaces NESTED by the N slices of a track from FIRST on, sorted for a sweep; ids are relative to
 * FIRST. */
void nest_slices(const struct trace_build *b, uint32_t first, uint32_t n, nested_slices *nested);

/* trace_tracks.c */
/* Sweeps all CPU tracks: segments, launches, memory.  Swept slices are removed from the log; the
 * others keep their order. */
void trace_tracks(struct trace_build *b);

/* trace_waits.c */
/* Prepares trace_wait_at(); before any slice is dropped. */
void trace_waits_begin(struct trace_build *b);
/* The wait at FROM, when TIMED and FRAME are the tops of their track (NULL: none); it lasts up to *TO,
 * which is lowered where it changes before.  Calls for one track are in the order of time; *NEXT is
 * scratch, 0 at first. */
enum wait_kind trace_wait_at(struct trace_build *b, const struct trace_slice *timed,
                             const struct trace_slice *frame, int64_t from, int64_t *to,
                             size_t *next);

/* trace_events.c */
/* Adds the dimensions of the trace, whose steps are known, to the store of events. */
void trace_events_begin(struct trace_build *b);
/* The id of a step of the trace, in the store of events. */
uint32_t event_step_of(struct trace_build *b, int64_t step);
/* Adds a track of DEVICE, by the clock of the trace; returns its id. */
uint32_t event_track_add(struct trace_build *b, const struct profile_device *device,
                         enum track_kind kind, strid name, bool name_is_number);
/* The events of a thread of the log under construction; swept slices become events. */
struct thread_events {
    struct trace_build *b;
    uint32_t number;               /* in the log's tracks */
    size_t first_launch;           /* of it, in b->launches */
    VEC(struct event_record) gaps; /* of Python alone, by start */
};
/* Marks SLICE as an event of PATH in STEP.  Overwrites its link, track and args. */
void thread_keep_slice(struct trace_build *b, struct trace_slice *slice, uint32_t path,
                       int64_t step, int64_t self_ns);
/* Marks SLICE, a frame or the root of an outline, as no event of the thread. */
void thread_skip_slice(struct trace_build *b, struct trace_slice *slice, bool is_frame);
/* Adds time of PATH between slices; adjacent intervals are merged. */
void thread_keep_gap(struct thread_events *t, int64_t from_ns, int64_t to_ns, uint32_t path,
                     int64_t step);
/* Packs the N swept slices NESTED; their ids are relative to SLICES.  Sets the event references of
 * the thread's launches. */
void thread_pack(struct thread_events *t, const struct nested_slice *nested, size_t n,
                 struct trace_slice *slices);

/* trace_streams.c */
/* Work of an accelerator, as an event of a stream. */
struct kept_work {
    strid device, stream;
    uint32_t part;       /* that has its time */
    uint32_t config;     /* in the log's configs; 0: none */
    uint32_t collective; /* in b->collectives; 0: none */
    int64_t input_bytes; /* of the collective; 0: unknown */
    uint8_t work_class;  /* enum work_class */
    int64_t step;
    struct event_ref launch;
};
/* Bytes of an element of TYPE, as collectives ("BFloat16") or inputs ("c10::BFloat16") have it; 0: not
 * known. */
int64_t element_bytes(const char *type, size_t len);
/* Size of the input of a collective with ARGS; 0: unknown. */
int64_t collective_input_bytes(const struct trace_build *b, const struct trace_args *args);
/* Marks SLICE as WORK.  Overwrites all fields but its times. */
void keep_work(struct trace_build *b, struct trace_slice *slice, const struct kept_work *work);
/* Packs all work, one track per stream. */
void pack_work(struct trace_build *b);

/* Marks SLICE of TensorFlow's timeline as an event of NODE; only its times and track are used
 * afterwards. */
void timeline_keep_slice(struct trace_build *b, struct trace_slice *slice, node_id node,
                         const struct exec_time *time);
/* Packs the slices marked by timeline_keep_slice(). */
void timeline_pack(struct trace_build *b);

/* trace_segments.c */
void add_segment(struct trace_build *b, struct segment segment);
/* Hands all segments to the builder. */
void flush_segments(struct trace_build *b);

/* trace_forward.c: flows */
/* Sorts flows by track and time. */
void trace_flows_sort(struct trace_build *b);
/* Sorts sequences by slice. */
void trace_sequences_sort(struct trace_build *b);
/* Notes that SLICE, a slice of the log, is an execution of PATH. */
void trace_sequence_bind(struct trace_build *b, uint32_t slice, uint32_t path);
/* Adds inputs for flows and sequence numbers, after the tracks were swept. */
void trace_flows(struct trace_build *b);

/* trace_backward.c */
/* Finds the backward pass in ordered slices (order_slices()), and where it is moved to. */
void trace_backward(struct trace_build *b, const uint32_t *n_of);
void trace_backward_done(struct trace_build *b);
/* True for "autograd::engine::evaluate_function: NAME". */
bool is_engine_slice(const struct trace_build *b, const struct trace_slice *slice);
/* NAME of such a name; any other TEXT as it is. */
struct text without_engine(struct text text);
/* The path of SLICE, of the log; PATH_ROOT: as recorded. */
uint32_t moved_path(const struct trace_build *b, uint32_t slice);
/* The stack that time of SLICE has in the code view; STACK: that of Python. */
uint32_t moved_stack(const struct trace_build *b, uint32_t slice, uint32_t stack);
/* The Python stack of SLICE as found by the first sweep, if there was one; else false. */
bool swept_stack(const struct trace_build *b, uint32_t slice, uint32_t *stack);
/* How SLICE belongs to the backward pass, and the name of its autograd node. */
enum backward_pass pass_of_slice(const struct trace_build *b, uint32_t slice, strid *autograd);

/* trace_beside.c: rows of asynchronous spans, and of profiler overhead, which has no time */
void trace_beside(struct trace_build *b);

/* src/load/replay: replays of graphs and iterations of servers */
/* Sets the turn of the input: a trace of captured graphs alone is no trace of the profile when another
 * one has replays.  False with ERR. */
bool graphs_set_turn(struct loader *l, struct trace_log *log, struct err *err);
/* Joins replays in the log with captures; before kinds are known.  False with ERR. */
bool graphs_begin(struct trace_build *b, struct err *err);
/* Notes how the replays of all traces were joined, and adds it to the profile. */
bool replays_end_load(struct loader *l, struct err *err);
/* Ends what graphs_begin() began. */
void graphs_end(struct trace_build *b);
/* The phase that SLICE marks + 1; 0: it marks none. */
unsigned replay_phase_of(const struct trace_build *b, const struct trace_slice *slice);
/* Adds the iterations as steps. */
void replay_steps(struct trace_build *b);
/* The arguments of SLICE, of an operator: with the sums of its iteration if it computes attention. */
uint32_t replay_args(struct trace_build *b, const struct trace_slice *slice);
/* Paths of the annotations around a launch, and of the modules too. */
struct replay_base {
    uint32_t annotations, modules;
};
/* Notes where the graph launch SLICE stands, of OWN_PATH in STEP. */
void replay_launched(struct trace_build *b, const struct trace_slice *slice, struct replay_base base,
                     uint32_t own_path, int64_t step);
/* Adds the runs of captured slices, once all tracks were swept. */
void replay_runs(struct trace_build *b);
/* Where work has its time. */
struct placed_work {
    uint32_t path, stack, args;
};
/* Sets PLACED for SLICE, of the log; false: it is not placed. */
bool replay_place(struct trace_build *b, const struct trace_slice *slice, struct placed_work *placed);
/* Counts work that was launched at START_NS in its iteration. */
void replay_count(struct trace_build *b, const struct trace_slice *slice, int64_t launch_ns,
                  bool is_placed);

/* trace_stacks.c: samples */
/* Rows of samples of call stacks, which have runs and no time. */
void trace_samples(struct trace_build *b);

/* trace_memory.c */
/* Adds one record of the allocations of a slice: the list of marks that starts at FIRST. */
void add_memory(struct trace_build *b, uint32_t first, uint32_t part);
/* Adds the bytes in ARGS to PART, at an instant in STEP: of the message of a collective operation, else of
 * outputs. */
void add_message(struct trace_build *b, uint32_t part, int64_t step, int64_t at_ns, const struct trace_args *args);
/* Adds the allocators of the log, before their marks are sorted otherwise. */
void trace_allocators(struct trace_build *b);
/* Adds allocator statistics, after the tracks were swept. */
void trace_memory(struct trace_build *b);

/* trace_work.c */
/* True for work of an accelerator that takes time: marks of streams that wait are none. */
bool is_device_work(const struct trace_build *b, const struct trace_slice *slice);
void trace_work(struct trace_build *b);
/* A copy of N elements of SIZE_BYTES at DATA in the profile's memory. */
void *keep_array(struct trace_build *b, const void *data, size_t n, size_t size_bytes);

/* trace_session.c: files of ONNX Runtime */
bool is_onnxruntime(const struct trace_log *log);
/* Prepares the profile for nodes of ONNX, when the file is one. */
void session_begin(struct trace_build *b);
enum category_kind session_kind(struct text category);
/* Adds the marks of steps, with any numbers. */
void session_steps(struct trace_build *b);
/* The path of a slice, which is that of a node of the graph where there is one. */
uint32_t session_path(struct trace_build *b, const struct trace_slice *slice);
/* True for the fences before and after a node, which are no runs of it. */
bool is_fence(struct text name);
/* Notes which names belong to no node. */
void session_finish(struct trace_build *b);

/* trace_timeline.c */
void trace_timeline(struct trace_build *b);
