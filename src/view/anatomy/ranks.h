/* ranks.h: who made the other ranks of a job wait, by collective operations that all of them take
 * part in (formats-trace.md section 8). */
#ifndef TFPROF_VIEW_RANKS_H
#define TFPROF_VIEW_RANKS_H

#include "base/vec.h"
#include "model/profile.h"

/* One rank's part in the collectives that were matched. */
struct rank_row {
    int64_t rank;
    uint64_t n_last;         /* how often it came last */
    int64_t made_wait_ns;    /* how long all others waited for it then, together */
    int64_t waited_ns;       /* how long it waited for the last one */
    int64_t clock_offset_ns; /* median of its ends less those of the lowest rank */
};

/* The same for one kind of collective. */
struct rank_key_row {
    struct collective key; /* collective.name is the kernel's where nothing says more */
    uint64_t n_paired, n_matched;
    int64_t waited_ns; /* of all ranks */
};

struct ranks {
    uint64_t n_paired;  /* of which all members have equally many */
    uint64_t n_matched; /* that end together: blocking ones, with the same peers */
    VEC(struct rank_row) rows;     /* by rank */
    VEC(struct rank_key_row) keys; /* by waited, the largest first */
};

/* Matches the collectives of P's recordings; with ALIGN_CLOCKS once more, with the clock offsets that
 * were found first taken from all times. */
void ranks_make(const struct profile *p, bool align_clocks, struct ranks *ranks);
void ranks_done(struct ranks *ranks);

#endif
