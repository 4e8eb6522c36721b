/* stages.h: the stages of the query and the columns they exchange; private to query.c and the
 * stages. */
#pragma once

#include "base/regex/regexes.h"
#include "base/system/workers.h"
#include "match/comparison.h"
#include "model/profile.h"
#include "view/build/tree.h"
#include "view/by_step.h"
#include "view/column.h"
#include "view/counts.h"
#include "view/cut.h"
#include "view/filter.h"
#include "view/noise.h"
#include "view/query.h"
#include "view/roofs.h"

/* Regex lists that are matched against names of rows. */
enum name_filter { NAMES_START, NAMES_TRIM, NAMES_SHOW, NAMES_HIDE, NAMES_COUNT };

/* Outputs of stages, as bits: each stage declares what it reads and what it computes. */
enum made {
    MADE_TREE = 1 << 0, /* the tree with rows of repeated layers, if requested */
    MADE_ACCOUNT = 1 << 1,
    MADE_NAMES = 1 << 2,
    MADE_DEVICES = 1 << 3,
    MADE_SELF = 1 << 4,
    MADE_SEQUENCE = 1 << 5,
    MADE_TOTAL = 1 << 6,
    MADE_START = 1 << 7,
    MADE_SHOWN = 1 << 8,
    MADE_SHOWN_TOTAL = 1 << 9,
    MADE_HIDDEN = 1 << 10,
    MADE_SIDES = 1 << 11,
    MADE_NOISE = 1 << 12,
    MADE_BUILT = 1 << 13, /* the tree without rows of repeated layers */
    MADE_BY_STEP = 1 << 14,
};

/* A quantity that is summed: a metric; definitions, 1 per row; in a comparison a metric of the
 * baseline. */
enum { FIGURE_DEFINITIONS = METRIC_COUNT, FIGURE_BASE, FIGURE_COUNT = FIGURE_BASE + METRIC_COUNT };

/* Columns computed so far. NULL means not computed yet or dropped because an input changed; other
 * meanings are stated at the field. */
struct columns {
    struct tree *built, *tree; /* references; equal if there are no repeated layers */
    /* account */
    struct column *node_accounted; /* uint8_t by node */
    struct column *accounted;      /* uint8_t by row */
    struct column *own;            /* uint32_t: number of accounted members */
    struct column *kept;           /* uint8_t */
    /* match */
    enum filter_kind kind[NAMES_COUNT];
    struct column *match[NAMES_COUNT]; /* uint8_t by row; NULL unless kind is FILTER_SOME */
    struct column *device_match;       /* uint8_t by row; NULL: no row fails */
    /* int64_t by row, over accounted rows */
    struct column *self[FIGURE_COUNT]; /* NULL for definitions */
    struct column *total[FIGURE_COUNT];
    struct column *sequence; /* op view: row_id of accounted rows in list order */
    uint32_t n_sequence;
    /* NULL: the list is the wildcard, so all rows are inside */
    struct column *started; /* uint8_t by row */
    /* show */
    struct column *why;          /* uint8_t by row */
    struct column *shown_parent; /* row_id by row */
    struct column *tested;       /* uint8_t by row: show_test_rows() */
    uint32_t n_shown;
    /* totals over displayed rows, with -account_displayed_op_only */
    struct column *shown_total[FIGURE_COUNT];
    struct column *hidden; /* int64_t */
    struct column *sides;  /* uint8_t by row: enum side_bit; NULL: nothing is compared */
    struct column *noise; /* uint8_t: enum sample_verdict by row; NULL: not requested, or unknown */
    struct column *noise_rates;  /* float by row */
    struct column *noise_values; /* int64_t: values of noise_shape */
    struct noise noise_shape;
    struct column *by_step; /* int64_t: values of by_step_shape; NULL: not requested */
    struct by_step by_step_shape;
    struct column *step_times; /* int64_t: values of step_times_shape; computed with by_step */
    struct step_times_seen step_times_shape;
    /* first node that saturated a figure; NODE_NONE: none */
    node_id saturated[FIGURE_COUNT];
};

