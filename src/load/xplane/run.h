/* run.h: a run under construction: what the captures of all its hosts say, before it becomes
 * nodes and executions (formats-xplane.md section 6).
 *
 * Instants are picoseconds since the origin of the run, durations too. */
#ifndef TFPROF_LOAD_XPLANE_RUN_H
#define TFPROF_LOAD_XPLANE_RUN_H

#include "hlo/module.h"
#include "load/xplane/lookup.h"
#include "load/xplane/plane.h"
#include "model/capture.h"

#define DEVICE_NONE UINT32_MAX
#define HOST_NONE UINT32_MAX
#define OP_NONE UINT32_MAX

/* What an event is of. */
enum run_op_kind {
    OP_HLO,       /* an instruction of a compiled program */
    OP_FRAMEWORK, /* NAME:TYPE */
    OP_PIPELINE,  /* Iterator::... */
    OP_EAGER,
    OP_DEVICE, /* a kernel or copy that no op claims */
    OP_PYTHON,
    OP_RUNTIME,
};

/* The same thing on the same device: what differs from event to event is time. */
struct run_op {
    enum run_op_kind kind;
    uint32_t device;   /* in run.devices */
    uint64_t program;  /* OP_HLO */
    uint32_t program_place; /* in run.programs, set by ops_find_programs() */
    strid name;        /* of the instruction, op or event */
    strid type;        /* OP_FRAMEWORK, OP_EAGER: op type; OP_HLO: the module's name; OP_DEVICE: "kernel" */
    strid kernel;      /* the event's own name, on a device */
    uint32_t caller;   /* OP_PYTHON: the op that called it, OP_NONE: none that is known */
    uint32_t count;    /* executions that an event stands for; usually 1 */
    strid category;    /* OP_HLO: what a TPU says of it, STRID_EMPTY: nothing */
    int64_t flops, bytes_accessed; /* likewise of one execution; -1: nothing */
    bool has_events;
    node_id node;
};

/* Events of one op follow each other in thousands: what they share is in their op. */
struct run_event {
    int64_t start_ps, dur_ps; /* of one that sums up several executions, the line's start */
    union {
        uint64_t correlation; /* of a GPU: joins it with its launch; read before self_ps is set */
        int64_t self_ps;
    };
    uint32_t op;   /* in run.ops */
    uint32_t step; /* a place in run.steps; before that of host events: their run, in run.runs */
};

/* Bit of run_event.step: it begins an execution of its op. */
#define EVENT_BEGINS UINT32_C(0x80000000)

/* What a track holds; a line of a host may have one of each. */
enum track_use {
    TRACK_DEVICE,
    TRACK_NESTED,
    TRACK_HLO,
    TRACK_OPS,
    TRACK_CALLS,
    TRACK_SUMS, /* events that sum up several executions: they have no place in time */
};

/* Events of a line that are told by the same rule. */
struct track {
    uint32_t host;
    uint32_t device; /* DEVICE_NONE: of several */
    strid plane, name;
    int64_t id;
    enum track_use use;
    VEC(struct run_event) events;
};

/* Here begins step NUMBER, says the user or a device. */
struct run_mark {
    int64_t start_ps, dur_ps, number;
};

struct run_device {
    uint32_t host;
    enum plane_kind kind; /* PLANE_HOST: compiled code and ops on the CPU */
    strid number;         /* "0"; of SparseCores "0 SparseCore 1" */
    strid name;           /* "/host:h/device:GPU:0", once all hosts are known */
    VEC(struct run_mark) marks; /* of steps, by the device itself */
    struct stat_values *about; /* stats of the plane; NULL: none; texts are of an input that is kept */
    bool has_events;
    uint64_t n_executions, n_short; /* set by execution_times_end(); as in struct capture_device */
    int64_t short_ps;
};

/* A launch on a host, by the id that its kernels have too. */
struct run_launch {
    uint64_t correlation;
    int64_t start_ps;
    uint32_t op; /* of the host event, OP_NONE: it names none; the device in it is of the host */
};

/* What an allocator said, of most at its peak. */
struct run_allocator {
    strid name;
    uint32_t host;
    uint64_t n_allocations, n_frees;
    VEC(struct capture_point) points; /* in ps, as met */
    int64_t peak_bytes, capacity_bytes, lifetime_peak_bytes;
    double fragmentation;
};

/* What the host of a file is called. */
struct run_name {
    strid name;      /* of those of a run no two are alike, once all files are known */
    strid said;      /* by the file */
    strid file_name; /* without its ending */
};

struct run_host {
    strid name;
    uint32_t file; /* in run.names */
    const char *path;
    VEC(struct run_launch) launches; /* the first of each id */
    struct lookup launch_by_id;
    VEC(struct run_mark) marks;
};

/* A compiled program on a host. */
struct run_program {
    uint32_t host;
    uint64_t id;
    strid name;
    struct span proto; /* HloProto, in an input that is kept; bytes NULL: none */
    struct hlo_module *module; /* NULL, or what it says, until nodes are made of it */
    bool ran;
};

/* The executions of a node on a device. */
struct run_executions {
    node_id node;
    struct capture_executions times; /* its device is in run.devices too */
};

/* One execution of a compiled program on a CPU. */
struct run_of_program {
    uint32_t device;
    uint64_t program, id;
    int64_t start_ps;
};

/* How the ops of hosts are kept: with -host_events ops. */
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
    VEC(struct run_executions) executions; /* by node */
    struct lookup device_by_name, op_by_all, track_by_line, program_by_id, run_by_id,
        allocator_by_name;
    bool has_origin[2]; /* of clocks that count from a start, and from 1970 */
    int64_t origin_ns[2];
    VEC(int64_t) steps; /* numbers */
    uint64_t n_planes;
    VEC(struct run_allocator) allocators;
    uint32_t kept_ops; /* a bit for each kind of op that becomes nodes */
};

/* KEPT_OPS: a bit for each kind of op that becomes nodes. */
struct run *run_new(uint32_t kept_ops);
void run_free(struct run *r); /* NULL is fine */

/* The device of HOST, added when it is new. */
uint32_t run_device(struct run *r, uint32_t host, enum plane_kind kind, strid number);
/* The place of OP in r->ops, added when it is new. */
uint32_t run_op(struct run *r, const struct run_op *op);
/* The place in r->tracks of the track of this host, plane, id and use, added when it is new. */
uint32_t run_track(struct run *r, const struct track *like);
/* The place in r->runs of run ID of PROGRAM on DEVICE; START_PS lowers its start. */
uint32_t run_of_program(struct run *r, uint32_t device, uint64_t program, uint64_t id,
                        int64_t start_ps);
/* The program; with ADD added when it is new, else NULL then. */
struct run_program *run_program(struct run *r, uint32_t host, uint64_t id, bool add);
/* The allocator of HOST, added when it is new. */
struct run_allocator *run_allocator(struct run *r, uint32_t host, strid name);
/* Keeps LAUNCH unless there is one of its id. */
void run_add_launch(struct run *r, uint32_t host, const struct run_launch *launch);
/* The launch of CORRELATION on HOST, or NULL. */
const struct run_launch *run_launch(const struct run *r, uint32_t host, uint64_t correlation);

#endif
