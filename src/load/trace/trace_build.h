/* trace_build.h: converts trace events to nodes, parts and executions (formats-trace.md section 4);
 * private to src/load/trace. */
#pragma once

#include <pthread.h>

#include "base/budget.h"
#include "base/text.h"
#include "load/slices/nesting.h"
#include "load/trace/trace_log.h"
#include "model/events.h"
#include "model/recorder.h"

/* Kinds of slices, by category. */
enum category_kind {
    KIND_OTHER,      /* no known category; timed */
    KIND_CALL,       /* an operator */
    KIND_ANNOTATION,
    KIND_FRAME,      /* a Python frame */
    KIND_RUNTIME,    /* a runtime call that launches work */
    KIND_KERNEL,     /* work of an accelerator: KERNEL to MEMSET */
    KIND_MEMCPY,
    KIND_MEMSET,
    KIND_UNTIMED,    /* UNTIMED and later have no time */
};

static inline bool kind_is_work(enum category_kind kind)
{
    return kind >= KIND_KERNEL && kind <= KIND_MEMSET;
}

/* A call path: one for each sequence of slice names. */
struct call_path {
    uint32_t parent;
    uint32_t source; /* input in the graph view: the parent, or the launch of work */
    strid name;      /* node name */
    strid prefix;    /* name prefix of its children; "" for the root */
    strid op;
    node_id node;    /* NODE_NONE: not created yet */
    uint16_t category;
    bool is_moved; /* moved from where it was recorded; its node may have several operation types */
    bool is_uncounted; /* its slices do not count as runs of the node */
    bool is_joined;  /* the node belongs to a graph that was loaded before */
    bool is_captured; /* its slices were captured in a graph, and are not in the trace */
    uint8_t free_name; /* enum free_name */
    int64_t self_ns; /* exclusive time; used for ONNX Runtime */
};

enum { PATH_ROOT = 0 };

/* Where device work is launched; equal ones are shared, so that there is no padding. */
struct launch_place {
    uint32_t path;  /* of the innermost operator around it, or own_path */
    uint32_t own_path;
    uint32_t stack, args;
    uint32_t own_args; /* arguments of the launch call */
    strid autograd;    /* autograd node that contains it, or STRID_EMPTY */
    uint32_t pass;     /* enum backward_pass */
    uint32_t track;    /* in the event store */
};

/* A launch of device work. */
#define POSITION_NONE UINT32_MAX
struct launch {
    int64_t correlation, start_ns, step;
    strid place;       /* in trace_build.launch_places */
    uint32_t position; /* of the call on its track, once it is packed; POSITION_NONE: it is not an event */
};

/* End of the device work with a correlation. */
struct work_end {
    int64_t correlation, end_ns;
};

/* A time span in which autograd slices are open on one track; TRACK_NONE: on several. */
struct autograd_span {
    int64_t from_ns, to_ns;
    uint32_t track;
};

/* Time or runs of a part within one step. */
struct segment {
    int64_t start_ns, dur_ns, step;
    uint32_t part;
    uint32_t n_runs; /* runs that begin with it */
    strid device;    /* STRID_EMPTY: CPU; b->async_device; else an accelerator */
    bool is_of_part; /* counts as runs of the part only, not of the node */
    uint8_t wait;    /* enum wait_kind */
};

/* A part of NODE; FIRST: the first memory mark of a slice of it, in STEP. */
struct part_marks {
    uint32_t part;
    node_id node;
    uint32_t first;
    int64_t step;
};

/* Figures of parts that are not yet passed to the builder. */
struct segment_batch {
    VEC(struct segment) segments;
    VEC(uint32_t) n_of_part; /* number of segments by part */
    VEC(struct part_marks) met;      /* parts that have segments */
    VEC(struct part_marks) memories; /* come before the segments */
    VEC(uint32_t) order;     /* scratch: segments by part */
};

