/* step_window.h: the time that devices had for their work: the divisor of step_percent. */
#ifndef TFPROF_VIEW_STEP_WINDOW_H
#define TFPROF_VIEW_STEP_WINDOW_H

#include "model/profile.h"

/* Number of devices with work times the length of STEP (as in struct figures), in picoseconds: of
 * STEP_AVERAGE the mean length of the steps.  Of STEP_ALL, STEP_OUTSIDE, and where no step is marked,
 * the sum of the times from the first start to the last end on each device.  RANK as in struct figures;
 * of RANK_AVERAGE the mean of the ranks.  COUNTED as figures.counted_devices.  0: no device worked. */
int64_t step_window_ps(const struct profile *p, int64_t step, int64_t rank, const uint8_t *counted);

/* A of WINDOW_PS as millionths of a percent, in whole hundredths of a percent, rounded half up; 0
 * without a window. */
int64_t step_window_percent(int64_t a_ps, int64_t window_ps);

#endif
