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

/* One collective that its ranks recorded. */
struct collective_row {
    struct collective key;
    int64_t step; /* INT64_MIN: in none */
    uint32_t n_ranks;
    bool is_matched;
    /* INT64_MIN unless it is matched: */
    int64_t last_rank; /* arrived last */
    int64_t made_wait_ns; /* how long the others waited for it, together */
    int64_t dur_ns;       /* from its start to the last end */
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
    VEC(struct collective_row) collectives; /* by made_wait, the largest first */
};

/* Matches the collectives of P's recordings; with ALIGN_CLOCKS once more, with the clock offsets that
 * were found first taken from all times. */
void ranks_make(const struct profile *p, bool align_clocks, struct ranks *ranks);
void ranks_done(struct ranks *ranks);

#endif
