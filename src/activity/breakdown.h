/* breakdown.h: where the time of devices goes: computing, communication, copies, and why they wait
 * (formats-trace.md section 5). */
#pragma once

#include "activity/work.h"
#include "base/vec.h"

/* Queued work that starts within so long after the work before it waited for its launch alone. */
#define IDLE_GAP_PS (INT64_C(30) * PS_PER_US)

enum idle_cause { IDLE_HOST, IDLE_LAUNCH, IDLE_OTHER, IDLE_UNKNOWN, IDLE_CAUSES };

/* "host": static text. */
const char *idle_cause_name(enum idle_cause cause);
/* What it means, for people: static text. */
const char *idle_cause_help(enum idle_cause cause);

/* Work of one device, of a step or of all, or of one of its streams.  Figures that are not known are
 * INT64_MIN. */
struct breakdown_row {
    int64_t rank;
    strid host;       /* STRID_EMPTY: not known */
    strid device;     /* STRID_EMPTY: no device works */
    strid model_name; /* "NVIDIA H100"; STRID_EMPTY: not known */
    strid stream;     /* STRID_EMPTY unless rows are of streams */
    int64_t step;     /* STEP_ALL, or a step */
    int64_t wall_ps;  /* of the step's marks */
    /* Sets of instants; span is from the first start to the last end. */
    int64_t span_ps, busy_ps, compute_ps, communication_ps, exposed_communication_ps, memory_ps,
        exposed_memory_ps, overlap_ps, idle_ps;
    int64_t idle_by_cause_ps[IDLE_CAUSES];
    /* Of streams: how much is launched and has not begun. */
    int64_t queue_max;
    int64_t queue_area_ps;     /* queue length times how long it was so */
    int64_t queue_span_ps;     /* from the first launch to the last start */
    uint32_t n_negative_queue; /* more begun than launched: an error of clocks */
    uint32_t n_works;
    uint32_t n_kernels, n_short; /* what computes; of that what is shorter than its launch */
};

struct breakdown_request {
    int64_t idle_gap_ps; /* 0: IDLE_GAP_PS */
    bool by_stream;      /* a row for each stream, over all steps */
};

typedef VEC(struct breakdown_row) breakdown_rows;

/* Appends the rows of all devices of SEL, which is opened and at its beginning: by rank, device, the
 * steps in the order of time and all of them last; of streams by rank, device and name.  A rank whose
 * devices do no work has rows without a device. */
void breakdown_make(struct selection *sel, const struct breakdown_request *request,
                    breakdown_rows *rows);

/* True when W computes for less time than the call took that launched it alone. */
bool work_is_short(const struct selection *sel, const struct launch_counts *launches,
                   const struct work *w);

/* A time in which a device does nothing: from the last end of BEFORE to the start of AFTER. */
struct idle_gap {
    struct work before, after;
    int64_t start_ps, dur_ps;
    enum idle_cause cause;
};

/* Calls FOUND for each gap of DEVICE of the current store, by time. */
void breakdown_gaps(const struct selection *sel, uint32_t device, int64_t idle_gap_ps,
                    void (*found)(void *context, const struct idle_gap *gap), void *context);
