/* query.h: options in, rows out: the pipeline of linear scans.
 *
 *     account -> self -> kept -> totals -> start -> show -> lift -> order
 *
 * A query keeps what the last run computed and recomputes only the steps
 * whose inputs changed.  Results share unchanged columns with the query by
 * reference count, so a result stays valid while newer ones are made. */
#ifndef TFPROF_VIEW_QUERY_H
#define TFPROF_VIEW_QUERY_H

#include "base/cancel.h"
#include "flops/flops.h"
#include "match/comparison.h"
#include "opt/options.h"
#include "view/build/tree.h"
#include "view/by_step/by_step.h"
#include "view/pictures/roofs.h"
#include "view/view.h"

/* Why a row is not displayed; WHY_SHOWN is 0. */
enum why {
    WHY_SHOWN,
    WHY_NOT_KEPT,    /* -account_type_regexes: neither it nor an descendant counts */
    WHY_NOT_STARTED, /* -start_name_regexes */
    WHY_TRIMMED,     /* -trim_name_regexes cut an ancestor (or, code, itself) */
    WHY_TOO_DEEP,    /* -max_depth */
    WHY_SHOW,        /* no -show_name_regexes matches */
    WHY_HIDE,        /* a -hide_name_regexes matches */
    WHY_DEVICE,      /* -device_regexes */
    WHY_UNACCOUNTED, /* -hide_unaccounted */
    WHY_DELTA,       /* -min_delta: the two sides are too much alike */
    WHY_PERCENT,     /* -min_percent */
    WHY_TWINS,       /* -fold_twins: fewer than two of the twins that it stands for are displayed */
    WHY_MIN,         /* WHY_MIN + metric: below -min_METRIC */
    WHY_COUNT = WHY_MIN + METRIC_COUNT
};
_Static_assert(WHY_COUNT <= UINT8_MAX + 1, "a reason fits a byte of result.why");

struct result {
    const struct profile *profile;
    const struct tree *tree; /* lives as long as the result */
    const struct view *view;
    enum view_id view_id;
    struct options options; /* what it answers: steps that were chosen by time are numbers */
    int64_t asked_step, asked_diff_step; /* as the question had them */
    uint32_t n_shown;       /* displayed rows, the root aside */

    /* columns [tree->n_rows] */
    const uint8_t *why;       /* enum why */
    const uint8_t *tested;    /* enum why: the same of the row alone, wherever it stands */
    const uint8_t *accounted; /* 0 or 1 */
    const uint8_t *kept;      /* 0 or 1 */
    const uint32_t *own;      /* how many of the row's members are accounted */
    const row_id *shown_parent; /* nearest displayed ancestor; ROW_NONE: the root's */
    /* NULL for metrics that nothing asked for, see result_need().  total is
     * the total to display: recomputed with -account_displayed_op_only. */
    const int64_t *self[METRIC_COUNT];
    const int64_t *total[METRIC_COUNT];
    /* The same of what is compared with; self and total are the other side.  NULL when nothing is
     * compared, as SIDES, which has by row enum side_bit (match/comparison.h). */
    const int64_t *base_self[METRIC_COUNT];
    const int64_t *base_total[METRIC_COUNT];
    const uint8_t *sides;
    const int64_t *noise; /* by row: differences up to it may be chance; NULL: not known */
    struct step_times_seen step_times; /* zeros: the same */
    struct by_step by_step; /* zeros: not asked for, or the profile has one step */
    const struct comparison *comparison; /* of two profiles; NULL: of steps, or none */
    struct roofs roofs; /* above the rates; unknown unless roof_percent was asked for */
    uint32_t unknown_metrics; /* a bit for each of which the profile says nothing */
    /* Definition counts of scope and graph: NULL unless occurrence is needed.
     * A row's self count is 1. */
    const int64_t *total_defs;
    const int64_t *hidden_ops; /* NULL unless num_hidden_ops is selected */

    /* columns [profile->n_nodes] */
    const uint8_t *node_accounted;   /* 0 or 1 */
    const int64_t *static_float_ops; /* of one execution, by -flops; NULL unless needed */

    node_id saturated_node; /* NODE_NONE, or the first one at a 64-bit limit */
    struct notes notes;     /* what this result has to say */
    struct result_priv *priv;
};

/* True when figures of METRIC are not known, whatever their columns have. */
static inline bool result_is_unknown(const struct result *r, int field)
{
    return field < METRIC_COUNT && r->unknown_metrics >> field & 1;
}