void columns_init(struct columns *c);
/* Initialises TO with references to the columns of FROM. */
void columns_copy(struct columns *to, const struct columns *from);
/* Drops the columns in MADE (enum made bits). */
void columns_drop(struct columns *c, unsigned made);
void columns_done(struct columns *c);

/* Figures of nodes for one step and one set of counting options. */
struct node_figures {
    int64_t step, rank;    /* as in struct figures */
    struct cut *cut; /* the most recent cut; NULL: none yet */
    bool is_cut;     /* the figures are those of the cut: -time_range */
    struct counts *counts; /* NULL: not computed yet */
    struct column *figures[FIGURE_COUNT]; /* int64_t by node; NULL: not computed */
    char *device_regexes;           /* heap; NULL: not computed yet */
    struct column *counted_devices; /* as in struct figures; NULL: all */
    node_id saturated[FIGURE_COUNT];      /* first node that saturated; NODE_NONE: none */
    bool has_best_roofs;
    struct roofs best_roofs; /* over the operation types of the profile */
};

/* Sets of node figures of a query: those that rows are computed from and, in a comparison, those of
 * the two profiles, which the first set is gathered from. */
enum { FIGURES_OF_ROWS, FIGURES_OF_NOW, FIGURES_OF_BASE, FIGURE_SETS };

struct query_run;

/* Adds to TO, which is zeroed or a subset of FROM, the figures that only FROM has. */
void node_figures_share(struct node_figures *to, const struct node_figures *from);
void node_figures_done(struct node_figures *f);

/* Arguments of every stage. */
struct query_run {
    const struct profile *profile;
    const struct view *view;
    const struct options *options;
    struct columns *c;
    const struct comparison *comparison; /* comparison of two profiles; NULL: none */
    struct node_figures *nodes;          /* [FIGURE_SETS] */
    struct column_pool *pool;
    struct workers *workers; /* NULL: use the calling thread only */
    bool may_be_negative; /* some figure of some node may be negative */
    field_set more; /* metrics that nobody requested yet but that will be needed */
    /* Results of the last evaluation; NULL outside of a query. */
    struct account *account;
    struct filter *names; /* [NAMES_COUNT] */
    struct filter *device;
    /* After it is set, figures may be missing, and the run must not return a result. */
    struct cancel_mark cancel;
};

/* True when rows have baseline figures. */
static inline bool run_compares(const struct query_run *run)
{
    return run->comparison || options_compare_steps(run->options);
}

/* The profile of each side. */
static inline const struct profile *run_now(const struct query_run *run)
{
    return run->comparison ? run->comparison->pairs.now : run->profile;
}

static inline const struct profile *run_base(const struct query_run *run)
{
    return run->comparison ? run->comparison->pairs.base : run->profile;
}

/* Figures whose columns are to be computed. */
struct figure_list {
    int figures[FIGURE_COUNT];
    size_t n;
    struct column **columns; /* [FIGURE_COUNT] where the columns are stored */
};

/* If another figure of LIST shares its column with FIGURE in FROM and is already in LIST's columns,
 * lets FIGURE share it there as well. */
bool figures_share(const struct figure_list *list, struct column *const *from, int figure);
/* Copies the saturated node between figures of LIST that share a column; SATURATED has FIGURE_COUNT
 * elements. */
void figures_share_limits(const struct figure_list *list, node_id *saturated);

/* A stage of a view. It runs when its columns are missing; they are dropped when one of its options
 * or inputs changes. */
struct stage {
    unsigned options; /* options it reads (enum option_stage bits) */
    unsigned inputs;  /* columns it reads (enum made bits) */
    unsigned inputs_by_figures; /* further inputs if a threshold is set */
    unsigned made;    /* enum made bits; 0: the stage checks itself whether there is work */
    bool checks_itself; /* the same, although other stages depend on its output */
    bool compares;      /* only for comparisons */
    /* False: the output is not needed. NULL: always needed. */
    bool (*is_wanted)(const struct query_run *run);
    /* Computes the whole output: a stage that may fail (false with ERR), and one that cannot. */
    bool (*run)(const struct query_run *run, struct err *err);
    void (*make)(const struct query_run *run);
    bool stops_early; /* a cancelled make() leaves incomplete output */
    /* Alternatively: computes the column of one figure, an element of the array at COLUMNS in
     * struct columns; several run in parallel. */
    struct column *(*run_figure)(const struct query_run *run, int figure);
    /* Alternatively: computes all figures of LIST at once, each in parallel. */
    void (*run_list)(const struct query_run *run, const struct figure_list *list);
    size_t columns;
    /* Drops output that is not a column; may be NULL. */
    void (*drop)(const struct query_run *run);
};

