/* graph_replays.h: how replays of CUDA and HIP graphs were joined with graph captures. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/intern.h"

/* Why a replay could not be joined: X(ID, word in `summary`). */
#define JOIN_REASON_LIST(X)      \
    X(NO_CAPTURE, "no capture")  \
    X(SIZE, "size")              \
    X(MISSING, "missing")        \
    X(GRAPHS, "graphs")          \
    X(NAMES, "names")            \
    X(STREAMS, "streams")        \
    X(AMBIGUOUS, "ambiguous")

#define JOIN_REASON_ID(id, word) JOIN_##id,
enum join_reason { JOIN_FITS, JOIN_REASON_LIST(JOIN_REASON_ID) JOIN_REASON_COUNT };
#undef JOIN_REASON_ID

/* How kernels of a replay were assigned to captured launches. */
enum join_how { JOIN_BY_NODE_IDS, JOIN_BY_COUNT, JOIN_BY_ORDER, JOIN_BY_STREAMS, JOIN_HOW_COUNT };

/* Static text: "no capture" (NULL for JOIN_FITS), "node ids". */
const char *join_reason_word(enum join_reason reason);
const char *join_how_word(enum join_how how);

#define CAPTURE_NONE UINT32_MAX
#define SIZE_UNKNOWN INT64_MIN

/* A trace file with captured graphs. */
struct graph_capture {
    const char *path;
    const char *mode;   /* "FULL"; NULL: the file was not read */
    int64_t rank;       /* INT64_MIN: unknown, also below */
    int64_t batch_size;
    int64_t n_graphs, n_launches;
    bool is_used;
};

/* Equal replays of one trace. */
struct graph_row {
    const char *path;   /* of the trace */
    strid launch;       /* "hipGraphLaunch" */
    int64_t rank, batch_size; /* batch_size: requested size; SIZE_UNKNOWN: none */
    uint32_t capture;   /* index of a capture; CAPTURE_NONE: not joined */
    uint32_t graph;     /* index in the capture */
    uint8_t how;        /* enum join_how, if joined */
    uint8_t reason;     /* enum join_reason */
    uint64_t n_replays, n_works, n_placed, n_equal, n_ambiguous, n_unmatched;
    int64_t accelerator_ns, placed_ns;
};

/* Replays of a row that have work in a node. */
struct graph_node {
    uint32_t node, row; /* row: in rows */
    uint64_t n_replays;
};

/* Sums over rows. */
struct graph_totals {
    uint64_t n_replays, n_joined, n_works, n_placed, n_ambiguous, n_unmatched;
    int64_t accelerator_ns, placed_ns;
};

struct graph_replays {
    struct graph_capture *captures;
    struct graph_row *rows;
    struct graph_node *nodes; /* by node, then row */
    uint32_t n_captures, n_rows, n_nodes;
};

struct graph_totals graph_totals_of(const struct graph_replays *g);
