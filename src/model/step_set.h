/* step_set.h: a set of used steps that finds the next free one. */
#ifndef TFPROF_MODEL_STEP_SET_H
#define TFPROF_MODEL_STEP_SET_H

#include <stddef.h>
#include <stdint.h>

struct step_slot;

/* Empty when zeroed. */
struct step_set {
    struct step_slot *slots; /* open addressing */
    size_t n, n_slots;
};

void step_set_add(struct step_set *set, int64_t step);
/* The first step >= STEP that is not in SET; INT64_MAX when all are.  Amortised nearly constant
 * time. */
int64_t step_set_free_from(struct step_set *set, int64_t step);
void step_set_done(struct step_set *set);

#endif
