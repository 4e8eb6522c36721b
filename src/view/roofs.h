/* roofs.h: the roofline model: the peaks of the machine, and how close a row comes to them.
 *
 * Source: Williams, Waterman, Patterson, "Roofline: An Insightful Visual Performance Model for
 * Multicore Architectures", CACM 52(4), 2009, "The Roofline Model": the attainable rate is the
 * minimum of the peak rate of operations and the memory bandwidth times the operations per byte. */
#pragma once

#include "activity/device_peaks.h"
#include "base/strbuf.h"
#include "model/profile.h"
#include "opt/options.h"

enum roof_source {
    ROOF_UNKNOWN,   /* per_second is 0 */
    ROOF_GIVEN,     /* -peak_flops, -peak_bandwidth */
    ROOF_OF_DEVICE, /* highest peak of the devices, as recorded in a capture */
    ROOF_OF_MODEL,  /* highest peak of the devices, by the names of their models (device_peaks.h) */
    ROOF_MEASURED,  /* highest rate of any operation type */
};

struct roof {
    int64_t per_second; /* FLOP/s or bytes per second */
    enum roof_source source;
    strid of; /* name of the device or operation type */
};

struct roofs {
    struct roof flops, bytes;
    enum peak_width width; /* see roofs_width() */
};

/* The limit of a row: the roof above its arithmetic intensity, or latency (launches, locks, input)
 * if it achieves less than LATENCY_PERCENT of that roof. */
enum bound { BOUND_NONE, BOUND_COMPUTE, BOUND_MEMORY, BOUND_LATENCY, BOUND_COUNT };
enum { LATENCY_PERCENT = 10 };

/* "compute"; "" for BOUND_NONE, a row without rates. */
extern const char *const bound_names[BOUND_COUNT];

/* Figures by node id. */
struct roof_figures {
    const int64_t *float_ops, *bytes_accessed, *micros_ps;
};

/* The highest rates of the operation types of P that took at least 1 % of the total time (of all
 * types if none of these has rates), and roofs_width(). Shorter types are left out
 * because clocks of microsecond resolution make their rates meaningless. Linear in the nodes. */
struct roofs roofs_measure(const struct profile *p, const struct roof_figures *f);
/* The width of the operands of most of FLOAT_OPS, [n_nodes]; PEAK_16 if unknown. */
enum peak_width roofs_width(const struct profile *p, const int64_t *float_ops);
/* The roofs that O sets; else the recorded peaks of the devices of P; else the peaks that data sheets state
 * for these devices at the operand width of BEST; else BEST. */
struct roofs roofs_choose(const struct profile *p, const struct options *o, struct roofs best);

/* Achieved share of the roofline, in millionths of a percent: the larger share of the two roofs. It
 * may exceed 100 %. */
int64_t roofs_percent(const struct roofs *roofs, int64_t flops_per_second,
                      int64_t bytes_per_second);
enum bound roofs_bound(const struct roofs *roofs, int64_t flops_per_second,
                       int64_t bytes_per_second);
/* The likely cause when more than 100 % of a roof is achieved, a static phrase; NULL when it is not. */
const char *roofs_excess(const struct roofs *roofs, int64_t flops_per_second, int64_t bytes_per_second);

/* "-peak_flops", "capture", "device table"; NULL: unknown or measured. */
const char *roofs_source(enum roof_source source);
/* Appends "21.94G flop/s, 17.98G byte/s". */
void roofs_rates_text(struct strbuf *sb, const struct roofs *roofs);
/* Appends "21.94G flop/s of Conv2D", and with ", 17.98G byte/s given". */
void roofs_flops_text(struct strbuf *sb, const struct profile *p, const struct roofs *roofs);
void roofs_text(struct strbuf *sb, const struct profile *p, const struct roofs *roofs);
