/* origins.h: zero of the instants of -time_range: the first execution of a step or of a clock. */
#pragma once

#include "base/cancel.h"
#include "base/system/workers.h"
#include "model/exec.h"
#include "model/profile.h"

/* True when all steps of P share one clock: captures and traces. Steps of runs do not. */
static inline bool steps_share_clock(const struct profile *p)
{
    return p->programs || p->n_recorders;
}

struct device_host {
    strid device;
    uint32_t host;
};

/* Hosts whose clocks have no known offset: the hosts of a capture. */
struct host_clocks {
    struct device_host *of_devices; /* heap, by device; NULL: there is one clock */
    size_t n_devices;
    uint32_t n; /* at least 1 */
};

void host_clocks_init(struct host_clocks *h, const struct profile *p);
void host_clocks_done(struct host_clocks *h);
/* Index of the clock of the executions on DEVICE; 0 for an unknown device. */
uint32_t host_clock_of(const struct host_clocks *h, strid device);
/* As host_clock_of(), for RECORD. */
static inline uint32_t host_clock_of_record(const struct host_clocks *h, struct packed_exec record)
{
    return h->n > 1 ? host_clock_of(h, exec_device(record)) : 0;
}

/* Start of the first execution of positive length. For runs one origin per step, indexed like
 * p->steps. If steps share a clock, one origin for each host whose clock has no known offset: each
 * host of a capture, all ranks of traces; of a step, or of all steps. */
struct origins {
    int64_t *ticks; /* heap; INT64_MAX: no execution */
    uint32_t n;
    int64_t step; /* step of the origins; STEP_ALL for runs */
    int64_t first_base_ns; /* start of the common clock of all ranks; 0: unknown */
    struct host_clocks hosts; /* of captures and traces: n is that of the origins */
};

/* Returns false when cancelled. */
bool origins_find(struct origins *o, const struct profile *p, int64_t step,
                  struct workers *workers, struct cancel_mark cancel);
void origins_done(struct origins *o);
/* Sets *TO, which is not freed before, to a copy of FROM. */
void origins_copy(struct origins *to, const struct origins *from);
/* Origin of the executions of STEP (a step id of an execution) on HOST, an index of o->hosts;
 * INT64_MAX: there are none. */
int64_t origins_at(const struct origins *o, const struct profile *p, int64_t step, uint32_t host);
/* Offset from the clock of STEP's executions to the common clock, in ticks. */
int64_t origins_shift(const struct origins *o, const struct profile *p, int64_t step);
/* The earliest origin; INT64_MAX: none. */
int64_t origins_first(const struct origins *o);
/* Ticks to add to the instants of DEVICE in a picture with several hosts, so that all origins are at
 * origins_first(). */
int64_t origins_align(const struct origins *o, strid device);
