/* tree_sums.h: sums over the subtree of each row, for several columns in parallel. */
#pragma once

#include "view/build/tree.h"

struct tree_sum {
    const int64_t *own; /* self figure by row */
    int64_t *sum;       /* by row: sum over the row and all rows below it */
    bool may_overflow;  /* output: the magnitudes are so large that SUM may have wrapped around */
};

/* Rows count if their FLAG equals PASS. */
struct tree_sums {
    const struct tree *tree;
    struct workers *workers; /* NULL: use the calling thread only */
    const uint8_t *flag;
    uint8_t pass;
    /* the sum of a row that does not count is 0 instead of the sum of the rows below it */
    bool only_passing;
    struct tree_sum *of;
    size_t n;
};

void tree_sums_make(const struct tree_sums *s);
