/* query.c: runs the steps of the pipeline, each only when its inputs changed. */
#include "view/query.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "base/xalloc.h"
#include "view/account.h"
#include "view/device.h"
#include "view/result_priv.h"

/* Below this many nodes starting threads costs more than they bring. */
enum { NODES_FOR_THREADS = 20000 };

/* What the last run of one view has left. */
struct view_state {
    bool has_run;
    struct options options; /* of the last run, when has_run */
    struct columns c;
    struct filter names[NAMES_COUNT];
    struct filter device;
};

struct query {
    const struct profile *profile;
    struct column_pool *pool;
    struct workers *workers;
    struct account account;
    /* figures of nodes, which all views share */
    bool has_figures;
    int64_t step;
    struct counts *counts;
    struct column *node_figures[METRIC_COUNT];
    node_id node_saturated[METRIC_COUNT];
    bool may_be_negative;
    struct view_state views[VIEW_ADVISE];
    struct filter search; /* of query_count_matches() */
    struct tree *search_tree; /* that it knows, with a reference; NULL: none */
};

static const struct {
    const char *option;
    size_t offset;
} name_lists[NAMES_COUNT] = {
    [NAMES_START] = {"start_name_regexes", offsetof(struct options, start_name_regexes)},
    [NAMES_TRIM] = {"trim_name_regexes", offsetof(struct options, trim_name_regexes)},
    [NAMES_SHOW] = {"show_name_regexes", offsetof(struct options, show_name_regexes)},
    [NAMES_HIDE] = {"hide_name_regexes", offsetof(struct options, hide_name_regexes)},
};

/* True when some figure can be below zero, so that even a threshold of 0 may
 * hide a row.  Sums of what is not negative never are: they saturate. */
static bool any_negative(const struct profile *p)
{
    if (p->has_negative_runs)
        return true;
    for (node_id node = 0; node < p->n_nodes; node++)
        if (p->static_float_ops[node] < 0)
            return true;
    for (shape_id shape = 0; shape < p->n_shapes; shape++)
        for (uint32_t i = 0; i < p->shapes[shape].n_dims; i++)
            if (p->shapes[shape].dims[i] < -1)
                return true;
    return false;
}

struct query *query_new(const struct profile *p)
{
    return query_new_threads(p, p->n_nodes < NODES_FOR_THREADS ? 1 : 0);
}

struct query *query_new_threads(const struct profile *p, unsigned n_threads)
{
    struct query *q = xcalloc(1, sizeof *q);

    q->profile = p;
    q->pool = column_pool_new();
    q->workers = n_threads == 1 ? NULL : workers_new(n_threads);
    for (int v = 0; v < VIEW_ADVISE; v++)
        columns_init(&q->views[v].c);
    q->may_be_negative = any_negative(p);
    return q;
}

static void drop_figures(struct query *q)
{
    for (int m = 0; m < METRIC_COUNT; m++)
        column_drop(&q->node_figures[m]);
    q->has_figures = false;
}

void query_free(struct query *q)
{
    if (!q)
        return;
    for (int v = 0; v < VIEW_ADVISE; v++) {
        struct view_state *s = &q->views[v];

        if (s->has_run)
            options_done(&s->options);
        columns_done(&s->c);
        for (int f = 0; f < NAMES_COUNT; f++)
            filter_done(&s->names[f]);
        filter_done(&s->device);
    }
    drop_figures(q);
    filter_done(&q->search);
    tree_unref(q->search_tree);
    counts_unref(q->counts);
    account_done(&q->account);
    workers_free(q->workers);
    column_pool_drop(q->pool);
    free(q);
}

size_t query_allocations(const struct query *q)
{
    return column_pool_allocations(q->pool);
}

/* True when figures decide which rows show: by a threshold, or as the order
 * of the list. */