struct trace_build {
    struct loader *l;
    struct trace_log *log;
    struct builder *builder;
    struct recorder *recording;
    enum dialect dialect;
    bool kernel_rows;
    bool moves_backward; /* move slices of the backward pass below the forward pass */
    struct regexes *step_regexes; /* names of ranges that mark steps, or NULL */
    VEC(uint8_t) step_names;      /* cache by name: 1 if no regex matches it */
    bool is_outline; /* the trace is an outline that tfprof or TensorFlow's profiler wrote */
    uint8_t *kinds; /* enum category_kind by category */
    bool has_runtime;
    uint8_t work_kind; /* enum device_kind of all accelerators of the trace */
    VEC(uint8_t) is_work_name; /* with kernel_rows: names of work, by slice name */
    VEC(struct step_mark) steps; /* by start time */
    struct idmap group_steps;    /* group_id -> index in steps */
    struct intern path_keys;
    VEC(struct call_path) paths;
    VEC(uint32_t) stack_of_frame; /* Python id -> stack, for ids below n_dense_frames */
    size_t n_dense_frames;
    struct idmap frame_stacks; /* Python id -> stack, for other ids */
    struct idmap frame_of_name; /* slice name -> frame in the builder's stacks */
    VEC(struct launch) launches;
    struct intern launch_places; /* of struct launch_place */
    struct segment_batch filling;  /* the current figures */
    struct segment_batch flushing; /* those before, which the thread `flusher` passes on */
    pthread_t flusher;
    bool is_flushing; /* the thread runs */
    VEC(struct exec_time) times; /* scratch of the flush */
    VEC(struct allocation) allocations; /* the same */
    struct intern collectives;
    struct intern inputs;     /* pairs (node, name of an input), to skip duplicates */
    VEC(uint32_t) n_inputs;   /* number of inputs by node */
    struct event_store *events;
    uint32_t host, clock, rank; /* ids of the trace in `events` */
    int64_t last_step;          /* cache of event_step_of(): step, and its id in `events` */
    uint32_t last_step_id;
    VEC(uint32_t) path_kinds;   /* path -> kind id in `events`; UINT32_MAX: not known yet */
    VEC(uint8_t) wait_names;        /* cache of trace_waits.c, by string */
    VEC(struct work_end) work_ends; /* by correlation, then end time */
    VEC(struct autograd_span) autograd; /* by time; disjoint */
    VEC(struct thread_time) threads;
    VEC(uint8_t) kernel_classes; /* cache by name: work class + 1; 0: not classified */
    VEC(uint8_t) input_names;   /* cache by string: 0 unknown, 1 not input, 2 input */
    struct intern streams;      /* pairs of device and stream name; id 1 is stream 0 */
    VEC(struct trace_slice *) works; /* slices of work, which are packed last */
    strid cpu_device, async_device;
    struct strbuf name, scratch;
    struct budget names; /* budget for name prefixes, in bytes */
    struct budget stack_bytes; /* budget for call stack paths, in bytes */
    struct backward *backward;   /* NULL: no backward pass */
    struct placing *placing;     /* NULL: no replay is joined */
    struct trace_replays *replays;     /* NULL: neither replays nor iterations */
    bool has_iterations;         /* steps are iterations of a server, and have phases */
    struct idmap unplaced;       /* autograd node name -> index in unplaced_ns */
    VEC(int64_t) unplaced_ns;    /* device time without a forward operator */
    uint64_t n_deep; /* paths and stacks that exceeded a budget; they are below DEEP_CALLS */
};

#define DEEP_CALLS "(deep calls)"

/* The text of a string id of the profile. */
static inline struct text trace_text(const struct trace_build *b, strid id)
{
    const struct profile *p = builder_profile(b->builder);

    return (struct text){profile_text(p, id), intern_len(&p->strings, id)};
}

/* trace_kinds.c */
/* The kind of the I-th category of a PyTorch trace; CATEGORY is its index in the log. */
enum category_kind category_kind_of(const struct trace_log *log, size_t category);
enum dialect dialect_of(const struct trace_log *log);
/* Computes b->kinds. */
void trace_kinds(struct trace_build *b);
/* True if SLICE is the root row of an outline. */
bool is_outline_root(const struct trace_build *b, const struct trace_slice *slice);
/* True if device work named NAME has rows of its own.  A launch of the same name (as Triton writes)
 * then does not count as a run. */
bool has_work_rows(const struct trace_build *b, strid name);
/* The device that a process of a timeline represents. */
struct timeline_device {
    struct text name; /* part of the process name */
    bool is_accelerator;
};
/* Parses a process name: `DEVICE Compute` (TensorFlow's helper) is an accelerator; `Op scheduling
 * threads: DEVICE` and `Op execution threads: DEVICE` are written by TensorFlow's profiler and by
 * tfprof.  False for other names. */
