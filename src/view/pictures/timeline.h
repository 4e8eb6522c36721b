/* timeline.h: the data of the timeline: a track for each thread or stream of each device, with
 * queries at any zoom level.
 *
 * Spans of a track do not overlap. In profiles of runs a span is an execution, and concurrent
 * executions of a device are spread over as many threads as needed (track_ends.h). In captures and
 * traces each instant of a thread belongs to the innermost slice. Prefix sums give the busy time of
 * any range with two binary searches; a tree of maxima finds the next gap of a given length.
 *
 * In a comparison the tracks of the baseline follow those of the current profile. Their instants are
 * shifted so that both sides begin together; nodes and names are those of the merged profile. */
#pragma once

#include "base/cancel.h"
#include "base/text.h"
#include "base/vec.h"
#include "match/comparison.h"
#include "model/profile.h"
#include "opt/options.h"
#include "view/origins.h"
#include "view/query.h"

/* Property by which spans are coloured. */
enum timeline_group_by { TIMELINE_BY_TYPE, TIMELINE_BY_SCOPE, TIMELINE_BY_SUBSCOPE, TIMELINE_BY_FIGURE, TIMELINE_BY_COUNT };
extern const char *const timeline_group_names[TIMELINE_BY_COUNT];

/* Group 0 contains spans outside of the other groups, and spans without a row that passes the
 * filters. The other groups are those with the most time, in descending order, or classes of a
 * figure, highest first. If accelerators have work, the first TIMELINE_DEVICE_GROUPS groups are
 * theirs. */
enum { TIMELINE_GROUPS = 7, TIMELINE_DEVICE_GROUPS = 4 };

struct timeline_span {
    int64_t start_ticks, end_ticks; /* end > start */
    node_id node;
    strid name; /* in the profile: the kernel, else the op type of the node */
    uint32_t group;
};

struct timeline_track {
    strid device;    /* "/job:worker/replica:0/task:0/cpu:0" */
    strid name;      /* thread or stream; STRID_EMPTY: unknown */
    int64_t rank;    /* -1: a single rank, or unknown */
    uint32_t thread; /* profiles of runs: index of the thread on the device */
    bool is_stream;  /* the name is the number of a stream */
    bool is_accelerator;
    bool is_base;          /* of the baseline */
    uint8_t device_kind;   /* enum device_kind */
    int64_t device_number; /* -1: unknown */
    strid model_name;      /* of the device, "NVIDIA H100"; STRID_EMPTY: unknown */
    uint32_t device_id;    /* in the event store of its side */
    uint32_t place;        /* rank or host in that store; its tracks form a section */
    strid short_name;      /* in timeline.names, unique in its section: "GPU0 s7" */
    uint32_t first_idle, n_idle; /* of its device: range in timeline.idle, by time */
    uint32_t first, n; /* range in spans, by time */
    size_t first_sum;  /* index in sums */
    int64_t busy_ticks;
};

/* The tracks of a rank or a host of one side. */
struct timeline_section {
    strid name;        /* in timeline.names: "rank 0  NVIDIA A100" */
    uint32_t first, n; /* range in timeline.order */
    uint32_t n_streams; /* tracks of accelerators, which come first */
};

/* A time in which an accelerator is idle. */
struct timeline_idle {
    int64_t start_ticks, end_ticks;
    strid before, after; /* names of spans, in the profile */
    uint8_t cause;       /* enum idle_cause */
};

/* A step by the user's mark, or an annotation. */
struct timeline_mark {
    int64_t step;
    strid name; /* of an annotation, in the profile */
    int64_t start_ticks, end_ticks;
    uint32_t place; /* rank or host, as in tracks */
    bool is_base;   /* of the baseline */
};

struct timeline_group {
    struct text name; /* from the profile; empty for group 0 */
    int64_t busy_ticks;
};

/* Time in which a single track was busy. */
struct timeline_alone {
    strid type;          /* op type that ran alone for the longest time; STRID_EMPTY: none */
    int64_t alone_ticks; /* for `type` */
    strid input_type;    /* the same among input ops (types that fetch training data) */
    int64_t input_ticks;
    strid compute_type;  /* type of the first convolution or matrix product; STRID_EMPTY: none */
    int64_t before_ticks; /* time that input ops ran alone before it */
    int64_t idle_ticks;   /* all tracks idle, between the first start and the last end */
};

typedef int64_t timeline_sums[TIMELINE_GROUPS];

