/* steps.h: the steps of the pipeline and the columns they pass on; private to
 * query.c and the files of the steps. */
#ifndef TFPROF_VIEW_STEPS_H
#define TFPROF_VIEW_STEPS_H

#include "base/regexes.h"
#include "base/workers.h"
#include "view/column.h"
#include "view/counts.h"
#include "view/filter.h"
#include "view/query.h"

/* Lists that are matched against the names of rows. */
enum name_filter { NAMES_START, NAMES_TRIM, NAMES_SHOW, NAMES_HIDE, NAMES_COUNT };

/* What the steps have made so far.  A column that is NULL is not made yet or
 * has lost one of its inputs; where a comment says so, NULL means more. */
struct columns {
    struct tree *tree;
    /* account */
    struct column *node_accounted; /* uint8_t by node */
    struct column *accounted;      /* uint8_t by row */
    struct column *own;            /* uint32_t: accounted members */
    struct column *kept;           /* uint8_t */
    /* figures */
    int64_t step;
    struct counts *counts; /* where operation counts come from */
    struct column *node_figures[METRIC_COUNT]; /* int64_t by node */
    struct column *self[METRIC_COUNT];         /* int64_t by row */
    struct column *total[METRIC_COUNT];        /* of the accounting pass */
    struct column *defs;                       /* total definition count of that pass */
    /* start; NULL: the list is the wildcard and all rows are inside */
    struct column *started; /* uint8_t by row */
    /* show */
    enum filter_kind kind[NAMES_COUNT];
    struct column *match[NAMES_COUNT]; /* uint8_t by row; NULL unless kind is FILTER_SOME */
    struct column *device_match;       /* uint8_t by row; NULL: no row fails */
    struct column *why;                /* uint8_t by row */
    struct column *shown_parent;       /* row_id by row */
    struct column *sequence;           /* op: row_id of accounted rows in list order */
    uint32_t n_sequence, n_shown;
    /* totals over displayed rows, when the option asks for them */
    struct column *shown_total[METRIC_COUNT];
    struct column *shown_defs;
    struct column *hidden; /* int64_t */
    /* By metric: NODE_NONE, or the first node that met a 64-bit limit in the
     * figures of nodes, and in anything made of them. */
    node_id node_saturated[METRIC_COUNT], saturated[METRIC_COUNT];
};

void columns_init(struct columns *c);
void columns_done(struct columns *c);

/* What every step is given. */
struct run {
    const struct profile *profile;
    const struct view *view;
    const struct options *options;
    struct columns *c;
    struct column_pool *pool;
    struct workers *workers; /* NULL: this thread alone */
    bool may_be_negative; /* some figure of some node may be below zero */
    field_set more; /* metrics that nobody asked for yet but somebody will */
    /* Once it is asked, figures may be missing: the run must give no result. */
    struct cancel_mark cancel;
};

/* ---- account.c */

/* Makes accounted, own and kept; SYNTHETIC: rows without nodes are accounted. */
void account_rows(const struct run *run, bool synthetic);

/* ---- figures.c */

/* Metrics that the options of RUN need to select, order and filter. */
field_set figures_needed(const struct run *run);
/* Makes node_figures of the metrics in NEED. */
void figures_nodes(const struct run *run, field_set need);
/* Makes self of METRIC. */
void figures_self(const struct run *run, enum metric_id metric);

/* ---- totals.c */

/* Makes total and defs over kept rows for the metrics in NEED, figures included;
 * where view and options ask for them, shown_total and shown_defs over displayed
 * rows once why is there. */
void totals_make(const struct run *run, field_set need);
/* Makes hidden. */
void totals_hidden(const struct run *run);

/* ---- start.c, show.c */

/* Makes started. */
void start_rows(const struct run *run);

/* Which column -min_METRIC looks at. */
enum min_base { MIN_IGNORED, MIN_SELF, MIN_TOTAL, MIN_OWN };
enum min_base show_min_base(const struct run *run, enum metric_id metric);
/* True when the threshold can hide a row at all. */
bool show_min_active(const struct run *run, enum metric_id metric);

/* Tests that need no other row: a temporary column of enum why, NULL when all
 * pass. */
struct column *show_test_rows(const struct run *run);
/* Makes why, shown_parent, n_shown. */
void show_rows(const struct run *run);

/* ---- list.c: the op view's own totals, start and show */

/* Makes sequence; needs self of the metric that orders. */
void list_order(const struct run *run);
void list_total(const struct run *run, enum metric_id metric);
void list_show(const struct run *run);
void list_shown_total(const struct run *run, enum metric_id metric);

/* ---- sort.c */

/* Sorts ROWS as the options say: descending by VALUES (NULL: none), then by
 * name, then in the order of the walk.  KEYS is scratch for 2 * N elements. */
struct sort_key {
    int64_t value;
    uint32_t rank;
    row_id row;
};
void order_rows(const struct tree *t, const int64_t *values, const uint32_t *counts, row_id *rows,
                uint32_t n, struct sort_key *keys);

#endif