bool timeline_device(const char *name, size_t len, struct timeline_device *d);
enum category_kind kind_of(const struct trace_build *b, const struct trace_slice *slice);
enum work_class work_class_of(enum category_kind kind, const char *name, size_t len,
                              bool is_collective);

/* trace_steps.c */
void trace_steps(struct trace_build *b);
/* The step that contains NS; STEP_OUTSIDE if none; 0 if the trace has no steps. */
int64_t step_at(const struct trace_build *b, int64_t ns);
int64_t step_of_slice(const struct trace_build *b, const struct trace_slice *slice);
/* The first step boundary after NS; INT64_MAX if none. */
int64_t next_step_boundary(const struct trace_build *b, int64_t ns);
/* True for ProfilerStep#N. */
bool is_step_name(const char *name, size_t len);
/* True for a range of Nsight Systems selected by -nvtx_steps; *AT, *N: position of its number. */
bool is_step_range(struct trace_build *b, strid name, uint32_t *at, uint32_t *n);
/* Builds nodes and executions of a log whose struct recorder is set. */
bool trace_build_log(struct loader *l, struct trace_log *log, struct err *err);

/* Adds one note on all repairs; false with ERR when the file has no event. */
bool note_trace_repairs(struct loader *l, const struct trace_log *log, struct err *err);

/* trace_steps.c: ranks */
/* The number after the last `rank`, `rank_` or `rank-` in the file name; -1 if none. */
int64_t rank_in_name(const char *path);
/* Determines the rank of the trace loaded last.  False with ERR if it contradicts the rank of
 * another trace.  Removes the rank and clears *IS_WANTED if -host_regexes excludes it. */
bool trace_ranks(struct loader *l, bool *is_wanted, struct err *err);
/* Fails with ERR when two files of a rank have the same step.  Requires b->steps. */
bool trace_rank_steps(const struct trace_build *b, struct err *err);

/* trace_paths.c */
void trace_paths_init(struct trace_build *b);
void trace_paths_done(struct trace_build *b);
/* The path of SLICE below PARENT. */
uint32_t path_of_slice(struct trace_build *b, uint32_t parent, const struct trace_slice *slice);
/* The path of an iteration phase below PARENT.  If IS_NESTED the mark is inside another one of
 * PHASE, and shares its node. */
uint32_t path_of_phase(struct trace_build *b, uint32_t parent, const char *phase, uint16_t category,
                       bool is_nested);
/* The path of SLICE after a move to BELOW.  Its node is that of BELOW, or with IS_NAMED a child
 * named as SLICE without the autograd prefix.  SOURCE is its input in the graph view.  Unless
 * IS_COUNTED its slices do not count as runs. */
uint32_t path_of_moved(struct trace_build *b, uint32_t below, uint32_t source,
                       const struct trace_slice *slice, bool is_named, bool is_counted);
/* The path with this key; *ADDED if it is new. */
uint32_t path_at(struct trace_build *b, uint32_t parent, strid name, uint32_t category,
                 bool *added);
/* A path below PARENT with its own name and category. */
uint32_t path_named(struct trace_build *b, uint32_t parent, strid name, uint16_t category);
/* The path of device work below PARENT; the work depends on LAUNCH. */
uint32_t path_of_work(struct trace_build *b, uint32_t parent, uint32_t launch,
                      const struct trace_slice *slice, enum work_class work_class, strid device);
/* Adds "_NAME" to the types of NODE. */
void path_add_type(struct trace_build *b, node_id node, struct text name);
/* Adds the name of DOMAIN, in the log's keys, to the types of the node of PATH, once. */
void path_set_domain(struct trace_build *b, uint32_t path, strid domain);
/* Makes node FROM an input of node TO in the graph view, once. */
void add_dependence(struct trace_build *b, uint32_t to, uint32_t from);
/* The node of a path, created on first use. */
node_id node_of(struct trace_build *b, uint32_t path);
/* The part of a node for a path, a stack and arguments. */
uint32_t part_of(struct trace_build *b, uint32_t path, uint32_t stack, uint32_t args);

/* trace_stacks.c */
/* Stacks are indexes in the builder's tree of stacks.  The stack of Python frame NAME, called from
 * CALLER. */
