/* event_batch.h: batches of events, decoded on any thread and then joined into the run
 * (formats-xplane.md sections 4 to 6). */
#pragma once

#include "load/xplane/run.h"

/* A line of a plane, or a piece of one. */
struct line {
    const struct plane *plane;
    struct span message;
    int64_t id;
    struct span name;
    int64_t start_ps; /* since the origin of the run */
    enum track_use use;
};

/* An op as decoded; texts point into the file. */
struct batch_op {
    const struct event_metadata *kind; /* may be NULL */
    struct span name;   /* OP_HLO: the instruction; OP_EAGER: the op; else the framework's op, or empty */
    struct span module; /* OP_HLO */
    uint64_t program, ordinal;
    uint32_t count;
    uint8_t op; /* enum run_op_kind */
    bool is_kernel, is_memcpy;
};

struct batch_event {
    int64_t start_ps, dur_ps;
    uint64_t link; /* correlation or run id */
    uint32_t op;   /* index in ops */
    bool is_launch;
};

/* An allocation or deallocation by an allocator of the host. */
struct batch_allocation {
    int64_t at_ps;
    struct span allocator;
    int64_t in_use_bytes, available_bytes, lifetime_peak_bytes;
    double fragmentation;
    uint64_t address;
    int64_t bytes; /* of the block */
    struct span tf_op;
    bool is_free;
};

struct batch_mark {
    struct run_mark mark;
    struct span name;
};

struct batch_dispatch {
    struct run_dispatch dispatch;
    struct span name;
};

enum { BATCH_RECENT = 1024 };

struct event_batch {
    const struct line *line;
    struct span events;   /* fields of the line */
    uint32_t kept_ops;    /* bits of enum run_op_kind, see run.h */
    VEC(struct batch_op) ops;
    struct lookup op_by_all;
    uint32_t recent[BATCH_RECENT]; /* by kind: the op found last */
    VEC(struct batch_event) found;
    VEC(struct batch_mark) marks;
    VEC(struct batch_dispatch) dispatches;
    VEC(struct run_compile) compiles;
    VEC(struct batch_allocation) allocations;
    struct stat_values stats; /* scratch */
    const char *why;          /* error message, NULL if none, and its position */
    const uint8_t *why_at;
};

/* Frees the memory of BATCH, a struct event_batch; a zeroed batch is empty. */
void event_batch_done(void *batch);
/* Empties BATCH and keeps its memory. */
void event_batch_clear(void *batch);
/* Prepares the empty batch B to decode EVENTS of LINE.  Only kinds in KEPT_OPS and launches are
 * kept. */
void event_batch_begin(struct event_batch *b, const struct line *line, struct span events,
                       uint32_t kept_ops);
void event_batch_decode(struct event_batch *b);

/* Registers the host name of XSpace X, the current file of L, in r->names. */
void join_name(struct run *r, struct loader *l, const struct xspace *x);
/* Adds the host of X, whose name is entry FILE of r->names.  Errors and warnings in X become notes.
 * Returns the index in r->hosts. */
uint32_t join_host(struct run *r, struct loader *l, const struct xspace *x, uint32_t file);
/* Adds the compiled programs in plane P. */
void join_programs(struct run *r, struct loader *l, const struct plane *p);
void join_events(struct run *r, struct loader *l, const struct event_batch *b);
