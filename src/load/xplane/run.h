/* run.h: a capture under construction: data of all hosts before nodes and executions are made
 * (formats-xplane.md section 6).
 *
 * Times and durations are picoseconds; times count from the origin of the run. */
#pragma once

#include "hlo/module.h"
#include "load/xplane/lookup.h"
#include "load/xplane/plane.h"
#include "model/programs.h"

struct loader;  /* load/loader.h */
struct workers; /* base/system/workers.h */

#define DEVICE_NONE UINT32_MAX
#define OP_NONE UINT32_MAX

/* Kinds of ops. */
enum run_op_kind {
    OP_HLO,       /* an instruction of a compiled program */
    OP_FRAMEWORK, /* NAME:TYPE */
    OP_PIPELINE,  /* Iterator::... */
    OP_EAGER,
    OP_DEVICE, /* a kernel or copy without a known op */
    OP_PYTHON,
    OP_RUNTIME,
};

/* Data shared by all events of one op on one device. */
struct run_op {
    enum run_op_kind kind;
    uint32_t device;   /* in run.devices */
    uint64_t program;  /* OP_HLO */
    uint32_t program_place; /* in run.programs, set by ops_find_programs() */
    strid name;        /* of the instruction, op or event */
    /* OP_FRAMEWORK, OP_EAGER: op type; OP_HLO: module name; OP_DEVICE: "kernel" */
    strid type;
    strid kernel;      /* event name, on a device */
    uint32_t caller;   /* OP_PYTHON: op of the caller, OP_NONE if unknown */
    uint32_t count;    /* executions per event; usually 1 */
    strid category;    /* OP_HLO: category reported by a TPU; STRID_EMPTY: none */
    bool is_memcpy;    /* a copy, by a stat of the event */
    int64_t flops, bytes_accessed; /* per execution, reported by a TPU; -1: not reported */
    bool has_events;
    node_id node;
};

/* An event.  Data that events of an op share is in struct run_op, to keep events small. */
struct run_event {
    int64_t start_ps, dur_ps; /* start of the line, if it sums up several executions */
    union {
        uint64_t correlation; /* of a GPU: id of its launch; used until self_ps is set */
        int64_t self_ps;
    };
    uint32_t op;   /* in run.ops */
    /* index in run.steps; before steps are found, of host events: index in run.runs */
    uint32_t step;
};

/* Flag in run_event.step: the event begins an execution of its op. */
#define EVENT_BEGINS UINT32_C(0x80000000)

/* Contents of a track; a line of a host may have one track of each use. */
enum track_use {
    TRACK_DEVICE,
    TRACK_NESTED,
    TRACK_HLO,
    TRACK_OPS,
    TRACK_CALLS,
    TRACK_SUMS, /* events that sum up several executions and have no start time */
};
enum { TRACK_USES = TRACK_SUMS + 1 };

/* Events of a line with the same use. */
struct track {
    uint32_t host;
    uint32_t device; /* DEVICE_NONE: several */
    strid plane, name;
    int64_t id;
    enum track_use use;
    VEC(struct run_event) events;
    VEC(uint32_t) launches; /* TRACK_DEVICE, once sorted: of each event, in run_host.launches */
};

/* Start of step NUMBER, as marked by the user or a device. */
struct run_mark {
    int64_t start_ps, dur_ps, number;
    strid name;    /* of the event; STRID_EMPTY: a device marks it */
    uint32_t step; /* index in run.steps, set by steps_find() */
};

/* A call on a host in which a program is compiled. */
struct run_compile {
    int64_t start_ps, end_ps;
};

/* A host call that executes a program on a device, or an enclosing call of a compiled function. */
struct run_dispatch {
    uint64_t line; /* identifies the line on its host */
    int64_t start_ps, end_ps;
    strid name;    /* function or program; STRID_EMPTY: not recorded */
    bool executes; /* false: an enclosing call */
};

struct run_device {
    uint32_t host;
    enum plane_kind kind; /* PLANE_HOST: compiled code and ops on the CPU */
    strid number;         /* "0"; of SparseCores "0 SparseCore 1" */
    strid name;           /* "/host:h/device:GPU:0", once all hosts are known */
    VEC(struct run_mark) marks; /* of steps, by the device itself */
    /* stats of the plane; NULL: none; texts point into an input that is kept */
    struct stat_values *about;
    bool has_events;
};

#define LAUNCH_NONE UINT32_MAX

/* A launch call on a host, with the correlation id that its kernels share. */
struct run_launch {
    uint64_t correlation;
    int64_t start_ps, dur_ps;
    uint32_t op; /* op of the host event, OP_NONE if unnamed; its device is that of the host */
    strid name;  /* of the call */
};

/* An allocation or a free. */
struct run_allocation {
    int64_t at_ps, in_use_bytes, bytes;
    uint64_t address;
    size_t order; /* in the file */
    strid name;   /* type of the framework's op; STRID_EMPTY: not recorded */
    bool is_free;
};

/* Events of an allocator, and its state at the peak. */
struct run_allocator {
    strid name;
    uint32_t host;
    VEC(struct run_allocation) events; /* in file order */
    int64_t peak_bytes, capacity_bytes, lifetime_peak_bytes;
    double fragmentation;
};

/* Host name of a file. */
struct run_name {
    strid name;      /* unique within the run once all files are known */
    strid recorded_name;      /* name in the file */
    strid file_name; /* file name without its suffix */
};

struct run_host {
    strid name;
    uint32_t file; /* in run.names */
    const char *path;
    VEC(struct run_launch) launches; /* in the order of the file */
    size_t repeated; /* launches at the begin whose ids were those of the last added ones */
    VEC(struct run_mark) marks;
    VEC(struct run_dispatch) dispatches;
    VEC(struct run_compile) compiles;
};

