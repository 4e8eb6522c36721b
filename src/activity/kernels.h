/* kernels.h: the work of devices by kernel and launch configuration. */
#pragma once

#include "activity/selection.h"

/* What identifies a row.  Compared by its bytes. */
struct kernel_key {
    strid kernel;      /* full name, in profile->strings */
    strid op;          /* what launched it, in profile->strings; STRID_EMPTY: not known */
    strid device;      /* in profile->strings */
    uint32_t track;    /* in profile->events; TRACK_NONE: streams are not known */
    strid grid, block; /* "64x1x1", in kernels.texts; STRID_EMPTY: not known */
    int64_t registers, shared_memory; /* of a thread; bytes of a block; INT64_MIN: not known */
};

struct kernel_row {
    struct kernel_key key;
    strid name;    /* short, in kernels.texts */
    int64_t rank;  /* INT64_MIN: not known */
    uint32_t node; /* of the first call; NODE_NONE */
    int64_t calls;
    int64_t tick_ps; /* of the clock of the device */
    int64_t total_ps, avg_ps, min_ps, median_ps, max_ps; /* durations */
    int64_t percent_hundredths; /* of sum_ps */
    double occupancy;           /* percent; 0: not known */
};

struct kernels {
    VEC(struct kernel_row) rows; /* the most time first */
    struct intern texts;
    int64_t sum_ps;    /* of all rows */
    int64_t n_devices; /* with rows */
    bool has_work;     /* the profile has work of devices, selected or not */
};

/* Makes K, not initialised, the rows of the work that SEL, opened and at its beginning, selects:
 * O(events log events).  HAS_KERNEL_NODES: nodes of work are kernels, below the operators that
 * launched them.  False with ERR when cancelled; K needs no kernels_done() then. */
bool kernels_make(struct kernels *k, struct selection *sel, bool has_kernel_nodes, struct err *err);
void kernels_done(struct kernels *k);

/* Launch configurations in the words of their file.  Appends the numbers of LIST, joined by "x":
 * "64x1x1" of "[64, 1, 1]". */
void kernel_size_add(struct strbuf *sb, const struct profile *p, strid list);
int64_t kernel_number(const struct profile *p, strid id);    /* INT64_MIN: not known */
double kernel_occupancy(const struct profile *p, strid id); /* percent; 0: not known */
