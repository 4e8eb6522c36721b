/* memory_picture.h: the data of a memory chart: memory of one allocator by time slice, and live
 * memory in a selected slice. */
#pragma once

#include "activity/memory_failures.h"
#include "base/cancel.h"
#include "base/strbuf.h"
#include "base/text.h"
#include "view/pictures/memory.h"

struct hidden_frames;

/* Key by which nodes are grouped into rows. */
enum memory_group {
    MEMORY_BY_SCOPE,
    MEMORY_BY_TYPE,
    MEMORY_BY_CODE, /* innermost line that is not in a library */
    MEMORY_BY_NODE,
    MEMORY_GROUP_COUNT
};
extern const char *const memory_group_names[MEMORY_GROUP_COUNT];

struct memory_row {
    struct text name; /* from the profile: first part of the name, type, file or node name */
    /* from the profile; MEMORY_BY_CODE: a line in that file; NULL: unknown */
    const struct frame *line;
    node_id node;     /* the node of the group that holds most */
    int64_t bytes;
    size_t n_nodes;
    int64_t from_ticks, to_ticks; /* of that node; see struct memory_live */
};
typedef VEC(struct memory_row) memory_row_list;

/* Appends LIVE grouped BY, largest first, then by name; sums equal those of LIVE. O(n log n). */
void memory_rows(memory_row_list *rows, const struct profile *p, const memory_live_list *live,
                 enum memory_group by);

/* The innermost line of code that created NODE and is not in a library; NULL if unknown. LIBRARIES
 * must hide LIBRARY_FRAMES. */
const struct frame *memory_line(const struct profile *p, node_id node,
                                struct hidden_frames *libraries);

/* Appends the name of ROW; lines of code as in the code view. */
void memory_row_name(struct strbuf *sb, const struct profile *p, const struct memory_row *row);

/* Special instants. MEMORY_AT_FAILURE - K: K-th failure from the end; the peak if none failed. */
enum { MEMORY_AT_PEAK = -1, MEMORY_AT_FAILURE = -2 };

struct memory_question {
    int64_t step;  /* negative: the step with the highest peak */
    size_t curve;  /* index among the curves of the step; out of range: the highest curve */
    int n_slices;  /* must be positive */
    int at;        /* slice that the rows describe, MEMORY_AT_PEAK, or at a failure */
    int since;     /* slice: rows are live allocations made after it; -1: all live allocations */
    enum memory_group by;
};

/* The curves of a profile at one step, shared by several charts. Immutable; freed with the last
 * reference. */
struct memory_source;
struct memory_source *memory_source_ref(struct memory_source *s); /* accepts NULL */
void memory_source_unref(struct memory_source *s);

/* Highest memory use within a slice of time. */
struct memory_slice {
    int64_t most_bytes;
    /* index of the event after which it is reached, or of the last one before; SIZE_MAX: none */
    size_t event;
    int64_t reserved_bytes; /* highest reserved memory in the slice; 0: unknown */
    int64_t before_bytes;   /* memory from before recording still in use at its start */
};

struct memory_picture {
    struct memory_question asked;
    struct memory_source *source; /* a reference */
    struct memory_curve curve;
    /* number of curves of the step; 0: no allocation records, and all fields below are 0 */
    size_t n_curves;
    size_t curve_at;           /* index of the curve shown */
    struct memory_slice *slices; /* [asked.n_slices]; heap */
    int at, peak_at;             /* indices of slices */
    int64_t begin_ticks, end_ticks, peak_ticks, at_ticks;
    int64_t at_bytes;    /* memory in use at at_ticks */
    int64_t rows_bytes;  /* sum of the rows */
    int64_t since_ticks; /* of asked.since */
    int64_t sum_of_peaks;
    size_t n_failures;   /* out-of-memory events; 0: the failure fields are 0 */
    size_t failure_at;   /* the failure that the rows describe, else the last one */
    bool is_at_failure;  /* the rows describe it */
    struct failure_facts failure;
    int64_t failure_ps; /* since the first event */
    int64_t capacity_bytes;   /* of the device; MEMORY_UNKNOWN */
    /* Reserved at the end, largest first; borrowed from the log. */
    VEC(const struct memory_segment *) segments;
    int64_t top_bytes;        /* the highest memory in use or reserved: the top of the plot */
    memory_row_list rows;
};

/* Computes the chart that Q describes, on the heap; NULL when cancelled. KEPT, the source of an
 * earlier chart or NULL, is reused if it belongs to the same profile and step. */
struct memory_picture *memory_picture_new(const struct profile *p, const struct memory_question *q,
                                          struct memory_source *kept, struct cancel_mark cancel);
void memory_picture_free(struct memory_picture *m); /* accepts NULL */
