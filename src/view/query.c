/* query.c: runs the stages of the pipeline whose inputs changed. */
#include "view/query.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "base/xalloc.h"
#include "model/programs.h"
#include "model/format.h"
#include "model/profile_kind.h"
#include "view/build/repeats.h"
#include "view/result_priv.h"
#include "view/stages.h"
#include "view/step_times.h"

/* With fewer nodes, starting threads costs more than it saves. */
enum { NODES_FOR_THREADS = 20000 };

/* State of the last run of one view. */
struct view_state {
    bool has_run;
    struct options options; /* options of the last run; valid if has_run */
    struct columns c;
    unsigned made; /* enum made bits */
    struct filter names[NAMES_COUNT];
    struct filter device;
};

struct query {
    const struct profile *profile;
    struct column_pool *pool;
    struct workers *workers;
    struct account account;
    const struct comparison *comparison;     /* NULL: a single profile */
    struct node_figures nodes[FIGURE_SETS]; /* shared by all views */
    /* computed once -step or -diff_step selects a step by time */
    struct step_times now_times, base_times;
    bool may_be_negative;
    struct view_state views[VIEW_ADVISE];
    struct filter search; /* filter of query_count_matches() */
    /* tree that `search` was evaluated on, with a reference; NULL: none */
    struct tree *search_tree;
};

/* True when some figure can be negative, so that even a threshold of 0 may hide a row. Sums of
 * non-negative figures saturate and stay non-negative. */
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

struct query *query_new_comparison(const struct comparison *c)
{
    struct query *q = query_new(c->merged);

    q->comparison = c;
    q->may_be_negative = q->may_be_negative || any_negative(c->pairs.base);
    return q;
}

void query_free(struct query *q)
{
    if (!q)
        return;
    array_each(struct view_state, s, q->views, VIEW_ADVISE) {
        if (s->has_run)
            options_done(&s->options);
        columns_done(&s->c);
        for (int f = 0; f < NAMES_COUNT; f++)
            filter_done(&s->names[f]);
        filter_done(&s->device);
    }
    for (int set = 0; set < FIGURE_SETS; set++)
        node_figures_done(&q->nodes[set]);
    EACH(step_times_done, &q->now_times, &q->base_times);
    filter_done(&q->search);
    tree_unref(q->search_tree);
    account_done(&q->account);
    workers_free(q->workers);
    column_pool_drop(q->pool);
    free(q);
}

size_t query_allocations(const struct query *q)
{
    return column_pool_allocations(q->pool);
}

/* True when the figures by step differ between O and BEFORE, whatever step is selected. */
static bool by_step_changes(const struct options *before, const struct options *o, unsigned changed)
{
    struct options same_step = *before;

    same_step.step = o->step;
    same_step.diff_step = o->diff_step;
    return options_changed_stages(&same_step, o) & STAGE_SELF ||
           by_step_metric(before) != by_step_metric(o) ||
           before->account_displayed_op_only != o->account_displayed_op_only ||
           (o->account_displayed_op_only && changed);
}

/* Compares O with the options of the last run and drops what changed; afterwards everything in S is
 * valid for O. */
static void update_options(struct view_state *s, const struct query_run *run)
{
    if (s->has_run) {
        unsigned changed = options_changed_stages(&s->options, run->options);

        /* a comparison shows differences of the selected metrics, and may sort by one */
        if (run_compares(run) && s->options.select != run->options->select)
            changed |= STAGE_ORDER | STAGE_SHOW;
        /* the devices determine which executions count */
        if ((run->profile->programs || run->comparison) &&
            strcmp(s->options.device_regexes, run->options->device_regexes) != 0)
            changed |= STAGE_SELF | STAGE_BY_STEP;
        if (by_step_changes(&s->options, run->options, changed))
            changed |= STAGE_BY_STEP;
        if (run->view->build != code_build &&
            (run->view->build != scope_build || s->options.backward == run->options->backward))
            changed &= ~(unsigned)STAGE_TREE;
        stages_drop(run, &s->made, changed);
        options_done(&s->options);
    }
    options_copy(&s->options, run->options);
    s->has_run = true;
}

bool query_check_step(const struct profile *p, const char *option, int64_t step, struct err *err)
{
    struct strbuf list = {0};

    if (step == STEP_OUTSIDE && !p->n_recorders)
        return err_set(err, ERR_INPUT, "-%s=outside not found: only traces have such figures",
                       option);
    if (step < 0 || profile_has_step(p, step))
        return true;
    for (uint32_t i = 0; i < p->n_steps; i++)
        sb_addf(&list, "%s%lld", i ? ", " : "", (long long)p->steps[i]);
    err_set(err, ERR_INPUT, "-%s=%lld not found; %s%s", option, (long long)step,
            p->n_steps ? "available: " : "the profile has no steps", sb_text(&list));
    sb_done(&list);
    return false;
}

bool query_check_rank(const struct profile *p, int64_t rank, struct err *err)
{
    return rank < 0 || profile_has_rank(p, rank) ||
           err_set(err, ERR_INPUT, "-rank=%lld not found", (long long)rank);
}

