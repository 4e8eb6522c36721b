/* breakdown_sums.h: accumulates a breakdown while work is read by start. */
#pragma once

#include "activity/breakdown.h"

/* A union of intervals that are added by start. */
struct interval_union {
    int64_t end_ps, len_ps;
};

/* Work of a device read so far. */
struct work_progress {
    struct work last; /* the work that ends last */
    bool has_begun;
};

/* A row under construction. */
struct sums {
    struct breakdown_row row;
    struct work_progress progress;
    struct interval_union all, compute, communication, memory, both;
    int64_t start_ps; /* of the first work, or of the step's first mark */
};

void sums_init(struct sums *s);
/* Adds W of class EVENT_CLASS. Of several with equal starts, the longest must come first. */
void sums_add(struct sums *s, const struct work *w, enum event_class event_class, bool is_short,
              int64_t idle_gap_ps);
/* Completes s->row. */
void sums_end(struct sums *s);
