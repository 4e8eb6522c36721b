/* placing.h: rows of a trace for work of joined replays (formats-trace.md section 11). */
#pragma once

#include "load/replay/replay.h"

/* Runs of captured slices that are one part of a node. */
struct part_runs {
    uint32_t part, n;
};

/* The rows of a capture below one path of annotations. */
struct placing_context {
    uint32_t capture, base;
    uint32_t *outer, *inner; /* paths by captured slice, as in captured_read.c; PATH_UNKNOWN */
};

enum { CONTEXTS = 4 };

struct placing {
    struct captures *all;
    uint16_t *category_of;     /* by category of the captures */
    VEC(uint32_t) args_of;     /* by arguments of these + 1; 0: not copied */
    VEC(strid) name_of;        /* by string of these; 0: not copied */
    VEC(uint32_t) stack_of;    /* by captured stack; 0: not made */
    struct placing_context contexts[CONTEXTS];
    unsigned next_context;
    VEC(uint32_t) climb;       /* scratch */
    VEC(uint32_t) met;         /* by captured slice: the last replay that counted it, + 1 */
    VEC(uint32_t) noted;       /* by node: the same of replay_note_node() */
    VEC(struct part_runs) runs;
};

/* Prepares the rows of placed work, if any replay of B is joined. */
void placing_begin(struct trace_build *b);
void placing_end(struct trace_build *b);
/* ARGS of the operator NAME; with the sums of COUNTS if it computes attention. */
uint32_t attention_args(struct trace_build *b, strid name, uint32_t args,
                        const struct iteration_counts *counts);
