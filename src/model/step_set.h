/* step_set.h: the steps that are taken, and the next free one after any of them. */
#ifndef TFPROF_MODEL_STEP_SET_H
#define TFPROF_MODEL_STEP_SET_H

#include <stddef.h>
#include <stdint.h>

struct step_slot;

/* A zeroed set is empty and ready. */
struct step_set {
    struct step_slot *slots; /* open addressing */
    size_t n, n_slots;
};

void step_set_add(struct step_set *set, int64_t step);
/* The first step from STEP on that is not in SET; the largest number when all are.  A
 * run of taken steps is walked once, not for each that asks. */
int64_t step_set_free_from(struct step_set *set, int64_t step);
void step_set_done(struct step_set *set);

#endif