/* True when METRIC depends on the bytes accessed. */
static bool needs_bytes(enum metric_id metric)
{
    return metric == METRIC_BYTES_ACCESSED ||
           (metric_is_ratio((int)metric) && (metrics[metric].of == METRIC_BYTES_ACCESSED ||
                                             metrics[metric].per == METRIC_BYTES_ACCESSED));
}

/* Returns why METRIC is unknown; NULL if it is known. In traces the bytes of attention follow from
 * the counting rules. */
static const char *why_unknown(const struct result *r, enum metric_id metric)
{
    return needs_bytes(metric) && r->options.flops != FLOPS_FULL && profile_recorders(r->profile).has_attention
               ? "in traces only known for attention, with -flops full"
               : metric_unknown(r->profile, metric);
}

/* Notes the assumptions behind the figures of attention, and the rows that have them. */
static void note_attention(struct result *r)
{
    const bool bytes = field_in(r->options.select, METRIC_BYTES_ACCESSED);

    if (r->options.flops != FLOPS_FULL || !profile_recorders(r->profile).has_attention)
        return;
    for (int m = 0; m < METRIC_COUNT; m++)
        if (needs_bytes((enum metric_id)m))
            r->partial_metrics |= UINT32_C(1) << m;
    if (bytes || field_in(r->options.select, METRIC_FLOAT_OPS))
        note_add(&r->notes, "attention: assumes full attention (a sliding window does less), "
                            "and a cache with the data type of the keys (a quantised cache moves less)");
    if (bytes)
        note_add(&r->notes, "bytes_accessed: in traces, only attention is included");
}

/* Finds selected metrics that are unknown, and notes each reason once. */
static void find_unknown(struct result *r)
{
    const char *reported = NULL;

    for (int m = 0; m < METRIC_COUNT; m++) {
        const char *why = why_unknown(r, (enum metric_id)m);

        if (!why)
            continue;
        if (m != METRIC_ACCELERATOR_MICROS) /* for other metrics, 0 is a recorded value */
            r->unknown_metrics |= UINT32_C(1) << m;
        if (field_in(r->options.select, m) && why != reported)
            note_add(&r->notes, "%s: %s", metrics[m].name, why);
        reported = field_in(r->options.select, m) ? why : reported;
    }
    note_attention(r);
}

/* Notes that the time range is empty, so that all figures of runs are 0. */
static void note_empty_cut(const struct query_run *run, struct result *r)
{
    const struct node_figures *f =
        &run->nodes[run->comparison ? FIGURES_OF_NOW : FIGURES_OF_ROWS];

    if (f->is_cut && !f->cut->profile.exec_begin[profile_n_ids(&f->cut->profile)])
        note_add(&r->notes, "-time_range: nothing ran in this range");
}

/* Notes which roofs were not given by options. */
static void note_roofs(struct result *r)
{
    const struct roofs *roofs = &r->roofs;
    struct strbuf text = {0};

    if (!field_in(r->options.select, METRIC_ROOF_PERCENT) &&
        !field_in(r->options.select, FIELD_BOUND))
        return;
    if (roofs->flops.source != ROOF_MEASURED && roofs->bytes.source != ROOF_MEASURED)
        return;
    roofs_text(&text, r->profile, roofs);
    note_add(&r->notes, "roofs are the highest measured rates: %s; set the peaks of the machine with "
                        "-peak_flops and -peak_bandwidth", sb_text(&text));
    sb_done(&text);
}

/* Notes why no modules of a trace are repeated. */
static void note_no_repeats(const struct query_run *run, struct result *r)
{
    struct strbuf why = {0};

    if (!r->options.fold_twins || r->view_id != VIEW_SCOPE || r->tree->n_repeats ||
        !repeats_have_modules(r->tree))
        return;
    repeats_explain_none(&why, r->tree, run->cancel);
    if (why.len)
        note_add(&r->notes, "%s", sb_text(&why));
    sb_done(&why);
}

static void add_notes(const struct query_run *run, struct result *r)
{
    const struct options *o = &r->options;
    const struct profile *p = r->profile;
    const struct account *account = run->account;

    if (r->view->needs_stacks && !p->has_stacks)
        note_add(&r->notes, "No code trace information");
    if (r->view->needs_stacks && !p->has_stacks && p->programs && p->programs->n_devices)
        note_add(&r->notes, "no op of this capture has a call stack: -host_events python adds stacks "
                            "of Python calls");
    notes_add_all(&r->notes, &r->tree->notes, "");
    find_unknown(r);
    note_empty_cut(run, r);
    note_roofs(r);
    if (o->fold_twins && r->view->is_list)
        note_add(&r->notes, "-fold_twins is ignored in the op view: each type is one row already");
    note_no_repeats(run, r);
    if (r->self[METRIC_FLOAT_OPS] && counts_made(run->nodes->counts))
        notes_add_all(&r->notes, &counts_made(run->nodes->counts)->notes, "");
    if (o->account_displayed_op_only && !r->view->displayed_only)
        note_add(&r->notes, "-account_displayed_op_only is ignored in the %s view",
                 view_names[r->view_id]);
    if (r->saturated_node != NODE_NONE)
        note_add(&r->notes, "figures are saturated at the 64-bit limit, first at node '%s'",
                 profile_text(p, p->name[r->saturated_node]));
    regexes_note_undecided(account->regexes, "-account_type_regexes", account->n_given_up,
                           &r->notes);
    if (run_compares(run))
        delta_note(run, r);
    match_note(run, &r->notes);
}

