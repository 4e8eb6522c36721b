/* trace_backward.h: the backward pass of a trace of PyTorch: which slices belong to it, and where in
 * the forward pass they stand (formats-trace.md section 4.7); private to src/load/trace. */
#pragma once

#include "load/trace/trace_build.h"

#define TURN_NONE UINT32_MAX

/* A slice of a CPU track, found by a first sweep over all tracks.  Slices are indexes in the log. */
struct swept_slice {
    uint32_t parent;     /* timed slice; SLICE_NONE: none */
    uint32_t stack;      /* of Python when it begins; of a frame its own */
    uint32_t turn;       /* innermost turn around it, itself included; TURN_NONE: none */
    uint32_t attachment; /* innermost module, else outermost operator; not beyond an autograd slice */
    uint32_t path;       /* PATH_ROOT: not known yet */
};

enum turn_kind {
    TURN_AUTOGRAD, /* an autograd slice */
    TURN_INNER,    /* what an autograd slice evaluates, without a number of its own */
    TURN_MODULE,   /* the outermost module in an autograd slice */
};

/* A slice from which on paths may differ from the calls that were recorded. */
struct turn {
    int64_t start_ns;
    uint32_t slice, track;
    uint32_t around;   /* the turn it is in; TURN_NONE: none */
    uint32_t outer;    /* the slice that evaluates it; TURN_NONE: none */
    uint32_t inner;    /* the first slice that it evaluates; TURN_NONE: none */
    uint32_t sequence; /* its number, in the log's sequences; SLICE_NONE: none */
    uint32_t forward;  /* slice of the forward operator; SLICE_NONE: not known */
    uint32_t path;     /* its own; PATH_ROOT: as recorded */
    uint32_t stack;    /* of all in it; 0: their own */
    uint32_t bare_stack; /* of those that have none of their own; 0: none */
    strid name;          /* of the autograd node; modules in one that are not recomputed have its */
    uint8_t kind;        /* enum turn_kind */
    uint8_t pass;        /* enum backward_pass */
    uint8_t depth;       /* turns that its path contains */
    bool is_resolved;
};

/* One end of a flow from the forward to the backward pass. */
struct backward_link {
    int64_t ts_ns;
    strid key;
    uint32_t track;
    uint32_t slice; /* innermost operator that starts there; of an end: where its flow starts */
    bool is_end;
};

struct backward {
    struct trace_build *b;
    uint32_t first_slice; /* swept slices are those from here on */
    VEC(struct swept_slice) swept;
    VEC(struct turn) turns;
    VEC(struct backward_link) links; /* by track and time */
    VEC(int64_t) first_ns;           /* by track: start of its first slice */
    struct idmap modules;            /* name -> first slice outside of the backward pass */
    VEC(uint32_t) climb;             /* scratch */
};

/* Collects the links of the log, by track and time. */
void backward_links(struct backward *w);
/* Sets the forward operators of all turns that are autograd slices, once the slices of links are
 * known.  Empties the links. */
void forward_operators(struct backward *w);