uint32_t stack_child(struct trace_build *b, uint32_t caller, strid name);
/* The id of a stack in the profile; STACK_NONE for the empty stack. */
stack_id stack_id_of(struct trace_build *b, uint32_t stack);
/* The stack of the Python frame SLICE: below its recorded parent id, else below CALLER.  Stores it
 * for the frame's own id. */
uint32_t stack_of_call(struct trace_build *b, const struct trace_slice *slice, uint32_t caller);

/* trace_order.c */
/* True for the slice name of a PyTorch module. */
bool is_module_name(const char *name);
/* Reorders slices: first those that are not swept, then the tracks from last to first, each in file
 * order, so that swept slices can be truncated.  N_OF[I], 0 at first, becomes the number of swept
 * slices of track I. */
void order_slices(struct trace_build *b, uint32_t *n_of);
/* SLICE, an index in the log, with this id. */
struct nested_slice nested_slice_of(const struct trace_build *b, uint32_t slice, uint32_t id);
typedef VEC(struct nested_slice) nested_slices;
/* The order of N slices: indexes, or none if it is that of the file. */
typedef VEC(uint32_t) slice_indexes;
struct slice_order {
    uint32_t n;
    slice_indexes moved;
};
static inline uint32_t slice_in_order(const struct slice_order *order, size_t i)
{
    return order->moved.n ? order->moved.data[i] : (uint32_t)i;
}
/* Fills ORDER with the N slices of a track from FIRST, relative to FIRST, sorted for nesting_add(). */
void order_track(const struct trace_build *b, uint32_t first, uint32_t n, struct slice_order *order);

/* Memory of an array that is returned to the system in groups, once all items of a group were used. */
struct spent {
    const uint8_t *items;
    size_t n, item_bytes;
    VEC(uint32_t) n_left; /* by group: items not used yet */
};
/* Begins with N ITEMS, which the caller frees.  If N is 0, any item may end. */
void spent_begin(struct spent *s, const void *items, size_t n, size_t item_bytes);
/* Ends the use of item I; what it holds is then undefined. */
void spent_item(struct spent *s, size_t i);
void spent_done(struct spent *s);

/* trace_tracks.c */
/* Sweeps all CPU tracks and collects segments, launches and memory.  Removes swept slices from the
 * log; other slices keep their order. */
void trace_tracks(struct trace_build *b);

/* trace_waits.c */
/* Prepares trace_wait_at(); requires the complete log. */
void trace_waits_begin(struct trace_build *b);
/* The wait at FROM when TIMED and FRAME are on top of their track (or NULL).  Lowers *TO to the
 * time where the wait may change.  Calls for a track must be ordered by time; *NEXT is scratch,
 * initially 0. */
enum wait_kind trace_wait_at(struct trace_build *b, const struct trace_slice *timed,
                             const struct trace_slice *frame, int64_t from, int64_t *to,
                             size_t *next);

/* trace_events.c */
/* Adds the host, clock and rank of the trace to the event store.  Requires b->steps. */
void trace_events_begin(struct trace_build *b);
/* The id of a step in the event store. */
uint32_t event_step_of(struct trace_build *b, int64_t step);
/* Adds a track of DEVICE with the clock of the trace; returns its id. */
uint32_t event_track_add(struct trace_build *b, const struct profile_device *device,
                         enum track_kind kind, strid name, bool name_is_number);
/* A slice that is not packed yet. */
struct thread_event {
    int64_t start_ns, dur_ns, self_ns;
    uint32_t kind, step;
    uint32_t launch; /* index + 1 in b->launches; 0: none */
    bool has_ended, is_skipped;
};
/* Events of the current thread.  They are packed in order of their starts, once all before them have ended. */
struct thread_events {
    struct trace_build *b;
    uint32_t number;               /* index in log->tracks */
    VEC(struct thread_event) waiting; /* the first N_PACKED are packed */
    size_t n_packed;
    uint32_t first;                /* number of the first in `waiting`, in order of starts */
    VEC(struct event_record) gaps; /* time in Python only, by start; the first N_GAPS_PACKED are packed */
    size_t n_gaps_packed;
    VEC(struct thread_event) inputs; /* frames that read input */
    uint32_t track; /* in the event store */
    struct event_packer packer;
};
/* Begins the events of track NUMBER of the log. */
void thread_begin(struct thread_events *t, uint32_t number);
/* Adds SLICE, which begins; returns its number.  Slices come in order of their starts. */
uint32_t thread_open_slice(struct thread_events *t, const struct trace_slice *slice);
/* Makes the launch added last that of event NUMBER. */
void thread_set_launch(struct thread_events *t, uint32_t number);
/* Makes SLICE, which ended, an event of PATH in STEP with NUMBER. */
void thread_keep_slice(struct thread_events *t, uint32_t number, const struct trace_slice *slice, uint32_t path,
                       int64_t step, int64_t self_ns);
