/* cut.h: a profile restricted to a time range: the same nodes, with the executions within the
 * range. -time_range uses its figures. */
#pragma once

#include "opt/time_range.h"
#include "view/origins.h"

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
/* Sets the range in the ticks of STEP's records on HOST (origins_at()); false: it contains nothing of
 * that step. */
bool cut_window(const struct cut *c, int64_t step, uint32_t host, int64_t *from_ticks,
                int64_t *to_ticks);
/* True when C already is the cut that cut_new() would make with these arguments. */
bool cut_matches(const struct cut *c, struct time_range range, int64_t step);
