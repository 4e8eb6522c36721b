/* timeline_top.h: names with the most busy time of a track in a time range. */
#pragma once

#include "view/pictures/timeline.h"

enum { TIMELINE_TOP_ROWS = 12 };

struct timeline_top_row {
    strid name;          /* name of spans, in the profile; STRID_NONE: all other names */
    uint32_t group;      /* of its first span */
    int64_t busy_ticks;  /* > 0 */
    uint32_t n_spans;
    int64_t *column_ticks; /* busy time in each column; in timeline_top.columns */
};

/* A zeroed struct is empty. It is recomputed only when the arguments change. */
struct timeline_top {
    struct timeline_top_row rows[TIMELINE_TOP_ROWS]; /* by descending time; other names last */
    int n_rows;
    /* The rest is private. */
    const struct timeline *timeline;
    size_t track;
    int64_t from_ticks, len_ticks;
    int n_columns, max_rows;
    int64_t *columns;
    uint32_t *slot_of; /* by name: index in sums + 1 while it is computed */
    VEC(struct timeline_top_row) sums;
};

/* Computes at most MAX_ROWS (2 to TIMELINE_TOP_ROWS) names with the most time of TRACK in N_COLUMNS
 * columns from FROM_TICKS on. Linear in the spans of the range; false if there are too many to be
 * drawn at once. */
bool timeline_top_make(struct timeline_top *top, const struct timeline *l, size_t track,
                       int64_t from_ticks, int64_t len_ticks, int n_columns, int max_rows);
void timeline_top_done(struct timeline_top *top);