struct query; /* caches of one profile; private */

/* P must outlive Q and every result. */
struct query *query_new(const struct profile *p);
/* The same with N_THREADS (0: one a core); the results do not depend on it. */
struct query *query_new_threads(const struct profile *p, unsigned n_threads);
/* The same for the merged profile of C, which must outlive Q and every result too. */
struct query *query_new_comparison(const struct comparison *c);
void query_free(struct query *q);

/* Columns that Q took from the heap so far: for the benchmark. */
size_t query_allocations(const struct query *q);

/* Runs VIEW (not VIEW_ADVISE) with O.  NULL with ERR: a step that is not
 * there (input error), a bad regex (usage), cancelled.  The result is freed
 * with result_free().  One thread at a time per query. */
struct result *query_run(struct query *q, enum view_id view, const struct options *o,
                         struct cancel_mark cancel, struct err *err);
void result_free(struct result *r); /* NULL is fine */
/* R's columns as a result for another thread, which reads them while R is in use; not its
 * children. */
struct result *result_share(struct result *r);
struct column; /* view/column.h */
/* A column of R's query for an element of SIZE_BYTES by row, not initialised, one reference. */
struct column *result_new_column(const struct result *r, size_t size_bytes);
/* The same with the figures of all metrics, which later runs share, and the
 * counts of result_flops(). */
struct result *query_run_all_figures(struct query *q, enum view_id view, const struct options *o,
                                     struct cancel_mark cancel, struct err *err);
/* Fills BEFORE [rows of R's tree + 1] with the number of displayed rows before
 * each row, the root aside, whose names LIST matches: what is below a row are
 * the matches between it and its end.  R is a result of Q.  False with ERR: a
 * bad regex, cancelled. */
bool query_count_matches(struct query *q, const struct result *r, const char *list,
                         uint32_t *before, struct cancel_mark cancel, struct err *err);
/* What ROW with all below it is bound by: its totals (in a list its own figures), in a comparison
 * those of now; BOUND_NONE where roof_percent is not made. */
enum bound result_bound(const struct result *r, row_id row);
/* Gives R the figures that FROM, a result of the same query, view and options,
 * has and R has not. */
void result_take_figures(struct result *r, const struct result *from);

/* Makes self and total of the metrics in NEED (bits of field_set; others are ignored)
 * when the options did not ask for them.  One thread at a time. */
void result_need(struct result *r, field_set need);
/* The figures of METRIC by node; valid as long as the result.  One thread at
 * a time. */
const int64_t *result_node_figures(struct result *r, enum metric_id metric);
/* The same of the base of a comparison, after the other. */
const int64_t *result_base_figures(const struct result *r, enum metric_id metric);

/* The roofs above the rates of rows; makes the figures that measured ones are of.  One thread at a
 * time. */
struct roofs result_roofs(struct result *r);

/* What -flops and its options give, made now when no figure needed it yet: for
 * the formula of a node, coverage, states.  NULL with ERR (a bad -bind).  One
 * thread at a time; valid as long as the result. */
const struct flops *result_flops(struct result *r, struct err *err);
/* The same when they are made, else NULL. */
const struct flops *result_flops_made(const struct result *r);

/* What outputs have below a displayed row: its displayed children, but of a row for twins
 * nothing. */
const row_id *result_output_children(struct result *r, row_id row, uint32_t *n);
/* Displayed children of a displayed row, sorted; *N of them.  Sorted on first
 * use, so from one thread at a time.  Valid as long as the result. */
const row_id *result_children(struct result *r, row_id row, uint32_t *n);

/* The displayed row that a displayed row other than the root lies under. */
static inline row_id result_parent(const struct result *r, row_id row)
{
    return r->shown_parent[row] == ROW_NONE ? 0 : r->shown_parent[row];
}

/* All displayed rows in display order, but those below rows for twins, without recursion:
 *
 *     struct result_walk w;
 *     result_walk_init(&w, r, 0);
 *     while (result_walk_next(&w)) use(w.row, w.depth);
 *     result_walk_done(&w);
 */
struct result_walk {
    struct result *result;
    row_id row;
    uint32_t depth; /* displayed ancestors below the start */
    void *priv;
};
void result_walk_init(struct result_walk *w, struct result *r, row_id top);
bool result_walk_next(struct result_walk *w);
void result_walk_skip(struct result_walk *w); /* do not enter w->row's children */
void result_walk_done(struct result_walk *w);

#endif
