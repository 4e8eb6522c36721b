/* step_window.h: the time that devices had for their work: the divisor of step_percent. */
#pragma once


/* A of WINDOW_PS as millionths of a percent, in whole hundredths of a percent, rounded half up; 0
 * without a window. */
int64_t step_window_percent(int64_t a_ps, int64_t window_ps);
