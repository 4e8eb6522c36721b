/* replay.h: replays of CUDA and HIP graphs in a trace, and the join with captured graphs
 * (formats-trace.md section 11). */
#pragma once

#include "load/replay/align.h"
#include "load/replay/capture_files.h"
#include "load/replay/name_flags.h"
#include "model/iteration.h"

#define MARK_NONE UINT32_MAX

/* An outermost annotation of an iteration. */
struct iteration_mark {
    uint32_t slice; /* index in the log, in file order */
    struct iteration iteration;
};

/* A graph launch with the work of its replay. */
struct graph_launch {
    int64_t correlation, start_ns, work_ns;
    strid launch;         /* name of the call */
    uint32_t mark;        /* index in marks, or MARK_NONE */
    uint32_t first_work, n_works;
    uint32_t capture, graph; /* CAPTURE_NONE: not joined */
    int64_t wanted_size;  /* batch size of the iteration; SIZE_UNKNOWN if none */
    struct alignment alignment;
    /* Set while its track is swept: */
    uint32_t path, path_with_modules; /* below the annotations around it; also below modules */
    uint32_t own_path;
    int64_t step;
    uint32_t row;         /* index in replay_state.rows */
};

/* Device work that an iteration launched. */
struct work_span {
    struct iteration *iteration;
    int64_t start_ns, end_ns;
};

/* Work of a replay.  SLICE is an index in file order, PLACE one among slices that are not swept. */
struct replay_work {
    uint32_t slice, place;
};

/* The replays of one trace. */
struct trace_replays {
    struct replay_state *state;
    struct trace_log *log;
    uint8_t *kinds;       /* by category */
    name_flags flags;
    VEC(struct graph_launch) list;        /* in launch order */
    struct idmap by_correlation;
    VEC(struct replay_work) works;  /* by replay, then time */
    VEC(uint32_t) placed; /* parallel to works: index of a captured launch, or an ALIGN_ value */
    VEC(struct iteration_mark) marks; /* by start */
    VEC(struct work_span) spans;
    VEC(uint32_t) launch_of_place;  /* by place: index of the captured launch + 1; 0: not placed */
    const char *path;     /* path of the trace */
    struct intern token_keys;        /* keys (name, kind) of token_of */
    VEC(struct kernel_token) token_of; /* by key */
    struct idmap stream_of;          /* scratch: (replay, stream name) -> stream */
    uint32_t n_streams;
    VEC(struct kernel_token) tokens; /* scratch, by work */
    VEC(uint32_t) streams;          /* scratch, by work */
    VEC(int64_t) nodes;             /* scratch, by work */
    bool has_own;                   /* captured graphs of this trace were used */
};

enum { REFUSALS_MAX = 256 };

/* Replays that a capture does not fit for one reason; the contents of one message. */
struct refusal {
    enum join_reason reason;
    uint32_t capture, other; /* CAPTURE_NONE if none; other: a second capture that fits as well */
    int64_t size;            /* required batch size */
    uint64_t n_replays;
    uint64_t n, of;          /* of the first: N of OF names are equal, or N captured, OF launched */
    bool is_count;           /* the capture has no kernel names */
};

/* State of a load, shared by all its traces. */
struct replay_state {
    struct capture_files files;
    struct intern row_keys;         /* keys of rows */
    VEC(struct graph_row) rows;
    VEC(struct refusal) refusals;
    struct intern node_keys;        /* keys (node, row) of nodes */
    VEC(struct graph_node) nodes;
    uint64_t steps_left, count_steps_left;
    uint64_t n_replays;
    bool any_joined;
    bool looked_ahead;              /* replays_look_ahead() was called */
};

/* Finds replays and marks in the log of R, whose slices are in file order. */
void replays_find(struct trace_replays *r);
/* Joins the replays with captures; false with ERR. */
bool replays_join(struct trace_replays *r, struct err *err);
/* Adds a refusal; merges it with others of the same reason and capture. */
void replay_refuse(struct replay_state *state, struct refusal refusal);
/* Adds REPLAY to the row for its alignment. */
void replay_add_row(struct trace_replays *r, struct graph_launch *replay);
/* The state of the load, created on first use; NULL with ERR. */
struct replay_state *replay_state_of(struct loader *l, struct err *err);
/* True when LOG has a graph launch with work. */
bool log_has_replays(struct trace_log *log);
/* Adds captures found in inputs that are read later. */
void replays_look_ahead(struct replay_state *state, struct loader *l);
/* Records that replays of ROW have work in NODE. */
void replay_note_node(struct replay_state *state, uint32_t node, uint32_t row);
void replays_done(struct trace_replays *r);
