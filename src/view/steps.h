/* steps.h: the steps of the pipeline and the columns they pass on; private to
 * query.c and the files of the steps. */
#ifndef TFPROF_VIEW_STEPS_H
#define TFPROF_VIEW_STEPS_H

#include "base/regexes.h"
#include "base/workers.h"
#include "match/comparison.h"
#include "view/by_step/by_step.h"
#include "view/column.h"
#include "view/counts.h"
#include "view/cut.h"
#include "view/filter.h"
#include "view/pictures/roofs.h"
#include "view/query.h"

/* Lists that are matched against the names of rows. */
enum name_filter { NAMES_START, NAMES_TRIM, NAMES_SHOW, NAMES_HIDE, NAMES_COUNT };

/* What the steps make, as bits: a step names those it reads and those it makes. */
enum made {
    MADE_TREE = 1 << 0, /* with rows for twins, where these are asked for */
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
    MADE_BUILT = 1 << 13, /* the tree without rows for twins */
    MADE_BY_STEP = 1 << 14,
};

/* What is summed: a metric; the definitions, 1 for each row; in a comparison, a metric of the base. */
enum { FIGURE_DEFINITIONS = METRIC_COUNT, FIGURE_BASE, FIGURE_COUNT = FIGURE_BASE + METRIC_COUNT };

/* What the steps have made so far.  A column that is NULL is not made yet or
 * has lost one of its inputs; where a comment says so, NULL means more. */
struct columns {
    struct tree *built, *tree; /* each with a reference; the same where there are no twins */
    /* account */
    struct column *node_accounted; /* uint8_t by node */
    struct column *accounted;      /* uint8_t by row */
    struct column *own;            /* uint32_t: accounted members */
    struct column *kept;           /* uint8_t */
    /* match */
    enum filter_kind kind[NAMES_COUNT];
    struct column *match[NAMES_COUNT]; /* uint8_t by row; NULL unless kind is FILTER_SOME */
    struct column *device_match;       /* uint8_t by row; NULL: no row fails */
    /* self, total: int64_t by row; of the accounting pass */
    struct column *self[FIGURE_COUNT]; /* not of definitions */
    struct column *total[FIGURE_COUNT];
    struct column *sequence; /* op: row_id of accounted rows in list order */
    uint32_t n_sequence;
    /* start; NULL: the list is the wildcard and all rows are inside */
    struct column *started; /* uint8_t by row */
    /* show */
    struct column *why;          /* uint8_t by row */
    struct column *shown_parent; /* row_id by row */
    struct column *tested;       /* uint8_t by row: show_test_rows() */
    uint32_t n_shown;
    /* totals over displayed rows, when the option asks for them */
    struct column *shown_total[FIGURE_COUNT];
    struct column *hidden; /* int64_t */
    struct column *sides;  /* uint8_t by row: enum side_bit; NULL: nothing is compared */
    /* int64_t by row: differences up to it may be chance; NULL: not asked for, or not known */
    struct column *noise;
    uint32_t n_now_steps, n_base_steps; /* that noise is made of */
    struct column *by_step; /* int64_t: the values of by_step_shape; NULL: not asked for */
    struct by_step by_step_shape;
    struct column *step_times; /* int64_t: those of step_times_shape; made with by_step */
    struct step_times_seen step_times_shape;
    /* NODE_NONE, or the first node that met a 64-bit limit in what is made of it */
    node_id saturated[FIGURE_COUNT];
};

void columns_init(struct columns *c);
/* TO, not initialised, shares what FROM has. */
void columns_copy(struct columns *to, const struct columns *from);
/* Drops the columns of MADE, enum made bits. */
void columns_drop(struct columns *c, unsigned made);
void columns_done(struct columns *c);

/* Figures of nodes for one -step and one way to count. */
struct node_figures {
    int64_t step, rank;    /* as struct figures has them */
    struct cut *cut; /* the latest one that was asked for; NULL: none yet */
    bool is_cut;     /* the figures are of it: -time_range */
    struct counts *counts; /* NULL: nothing is made yet */
    struct column *figures[FIGURE_COUNT]; /* int64_t by node; NULL: not made */
    char *device_regexes;           /* heap; NULL: nothing is made yet */
    struct column *counted_devices; /* as struct figures has them; NULL: all */
    node_id saturated[FIGURE_COUNT];      /* NODE_NONE, or the first at a 64-bit limit */
    bool has_best_roofs;
    struct roofs best_roofs; /* of its operation types */
};

/* The figures of a query: those that rows are made of, and in a comparison those of the profile on
 * either side, which the first ones are gathered from. */
