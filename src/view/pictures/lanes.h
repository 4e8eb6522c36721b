/* lanes.h: what ran when: a lane for each thread or stream of each device, as the timeline has them,
 * with what a picture asks of it at any zoom.
 *
 * Spans of a lane do not overlap.  Of runs a span is an execution, and what runs at once on a device
 * is in threads as many as it takes (lane_place.h); of captures and traces an instant of a thread is
 * its innermost slice's.  Running sums over spans answer how busy any stretch of time was with two
 * binary searches; a pyramid of maxima finds the next gap of a length. */
#ifndef TFPROF_VIEW_PICTURES_LANES_H
#define TFPROF_VIEW_PICTURES_LANES_H

#include "base/cancel.h"
#include "base/text.h"
#include "base/vec.h"
#include "model/profile.h"
#include "opt/options.h"
#include "view/query.h"

/* What spans have in common that are drawn alike. */
enum lane_group_by { LANES_BY_TYPE, LANES_BY_SCOPE, LANES_BY_SUBSCOPE, LANES_BY_FIGURE, LANES_BY_COUNT };
extern const char *const lane_group_names[LANES_BY_COUNT];

/* The first is everything that is not in the others, which take the most time, most first, or by a
 * figure have the most of it; what no row stands for that passes the filters is in the first. */
enum { LANE_GROUPS = 7 };

struct lane_span {
    int64_t start_ticks, end_ticks; /* end > start */
    node_id node;
    uint32_t group;
};

struct span_lane {
    strid device;    /* "/job:worker/replica:0/task:0/cpu:0" */
    strid name;      /* of a thread or stream; STRID_EMPTY: not said */
    int64_t rank;    /* -1: there is one, or it is not said */
    uint32_t thread; /* of runs: which of those of the device, from 0 */
    bool is_stream;
    uint32_t first, n; /* in lanes.spans, by time */
    size_t first_sum;  /* in lanes.sums */
    int64_t busy_ticks;
};

struct lane_group {
    struct text name; /* the profile's; of the first group empty */
    int64_t busy_ticks;
};

/* What ran while nothing else did in any lane. */
struct lanes_alone {
    strid type;          /* the op type that ran so longest; STRID_EMPTY: none */
    int64_t alone_ticks; /* of this type */
    strid input_type;    /* the same of those that fetch what is trained on */
    int64_t input_ticks;
    strid compute_type;  /* of the first convolution or matrix product; STRID_EMPTY: there is none */
    int64_t before_ticks; /* of all input types alone before that */
    int64_t idle_ticks;   /* nothing ran at all, between the first start and the last end */
};

typedef int64_t lane_sums[LANE_GROUPS];

struct lanes {
    const struct profile *profile;
    int64_t step; /* STEP_ALL: of all */
    int64_t rank;  /* as of options */
    char *devices; /* the same: device_regexes; heap */
    enum lane_group_by by;
    enum metric_id figure; /* of LANES_BY_FIGURE */
    char *filters; /* lanes_filter_text(); heap */
    uint8_t *passing, *figure_groups; /* by node, while they are made; NULL: all, by no figure */
    int64_t begin_ticks, end_ticks; /* the first start and the last end */
    int64_t origin_ticks; /* where -time_range counts from: there or before, or close behind */
    VEC(struct span_lane) lanes;
    VEC(struct lane_span) spans; /* lane by lane */
    struct lane_group groups[LANE_GROUPS];
    struct lanes_alone alone;
    VEC(lane_sums) sums; /* of each LANES_FANOUT spans of a lane what groups took before them */
    VEC(VEC(int64_t)) gaps; /* [0]: longest gap behind one of LANES_FANOUT spans, and so on */
    struct cancel_mark cancel; /* while they are made */
    uint32_t *span_begin; /* CSR by node of `spans_of_nodes`: its spans, lane by lane */
    uint32_t *spans_of_nodes;
};

enum { LANES_FANOUT = 16 };

/* True when P says when anything ran. */
bool lanes_exist(const struct profile *p);
/* The step that -step STEP shows: of captures and traces all for an average, of runs, whose clocks
 * differ, the one in the middle. */
int64_t lanes_step(const struct profile *p, int64_t step);

/* The lanes of P for the step, rank and devices of OPTIONS, on the heap; P must outlive them.  R, a
 * result of these options, says which nodes pass filters and what figures they have; NULL: all pass, BY is no figure.
 * Takes O(n log n) of the executions or slices.  NULL: CANCEL was asked. */
struct lanes *lanes_new(const struct profile *p, const struct options *options,
                        enum lane_group_by by, struct result *r, struct cancel_mark cancel);
/* True when lanes_new() needs a result for VIEW with OPTIONS. */
bool lanes_need_result(enum view_id view, const struct options *options, enum lane_group_by by);
void lanes_free(struct lanes *l); /* NULL is fine */
/* True when lanes_new() would make the same again. */
bool lanes_are_of(const struct lanes *l, const struct profile *p, enum view_id view,
                  const struct options *options, enum lane_group_by by);

/* What a stretch of time of a lane has. */
struct lane_stretch {
    int64_t busy_ticks;
    lane_sums groups_ticks; /* what of it each group takes */
    uint32_t group;      /* that takes most of it; of equals the first */
    uint32_t first, end; /* spans that are at least partly in it: [first, end) of lanes.spans */
};

/* What begins at COLUMN when N_COLUMNS have LEN_TICKS from FROM_TICKS on. */
static inline int64_t lanes_column_ticks(int64_t from_ticks, int64_t len_ticks, int n_columns,
                                         int column)
{
    return from_ticks + len_ticks / n_columns * column + len_ticks % n_columns * column / n_columns;
}

/* [FROM, TO) of lane AT, in the time of a binary search. */
struct lane_stretch lanes_stretch(const struct lanes *l, size_t at, int64_t from_ticks,
                                  int64_t to_ticks);
/* The group that colours a stretch: where filters hide spans, one of what is left when there is
 * any. */
uint32_t lanes_main_group(const struct lanes *l, const struct lane_stretch *s);
/* True when one of the spans [FIRST, END) is of NODE: in the time of a binary search. */
bool lanes_has_node(const struct lanes *l, node_id node, uint32_t first, uint32_t end);
/* The spans of NODE; *N of them. */
const uint32_t *lanes_spans_of(const struct lanes *l, node_id node, uint32_t *n);
/* The lane that a span is in. */
size_t lanes_lane_of(const struct lanes *l, uint32_t span);

#define SPAN_NONE UINT32_MAX

/* The first span of lane AT, from FROM_TICKS on (DIRECTION 1) or the last before it (-1), behind
 * which there is a gap of at least MIN_TICKS before the next one: [its end, the next start).
 * SPAN_NONE: there is none. */
uint32_t lanes_gap(const struct lanes *l, size_t at, int64_t from_ticks, int direction,
                   int64_t min_ticks);

#endif
