/* origins.h: what instants of -time_range count from: the first execution of a step or of a clock. */
#ifndef TFPROF_VIEW_ORIGINS_H
#define TFPROF_VIEW_ORIGINS_H

#include "base/cancel.h"
#include "base/workers.h"
#include "model/profile.h"

/* True when all steps of P share one clock: captures and traces. Each step of a run has its own
 * clock. */
static inline bool steps_share_clock(const struct profile *p)
{
    return p->capture || p->n_recordings;
}

/* Start of the first execution of positive length. For runs one origin per step, indexed like
 * p->steps. If steps share a clock, a single one: of a step, or of all steps on the common clock of
 * the ranks. */
struct origins {
    int64_t *ticks; /* heap; INT64_MAX: no execution */
    uint32_t n;
    int64_t step; /* step of the single origin; STEP_ALL for runs */
    int64_t first_base_ns; /* start of the common clock of all ranks; 0: unknown */
};

/* Returns false when cancelled. */
bool origins_find(struct origins *o, const struct profile *p, int64_t step,
                  struct workers *workers, struct cancel_mark cancel);
void origins_done(struct origins *o);
/* Sets *TO, which is not freed before, to a copy of FROM. */
void origins_copy(struct origins *to, const struct origins *from);
/* Origin of the executions of STEP (a step id of an execution); INT64_MAX: there are none. */
int64_t origins_at(const struct origins *o, const struct profile *p, int64_t step);
/* Offset from the clock of STEP's executions to the common clock, in ticks. */
int64_t origins_shift(const struct origins *o, const struct profile *p, int64_t step);

#endif
