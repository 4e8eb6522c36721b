/* roofs.h: the roofline model: what the machine can do, and which of it a row comes close to.
 *
 * Source: Williams, Waterman, Patterson, "Roofline: An Insightful Visual Performance Model for
 * Multicore Architectures", CACM 52(4), 2009, "The Roofline Model": what is attainable is the lower
 * of the peak of operations and the peak of the memory times the operations per byte. */
#ifndef TFPROF_VIEW_PICTURES_ROOFS_H
#define TFPROF_VIEW_PICTURES_ROOFS_H

#include "base/strbuf.h"
#include "model/profile.h"
#include "opt/options.h"

enum roof_source {
    ROOF_UNKNOWN,   /* per_second is 0 */
    ROOF_GIVEN,     /* -peak_flops, -peak_bandwidth */
    ROOF_OF_DEVICE, /* a capture says what its devices can do: the highest of them */
    ROOF_MEASURED,  /* the best operation type */
};

struct roof {
    int64_t per_second; /* operations, or bytes */
    enum roof_source source;
    strid of; /* the device, or the operation type */
};

struct roofs {
    struct roof flops, bytes;
};

/* What a row is bound by: the roof above its operations per byte; latency when it attains less of
 * it than LATENCY_PERCENT: then it waits for something else (launches, locks, input). */
enum bound { BOUND_NONE, BOUND_COMPUTE, BOUND_MEMORY, BOUND_LATENCY, BOUND_COUNT };
enum { LATENCY_PERCENT = 10 };

/* "compute"; of BOUND_NONE "", since there is nothing to say of a row without rates. */
extern const char *const bound_names[BOUND_COUNT];

/* Figures of nodes, by id. */
struct roof_figures {
    const int64_t *float_ops, *bytes_accessed, *micros_ps;
};

/* The best operation types of P: the highest rates of those that took at least 1% of the time of
 * all (of all types when none of these has any), since a clock of microseconds makes the rates of
 * short ones arbitrary.  Linear. */
struct roofs roofs_measure(const struct profile *p, const struct roof_figures *f);
/* Those that O gives, else those of the devices of P, else BEST. */
struct roofs roofs_choose(const struct profile *p, const struct options *o, struct roofs best);

/* How much of what is attainable at its intensity is attained, in millionths of a percent: the
 * larger share of the two roofs; more than 100% of measured ones is possible. */
int64_t roofs_percent(const struct roofs *roofs, int64_t flops_per_second,
                      int64_t bytes_per_second);
enum bound roofs_bound(const struct roofs *roofs, int64_t flops_per_second,
                       int64_t bytes_per_second);

/* Appends "21.94G flop/s of Conv2D, 17.98G byte/s given". */
void roofs_text(struct strbuf *sb, const struct profile *p, const struct roofs *roofs);

#endif
