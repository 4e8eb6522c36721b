/* query.h: options in, rows out: the pipeline of linear scans.
 *
 *     account -> self -> kept -> totals -> start -> show -> lift -> order
 *
 * A query keeps what the last run computed and recomputes only the steps
 * whose inputs changed.  Results share unchanged columns with the query by
 * reference count, so a result stays valid while newer ones are made. */
#pragma once

#include "base/cancel.h"
#include "flops/flops.h"
#include "match/comparison.h"
#include "opt/options.h"
#include "view/build/tree.h"
#include "view/by_step.h"
#include "view/noise.h"
#include "view/roofs.h"
#include "view/view.h"

/* Reason why a row is not displayed; WHY_SHOWN is 0. */
enum why {
    WHY_SHOWN,
    WHY_NOT_KEPT,    /* -account_type_regexes: neither the row nor a descendant is accounted */
    WHY_NOT_STARTED, /* -start_name_regexes */
    WHY_TRIMMED,     /* -trim_name_regexes cut an ancestor (in the code view also the row itself) */
    WHY_TOO_DEEP,    /* -max_depth */
    WHY_SHOW,        /* no -show_name_regexes matches */
    WHY_HIDE,        /* a -hide_name_regexes matches */
    WHY_DEVICE,      /* -device_regexes */
    WHY_UNACCOUNTED, /* -hide_unaccounted */
    WHY_DELTA,       /* -min_delta: the two sides differ too little */
    WHY_PERCENT,     /* -min_percent */
    WHY_REPEATS,       /* -fold_twins: fewer than two of its repeated layers are displayed */
    WHY_MIN,         /* WHY_MIN + metric: below -min_METRIC */
    WHY_COUNT = WHY_MIN + METRIC_COUNT
};
_Static_assert(WHY_COUNT <= UINT8_MAX + 1, "a reason fits a byte of result.why");

/* Text before the rows of an output; borrowed. */
struct result_lead {
    const char *view; /* name of the view in JSON */
    const char *text; /* lines */
    const char *json; /* members of the JSON head: ,"compared":{..} */
};

struct result {
    const struct result_lead *lead; /* NULL: nothing */
    const struct profile *profile;
    const struct tree *tree; /* lives as long as the result */
    const struct view *view;
    enum view_id view_id;
    /* options of the query; steps that were selected by time are replaced by their numbers */
    struct options options;
    int64_t asked_step, asked_diff_step; /* steps as requested */
    uint32_t n_shown;       /* number of displayed rows, without the root */

    /* columns [tree->n_rows] */
    const uint8_t *why;       /* enum why */
    /* reason (enum why) that applies to the row by itself, regardless of its ancestors */
    const uint8_t *tested;
    const uint8_t *accounted; /* 0 or 1 */
    const uint8_t *kept;      /* 0 or 1 */
    const uint32_t *own;      /* number of accounted members by row */
    const row_id *shown_parent; /* nearest displayed ancestor; ROW_NONE: none below the root */
    /* Figures by metric; NULL for metrics that were not requested, see result_need(). Total is the
     * displayed total: recomputed with -account_displayed_op_only. */
    const int64_t *self[METRIC_COUNT];
    const int64_t *total[METRIC_COUNT];
    /* Figures of the baseline; self and total are those of the current side. NULL without a
     * comparison, like SIDES (by row, enum side_bit of match/comparison.h). */
    const int64_t *base_self[METRIC_COUNT];
    const int64_t *base_total[METRIC_COUNT];
    const uint8_t *sides;
    struct noise noise; /* of -significant; zeroed: not requested */
    struct step_times_seen step_times; /* zeroed: unknown */
    struct by_step by_step; /* zeroed: not requested, or the profile has a single step */
    /* comparison of two profiles; NULL: of two steps, or none */
    const struct comparison *comparison;
    struct roofs roofs; /* roofs of the rates; unknown unless roof_percent was requested */
    uint32_t partial_metrics; /* bit set of metrics that only some rows have: 0 is unknown there */
    uint32_t unknown_metrics; /* bit set of metrics that the profile has no data for */
    /* Number of definitions in scope and graph views; NULL unless occurrence is needed. The self
     * count of a row is 1. */
    const int64_t *total_defs;
    const int64_t *hidden_ops; /* NULL unless num_hidden_ops is selected */

    /* columns [profile->n_nodes] */
    const uint8_t *node_accounted;   /* 0 or 1 */
    const int64_t *static_float_ops; /* FLOPs of one execution, by -flops; NULL unless needed */

    node_id saturated_node; /* first node whose figure saturated; NODE_NONE: none */
    struct notes notes;     /* notes of the query */
    struct result_priv *priv;
};

/* True when the figures of METRIC are unknown; its columns are then meaningless. */
static inline bool result_is_unknown(const struct result *r, int field)
{
    return field < METRIC_COUNT && r->unknown_metrics >> field & 1;
}

/* True when ROW has self figures: accounted rows, and the row of work outside of steps. */
static inline bool result_has_self(const struct result *r, row_id row)
{
    return row && (r->accounted[row] || row == r->tree->outside);
}

/* True when ROW has no METRIC although other rows have: the row outside of steps has no share of
 * steps, and in traces only attention has bytes accessed. */
