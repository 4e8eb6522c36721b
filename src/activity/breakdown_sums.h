/* breakdown_sums.h: figures of a breakdown while work is read by start. */
#pragma once

#include "activity/breakdown.h"

/* A union of intervals that come in the order of their starts. */
struct interval_union {
    int64_t end_ps, len_ps;
};

/* The work of a device so far. */
struct work_progress {
    struct work last; /* that ends last */
    bool has_begun;
};

/* A row under construction. */
struct sums {
    struct breakdown_row row;
    struct work_progress progress;
    struct interval_union all, compute, communication, memory, both;
    int64_t start_ps; /* of the first work, or of the first mark of the step */
};

void sums_init(struct sums *s);
/* Adds W, of that class; the longest of those that start together comes first. */
void sums_add(struct sums *s, const struct work *w, enum event_class event_class, bool is_short,
              int64_t idle_gap_ps);
/* Completes s->row. */
void sums_end(struct sums *s);
