/* placing.h: rows for the work of joined replays (formats-trace.md section 11). */
#pragma once

#include "load/replay/replay.h"

/* Number of runs of a part of a node. */
struct part_runs {
    uint32_t part, n;
};

/* The paths of a capture below one base path. */
struct placing_context {
    uint32_t capture, base;
    uint32_t *outer, *inner; /* by captured slice: outer and inner paths, or PATH_UNKNOWN */
};

enum { CONTEXTS = 4 };

struct placing {
    struct captures *all;
    uint16_t *category_of;     /* by captured category */
    VEC(uint32_t) args_of;     /* by captured argument set: id + 1; 0: not copied yet */
    VEC(strid) name_of;        /* by captured string; 0: not copied yet */
    VEC(uint32_t) stack_of;    /* by captured stack; 0: not built yet */
    struct placing_context contexts[CONTEXTS];
    unsigned next_context;
    VEC(uint32_t) climb;       /* scratch */
    VEC(uint32_t) met;         /* by captured slice: last replay that counted it, + 1 */
    VEC(uint32_t) noted;       /* by node: last replay that was recorded for it, + 1 */
    VEC(struct part_runs) runs;
};

/* Prepares rows if any replay of B is joined. */
void placing_begin(struct trace_build *b);
void placing_end(struct trace_build *b);
/* The arguments ARGS of operator NAME; an attention operator gets the sums of COUNTS. */
uint32_t attention_args(struct trace_build *b, strid name, uint32_t args,
                        const struct iteration_counts *counts);