/* Stages of a view in order, NULL-terminated. */
extern const struct stage *const node_stages[]; /* views whose rows are nodes: scope, graph */
extern const struct stage *const code_stages[];
extern const struct stage *const list_stages[]; /* op */

/* Drops columns that depend on CHANGED options (enum option_stage bits); the others stay valid for
 * RUN. */
void stages_drop(const struct query_run *run, unsigned *made, unsigned changed);
/* Computes the columns that are not in MADE (enum made bits), and updates MADE. False with ERR. */
bool stages_run(const struct query_run *run, unsigned *made, struct err *err);
/* Computes the figures of the metrics in NEED, by stages whose inputs are in MADE (enum made
 * bits). */
void stages_run_figures(const struct query_run *run, unsigned made, field_set need);

/* ---- repeats.c */

/* Adds rows of repeated layers to the tree that was built, if the options request them. */
bool repeats_rows(const struct query_run *run, struct err *err);
/* Sets the reasons by figures in TEST for rows of repeated layers; call it after other rows are
 * tested. */
void repeats_test(const struct query_run *run, uint8_t *test);
/* Decides which rows of repeated layers are displayed, and makes them parents of displayed rows
 * below; call it after other rows have their reasons. */
void repeats_show(const struct query_run *run, const uint8_t *test);

/* ---- match.c */

/* Matches the regex lists of the options against names and devices of rows. */
bool match_names(const struct query_run *run, struct err *err);
bool match_devices(const struct query_run *run, struct err *err);
void match_drop_names(const struct query_run *run);
void match_drop_devices(const struct query_run *run);
/* Adds notes for lists that exceeded the work limit. */
void match_note(const struct query_run *run, struct notes *notes);

/* ---- account.c */

/* Computes node_accounted, which all views share. */
bool account_nodes(const struct query_run *run, struct err *err);
/* Computes accounted, own and kept. */
void account_rows(const struct query_run *run);

/* ---- figures.c */

/* NEED plus the metrics that its ratios depend on. */
field_set figures_with_parts(field_set need);
/* Metrics that the options of RUN need for columns, order and filters. */
field_set figures_needed(const struct query_run *run);
/* Prepares the inputs of these figures that may fail: the counts, and the cut to -time_range. */
bool figures_counts(const struct query_run *run, struct err *err);
/* Computes the node figures of the metrics in NEED. */
void figures_nodes(const struct query_run *run, field_set need);
/* Self figures of rows: of the row's node, accounted or not; or sums over its accounted members. */
void figures_of_node(const struct query_run *run, const struct figure_list *list);
struct column *figures_of_members(const struct query_run *run, int figure);

/* ---- step_window.c */

/* Roofs for all rows, including the baseline of a comparison; requires the node figures of
 * figures_with_parts(). All roofs are unknown when cancelled. */
struct roofs figures_roofs(const struct query_run *run);
/* Computes the divisors of step_percent: [0] current, [1] baseline of a comparison. */
void figures_step_windows(const struct query_run *run, int64_t window_ps[2]);

/* ---- totals.c: sums over what is below a row: of kept rows, of displayed ones */

void total_kept(const struct query_run *run, const struct figure_list *list);
void total_shown(const struct query_run *run, const struct figure_list *list);
bool total_shown_is_wanted(const struct query_run *run);
/* Computes `hidden`. */
void total_hidden(const struct query_run *run);
bool total_hidden_is_wanted(const struct query_run *run);

/* ---- start.c, show.c */

/* Computes `started`. */
void start_rows(const struct query_run *run);
bool start_is_wanted(const struct query_run *run);

/* The column that -min_METRIC is applied to. */
enum min_base { MIN_IGNORED, MIN_SELF, MIN_TOTAL, MIN_OWN };
enum min_base show_min_base(const struct query_run *run, enum metric_id metric);
/* True when the threshold can hide any row. */
bool show_min_active(const struct query_run *run, enum metric_id metric);

