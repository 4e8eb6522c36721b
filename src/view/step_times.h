/* step_times.h: the time of each step, and the steps that -step worst and -step median select. */
#pragma once

#include "base/cancel.h"
#include "opt/options.h"
#include "model/profile.h"

/* Times of all steps under -rank RANK. A zeroed struct is empty. */
struct step_times {
    const struct profile *profile;
    int64_t rank;
    int64_t *times_ps; /* [profile->n_steps]: sum of `micros` over all nodes; heap */
};

/* Computes T for P, which must outlive it, unless it is up to date; O(executions). Returns false
 * when cancelled. */
bool step_times_update(struct step_times *t, const struct profile *p, int64_t rank,
                       struct cancel_mark cancel);
void step_times_done(struct step_times *t);

/* True when STEP is STEP_WORST, STEP_MEDIAN or STEP_NAMED. */
bool step_is_chosen(int64_t step);
/* "worst" or "median"; NULL for any other STEP. */
const char *step_choice_name(int64_t step);

/* Index in p->steps of the step that CHOICE, STEP_WORST or STEP_MEDIAN, selects: the longest, or the
 * lower median; of equal times the lowest step number. Negative steps, which options cannot name, are
 * left out; there must be others. */
uint32_t step_times_choose(const struct step_times *t, int64_t choice);

/* Resolves STEP, the value of option -OPTION, for P and stores the number in *CHOSEN; a plain
 * number is copied. Updates T. False with ERR: P has no steps, or none of that name (input), or
 * cancelled. */
bool step_choose(struct step_times *t, const struct profile *p, const char *option,
                 const struct step_option *step, int64_t rank, struct cancel_mark cancel,
                 int64_t *chosen, struct err *err);
/* Appends ": train 3" if the mark of STEP has a name. */
void step_add_name(struct strbuf *sb, const struct profile *p, int64_t step);