/* Excludes SLICE, a frame or the root of an outline, from the events. */
void thread_skip_slice(struct thread_events *t, uint32_t number, const struct trace_slice *slice, bool is_frame);
/* Adds time of PATH between slices; merges adjacent intervals. */
void thread_keep_gap(struct thread_events *t, int64_t from_ns, int64_t to_ns, uint32_t path,
                     int64_t step);
/* Packs the events that are complete at NOW_NS, and completes the references of their launches. */
void thread_pack(struct thread_events *t, int64_t now_ns);
/* Packs all events, which have ended. */
void thread_end(struct thread_events *t);

/* trace_streams.c */
/* Device work as an event of a stream. */
struct kept_work {
    strid device, stream;
    uint32_t part;       /* owner of its time */
    uint32_t config;     /* index in the log's configs; 0: none */
    uint32_t collective; /* index in b->collectives; 0: none */
    int64_t input_bytes; /* size of the collective; 0: unknown */
    uint8_t work_class;  /* enum work_class */
    int64_t step;
    struct event_ref launch;
};
/* Size in bytes of an element of TYPE, such as "BFloat16" or "c10::BFloat16"; 0: unknown. */
int64_t element_bytes(const char *type, size_t len);
/* Input size in bytes of the collective with ARGS; 0: unknown. */
int64_t collective_input_bytes(const struct trace_build *b, const struct trace_args *args);
/* Turns SLICE into WORK.  Overwrites all fields except its times. */
void keep_work(struct trace_build *b, struct trace_slice *slice, const struct kept_work *work);
/* Packs all work into one track per stream. */
void pack_work(struct trace_build *b);

/* Turns SLICE of a TensorFlow timeline into an event of NODE; only its times and track stay
 * valid. */
void timeline_keep_slice(struct trace_build *b, struct trace_slice *slice, node_id node,
                         const struct exec_time *time);
/* Packs the slices marked by timeline_keep_slice(). */
void timeline_pack(struct trace_build *b);

/* trace_segments.c */
void segment_batch_done(struct segment_batch *batch);
void add_segment(struct trace_build *b, struct segment segment);
/* Adds the allocations of a slice of PART in STEP: the list of marks that starts at FIRST, which is complete. */
void add_memory(struct trace_build *b, uint32_t first, uint32_t part, int64_t step);
/* Passes memory to the builder, and segments of earlier batches.  Required before other records are added
 * and before marks move. */
void settle_segments(struct trace_build *b);
/* Passes all figures to the builder and removes them. */
void flush_segments(struct trace_build *b);

/* trace_forward.c: flows */
/* Sorts flows by track and time. */
void trace_flows_sort(struct trace_build *b);
/* Sorts sequences by slice. */
void trace_sequences_sort(struct trace_build *b);
/* Records that SLICE, an index in the log, is an execution of PATH. */
void trace_sequence_bind(struct trace_build *b, uint32_t slice, uint32_t path);
/* Adds graph view inputs from flows and sequence numbers.  Requires swept tracks. */
void trace_flows(struct trace_build *b);

/* trace_backward.c */
/* Finds the backward pass in slices from order_slices(), and the new path of each slice. */
void trace_backward(struct trace_build *b, const uint32_t *n_of);
void trace_backward_done(struct trace_build *b);
/* Begins to release the results for the N slices from FIRST, as those slices are. */
void backward_spent_begin(const struct trace_build *b, struct spent *s, uint32_t first, uint32_t n);
/* True for "autograd::engine::evaluate_function: NAME". */
bool is_engine_slice(const struct trace_build *b, const struct trace_slice *slice);
/* TEXT without that prefix, if it has it. */
struct text without_engine(struct text text);
/* The new path of SLICE, an index in the log; PATH_ROOT: as recorded. */
uint32_t moved_path(const struct trace_build *b, uint32_t slice);
/* The stack of SLICE in the code view; STACK is its Python stack. */
uint32_t moved_stack(const struct trace_build *b, uint32_t slice, uint32_t stack);
/* The Python stack of SLICE from the first sweep; false if there was no such sweep. */
bool swept_stack(const struct trace_build *b, uint32_t slice, uint32_t *stack);
/* The pass that SLICE belongs to, and the name of its autograd node (STRID_EMPTY: none). */
enum backward_pass pass_of_slice(const struct trace_build *b, uint32_t slice, strid *autograd);

