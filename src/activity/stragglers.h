/* stragglers.h: ranks or hosts that delay the others of a job, found by the collective
 * operations that all take part in (formats-trace.md section 8).
 *
 * With several ranks, the last rank to start is the straggler. Otherwise devices of several
 * hosts are compared: their clocks are unrelated, so the one with the shortest collective
 * arrived last. All views that name a straggler use this computation. */
#pragma once

#include "activity/selection.h"
#include "base/vec.h"
#include "model/host.h"

/* A rank or a host. */
struct straggler_row {
    int64_t rank; /* INT64_MIN: unknown */
    strid host;   /* STRID_EMPTY: unknown, see straggler_name() */
    /* Ranks: computing and exposed copies; hosts: self time of all but communication. */
    int64_t work_ps;
    int64_t communication_ps; /* self time of communication */
    uint64_t n_last;          /* collectives that it reached last */
    int64_t made_wait_ps;     /* total wait time of the others in these collectives */
    int64_t waited_ps;        /* its own wait time for the last one */
    int64_t clock_offset_ps;  /* median difference of its ends from those of the lowest rank */
};

/* A collective with several participants. */
struct collective_row {
    struct collective key; /* key.name: of the kernel or instruction if nothing else is known */
    int64_t step; /* INT64_MIN: outside of steps */
    int64_t bytes; /* largest input of a participant; INT64_MIN: unknown */
    uint32_t n_participants;
    bool is_matched;
    /* INT64_MIN unless matched: */
    int64_t last;         /* index in rows */
    int64_t made_wait_ps; /* total wait time of the others */
    int64_t dur_ps;       /* from the last arrival to the last end */
};

struct collective_kind_row {
    struct collective key;
    int64_t bytes; /* per collective; INT64_MIN: unknown, or they differ */
    uint64_t n_paired, n_matched;
    int64_t waited_ps; /* total over all participants */
    int64_t step, last, made_wait_ps; /* the collective with the longest waits; INT64_MIN: none */
};

/* Part of a rank in a matched collective. */
struct collective_part {
    struct event_ref ref;
    uint32_t device;
    uint32_t row, last;             /* index in rows of the rank, and of the last to arrive */
    int64_t start_ps, last_start_ps; /* of the rank, and of the last one to arrive */
};

struct stragglers {
    const struct profile *p;
    bool by_rank;
    uint64_t n_paired;  /* collectives that all participants have equally often */
    uint64_t n_unpaired; /* records of others */
    uint64_t n_matched; /* paired and comparable: those of ranks end together */
    int64_t made_wait_ps; /* sum over rows */
    int64_t culprit; /* index in rows of the worst straggler; -1: nobody waited */
    VEC(struct straggler_row) rows; /* by made_wait descending, waited ascending, name */
    VEC(struct collective_kind_row) kinds;  /* by waited, descending */
    VEC(struct collective_row) collectives; /* by made_wait, descending */
    VEC(struct collective_part) parts; /* device events of ranks, by track, then position */
};

/* Computes S from the events of SEL (opened, at its beginning). ALIGN_CLOCKS: matches collectives
 * again after subtracting the clock offsets of the first pass. */
void stragglers_make(struct stragglers *s, struct selection *sel, bool align_clocks);
void stragglers_done(struct stragglers *s);

/* Returns "w2", or "rank 3" if hosts have no names; the text may be in BUFFER. */
struct text straggler_name(const struct stragglers *s, const struct straggler_row *row,
                           char buffer[HOST_OF_RANK_BYTES]);
/* Returns the median of work_ps; the lower one of two. */
int64_t stragglers_median_work(const struct stragglers *s);
/* Appends "delayed others by 5.37 ms in 6 of 9 collectives" for the culprit, which must exist. */
void stragglers_add_delay(struct strbuf *sb, const struct stragglers *s);
