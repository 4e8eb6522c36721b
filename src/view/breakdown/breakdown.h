/* breakdown.h: where the time of accelerators goes: computing, communication, copies, and why they
 * wait (formats-trace.md section 5). */
#ifndef TFPROF_VIEW_BREAKDOWN_H
#define TFPROF_VIEW_BREAKDOWN_H

#include "base/vec.h"
#include "model/profile.h"

/* Queued work that starts within so long after the work before it waited for its launch alone. */
#define IDLE_GAP_NS INT64_C(30000)

enum idle_cause { IDLE_HOST, IDLE_LAUNCH, IDLE_OTHER, IDLE_UNKNOWN, IDLE_CAUSES };

/* "host": static text. */
const char *idle_cause_name(enum idle_cause cause);
/* What it means, for people: static text. */
const char *idle_cause_help(enum idle_cause cause);

/* Work of one device, of a step or of all, or of one of its streams. */
struct breakdown_row {
    int64_t rank; /* -1: not known */
    strid device; /* STRID_EMPTY: the file has no work of accelerators */
    strid stream; /* STRID_EMPTY unless rows are of streams */
    int64_t step; /* STEP_ALL, or a step */
    int64_t wall_ns; /* of the step's mark; INSTANT_NONE: none */
    /* Sets of instants; span is from the first start to the last end. */
    int64_t span_ns, busy_ns, compute_ns, communication_ns, exposed_communication_ns, memory_ns,
        exposed_memory_ns, overlap_ns, idle_ns;
    int64_t idle_by_cause_ns[IDLE_CAUSES];
    /* Of streams: how much is launched and has not begun. */
    int64_t queue_max;
    int64_t queue_area_ns;     /* queue length times how long it was so */
    int64_t queue_span_ns;     /* from the first launch to the last start */
    uint32_t n_negative_queue; /* more begun than launched: an error of clocks */
    uint32_t n_works;
    uint32_t n_kernels, n_short; /* what computes; of that what is shorter than its launch */
};

struct breakdown_request {
    int64_t idle_gap_ns; /* 0: IDLE_GAP_NS */
    bool by_stream;      /* a row for each stream, over all steps */
};

typedef VEC(struct breakdown_row) breakdown_rows;

/* True when WORK computes for less time than the call took that launched it. */
static inline bool work_is_short(const struct device_work *work)
{
    return work->work_class == WORK_COMPUTE && work->dur_ns < (int64_t)work->launch_dur_ns;
}

/* A time in which nothing runs, between the last end of BEFORE and the start of WORK. */
struct idle_gap {
    const struct device_work *before, *work;
    int64_t dur_ns;
    enum idle_cause cause;
};

/* Tells FOUND of each gap between N works by start; IDLE_GAP_NS as of a request. */
void breakdown_gaps(const struct device_work *const *works, size_t n, int64_t idle_gap_ns,
                  void (*found)(void *context, const struct idle_gap *gap), void *context);

/* Adds the sums of N works by start to an empty ROW. */
void breakdown_sum(struct breakdown_row *row, const struct device_work *const *works, size_t n,
                 int64_t idle_gap_ns);

/* The works of a device of R that have a length, by start: fills WORKS, which has room for
 * R->n_works, and returns how many there are. */
size_t breakdown_works(const struct recording *r, uint32_t device,
                     const struct device_work **works);

/* Appends the rows of all recordings of P to ROWS: by rank, device, the steps in the order of time
 * and all of them last; of streams by rank, device and name. */
void breakdown_make(const struct profile *p, const struct breakdown_request *request,
                  breakdown_rows *rows);

#endif
