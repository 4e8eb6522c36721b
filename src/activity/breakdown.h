/* breakdown.h: breakdown of device time: computing, communication, copies, and idle time by cause
 * (formats-trace.md section 5). */
#pragma once

#include "activity/work.h"
#include "base/vec.h"

/* A gap between queued work that is not longer is caused by launch latency. */
#define IDLE_GAP_PS (INT64_C(30) * PS_PER_US)

enum idle_cause { IDLE_HOST, IDLE_LAUNCH, IDLE_OTHER, IDLE_UNKNOWN, IDLE_CAUSES };

/* "host": static text. */
const char *idle_cause_name(enum idle_cause cause);
/* Explains the cause in one sentence: static text. */
const char *idle_cause_help(enum idle_cause cause);

/* Times of a device or stream in a step, or in all steps. INT64_MIN: unknown. */
struct breakdown_row {
    int64_t rank;
    strid host;       /* STRID_EMPTY: unknown */
    strid device;     /* STRID_EMPTY: no device did any work */
    strid model_name; /* "NVIDIA H100"; STRID_EMPTY: unknown */
    strid stream;     /* STRID_EMPTY except in rows of streams */
    int64_t step;     /* STEP_ALL: all steps */
    int64_t wall_ps;  /* time of the step's marks */
    /* Lengths of unions of intervals; the span is from the first start to the last end. */
    int64_t span_ps, busy_ps, compute_ps, communication_ps, exposed_communication_ps, memory_ps,
        exposed_memory_ps, overlap_ps, idle_ps;
    int64_t idle_by_cause_ps[IDLE_CAUSES];
    /* Rows of streams: the largest number of launched events that have not started. */
    int64_t queue_max;
    int64_t queue_area_ps;     /* integral of the queue length over time */
    int64_t queue_span_ps;     /* from the first launch to the last start */
    uint32_t n_negative_queue; /* times with more starts than launches: clock errors */
    uint32_t n_works;
    uint32_t n_kernels, n_short; /* computing events, and those shorter than their launch */
};

struct breakdown_request {
    int64_t idle_gap_ps; /* 0: IDLE_GAP_PS */
    bool by_stream;      /* one row per stream, over all steps */
};

typedef VEC(struct breakdown_row) breakdown_rows;

/* Appends the rows of SEL's devices (SEL is opened, at its beginning), sorted by rank, device and
 * step; the row over all steps is last. Rows of streams are sorted by rank, device and name. A rank
 * without device work has rows without a device. */
void breakdown_make(struct selection *sel, const struct breakdown_request *request,
                    breakdown_rows *rows);

/* True if W computes for less time than the call that launched only W took. */
bool work_is_short(const struct selection *sel, const struct launch_counts *launches,
                   const struct work *w);

/* An idle interval of a device, from the last end of BEFORE to the start of AFTER. */
struct idle_gap {
    struct work before, after;
    int64_t start_ps, dur_ps;
    enum idle_cause cause;
};

/* Calls FOUND for each idle gap of DEVICE in the current store, in order of time. */
void breakdown_gaps(const struct selection *sel, uint32_t device, int64_t idle_gap_ps,
                    void (*found)(void *context, const struct idle_gap *gap), void *context);