/* trace_async.c: rows of asynchronous spans and of profiler overhead, which have no time */
void trace_async(struct trace_build *b);

/* src/load/replay: graph replays, and iterations of servers */
/* Decides when the input is loaded: a trace that only has captured graphs is not part of the
 * profile if another trace has replays.  False with ERR. */
bool graphs_set_turn(struct loader *l, struct trace_log *log, struct err *err);
/* Joins replays in the log with captured graphs; called before trace_kinds().  False with ERR. */
bool graphs_begin(struct trace_build *b, struct err *err);
/* Adds a note on how the replays of all traces were joined, and stores it in the profile. */
bool replays_end_load(struct loader *l, struct err *err);
/* Frees what graphs_begin() allocated. */
void graphs_end(struct trace_build *b);
/* The phase that SLICE marks, + 1; 0 if none. */
unsigned replay_phase_of(const struct trace_build *b, const struct trace_slice *slice);
/* Adds the iterations as steps. */
void replay_steps(struct trace_build *b);
/* The arguments of SLICE, an operator.  Attention operators get the sums of their iteration. */
uint32_t replay_args(struct trace_build *b, const struct trace_slice *slice);
/* Paths below the annotations around a launch, and below the modules as well. */
struct replay_base {
    uint32_t annotations, modules;
};
/* Records where the graph launch SLICE is: its base, OWN_PATH and STEP. */
void replay_launched(struct trace_build *b, const struct trace_slice *slice, struct replay_base base,
                     uint32_t own_path, int64_t step);
/* Adds runs of captured slices.  Requires swept tracks. */
void replay_runs(struct trace_build *b);
/* The owner of the time of device work. */
struct placed_work {
    uint32_t path, stack, args;
};
/* Sets *PLACED for SLICE, device work of a replay; false if its node is not known. */
bool replay_place(struct trace_build *b, const struct trace_slice *slice, struct placed_work *placed);
/* Counts SLICE, launched at LAUNCH_NS, in its iteration. */
void replay_count(struct trace_build *b, const struct trace_slice *slice, int64_t launch_ns,
                  bool is_placed);

/* trace_stacks.c: samples */
/* Adds rows of call stack samples, which have runs but no time. */
void trace_samples(struct trace_build *b);

/* trace_memory.c */
/* Adds a record for each list of marks in BATCH and removes them. */
void flush_memories(struct trace_build *b, struct segment_batch *batch);
/* Adds the bytes in ARGS to PART, at an instant in STEP: of the message of a collective operation, else of
 * outputs. */
void add_message(struct trace_build *b, uint32_t part, int64_t step, int64_t at_ns, const struct trace_args *args);
/* Adds the allocators of the log, and removes its memory marks.  Requires swept tracks. */
void trace_allocators(struct trace_build *b);

/* trace_work.c */
/* True for device work that takes time; event waits of streams do not. */
bool is_device_work(const struct trace_build *b, const struct trace_slice *slice);
void trace_work(struct trace_build *b);
/* A copy of the array DATA, owned by the profile. */
void *keep_array(struct trace_build *b, const void *data, size_t n, size_t size_bytes);

/* trace_session.c: files of ONNX Runtime */
bool is_onnxruntime(const struct trace_log *log);
/* Prepares the profile for nodes of ONNX if the file is one of ONNX Runtime. */
void session_begin(struct trace_build *b);
enum category_kind session_kind(struct text category);
/* Adds a step for each model run. */
void session_steps(struct trace_build *b);
/* The path of SLICE; its node is that of the loaded graph if found. */
uint32_t session_path(struct trace_build *b, const struct trace_slice *slice);
/* True for the fence events before and after a node, which do not count as runs. */
bool is_fence(struct text name);
/* Adds notes on the writer, and on names without a node in the graph. */
void session_finish(struct trace_build *b);

/* trace_timeline.c */
void trace_timeline(struct trace_build *b);