static inline bool result_lacks(const struct result *r, row_id row, int metric)
{
    if (metric < METRIC_COUNT && r->partial_metrics >> metric & 1 && r->total[metric])
        return !(r->view_id == VIEW_OP && row ? r->self : r->total)[metric][row];
    return metric == METRIC_STEP_PERCENT && row && row == r->tree->outside;
}

struct query; /* caches for one profile; opaque */

/* P must outlive Q and every result. */
struct query *query_new(const struct profile *p);
/* As query_new(), with N_THREADS (0: one per core); results do not depend on the number. */
struct query *query_new_threads(const struct profile *p, unsigned n_threads);
/* As query_new(), for the merged profile of C, which must outlive Q and all results. */
struct query *query_new_comparison(const struct comparison *c);
void query_free(struct query *q);

/* Number of columns that Q allocated from the heap so far, for the benchmark. */
size_t query_allocations(const struct query *q);

/* Runs VIEW (not VIEW_ADVISE) with options O. NULL with ERR: no such step (input), a bad regex
 * (usage), or cancelled. Free the result with result_free(). Only one thread may use a query at a
 * time. */
struct result *query_run(struct query *q, enum view_id view, const struct options *o,
                         struct cancel_mark cancel, struct err *err);
void result_free(struct result *r); /* accepts NULL */
/* A second result with the columns of R, for another thread that reads them while R is in use;
 * lists of children are not shared. */
struct result *result_share(struct result *r);
struct column; /* view/column.h */
/* A new uninitialised column of R's query for elements of SIZE_BYTES by row; one reference. */
struct column *result_new_column(const struct result *r, size_t size_bytes);
/* Like query_run(), with the figures of all metrics, which later runs share, and the counts of
 * result_flops(). */
struct result *query_run_all_figures(struct query *q, enum view_id view, const struct options *o,
                                     struct cancel_mark cancel, struct err *err);
/* Fills BEFORE [rows of R's tree + 1] with the number of displayed rows, without the root, before
 * each row whose names match LIST. The difference between the entries at the end of a row's subtree
 * and at the row is the number of matches in the subtree. R is a result of Q. False with ERR: a bad
 * regex, or cancelled. */
bool query_count_matches(struct query *q, const struct result *r, const char *list,
                         uint32_t *before, struct cancel_mark cancel, struct err *err);
/* Returns the limit of ROW and its descendants, from its totals (in a list its self figures) on the
 * current side. BOUND_NONE if roof_percent is not computed. */
enum bound result_bound(const struct result *r, row_id row);
/* Copies figures from FROM that R lacks; FROM is a result of the same query, view and options. */
void result_copy_figures(struct result *r, const struct result *from);

/* Computes self and total of the metrics in NEED (bits of field_set; others are ignored) that the
 * options did not request. Not thread-safe. */
void result_need(struct result *r, field_set need);
/* Figures of METRIC by node; valid as long as the result. Not thread-safe. */
const int64_t *result_node_figures(struct result *r, enum metric_id metric);
/* As result_node_figures(), which must be called first, for the baseline. */
const int64_t *result_base_figures(const struct result *r, enum metric_id metric);

/* Roofs of the rates of rows; computes the figures that measured roofs need. Not thread-safe. */
struct roofs result_roofs(struct result *r);

/* The counts of -flops and its options, computed on the first call: for formulas of nodes, coverage
 * and states. NULL with ERR (a bad -bind). Not thread-safe; valid as long as the result. */
const struct flops *result_flops(struct result *r, struct err *err);
/* As result_flops(), but NULL if the counts are not computed yet. */
const struct flops *result_flops_made(const struct result *r);

/* Returns the children of a displayed row in outputs, where a row of repeated layers has none. */
const row_id *result_output_children(struct result *r, row_id row, uint32_t *n);
/* Displayed children of a displayed row in display order; sets *N to their number. Sorts on first
 * use, so not thread-safe. Valid as long as the result. */
const row_id *result_children(struct result *r, row_id row, uint32_t *n);

/* Nearest displayed ancestor of a displayed row other than the root. */
static inline row_id result_parent(const struct result *r, row_id row)
{
    return r->shown_parent[row] == ROW_NONE ? 0 : r->shown_parent[row];
}

/* All displayed rows in display order, but those below rows of repeated layers, without recursion:
 *
 *     struct result_walk w;
 *     result_walk_init(&w, r, 0);
 *     while (result_walk_next(&w)) use(w.row, w.depth);
 *     result_walk_done(&w);
 */
struct result_walk {
    struct result *result;
    row_id row;
    uint32_t depth; /* number of displayed ancestors below the start */
    void *priv;
};
void result_walk_init(struct result_walk *w, struct result *r, row_id top);
bool result_walk_next(struct result_walk *w);
void result_walk_skip(struct result_walk *w); /* Skips the children of w->row. */
void result_walk_done(struct result_walk *w);

/* False with ERR (input) if P lacks STEP (>= 0 or STEP_OUTSIDE), the value of -OPTION, or RANK (>=
 * 0). */
bool query_check_step(const struct profile *p, const char *option, int64_t step, struct err *err);
bool query_check_rank(const struct profile *p, int64_t rank, struct err *err);
