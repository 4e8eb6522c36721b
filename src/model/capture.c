/* capture.c: data of captures that is not in nodes (formats-xplane.md section 8). */
#include "model/capture.h"

#include <stdlib.h>

void capture_free(struct capture *c)
{
    if (!c)
        return;
    if (c->release)
        c->release(c->context);
    arena_done(&c->arena);
    free(c);
}

struct capture_cost capture_cost_of(const struct capture *c, uint32_t node)
{
    return c && node < c->n_costs ? c->costs[node] : (struct capture_cost){0};
}

strid capture_step_name(const struct capture *c, int64_t step)
{
    return c && step >= 0 && (uint64_t)step < c->n_step_names ? c->step_names[step] : STRID_EMPTY;
}
