/* stragglers.h: who makes the others of a job wait, by collective operations that all of them take
 * part in (formats-trace.md section 8).
 *
 * With several ranks the participants are ranks, and the last one to start is the straggler.  Else
 * they are the devices of several hosts: their clocks are never compared, and the one for which the
 * collective is the shortest arrived last.  All that names a culprit reads this computation. */
#pragma once

#include "activity/selection.h"
#include "base/vec.h"
#include "model/host.h"

/* A rank or a host. */
struct straggler_row {
    int64_t rank; /* INT64_MIN: not known */
    strid host;   /* name; STRID_EMPTY: not known, see straggler_name() */
    /* Of ranks: computing and exposed copies; of hosts: exclusive time of all but communication. */
    int64_t work_ps;
    int64_t communication_ps; /* exclusive time of communication */
    uint64_t n_last;          /* how often it arrived last */
    int64_t made_wait_ps;     /* how long all others waited for it then, together */
    int64_t waited_ps;        /* how long it waited for the last one */
    int64_t clock_offset_ps;  /* median of its ends minus those of the lowest rank */
};

/* A collective that several took part in. */
struct collective_row {
    struct collective key; /* key.name: of the kernel or the instruction where nothing says more */
    int64_t step; /* INT64_MIN: in none */
    int64_t bytes; /* input of the participant that has most; INT64_MIN: not known */
    uint32_t n_participants;
    bool is_matched;
    /* INT64_MIN unless it is matched: */
    int64_t last;         /* index in rows */
    int64_t made_wait_ps; /* how long the others waited for it, together */
    int64_t dur_ps;       /* from its arrival to the last end */
};

/* The same for one kind of collective. */
struct collective_kind_row {
    struct collective key;
    int64_t bytes; /* of each; INT64_MIN: not known, or they differ */
    uint64_t n_paired, n_matched;
    int64_t waited_ps; /* of all participants */
    int64_t step, last, made_wait_ps; /* of the collective with the longest waits; INT64_MIN: none */
};

/* What a rank did in a matched collective. */
struct collective_part {
    struct event_ref ref;
    uint32_t device;
    uint32_t row, last;             /* in rows: of the rank, and of the last one to arrive */
    int64_t start_ps, last_start_ps; /* of the rank, and of the last one to arrive */
};

struct stragglers {
    const struct profile *p;
    bool by_rank;
    uint64_t n_paired;  /* collectives that all their participants have equally often */
    uint64_t n_matched; /* of those, that compare: of ranks those that end together */
    int64_t made_wait_ps; /* sum over rows */
    int64_t culprit; /* index in rows of the worst straggler; -1: nobody waited */
    VEC(struct straggler_row) rows; /* by made_wait descending, waited ascending, then name */
    VEC(struct collective_kind_row) kinds;  /* by waited, the largest first */
    VEC(struct collective_row) collectives; /* by made_wait, the largest first */
    VEC(struct collective_part) parts; /* of ranks, on devices; by track, then position */
};

/* Makes S, not initialised, of the events of SEL, which is opened and at its beginning.  With
 * ALIGN_CLOCKS collectives are matched again with the clock offsets that were found first taken from
 * all times. */
void stragglers_make(struct stragglers *s, struct selection *sel, bool align_clocks);
void stragglers_done(struct stragglers *s);

/* "w2", or "rank 3" where hosts have no names; may be in BUFFER. */
struct text straggler_name(const struct stragglers *s, const struct straggler_row *row,
                           char buffer[HOST_OF_RANK_BYTES]);
/* The median of work_ps; of two in the middle the shorter. */
int64_t stragglers_median_work(const struct stragglers *s);
/* Appends "delayed others by 5.37 ms in 6 of 9 collectives" of the culprit, who must exist. */
void stragglers_add_delay(struct strbuf *sb, const struct stragglers *s);
