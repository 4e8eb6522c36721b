/* cut.h: a profile restricted to a time range: the same nodes, with the executions within the
 * range. -time_range uses its figures. */
#ifndef TFPROF_VIEW_CUT_H
#define TFPROF_VIEW_CUT_H

#include "base/cancel.h"
#include "base/workers.h"
#include "model/profile.h"
#include "opt/time_range.h"

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
/* Origin of the executions of STEP (a step id of an execution); INT64_MAX: there are none. */
int64_t origins_at(const struct origins *o, const struct profile *p, int64_t step);

struct cut {
    struct profile profile; /* shares everything except executions with the original; never freed */
    struct time_range range;
    struct origins origins;
    _Atomic uint32_t refs; /* private */
};

/* Restricts P, which must outlive the cut, to RANGE; one reference. Returns NULL when cancelled.
 * Takes one pass over all executions, and a second one for the origins unless OLD (may be NULL; a
 * cut of the same profile) has them. */
struct cut *cut_new(const struct profile *p, struct time_range range, int64_t step,
                    const struct cut *old, struct workers *workers, struct cancel_mark cancel);
struct cut *cut_ref(struct cut *c); /* accepts NULL and returns it */
void cut_unref(struct cut *c);      /* accepts NULL; thread-safe */
/* True when C already is the cut that cut_new() would make with these arguments. */
bool cut_is_of(const struct cut *c, struct time_range range, int64_t step);

#endif