static bool check_options(const struct query_run *run, struct err *err)
{
    const struct options *o = run->options;
    const struct profile *base = run_base(run);
    const bool other_step = options_compare_steps(o);

    if (!query_check_step(run->profile, "step", o->step, err) ||
        !query_check_rank(run->profile, o->rank, err) ||
        !query_check_step(base, other_step ? "diff_step" : "diff_base: -step", other_step ? o->diff_step : o->step,
                    err) ||
        !query_check_rank(base, o->rank, err))
        return false;
    if (o->order_by >= ORDER_TOTAL)
        return err_set(err, ERR_USAGE, "-order_by: only kernels have this order; use name, depth, or a figure");
    return run_compares(run) || o->order_by < ORDER_BASE ||
           err_set(err, ERR_USAGE,
                   "-order_by: needs a comparison: -diff_base FILES or -diff_step N");
}

static struct result *run_chosen(struct query *q, enum view_id view, const struct options *o,
                                 field_set more, struct cancel_mark cancel, struct err *err)
{
    struct view_state *s = &q->views[view];
    struct query_run run = {.profile = q->profile,
                      .view = &views[view],
                      .options = o,
                      .c = &s->c,
                      .comparison = q->comparison,
                      .nodes = q->nodes,
                      .pool = q->pool,
                      .workers = q->workers,
                      .may_be_negative = q->may_be_negative,
                      .more = more,
                      .account = &q->account,
                      .names = s->names,
                      .device = &s->device,
                      .cancel = cancel};
    struct result *r;

    if (!check_options(&run, err))
        return NULL;
    update_options(s, &run);
    if (!stages_run(&run, &s->made, err))
        return NULL;
    r = result_new(&run, view);
    add_notes(&run, r);
    return r;
}

/* Notes "-step worst is step 0 of 3, which took 6.76sec". */
static void note_choice(struct result *r, const char *option, int64_t choice, const struct step_times *t)
{
    struct strbuf line = {0};
    uint32_t at;

    if (!step_choice_name(choice))
        return;
    at = step_times_choose(t, choice);
    sb_addf(&line, "%s %s is step %" PRId64 " of %" PRIu32 ", which took ", option,
            step_choice_name(choice), t->profile->steps[at], t->profile->n_steps);
    format_time(&line, t->times_ps[at]);
    step_add_name(&line, t->profile, t->profile->steps[at]);
    note_add(&r->notes, "%s", sb_text(&line));
    sb_done(&line);
}

/* Resolves values of -step and -diff_step that select by time or name, and runs the stages with the
 * step's number. */
static struct result *run_stages(struct query *q, enum view_id view, const struct options *o,
                                field_set more, struct cancel_mark cancel, struct err *err)
{
    const struct profile *now = q->comparison ? q->comparison->pairs.now : q->profile;
    const struct profile *base = q->comparison ? q->comparison->pairs.base : q->profile;
    /* each side selects its own step */
    const bool follows = q->comparison && !options_compare_steps(o) && step_is_chosen(o->step);
    const struct step_option *asked_of_base = follows ? &o->step_value : &o->diff_step_value;
    struct result *r = NULL;
    struct options chosen;

    options_copy(&chosen, o);
    if (step_choose(&q->now_times, now, "step", &o->step_value, o->rank, cancel, &chosen.step, err) &&
        step_choose(&q->base_times, base, follows ? "diff_base: -step" : "diff_step",
                    asked_of_base, o->rank, cancel, &chosen.diff_step, err))
        r = run_chosen(q, view, &chosen, more, cancel, err);
    options_done(&chosen);
    if (!r)
        return NULL;
    r->asked_step = o->step;
    r->asked_diff_step = o->diff_step;
    note_choice(r, "-step", o->step, &q->now_times);
    note_choice(r, follows ? "base: -step" : "-diff_step", asked_of_base->number, &q->base_times);
    return r;
}

struct result *query_run(struct query *q, enum view_id view, const struct options *o,
                         struct cancel_mark cancel, struct err *err)
{
    assert(view < VIEW_ADVISE);
    return run_stages(q, view, o, 0, cancel, err);
}

struct result *query_run_all_figures(struct query *q, enum view_id view, const struct options *o,
                                     struct cancel_mark cancel, struct err *err)
{
    return run_stages(q, view, o, ~(field_set)0, cancel, err);
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
        return err_set(err, ERR_USAGE, "work limit exceeded on %zu names", q->search.n_given_up);
    match = COLUMN(q->search.match, const uint8_t);
    before[0] = 0;
    for (row_id row = 0; row < t->n_rows; row++) {
        const bool matches = match ? match[row] : q->search.kind == FILTER_ALL;

        before[row + 1] = before[row] + (row && matches && r->why[row] == WHY_SHOWN);
    }
    return true;
}
