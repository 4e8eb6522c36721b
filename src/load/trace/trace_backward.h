/* trace_backward.h: state of the search for the backward pass of PyTorch, and for the forward
 * operators of its slices (formats-trace.md section 4.7); private to src/load/trace. */
#pragma once

#include "load/trace/trace_build.h"

#define BACKWARD_NONE UINT32_MAX

/* Result of the first sweep for one slice of a CPU track.  Slices are indexes in the log. */
struct swept_slice {
    uint32_t parent;     /* enclosing timed slice, or SLICE_NONE */
    uint32_t stack;      /* Python stack at its start; includes a frame itself */
    uint32_t op;       /* innermost backward op that contains it, or BACKWARD_NONE */
    uint32_t attachment; /* innermost module, else outermost operator, up to an autograd slice */
    uint32_t path;       /* PATH_ROOT: not resolved yet */
};

enum backward_op_kind {
    BACKWARD_AUTOGRAD, /* an autograd slice */
    BACKWARD_INNER,    /* operator without a sequence number that an autograd slice evaluates */
    BACKWARD_MODULE,   /* outermost module in an autograd slice */
};

/* A slice of the backward pass whose path may differ from the recorded calls. */
struct backward_op {
    int64_t start_ns;
    uint32_t slice, track;
    uint32_t around;   /* enclosing backward op, or BACKWARD_NONE */
    uint32_t outer;    /* op of the slice that evaluates it, or BACKWARD_NONE */
    uint32_t inner;    /* first backward op that it evaluates, or BACKWARD_NONE */
    uint32_t sequence; /* index in the log's sequences, or SLICE_NONE */
    uint32_t forward;  /* slice of the forward operator, or SLICE_NONE */
    uint32_t path;     /* path after the move; PATH_ROOT: as recorded */
    uint32_t stack;    /* replaces all stacks in the backward op; 0: none */
    uint32_t bare_stack; /* replaces empty stacks in the backward op; 0: none */
    strid name;          /* of the autograd node; for a module that of the backward op around it */
    uint8_t kind;        /* enum backward_op_kind */
    uint8_t pass;        /* enum backward_pass */
    uint8_t depth;       /* number of ops on its path */
    bool is_resolved;
};

/* One end of a forward-to-backward flow. */
struct backward_link {
    int64_t ts_ns;
    strid key;
    uint32_t track;
    uint32_t slice; /* innermost operator that starts here; of an end: at its start */
    bool is_end;
};

struct backward {
    struct trace_build *b;
    uint32_t first_slice; /* index of the first swept slice in the log */
    VEC(struct swept_slice) swept;
    VEC(struct backward_op) ops;
    VEC(struct backward_link) links; /* by track and time */
    VEC(int64_t) first_ns;           /* by track: start of its first slice */
    struct idmap modules;            /* name -> its first slice in the forward pass */
    VEC(uint32_t) climb;             /* scratch */
};

/* Collects the forward-to-backward flows of the log, by track and time. */
void backward_links(struct backward *w);
/* Sets backward_op.forward of all autograd slices.  Requires links bound to slices; empties w->links. */
void forward_operators(struct backward *w);
