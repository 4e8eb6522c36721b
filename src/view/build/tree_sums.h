/* tree_sums.h: sums over the rows of each subtree, of several columns, on all cores. */
#ifndef TFPROF_VIEW_TREE_SUMS_H
#define TFPROF_VIEW_TREE_SUMS_H

#include "view/build/tree.h"

struct tree_sum {
    const int64_t *own; /* by row */
    int64_t *sum;       /* by row: of what the row and all rows below it have */
    bool may_overflow;  /* made: the values are so large that SUM may be wrong */
};

/* Which rows count: those whose FLAG is PASS. */
struct tree_sums {
    const struct tree *tree;
    struct workers *workers; /* NULL: this thread alone */
    const uint8_t *flag;
    uint8_t pass;
    bool only_passing; /* the sum of a row that does not count is 0, not that of the rows below it */
    struct tree_sum *of;
    size_t n;
};

/* Makes the sums of S. */
void tree_sums_make(const struct tree_sums *s);

#endif
