/* programs.c: data of captures that is not in nodes (formats-xplane.md section 8). */
#include "model/programs.h"

#include <stdlib.h>

void programs_free(struct programs *c)
{
    if (!c)
        return;
    if (c->release)
        c->release(c->context);
    arena_done(&c->arena);
    free(c);
}

struct program_cost program_cost_of(const struct programs *c, uint32_t node)
{
    return c && node < c->n_costs ? c->costs[node] : (struct program_cost){0};
}

strid program_step_name(const struct programs *c, int64_t step)
{
    return c && step >= 0 && (uint64_t)step < c->n_step_names ? c->step_names[step] : STRID_EMPTY;
}
