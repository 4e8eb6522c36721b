/* trip_count.h: trip counts of loops, as far as they are constant. */
#ifndef TFPROF_FLOPS_TRIP_COUNT_H
#define TFPROF_FLOPS_TRIP_COUNT_H

#include "shapes/shape_graph.h"

#define TRIPS_UNKNOWN ((int64_t)-1)

/* Iterations of the While in C, whose CONDITION compares a counter, to which BODY adds a constant,
 * with an invariant bound (flops.md section 7), or is a conjunction of such comparisons; else
 * TRIPS_UNKNOWN. */
int64_t trips_of_while(const struct opctx *c, const struct shape_graph *condition,
                       const struct shape_graph *body);
/* True when BODY passes argument I of the loop in C through unchanged. */
bool loop_input_stays(const struct opctx *c, const struct function_body *body, uint32_t i);
/* Values from START in steps of DELTA while below LIMIT (above, when DELTA is negative). */
int64_t trips_of_range(int64_t start, int64_t limit, int64_t delta);

#endif
