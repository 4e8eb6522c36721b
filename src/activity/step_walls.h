/* step_walls.h: how long steps last by the user's marks. */
#ifndef TFPROF_ACTIVITY_STEP_WALLS_H
#define TFPROF_ACTIVITY_STEP_WALLS_H

#include "activity/selection.h"
#include "base/vec.h"

/* The marks of a step on a host, of which there may be several. */
struct step_wall {
    uint32_t host, step; /* in the store */
    int64_t start_ps;    /* of the first, on the clock of all ranks */
    int64_t wall_ps;     /* sum of their lengths within the selected time */
};

struct step_walls {
    VEC(struct step_wall) list; /* by host, then step: selected steps, each once */
};

/* W, not initialised, gets the marks of the current store of SEL. */
void step_walls_make(struct step_walls *w, const struct selection *sel);
void step_walls_done(struct step_walls *w);

#endif
