/* trip_count.h: how often a loop runs, where constants tell. */
#ifndef TFPROF_FLOPS_TRIP_COUNT_H
#define TFPROF_FLOPS_TRIP_COUNT_H

#include "shapes/shape_graph.h"

#define TRIPS_UNKNOWN ((int64_t)-1)

/* Rounds of the While that C holds, whose CONDITION compares a counter that the
 * BODY adds a constant to with a bound that stays (flops.md section 7), or
 * demands several such things at once; TRIPS_UNKNOWN when it does not. */
int64_t trips_of_while(const struct opctx *c, const struct shape_graph *condition,
                       const struct shape_graph *body);
/* True when argument I of the loop that C holds, whose body is BODY, goes round as it is. */
bool loop_input_stays(const struct opctx *c, const struct function_body *body, uint32_t i);
/* From START while below LIMIT (above, when DELTA is negative) by DELTA. */
int64_t trips_of_range(int64_t start, int64_t limit, int64_t delta);

#endif