/* A compiled program on a host. */
struct run_program {
    uint32_t host;
    uint64_t id;
    strid name;
    struct span proto; /* HloProto, in an input that is kept; bytes NULL if missing */
    struct hlo_module *module; /* parsed module, until nodes are made of it; may be NULL */
    bool ran;
};

/* A node ran on a device. */
struct node_on_device {
    node_id node;
    uint32_t device;
};

/* One execution of a compiled program on a CPU. */
struct run_of_program {
    uint32_t device;
    uint64_t program, id;
    int64_t start_ps;
    int64_t cause_ps; /* when the host dispatched it, set by dispatches_find() */
};

/* Kinds of ops that become nodes by default (-host_events ops). */
#define KEPT_OPS                                                                              \
    (1u << OP_HLO | 1u << OP_FRAMEWORK | 1u << OP_PIPELINE | 1u << OP_EAGER | 1u << OP_DEVICE)

struct run {
    VEC(struct run_name) names; /* of all files, in their order */
    VEC(struct run_host) hosts; /* of the files that are read (-host_regexes) */
    VEC(struct run_device) devices;
    VEC(struct run_op) ops;
    VEC(struct track) tracks;
    VEC(struct run_program) programs;
    VEC(struct run_of_program) runs;
    VEC(struct node_on_device) places; /* without duplicates, by node */
    struct lookup device_by_name, op_by_all, track_by_line, program_by_id, run_by_id,
        allocator_by_name;
    bool has_origin[2]; /* by clock: [0] counts from an arbitrary start, [1] from 1970 */
    int64_t origin_ns[2];
    VEC(int64_t) steps; /* numbers */
    VEC(strid) step_names; /* step names, if the numbers of the marks are not unique */
    size_t n_marked_steps; /* the step after these has the events caused before the first mark */
    VEC(struct run_allocator) allocators;
    uint32_t kept_ops; /* a bit for each kind of op that becomes nodes */
    struct workers *workers; /* for loops over tracks once all are known; NULL: few events */
};

/* KEPT_OPS: a bit for each kind of op that becomes nodes. */
struct run *run_new(uint32_t kept_ops);
void run_free(struct run *r); /* R may be NULL */

/* The device of HOST; added if missing. */
uint32_t run_device(struct run *r, uint32_t host, enum plane_kind kind, strid number);
/* The index of OP in r->ops; added if missing. */
uint32_t run_op(struct run *r, const struct run_op *op);
/* The index in r->tracks of the track with the host, plane, id and use of LIKE; added if
 * missing. */
uint32_t run_track(struct run *r, const struct track *like);
/* The index in r->runs of run ID of PROGRAM on DEVICE, added if missing; its start becomes the
 * minimum of START_PS. */
uint32_t run_of_program(struct run *r, uint32_t device, uint64_t program, uint64_t id,
                        int64_t start_ps);
/* The program with ID on HOST.  If missing it is added (ADD) or NULL is returned. */
struct run_program *run_program(struct run *r, uint32_t host, uint64_t id, bool add);
/* The allocator of HOST; added if missing. */
struct run_allocator *run_allocator(struct run *r, uint32_t host, strid name);
/* Adds LAUNCH.  Of those with one id only the first is used. */
void run_add_launch(struct run *r, uint32_t host, const struct run_launch *launch);
/* The launches of H in the order BEFORE, as pointers that the caller frees; NULL: they are stored in this
 * order. */
const void **run_launches_by(const struct run_host *h, stable_before *before);
/* Matches device events with launches.  Tracks must be sorted. */
void run_find_launches(struct run *r);
/* The launch of event I of TRACK; NULL if unknown. */
const struct run_launch *run_launch_of(const struct run *r, const struct track *track, size_t i);

/* Orders events of a track by start, then longer first, then by input order. */
static inline bool track_event_before(const struct run_event *a, const struct run_event *b)
{
    return a->start_ps != b->start_ps ? a->start_ps < b->start_ps : a->dur_ps > b->dur_ps;
}

/* Sorts the events of T. */
void track_sort(struct track *t);

/* The time of event E of T without nested ones; of a GPU, whose events do not nest, all of it. */
static inline int64_t run_self_ps(const struct track *t, const struct run_event *e)
{
    return t->use == TRACK_DEVICE ? e->dur_ps : e->self_ps;
}

/* Sets self_ps of the sorted events of T by its use: the full duration on devices, the duration
 * minus contained events for compiled code, and the time on top of the stack for host ops. */
void track_self_times(struct track *t);

/* Makes one op for each distinct path of Python calls, and sets self_ps of all events in the sorted
 * TRACK_CALLS tracks: duration minus nested Python calls and ops. */
void calls_find(struct run *r);

/* True when the numbers of the marks are those of steps: none is negative, and no host has one of
 * them twice. */
bool marks_are_numbered(const struct run *r);

/* Makes each mark a step, numbered from 0 by start, which keeps its name: "train 3", and "train 3
 * (2)" for the second.  Marks of one name on several hosts are one step.  Fills r->steps,
 * r->step_names and the step of all marks, which are sorted by start. */
void marks_number(struct run *r, struct loader *l);

/* Normalises the name of a function ("<lambda>", IS_FUNCTION) or of its program ("jit__lambda") for
 * comparison: letters and digits only. */
strid dispatch_key(struct loader *l, struct span name, bool is_function);

/* Sets cause_ps of all r->runs.  Runs of a program are numbered in dispatch order, so the k-th run
 * belongs to the k-th dispatch.  Runs dispatched before the capture get INT64_MIN; without a known
 * dispatch cause_ps is the start of the run. */
void dispatches_find(struct run *r, struct loader *l);