enum { FIGURES_OF_ROWS, FIGURES_OF_NOW, FIGURES_OF_BASE, FIGURE_SETS };

struct query_run;

/* Drops what the options of RUN do not want; the figures are those of P at STEP. */
void node_figures_update(struct node_figures *f, const struct query_run *run,
                         const struct profile *p, int64_t step);
/* TO, zeroed or not more than FROM, gets what FROM has and TO has not. */
void node_figures_share(struct node_figures *to, const struct node_figures *from);
void node_figures_done(struct node_figures *f);

/* What every step is given. */
struct query_run {
    const struct profile *profile;
    const struct view *view;
    const struct options *options;
    struct columns *c;
    const struct comparison *comparison; /* of profiles; NULL: none */
    struct node_figures *nodes;          /* [FIGURE_SETS] */
    struct column_pool *pool;
    struct workers *workers; /* NULL: this thread alone */
    bool may_be_negative; /* some figure of some node may be below zero */
    field_set more; /* metrics that nobody asked for yet but somebody will */
    /* What was evaluated last; NULL outside of a query. */
    struct account *account;
    struct filter *names; /* [NAMES_COUNT] */
    struct filter *device;
    /* Once it is asked, figures may be missing: the run must give no result. */
    struct cancel_mark cancel;
};

/* True when rows have a base. */
static inline bool run_compares(const struct query_run *run)
{
    return run->comparison || options_compare_steps(run->options);
}

/* Figures whose columns are not made yet. */
struct figure_list {
    int figures[FIGURE_COUNT];
    size_t n;
    struct column **columns; /* [FIGURE_COUNT] where they go */
};

/* When another figure of LIST has the same column in FROM, and one in its list as well, gives FIGURE
 * that one, too. */
bool figures_share(const struct figure_list *list, struct column *const *from, int figure);
/* Figures of LIST that share a column met a limit at the same node: of SATURATED [FIGURE_COUNT]. */
void figures_share_limits(const struct figure_list *list, node_id *saturated);

/* One step of a view.  A step runs when what it makes is not there; that is
 * dropped when an option or an input of the step changes. */
struct step {
    unsigned options; /* enum option_step bits that it reads */
    unsigned inputs;  /* enum made bits that it reads, */
    unsigned inputs_by_figures; /* and these where a threshold is set */
    unsigned made;    /* enum made bits; 0: it looks itself whether there is anything to do */
    bool checks_itself; /* likewise, though others depend on what it makes */
    bool compares;      /* it makes nothing where nothing is compared */
    /* False: nobody needs it.  NULL: always wanted. */
    bool (*is_wanted)(const struct query_run *run);
    /* Makes it all.  False with ERR. */
    bool (*run)(const struct query_run *run, struct err *err);
    /* Or makes the column of one figure, an element of the array at COLUMNS of struct
     * columns, for those that are needed; several at a time. */
    struct column *(*run_figure)(const struct query_run *run, int figure);
    /* Or makes those of all figures of LIST at once, each on all cores. */
    void (*run_list)(const struct query_run *run, const struct figure_list *list);
    size_t columns;
    /* Drops what is no column; may be NULL. */
    void (*drop)(const struct query_run *run);
};

/* The steps of a view, in order; the last is NULL. */
extern const struct step *const node_steps[]; /* a row is a node: scope, graph */
extern const struct step *const code_steps[];
extern const struct step *const list_steps[]; /* op */

/* Drops what depends on options that CHANGED (enum option_step bits); what stays
 * is right for RUN. */
void steps_drop(const struct query_run *run, unsigned *made, unsigned changed);
/* Makes what is not MADE (enum made bits, which it keeps).  False with ERR. */
bool steps_run(const struct query_run *run, unsigned *made, struct err *err);
/* Makes the figures of the metrics in NEED, of the steps whose inputs are MADE (enum made bits). */
void steps_run_figures(const struct query_run *run, unsigned made, field_set need);

/* ---- twins.c */

/* Makes the tree of the one that was built, with rows for twins if the options say so. */
bool twins_rows(const struct query_run *run, struct err *err);
/* Once other rows are tested: gives those for twins in TEST their reason by figures. */
void twins_test(const struct query_run *run, uint8_t *test);
/* Once other rows have their reasons: decides by them which rows for twins are displayed, and
 * makes these the parents of what is displayed below. */
void twins_show(const struct query_run *run, const uint8_t *test);

/* ---- match.c */

/* Matches the lists of the options against the names of rows, and their devices. */
bool match_names(const struct query_run *run, struct err *err);
bool match_devices(const struct query_run *run, struct err *err);
void match_drop_names(const struct query_run *run);
void match_drop_devices(const struct query_run *run);
/* Notes which lists gave up. */
void match_note(const struct query_run *run, struct notes *notes);