struct timeline {
    const struct profile *profile; /* of nodes and names */
    const struct profile *source;  /* of events; in a comparison the current profile */
    const struct profile *base;    /* source of the baseline; NULL: no comparison */
    const struct comparison *comparison; /* NULL: of two steps, or none */
    int64_t step; /* STEP_ALL: all steps */
    int64_t base_step;
    int64_t rank;  /* option -rank */
    char *devices; /* option -device_regexes; heap */
    enum timeline_group_by by;
    enum metric_id figure; /* metric for TIMELINE_BY_FIGURE */
    char *filters; /* timeline_filter_text(); heap */
    /* by node, only while groups are computed; NULL: all nodes pass, or no figure */
    uint8_t *passing, *figure_groups;
    int64_t begin_ticks, end_ticks; /* first start and last end */
    int64_t now_ticks, base_ticks;  /* time from these of each side; base_ticks 0: none */
    int64_t origin_ticks; /* zero of -time_range: at or before begin_ticks, or shortly after it */
    VEC(struct timeline_track) tracks;
    VEC(struct timeline_span) spans; /* by track */
    VEC(struct timeline_section) sections; /* at least one where there are tracks */
    VEC(uint32_t) order; /* display order: by section, accelerators first, then by busy time */
    struct intern names;
    VEC(struct timeline_idle) idle;
    VEC(struct timeline_mark) marks; /* by start */
    /* by side, place and start: annotations that are in no other; those of a place are disjoint */
    VEC(struct timeline_mark) annotations;
    struct timeline_group groups[TIMELINE_GROUPS];
    struct timeline_alone alone;
    /* for every TIMELINE_FANOUT-th span of a track the time of each group before it */
    VEC(timeline_sums) sums;
    /* [0]: longest gap after any of TIMELINE_FANOUT spans; each further level combines
     * TIMELINE_FANOUT elements */
    VEC(VEC(int64_t)) gaps;
    /* While the timeline is computed. */
    struct cancel_mark cancel;
    const struct origins *origins;
    struct event_store *made; /* executions of the displayed step of a run as events */
    uint32_t *span_begin; /* CSR by node of `spans_of_nodes`: indices of its spans, by track */
    uint32_t *spans_of_nodes;
};

enum { TIMELINE_FANOUT = 16 };

/* True when P contains times of executions or events. */
bool timeline_exists(const struct profile *p);

/* Builds the tracks of P for the step, rank and devices of OPTIONS, on the heap; P must outlive the
 * timeline. R, a result with these options, provides filters and figures; NULL: all nodes pass, and
 * BY must not be a figure. O(n log n) in the executions or slices. NULL when cancelled. */
struct timeline *timeline_new(const struct profile *p, const struct options *options,
                        enum timeline_group_by by, struct result *r, struct cancel_mark cancel);
/* As timeline_new(), with the tracks of the baseline: that of C, of which P is the merged profile, or
 * (C is NULL) the step of P that OPTIONS compares with. */
struct timeline *timeline_new_compared(const struct profile *p, const struct comparison *c,
                        const struct options *options, enum timeline_group_by by,
                        struct result *r, struct cancel_mark cancel);
/* True when timeline_new() needs a result for VIEW with OPTIONS. */
bool timeline_needs_result(enum view_id view, const struct options *options, enum timeline_group_by by);
void timeline_free(struct timeline *l); /* accepts NULL */
/* True when timeline_new_compared() with these arguments would build the same timeline. */
bool timeline_matches(const struct timeline *l, const struct profile *p, enum view_id view,
                  const struct options *options, enum timeline_group_by by);

/* Summary of a time range of a track. */
struct timeline_stretch {
    int64_t busy_ticks;
    timeline_sums groups_ticks; /* time of each group in the range */
    uint32_t group;      /* group with the most time; the first of equals */
    uint32_t first, end; /* spans that intersect the range: [first, end) of timeline.spans */
};

/* Start of COLUMN when N_COLUMNS cover LEN_TICKS from FROM_TICKS on. */
static inline int64_t timeline_column_ticks(int64_t from_ticks, int64_t len_ticks, int n_columns,
                                         int column)
{
    return from_ticks + len_ticks / n_columns * column + len_ticks % n_columns * column / n_columns;
}

/* Summarizes the range [FROM, TO) of track AT; logarithmic time. */
struct timeline_stretch timeline_stretch_of(const struct timeline *l, size_t at, int64_t from_ticks,
                                  int64_t to_ticks);
/* The group that colours a range; if filters hide some spans, the main group of the others, if
 * there are any. */
uint32_t timeline_main_group(const struct timeline *l, const struct timeline_stretch *s);
/* True when one of the spans [FIRST, END) belongs to NODE; logarithmic time. */
bool timeline_has_node(const struct timeline *l, node_id node, uint32_t first, uint32_t end);
/* The spans of NODE; sets *N to their number. */
const uint32_t *timeline_spans_of(const struct timeline *l, node_id node, uint32_t *n);
/* The track of a span. */
size_t timeline_track_of(const struct timeline *l, uint32_t span);
/* True when two tracks are of the same rank or host of the same side. */
static inline bool timeline_share_place(const struct timeline_track *a,
                                        const struct timeline_track *b)
{
    return a->place == b->place && a->is_base == b->is_base;
}

/* Returns the idle time of the device of track AT at AT_TICKS; NULL: busy, or unknown. */
const struct timeline_idle *timeline_idle_at(const struct timeline *l, size_t at, int64_t at_ticks);
/* Returns the first idle time of at least MIN_TICKS that starts after FROM_TICKS (DIRECTION 1), or
 * the last one that starts before it (-1); NULL: none. */
const struct timeline_idle *timeline_idle_next(const struct timeline *l, size_t at,
                                               int64_t from_ticks, int direction,
                                               int64_t min_ticks);

#define SPAN_NONE UINT32_MAX

/* First span of track AT from FROM_TICKS on (DIRECTION 1), or last one before it (-1), that is
 * followed by a gap of at least MIN_TICKS. The gap is [end of the span, start of the next one).
 * SPAN_NONE: there is none. */
uint32_t timeline_gap(const struct timeline *l, size_t at, int64_t from_ticks, int direction,
                   int64_t min_ticks);
