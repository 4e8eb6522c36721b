/* capture.c: what is known of a run beside its nodes (formats-xplane.md section 8). */
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