/* ---- account.c */

/* Makes node_accounted, which all views share. */
bool account_nodes(const struct query_run *run, struct err *err);
/* Makes accounted, own and kept. */
bool account_rows(const struct query_run *run, struct err *err);

/* ---- figures.c */

/* NEED and the metrics that its ratios are made of. */
field_set figures_with_parts(field_set need);
/* Metrics that the options of RUN need to select, order and filter. */
field_set figures_needed(const struct query_run *run);
/* Makes the counts that these need, and what -time_range leaves of the profile: they may fail. */
bool figures_counts(const struct query_run *run, struct err *err);
/* Makes the node figures of the metrics in NEED. */
void figures_nodes(const struct query_run *run, field_set need);
/* The roofs above rows, also above those of the base of a comparison; once the node figures of
 * figures_with_parts() of what is of roofs are made.  All are unknown when cancelled. */
struct roofs figures_roofs(const struct query_run *run);
/* Self figures of rows: of the row's node, accounted or not; sums over the members
 * that are accounted. */
void figures_of_node(const struct query_run *run, const struct figure_list *list);
struct column *figures_of_members(const struct query_run *run, int figure);

/* ---- totals.c: sums over what is below a row: of kept rows, of displayed ones */

void total_kept(const struct query_run *run, const struct figure_list *list);
void total_shown(const struct query_run *run, const struct figure_list *list);
bool total_shown_is_wanted(const struct query_run *run);
/* Makes hidden. */
bool total_hidden(const struct query_run *run, struct err *err);
bool total_hidden_is_wanted(const struct query_run *run);

/* ---- start.c, show.c */

/* Makes started. */
bool start_rows(const struct query_run *run, struct err *err);
bool start_is_wanted(const struct query_run *run);

/* Which column -min_METRIC looks at. */
enum min_base { MIN_IGNORED, MIN_SELF, MIN_TOTAL, MIN_OWN };
enum min_base show_min_base(const struct query_run *run, enum metric_id metric);
/* True when the threshold can hide a row at all. */
bool show_min_active(const struct query_run *run, enum metric_id metric);

/* Gives rows FROM to TO - 1 of TEST that have too little their reason. */
void show_test_figures(const struct query_run *run, uint8_t *test, size_t from, size_t to);
/* Tests that need no other row: a column of enum why. */
struct column *show_test_rows(const struct query_run *run);
/* Makes why, shown_parent, n_shown. */
bool show_rows(const struct query_run *run, struct err *err);

/* ---- delta.c: what a comparison adds */

/* Makes sides. */
bool delta_sides(const struct query_run *run, struct err *err);
bool delta_is_wanted(const struct query_run *run);
/* Gives rows FROM to TO - 1 of TEST that differ too little their reason. */
void delta_test(const struct query_run *run, uint8_t *test, size_t from, size_t to);

/* ---- noise.c */

/* Makes noise, where both sides are averages of several steps. */
bool noise_rows(const struct query_run *run, struct err *err);
bool noise_is_wanted(const struct query_run *run);

/* ---- by_step/by_step.c */

/* Makes by_step and step_times. */
bool by_step_rows(const struct query_run *run, struct err *err);
bool by_step_is_wanted(const struct query_run *run);

/* Notes how the nodes of the two profiles were matched, and how much of the compared figure those
 * have that were not; nothing where all have their names still. */
void delta_note(const struct query_run *run, struct result *r);

/* ---- list.c: the op view's own totals, start and show */

/* Makes sequence; needs self of the metric that orders. */
bool list_order(const struct query_run *run, struct err *err);
struct column *list_total(const struct query_run *run, int figure);
struct column *list_shown_total(const struct query_run *run, int figure);
bool list_show(const struct query_run *run, struct err *err);

/* ---- sort.c */

/* What rows are sorted by, largest first; all NULL: by nothing. */
struct order_figures {
    const int64_t *values;
    const uint32_t *counts; /* in the place of values */
    const int64_t *base;    /* of a comparison; order says what of it and values counts */
    const int64_t *noise;   /* by row, NULL: none; differences up to it come last */
    int order;              /* ORDER_BASE or behind it; else values as they are */
};

/* Sorts ROWS as the options say: descending by figures, then by name, then in the order of the
 * walk.  KEYS is scratch for 2 * N elements. */
struct sort_key {
    int64_t value;
    uint32_t rank;
    row_id row;
};
void order_rows(const struct tree *t, const struct order_figures *figures, row_id *rows,
                uint32_t n, struct sort_key *keys);

#endif
