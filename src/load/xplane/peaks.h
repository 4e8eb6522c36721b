/* peaks.h: peak FLOP/s and memory bandwidth of a device, from stats of its plane (formats-xplane.md
 * section 12). */
#ifndef TFPROF_LOAD_XPLANE_PEAKS_H
#define TFPROF_LOAD_XPLANE_PEAKS_H

#include "load/xplane/stats.h"

/* Peak FLOP/s of a device with stats ABOUT, for 16-bit types in matrix units if it has them; 0 if
 * unknown. */
double peak_flops(const struct stat_values *about);
/* Peak memory bandwidth in bytes per second; 0 if unknown. */
double peak_bytes_per_s(const struct stat_values *about);

#endif
