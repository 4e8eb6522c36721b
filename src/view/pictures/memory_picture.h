/* memory_picture.h: the data of a memory chart: memory of one allocator by time slice, and live
 * memory at an instant. */
#pragma once

#include "activity/memory_failures.h"
#include "base/cancel.h"
#include "view/pictures/live_memory.h"

/* Special instants. MEMORY_AT_FAILURE - K: K-th failure from the end; the peak if none failed. */
enum { MEMORY_AT_PEAK = -1, MEMORY_AT_FAILURE = -2 };

struct memory_request {
    int64_t step;     /* of RunMetadata; negative: the step with the highest peak */
    size_t allocator; /* index among the allocators of the step; out of range: the highest peak, or one
                       * with a failure */
    int n_slices;     /* must be positive */
    int at;           /* slice that the rows describe, MEMORY_AT_PEAK, or at a failure */
    int since;        /* slice: rows are live allocations made after it; -1: all live allocations */
    enum memory_grouping by; /* not GROUPING_DEFAULT */
};

/* Figures of a profile that take long to compute, shared by its charts. Immutable; freed with the last
 * reference. */
struct memory_source;
struct memory_source *memory_source_ref(struct memory_source *s); /* accepts NULL */
void memory_source_unref(struct memory_source *s);

/* Highest memory use within a slice of time. */
struct memory_slice {
    int64_t most_bytes;
    uint32_t at;            /* the instant at which it is reached first, or the last one before */
    int64_t reserved_bytes; /* highest reserved memory in the slice; 0: unknown */
    int64_t before_bytes;   /* memory from before recording still in use at its start */
    int64_t base_bytes;     /* highest memory use of the baseline; 0 without a baseline */
};

/* Positions are ticks of the allocator since its first event; numbers of events if it has no times. */
struct memory_picture {
    struct memory_request request;
    struct memory_source *source; /* a reference */
    /* The allocator shown, borrowed from the log. NULL: the step has none; all fields below are 0. */
    const struct memory_allocator *allocator;
    size_t n_allocators;         /* of the step */
    size_t allocator_at;         /* index of the allocator shown */
    struct memory_slice *slices; /* [request.n_slices]; heap */
    int slice, peak_slice;       /* indices: described by the rows; of the peak */
    uint32_t at, since;          /* instants of request.at and request.since */
    int64_t end;                 /* position of the last event */
    int64_t at_bytes;            /* memory in use at `at` */
    int64_t rows_bytes;          /* sum of the rows */
    int64_t sum_of_peaks;        /* MEMORY_UNKNOWN unless the allocator is of RunMetadata */
    size_t n_failures;   /* out-of-memory events; 0: the failure fields are 0 */
    size_t failure_at;   /* the failure that the rows describe, else the last one */
    bool is_at_failure;  /* the rows describe it */
    struct failure_facts failure;
    /* Reserved at the end, largest first; borrowed from the log. */
    VEC(const struct memory_segment *) segments;
    int64_t top_bytes;        /* the highest memory in use or reserved: the top of the plot */
    struct live_rows rows;
    /* The baseline's allocator of the same name; NULL: none, and there are no pairs. */
    const struct memory_allocator *base;
    struct live_rows base_rows;
    live_pair_list pairs; /* groups that differ; names are borrowed from the rows */
};

/* Computes the chart of P that Q describes, on the heap; NULL when cancelled. BASE: the baseline, or
 * NULL. KEPT, the source of an earlier chart or NULL, is reused if it belongs to the same profile. */
struct memory_picture *memory_picture_new(const struct profile *p, const struct profile *base,
                                          const struct memory_request *q, struct memory_source *kept,
                                          struct cancel_mark cancel);
void memory_picture_free(struct memory_picture *m); /* accepts NULL */

/* The position of instant AT of A. */
int64_t memory_position(const struct memory_allocator *a, uint32_t at);

/* Appends one line about P's memory for the allocator that the picture opens with: "/gpu:0 out of memory,
 * ...", "/gpu:0 peak 1.20GB, 310.00MB live at the end". Nothing for profiles without allocators. */
void memory_line(struct strbuf *sb, const struct profile *p, struct cancel_mark cancel);
