/* cut.h: a profile cut to a stretch of time: the same nodes, of whose executions there is what lies in
 * it.  Figures of it are those of -time_range. */
#ifndef TFPROF_VIEW_CUT_H
#define TFPROF_VIEW_CUT_H

#include "base/cancel.h"
#include "base/workers.h"
#include "model/profile.h"
#include "opt/time_range.h"

/* True when all steps of P have one clock: captures and traces.  The steps of runs each have their
 * own. */
static inline bool steps_share_clock(const struct profile *p)
{
    return p->capture || p->n_recordings;
}

/* When the first execution begins, of those whose times have a length.  Of runs by step, as
 * p->steps; where steps share a clock, one alone: of a step, or of all, by the clock that
 * ranks have in common. */
struct origins {
    int64_t *ticks; /* heap; INT64_MAX: nothing ran */
    uint32_t n;
    int64_t step; /* that one alone is of, of runs STEP_ALL */
    int64_t first_base_ns; /* where the common clock of all ranks begins; 0: not known */
};

/* False: CANCEL was asked. */
bool origins_find(struct origins *o, const struct profile *p, int64_t step,
                  struct workers *workers, struct cancel_mark cancel);
void origins_done(struct origins *o);
/* The origin of what runs in STEP, as steps of executions are; INT64_MAX: nothing ran. */
int64_t origins_at(const struct origins *o, const struct profile *p, int64_t step);

struct cut {
    struct profile profile; /* shares all but executions with that it was made of; never freed */
    struct time_range range;
    struct origins origins;
    _Atomic uint32_t refs; /* private */
};

/* P, which must outlive it, cut to RANGE; one reference.  NULL: CANCEL was asked.  Takes the time of a
 * pass over all executions, and of another one for the origins, unless OLD (may be NULL; of the same
 * profile) has them. */
struct cut *cut_new(const struct profile *p, struct time_range range, int64_t step,
                    const struct cut *old, struct workers *workers, struct cancel_mark cancel);
struct cut *cut_ref(struct cut *c); /* NULL gives NULL */
void cut_unref(struct cut *c);      /* NULL is fine; any thread */
/* True when cut_new() would make the same again of its profile. */
bool cut_is_of(const struct cut *c, struct time_range range, int64_t step);

#endif