static bool figures_filter(const struct run *run)
{
    bool active = run->view->is_list;

    for (int m = 0; m < METRIC_COUNT; m++)
        active = active || show_min_active(run, (enum metric_id)m);
    return active;
}

static void drop_shown(struct columns *c)
{
    column_drop(&c->why);
    column_drop(&c->shown_parent);
    column_drop(&c->shown_defs);
    column_drop(&c->hidden);
}

/* Drops what the steps have made of options that CHANGED. */
static void drop_outputs(struct view_state *s, const struct run *run, unsigned changed)
{
    struct columns *c = &s->c;
    const unsigned account = STEP_TREE | STEP_ACCOUNT;
    const bool by_members = run->view->self == SELF_ACCOUNTED_MEMBERS;
    const unsigned self = STEP_TREE | STEP_SELF | (by_members ? STEP_ACCOUNT : 0);
    /* In the list, order comes before totals, and totals before the rest. */
    const unsigned total = account | STEP_SELF | (run->view->is_list ? STEP_ORDER : 0);

    if (changed & STEP_TREE) {
        tree_unref(c->tree);
        c->tree = NULL;
        for (int f = 0; f < NAMES_COUNT; f++)
            filter_done(&s->names[f]);
    }
    if (changed & account) {
        column_drop(&c->accounted);
        column_drop(&c->own);
        column_drop(&c->kept);
        column_drop(&c->defs);
        filter_done(&s->device);
    }
    if (changed & total)
        column_drop(&c->sequence);
    if (changed & (account | STEP_START))
        column_drop(&c->started);
    if (changed & (account | STEP_START | STEP_SHOW) ||
        (changed & total && figures_filter(run)))
        drop_shown(c);
    for (int m = 0; m < METRIC_COUNT; m++) {
        if (changed & self)
            column_drop(&c->self[m]);
        if (changed & total)
            column_drop(&c->total[m]);
        if (changed & total || !c->why)
            column_drop(&c->shown_total[m]);
    }
}

/* Compares with the last run; afterwards what S holds is right for O. */
static void take_options(struct view_state *s, const struct run *run)
{
    if (s->has_run) {
        drop_outputs(s, run, options_changed_steps(&s->options, run->options));
        options_done(&s->options);
    }
    options_copy(&s->options, run->options);
    s->has_run = true;
}

static bool check_step(const struct profile *p, int64_t step, struct err *err)
{
    struct strbuf list = {0};

    if (step < 0 || profile_has_step(p, step))
        return true;
    for (uint32_t i = 0; i < p->n_steps; i++)
        sb_addf(&list, "%s%lld", i ? ", " : "", (long long)p->steps[i]);
    err_set(err, ERR_INPUT, "-step=%lld not found; %s%s", (long long)step,
            p->n_steps ? "there are: " : "the profile has no steps", sb_text(&list));
    sb_done(&list);
    return false;
}

/* Figures of nodes are shared by the views: lent to RUN and taken back. */
static void lend_figures(struct query *q, const struct run *run)
{
    struct columns *c = run->c;
    int64_t step = run->options->step < 0 ? -1 : run->options->step;

    if (!q->has_figures || q->step != step)
        drop_figures(q);
    if (q->counts && !counts_fits(q->counts, run->options)) {
        column_drop(&q->node_figures[METRIC_FLOAT_OPS]);
        counts_unref(q->counts);
        q->counts = NULL;
    }
    if (!q->counts)
        q->counts = counts_new(q->profile, run->options);
    counts_unref(c->counts);
    c->counts = counts_ref(q->counts);
    q->has_figures = true;
    q->step = c->step = step;
    for (int m = 0; m < METRIC_COUNT; m++) {
        column_unref(c->node_figures[m]);
        c->node_figures[m] = column_ref(q->node_figures[m]);
        c->node_saturated[m] = q->node_saturated[m];
    }
}

