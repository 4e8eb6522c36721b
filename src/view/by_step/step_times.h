/* step_times.h: what each step of a profile took, and which one -step worst and -step median mean. */
#ifndef TFPROF_VIEW_STEP_TIMES_H
#define TFPROF_VIEW_STEP_TIMES_H

#include "base/cancel.h"
#include "opt/options.h"
#include "model/profile.h"

/* The times of all steps as -rank RANK counts them.  Zeros are an empty one. */
struct step_times {
    const struct profile *profile;
    int64_t rank;
    int64_t *times_ps; /* [profile->n_steps]: `micros` summed over all nodes; heap */
};

/* Makes T the times of P, which must outlive it, unless it is; O(executions).  False: cancelled. */
bool step_times_update(struct step_times *t, const struct profile *p, int64_t rank,
                       struct cancel_mark cancel);
void step_times_done(struct step_times *t);

/* True when STEP is STEP_WORST or STEP_MEDIAN. */
bool step_is_chosen(int64_t step);
/* "worst", "median"; NULL when STEP is neither. */
const char *step_choice_name(int64_t step);

/* The index in profile->steps of the step that CHOICE means: that of the longest time, or of the
 * lower median; of several with that time the one with the lowest number.  Steps below 0, which
 * no option names, do not count; there must be others. */
uint32_t step_times_choose(const struct step_times *t, int64_t choice);

/* Puts the number of the step that STEP, an option called -OPTION, means for P to *CHOSEN: STEP itself when
 * it is no choice.  T is updated.  False with ERR: P has no steps (input), cancelled. */
bool step_choose(struct step_times *t, const struct profile *p, const char *option, int64_t step,
                 int64_t rank, struct cancel_mark cancel, int64_t *chosen, struct err *err);

#endif
