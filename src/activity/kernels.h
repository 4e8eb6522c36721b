/* kernels.h: device work grouped by kernel and launch configuration. */
#pragma once

#include "activity/selection.h"

/* Identity of a row; compared by its bytes, so padding is zero. */
struct kernel_key {
    strid kernel;      /* full name, in profile->strings */
    strid op;          /* operator that launched it, in profile->strings; STRID_EMPTY: unknown */
    strid device;      /* in profile->strings */
    uint32_t track;    /* in profile->events; TRACK_NONE: streams are unknown */
    strid grid, block; /* "64x1x1", in kernels.texts; STRID_EMPTY: unknown */
    int64_t registers, shared_memory; /* per thread; bytes per block; INT64_MIN: unknown */
};

struct kernel_row {
    struct kernel_key key;
    strid name;    /* short name, in kernels.texts */
    int64_t rank;  /* INT64_MIN: unknown */
    uint32_t node; /* of the first call; NODE_NONE: none */
    int64_t calls;
    int64_t tick_ps; /* tick of the device's clock */
    int64_t total_ps, avg_ps, min_ps, median_ps, max_ps; /* durations */
    int64_t percent_hundredths; /* share of sum_ps */
    double occupancy;           /* percent; 0: unknown */
};

struct kernels {
    VEC(struct kernel_row) rows; /* by descending total time */
    struct intern texts;
    int64_t sum_ps;    /* of all rows */
    int64_t n_devices; /* devices with rows */
    bool has_work;     /* the profile has device work, selected or not */
};

/* Computes K from the work that SEL (opened, at its beginning) selects, in O(n log n) for n events.
 * HAS_KERNEL_NODES: work belongs to kernel nodes below the operators that launched them. False with
 * ERR when cancelled; K is then not to be freed. */
bool kernels_make(struct kernels *k, struct selection *sel, bool has_kernel_nodes, struct err *err);
void kernels_done(struct kernels *k);

/* Appends the numbers of LIST, a launch configuration in a trace: "64x1x1" for "[64, 1, 1]". */
void kernel_size_add(struct strbuf *sb, const struct profile *p, strid list);
int64_t kernel_number(const struct profile *p, strid id);    /* INT64_MIN: unknown */
double kernel_occupancy(const struct profile *p, strid id); /* percent; 0: unknown */
