/* replay.h: replays of CUDA and HIP graphs in a trace, and how they are joined with captured graphs
 * (formats-trace.md section 11). */
#pragma once

#include "load/replay/align.h"
#include "load/replay/capture_files.h"
#include "load/replay/name_flags.h"
#include "model/iteration.h"

#define MARK_NONE UINT32_MAX

/* An annotation of an iteration that is in no other. */
struct iteration_mark {
    uint32_t slice; /* in the log as read */
    struct iteration iteration;
};

/* A launch of a graph, with the work that it replays. */
struct graph_launch {
    int64_t correlation, start_ns, work_ns;
    strid launch;         /* its name */
    uint32_t mark;        /* in marks; MARK_NONE */
    uint32_t first_work, n_works;
    uint32_t capture, graph; /* indexes; CAPTURE_NONE: not joined */
    int64_t wanted_size;  /* SIZE_UNKNOWN: not known */
    struct alignment alignment;
    /* Set when its track is swept: */
    uint32_t path, path_with_modules; /* of the annotations around it, and of the modules too */
    uint32_t own_path;
    int64_t step;
    uint32_t row;         /* in struct replay_state */
};

/* Work that an iteration launched. */
struct work_span {
    struct iteration *iteration;
    int64_t start_ns, end_ns;
};

/* Work of a replay: SLICE of the log as read, number PLACE among the slices that are not swept. */
struct replay_work {
    uint32_t slice, place;
};

/* The replays of one trace. */
struct trace_replays {
    struct replay_state *state;
    struct trace_log *log;
    uint8_t *kinds;       /* of categories */
    name_flags flags;
    VEC(struct graph_launch) list;        /* by launch */
    struct idmap by_correlation;
    VEC(struct replay_work) works;  /* by replay, then time */
    VEC(uint32_t) placed;           /* as these: launch of the captured graph, or an ALIGN_ value */
    VEC(struct iteration_mark) marks; /* by start */
    VEC(struct work_span) spans;
    VEC(uint32_t) launch_of_place;  /* by place: launch of the captured graph + 1; 0: not placed */
    const char *path;     /* of the trace */
    struct intern token_keys;        /* (name, kind) of work */
    VEC(struct kernel_token) token_of; /* as these */
    struct idmap stream_of;          /* scratch: replay and name -> stream */
    uint32_t n_streams;
    VEC(struct kernel_token) tokens; /* scratch, by work */
    VEC(uint32_t) streams;          /* likewise */
    VEC(int64_t) nodes;             /* likewise */
    bool has_own;                   /* captured graphs of its own that were used */
};

enum { REFUSALS_MAX = 256 };

/* Replays that one capture does not fit for one reason, for the message about them. */
struct refusal {
    enum join_reason reason;
    uint32_t capture, other; /* CAPTURE_NONE; other: that fits as well */
    int64_t size;            /* that is wanted */
    uint64_t n_replays;
    uint64_t n, of;          /* of the first one: equal names of all; captured graphs, launched ones */
    bool is_count;           /* the capture has no names of kernels */
};

/* What a load keeps of all traces. */
struct replay_state {
    struct capture_files files;
    struct intern row_keys;         /* of rows */
    VEC(struct graph_row) rows;
    VEC(struct refusal) refusals;
    struct intern node_keys;        /* (node, row) of nodes */
    VEC(struct graph_node) nodes;
    uint64_t steps_left, count_steps_left;
    uint64_t n_replays;
    bool any_joined;
    bool looked_ahead;              /* at the inputs that are read later */
};

/* Finds replays and marks in the log of R, whose slices are as read. */
void replays_find(struct trace_replays *r);
/* Joins them with captures; false with ERR. */
bool replays_join(struct trace_replays *r, struct err *err);
/* Adds a refusal to those of the load, merged with others of the same reason and capture. */
void replay_refuse(struct replay_state *state, struct refusal refusal);
/* Adds REPLAY to the rows of the load, as its alignment says. */
void replay_add_row(struct trace_replays *r, struct graph_launch *replay);
/* The state of the load, made on first use; NULL with ERR. */
struct replay_state *replay_state_of(struct loader *l, struct err *err);
/* True when LOG has a graph launch with work. */
bool replays_are_in(struct trace_log *log);
/* Adds captures among the inputs that are read later. */
void replays_look_ahead(struct replay_state *state, struct loader *l);
/* Notes that a replay of ROW has work in NODE. */
void replay_note_node(struct replay_state *state, uint32_t node, uint32_t row);
void replays_done(struct trace_replays *r);