/* Sets the reason in TEST for rows FROM to TO - 1 that are below a threshold. */
void show_test_figures(const struct query_run *run, uint8_t *test, size_t from, size_t to);
/* Tests that do not depend on other rows: a column of enum why. */
struct column *show_test_rows(const struct query_run *run);
/* Computes why, shown_parent and n_shown. */
void show_rows(const struct query_run *run);

/* ---- delta.c: what a comparison adds */

/* Computes `sides`. */
void delta_sides(const struct query_run *run);
bool delta_is_wanted(const struct query_run *run);
/* Sets the reason in TEST for rows FROM to TO - 1 that differ too little. */
void delta_test(const struct query_run *run, uint8_t *test, size_t from, size_t to);

/* ---- noise.c */

/* Computes `noise` and `noise_shape`, if both sides are averages over several steps. */
void noise_rows(const struct query_run *run);
bool noise_is_wanted(const struct query_run *run);

/* ---- by_step.c */

/* Computes by_step and step_times. */
void by_step_rows(const struct query_run *run);
bool by_step_is_wanted(const struct query_run *run);

/* Adds notes on how nodes of the two profiles were matched, and on the share of unmatched nodes in
 * the compared figure; none if all nodes have equal names. */
void delta_note(const struct query_run *run, struct result *r);

/* ---- outside.c: the row of work outside of steps, where the tree has one */

/* True when the row outside of steps is displayed: not for -step all and -step outside. */
bool outside_is_wanted(const struct query_run *run);
/* Sets this row in the new columns of LIST, filled by a stage that makes MADE, and subtracts it
 * from totals. */
void outside_set_figures(const struct query_run *run, const struct figure_list *list, unsigned made);

/* ---- list.c: the op view's own totals, start and show */

/* Computes `sequence`; needs `self` of the sort metric. */
void list_order(const struct query_run *run);
struct column *list_total(const struct query_run *run, int figure);
struct column *list_shown_total(const struct query_run *run, int figure);
void list_show(const struct query_run *run);

/* ---- sort.c */

/* Sort keys of rows, largest first; all NULL: unsorted. */
struct order_figures {
    const int64_t *values;
    const uint32_t *counts; /* used instead of values */
    const int64_t *base;    /* comparison: `order` determines how base and values are combined */
    const uint8_t *noise;   /* by row, or NULL: enum sample_verdict; chance is sorted last */
    const int64_t *ties;    /* by row, or NULL: larger ones first among equal rows */
    int order;              /* at least ORDER_BASE; otherwise values are used unchanged */
};

/* The metric that decides between rows with equal keys; METRIC_COUNT: their names do. */
enum metric_id order_tie_metric(const struct profile *p, const struct options *o);
/* Sorts ROWS by the options: by figure descending, then by the figure for ties, then by name,
 * then in traversal order. KEYS is a scratch array of 2 * N elements. */
struct sort_key {
    int64_t value, tie;
    uint32_t rank;
    row_id row;
};
void order_rows(const struct tree *t, const struct order_figures *figures, row_id *rows,
                uint32_t n, struct sort_key *keys);

/* True when devices of P worked outside of all steps of their trace. */
bool outside_has_work(const struct profile *p);
/* Appends the row to T, which was just built. */
void outside_row_add(struct tree *t);

/* Fills NOW and BASE (NULL: not needed) [rows] with METRIC at the step of O; all other options are
 * those of RUN. The values are totals over all rows or over DISPLAYED rows; in a list self figures,
 * and for the root their sum. Columns of RUN are read and not changed. O(nodes), on the threads of
 * RUN. After a cancel missing values are 0. */
void rows_at_step(const struct query_run *run, const struct options *o, enum metric_id metric,
                  bool displayed, int64_t *now, int64_t *base);

/* Result of the last evaluation. A zeroed struct holds none. */
struct account {
    char *list; /* list that was evaluated; heap; NULL: none yet */
    struct regexes *regexes;
    struct column *nodes; /* uint8_t by node: 1 when a type matches */
    size_t n_given_up;    /* number of types whose matching exceeded the work limit */
};

void account_done(struct account *a);
