/* peaks.h: how fast a device can be at most, from what its plane says (formats-xplane.md section 12). */
#ifndef TFPROF_LOAD_XPLANE_PEAKS_H
#define TFPROF_LOAD_XPLANE_PEAKS_H

#include "load/xplane/stats.h"

/* The greatest rate of operations per second of a device with the stats ABOUT, of 16 bits in matrix
 * units where it has some; 0: not known. */
double peak_flops(const struct stat_values *about);
/* The greatest rate of its memory in bytes per second; 0: not known. */
double peak_bytes_per_s(const struct stat_values *about);

#endif