static void return_figures(struct query *q, const struct run *run)
{
    for (int m = 0; m < METRIC_COUNT; m++) {
        column_unref(q->node_figures[m]);
        q->node_figures[m] = column_ref(run->c->node_figures[m]);
        q->node_saturated[m] = run->c->node_saturated[m];
    }
}

static bool step_tree(struct query *q, struct view_state *s, const struct run *run,
                      struct cancel_mark cancel, struct err *err)
{
    const struct tree_request request = {q->profile, run->options, q->workers, cancel};

    if (!s->c.tree)
        s->c.tree = run->view->build(&request, err);
    return s->c.tree != NULL;
}

static bool step_account(struct query *q, struct view_state *s, const struct run *run,
                         struct cancel_mark cancel, struct err *err)
{
    (void)cancel;
    if (!account_update(&q->account, q->profile, run->options->account_type_regexes, q->pool, err))
        return false;
    column_unref(s->c.node_accounted);
    s->c.node_accounted = column_ref(q->account.nodes);
    if (!s->c.kept)
        account_rows(run, account_synthetic(&q->account, run->view));
    return true;
}

static bool step_match(struct query *q, struct view_state *s, const struct run *run,
                       struct cancel_mark cancel, struct err *err)
{
    struct columns *c = &s->c;
    const struct filter_work work = {c->tree, q->pool, q->workers, cancel};

    for (int f = 0; f < NAMES_COUNT; f++) {
        const char *list = *(char *const *)((const char *)run->options + name_lists[f].offset);

        if (!filter_update(&s->names[f], name_lists[f].option, list, &work, err))
            return false;
        column_unref(c->match[f]);
        c->match[f] = column_ref(s->names[f].match);
        c->kind[f] = s->names[f].kind;
    }
    if (!device_filter_update(&s->device, run->options->device_regexes,
                              COLUMN(c->node_accounted, uint8_t), run->view->is_multi, &work,
                              err))
        return false;
    column_unref(c->device_match);
    c->device_match = column_ref(s->device.match);
    return true;
}

/* Counting may fail, so it comes before the figures. */
static bool step_counts(struct query *q, struct view_state *s, const struct run *run,
                        struct cancel_mark cancel, struct err *err)
{
    (void)s;
    lend_figures(q, run);
    return !field_in(figures_needed(run), METRIC_FLOAT_OPS) || counts_column(q->counts) ||
           counts_get(q->counts, cancel, err);
}

/* Order and thresholds look at the figures of the accounting pass. */
static bool step_figures(struct query *q, struct view_state *s, const struct run *run,
                         struct cancel_mark cancel, struct err *err)
{
    if (run->view->is_list) {
        if (run->options->order_by >= ORDER_METRIC)
            figures_self(run, (enum metric_id)(run->options->order_by - ORDER_METRIC));
        if (cancel_asked(cancel))
            return err_set(err, ERR_CANCELLED, "cancelled");
        list_order(run);
    }
    totals_make(run, figures_needed(run));
    return_figures(q, run);
    (void)s;
    return !cancel_asked(cancel) || err_set(err, ERR_CANCELLED, "cancelled");
}

static bool step_show(struct query *q, struct view_state *s, const struct run *run,
                      struct cancel_mark cancel, struct err *err)
{
    (void)q;
    if (run->view->is_list) {
        list_show(run);
    } else {
        start_rows(run);
        show_rows(run);
    }
    if (cancel_asked(cancel))
        return err_set(err, ERR_CANCELLED, "cancelled");
    /* With the rows known, the totals over displayed rows follow. */
    totals_make(run, figures_needed(run));
    if (field_in(run->options->select, FIELD_NUM_HIDDEN_OPS) && !run->view->is_list)
        totals_hidden(run);
    (void)s;
    return !cancel_asked(cancel) || err_set(err, ERR_CANCELLED, "cancelled");
}

static void copy_notes(struct result *r, const struct notes *notes)
{
    for (size_t i = 0; i < notes->n; i++)
        note_add(&r->notes, "%s", notes->lines[i]);
}

static void add_notes(const struct query *q, const struct view_state *s, struct result *r)
{
    const struct options *o = &r->options;
    const struct profile *p = q->profile;

    if (r->view->needs_traces && !p->has_trace)
        note_add(&r->notes, "No code trace information");
    copy_notes(r, &r->tree->notes);
    if (r->self[METRIC_FLOAT_OPS] && counts_made(q->counts))
        copy_notes(r, &counts_made(q->counts)->notes);
    if (o->account_displayed_op_only && !r->view->displayed_only)
        note_add(&r->notes, "-account_displayed_op_only is ignored in the %s view",
                 view_names[r->view_id]);
    if (r->saturated_node != NODE_NONE)
        note_add(&r->notes, "figures stop at the 64-bit limit, first at node '%s'",
                 profile_text(p, p->name[r->saturated_node]));
    regexes_note_undecided(q->account.regexes, "-account_type_regexes", q->account.n_given_up,
                           &r->notes);
    for (int f = 0; f < NAMES_COUNT; f++)
        filter_note(&s->names[f], name_lists[f].option, &r->notes);
    filter_note(&s->device, "device_regexes", &r->notes);
}

typedef bool step_fn(struct query *q, struct view_state *s, const struct run *run,
                     struct cancel_mark cancel, struct err *err);

static struct result *run_steps(struct query *q, enum view_id view, const struct options *o,
                                field_set more, struct cancel_mark cancel, struct err *err)
{
    static step_fn *const steps[] = {step_tree,   step_account, step_match,
                                      step_counts, step_figures, step_show};
    struct view_state *s = &q->views[view];
    struct run run = {.profile = q->profile,
                      .view = &views[view],
                      .options = o,
                      .c = &s->c,
                      .pool = q->pool,
                      .workers = q->workers,
                      .may_be_negative = q->may_be_negative,
                      .more = more,
                      .cancel = cancel};
    struct result *r;

    if (!check_step(q->profile, o->step, err))
        return NULL;
    take_options(s, &run);
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        if (cancel_asked(cancel)) {
            err_set(err, ERR_CANCELLED, "cancelled");
            return NULL;
        }
        if (!steps[i](q, s, &run, cancel, err))
            return NULL;
    }
    r = result_new(&run, view);
    add_notes(q, s, r);
    return r;
}

struct result *query_run(struct query *q, enum view_id view, const struct options *o,
                         struct cancel_mark cancel, struct err *err)
{
    assert(view < VIEW_ADVISE);
    return run_steps(q, view, o, 0, cancel, err);
}

struct result *query_run_all_figures(struct query *q, enum view_id view, const struct options *o,
                                     struct cancel_mark cancel, struct err *err)
{
    return run_steps(q, view, o, ~(field_set)0, cancel, err);
}

bool query_count_matches(struct query *q, const struct result *r, const char *list,
                         uint32_t *before, struct cancel_mark cancel, struct err *err)
{
    struct tree *t = (struct tree *)(uintptr_t)r->tree;
    const struct filter_work work = {t, q->pool, q->workers, cancel};
    const uint8_t *match;

    if (q->search_tree != t) {
        filter_done(&q->search);
        tree_unref(q->search_tree);
        q->search_tree = tree_ref(t);
    }
    if (!filter_update(&q->search, "search", list, &work, err))
        return false;
    if (q->search.regexes && regexes_gave_up(q->search.regexes))
        return err_set(err, ERR_USAGE, "too much work for %zu names", q->search.n_given_up);
    match = COLUMN(q->search.match, const uint8_t);
    before[0] = 0;
    for (row_id row = 0; row < t->n_rows; row++) {
        const bool matches = match ? match[row] : q->search.kind == FILTER_ALL;

        before[row + 1] = before[row] + (row && matches && r->why[row] == WHY_SHOWN);
    }
    return true;
}
