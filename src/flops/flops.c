/* flops.c: counts every node of a profile and explains the counts. */
#include "flops/flops.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/satmath.h"
#include "base/xalloc.h"
#include "flops/count_table.h"
#include "flops/flops_priv.h"

static const char per_iteration[] = " per iteration: the number of iterations is not known";

static struct flops *flops_new(const struct profile *p, const struct flops_request *request)
{
    struct flops *f = xcalloc(1, sizeof *f);

    f->count = xcalloc((size_t)profile_n_ids(p) + 1, sizeof *f->count);
    f->state = xcalloc((size_t)profile_n_ids(p) + 1, sizeof *f->state);
    f->priv = xcalloc(1, sizeof *f->priv);
    f->priv->p = p;
    f->priv->request = *request;
    f->priv->request.bind = NULL; /* borrowed for this call only */
    op_table_init(&f->priv->ops);
    count_table_init(&f->priv->rules, &f->priv->ops, request->release);
    return f;
}

void flops_free(struct flops *f)
{
    if (!f)
        return;
    function_counts_free(f->priv->functions);
    shape_graph_free(f->priv->graph);
    count_table_done(&f->priv->rules);
    op_table_done(&f->priv->ops);
    arena_done(&f->priv->keep);
    notes_done(&f->notes);
    EACH(free, f->priv, f->count, f->bytes, f->output_bytes, f->state, f);
}

static void count_recorded(struct flops *f, const struct profile *p)
{
    for (node_id i = 0; i < p->n_nodes; i++) {
        const struct op_entry *op = op_table_find(
            &f->priv->ops, profile_text(p, p->op[i]), intern_len(&p->strings, p->op[i]));
        const struct count_entry *e = count_table_find(&f->priv->rules, op);
        bool computes = e->compat || (e->full && e->full->apply);

        f->count[i] = p->static_float_ops[i];
        f->state[i] = f->count[i] != 0 ? FLOPS_COUNTED
                      : computes       ? FLOPS_UNKNOWN_SHAPE
                      : e->full        ? FLOPS_NO_COMPUTE
                                       : FLOPS_NO_RULE;
    }
}

/* Counts all nodes of G into COUNT and STATE; NULL when cancelled. */
static struct function_counts *count_all(const struct flops *f, struct shape_graph *g,
                                         int64_t *count, uint8_t *state, node_id *saturated,
                                         struct cancel_mark cancel)
{
    const struct flops_request *r = &f->priv->request;
    struct function_counts *b = function_counts_new(
        g, &(struct function_counts_request){
               .rules = &f->priv->rules,
               .full = r->rules == FLOPS_RULES_FULL, .loops = r->loops, .macs = r->macs});

    if (function_counts_run(b, count, state, saturated, cancel))
        return b;
    function_counts_free(b);
    return NULL;
}

/* Nodes in loops count one iteration, unless a run recorded their executions. */
static void mark_loops(struct flops *f, struct cancel_mark cancel)
{
    const struct profile *p = f->priv->p;
    uint8_t *in_loop = loop_frames(p, cancel);

    for (node_id i = 0; in_loop && i < p->n_nodes; i++)
        if (in_loop[i] && f->state[i] == FLOPS_COUNTED && p->exec_begin[i] == p->exec_begin[i + 1])
            f->state[i] = FLOPS_PER_TRIP;
    free(in_loop);
}

static void sum_states(struct flops *f)
{
    for (node_id i = 0; i < f->priv->p->n_nodes; i++)
        f->n_state[f->state[i]]++;
}

/* Finds how many unknown counts a batch size would make known, by a trial with a size that graphs
 * do not contain by chance. */
static bool try_batch(struct flops *f, struct cancel_mark cancel)
{
    struct flops_priv *v = f->priv;
    struct notes notes = {0};
    struct arena keep = {0};
    struct shape_request trial = v->shapes;
    struct shape_graph *g;
    struct function_counts *b;
    node_id saturated;
    uint8_t *state;
    int64_t *count;

    if (v->request.batch > 0 || f->n_state[FLOPS_UNKNOWN_SHAPE] == 0)
        return true;
    trial.batch = 2 * 3 * 5 * 7 * 16;
    trial.keep = &keep;
    trial.notes = &notes;
    state = xcalloc((size_t)v->p->n_nodes + 1, sizeof *state);
    count = xcalloc((size_t)v->p->n_nodes + 1, sizeof *count);
    g = shape_graph_new(v->p, &trial);
    b = g ? count_all(f, g, count, state, &saturated, cancel) : NULL;
    for (node_id i = 0; b && i < v->p->n_nodes; i++)
        v->n_batch_binds += f->state[i] == FLOPS_UNKNOWN_SHAPE &&
                            (state[i] == FLOPS_COUNTED || state[i] == FLOPS_PER_TRIP);
    function_counts_free(b);
    shape_graph_free(g);
    EACH(free, state, count);
    notes_done(&notes);
    arena_done(&keep);
    return b != NULL;
}

/* True when P stores the requested counts. */
static bool matches_stored_counts(const struct profile *p, const struct flops_request *r)
{
    return p->stored_rules == (unsigned)r->rules + 1 && !r->macs && !r->loops && !r->batch &&
           !r->bind && r->release == FLOPS_NEWEST && r->transcendental <= 1 && r->division <= 1;
}

/* Uses stored counts.  A stored profile has the rows of function bodies but not the functions, so
 * their counts cannot be recomputed.  True when all counts are the stored ones. */
static bool use_stored_counts(struct flops *f, const struct flops_request *request)
{
    const struct profile *p = f->priv->p;
    const bool all = matches_stored_counts(p, request);
    bool some = false;

    for (node_id i = 0; i < p->n_stored_states; i++) {
        const bool is_asked =
            all || f->state[i] == FLOPS_NO_RULE || profile_call_site_of(p, i) != NULL;

        if (!is_asked || !p->stored_state[i])
            continue;
        some |= !all && f->count[i] != p->static_float_ops[i];
        f->count[i] = p->static_float_ops[i];
        f->state[i] = (uint8_t)(p->stored_state[i] - 1);
    }
    if (some)
        note_add(&f->notes, "bodies of functions count as stored: a profile has no functions to "
                            "recount");
    return all;
}

/* The load's budget minus what rows of functions used. */
static struct budget inference_budget(const struct profile *p, struct cancel_mark cancel)
{
    struct budget budget = budget_of(profile_input_bytes(p), cancel);

    budget_charge(&budget, p->expanded_bytes, 0);
    return budget;
}

/* Adds the notes about the counts; false when cancelled. */
static bool finish_counts(struct flops *f, const struct flops_request *request,
                          node_id saturated, struct cancel_mark cancel)
{
    const struct profile *p = f->priv->p;
    bool all_stored;

    if (saturated != NODE_NONE)
        note_add(&f->notes, "node '%s': the number of operations exceeds 64 bits",
                 profile_text(p, p->name[saturated]));
    all_stored = p->stored_rules && use_stored_counts(f, request);
    if (!all_stored)
        mark_loops(f, cancel);
    count_programs(p, request, f->count, f->state);
    sum_states(f);
    if (f->priv->shapes.budget.is_short)
        note_add(&f->notes, "shapes and counts would take more than 64 times the input: the "
                            "rest is unknown");
    return all_stored || try_batch(f, cancel);
}

static bool infer_and_count(struct flops *f, const struct flops_request *request,
                            struct cancel_mark cancel, struct err *err)
{
    struct flops_priv *v = f->priv;
    node_id saturated;

    v->shapes = (struct shape_request){
        .ops = &v->ops,
        .attrs = request->attrs,
        .functions = request->functions,
        .stronger = request->rules == FLOPS_RULES_FULL || profile_has_op_set(v->p),
        .transcendental = request->transcendental > 0 ? request->transcendental : 1,
        .division = request->division > 0 ? request->division : 1,
        .batch = request->batch,
        .budget = inference_budget(v->p, cancel),
        .keep = &v->keep,
        .notes = &f->notes,
    };
    if (!bind_parse(v->p, request->bind, &v->keep, &v->shapes.bindings, &v->shapes.n_bindings, err))
        return false;
    v->graph = shape_graph_new(v->p, &v->shapes);
    if (v->graph)
        v->functions = count_all(f, v->graph, f->count, f->state, &saturated, cancel);
    if (v->functions && finish_counts(f, request, saturated, cancel)) {
        v->shapes.budget.cancel = (struct cancel_mark){0}; /* the cancel mark may become invalid */
        return true;
    }
    return err_set(err, ERR_CANCELLED, "cancelled");
}

struct flops *flops_compute(const struct profile *p, const struct flops_request *request,
                            struct cancel_mark cancel, struct err *err)
{
    struct flops *f = flops_new(p, request);

    if (p->n_parts && !profile_has_op_set(p)) {
        count_parts(f, p, request);
        sum_states(f);
        return f;
    }
    if (request->rules == FLOPS_RULES_LOG) {
        count_recorded(f, p);
        mark_loops(f, cancel);
        count_programs(p, request, f->count, f->state);
        sum_states(f);
        return f;
    }
    if (infer_and_count(f, request, cancel, err)) {
        if (p->n_parts) {
            count_runs(f, p);
            memset(f->n_state, 0, sizeof f->n_state);
            sum_states(f);
        }
        if (profile_sizes_outputs(p))
            f->output_bytes = output_bytes_new(f);
        shape_graph_note_contradictions(&f->priv->shapes, &f->notes);
        if (request->batch > 0 && f->priv->shapes.n_batches == 0)
            note_add(&f->notes, "-batch: no input has an unknown first dimension; -bind "
                                "replaces shapes");
        return f;
    }
    flops_free(f);
    return NULL;
}

enum flops_rules flops_rules_of(const struct flops *f)
{
    return f->priv->request.rules;
}

bool flops_by_rules(const struct flops *f)
{
    return f->priv->graph != NULL;
}

bool flops_output_shape(const struct flops *f, node_id node, int32_t index, const int64_t **dims,
                        uint32_t *n_dims)
{
    const struct dims *s = NULL;

    if (f->priv->graph)
        s = shape_graph_tensor(f->priv->graph, node, index).shape;
    if (!s)
        return false;
    *dims = s->d;
    *n_dims = s->rank;
    return true;
}

/* Appends RULE with the numbers of the node IN_BODY. */
static void explain_rule(const struct flops *f, const struct count_rule *rule,
                         const struct body_node *in_body, struct strbuf *sb)
{
    const struct flops_priv *v = f->priv;
    struct arena scratch = {0};
    struct tally t;
    int64_t once;
    bool saturated = false;

    sb_addf(sb, "%s = ", rule->formula);
    tally_init(&t, v->request.macs, sb);
    count_node(&v->rules, in_body->graph, in_body->node, v->request.rules == FLOPS_RULES_FULL,
               &scratch, &t);
    once = tally_finish(&t);
    arena_done(&scratch);
    if (t.state != FLOPS_COUNTED)
        sb_adds(sb, ": a shape is unknown");
    else
        sb_addf(sb, " = %" PRId64, once);
    if (t.state == FLOPS_COUNTED && in_body->times != 1)
        sb_addf(sb, ", %" PRId64 " times: %" PRId64, in_body->times,
                sat_mul(once, in_body->times, &saturated));
    if (t.uses_transcendental)
        sb_addf(sb, "; T = %" PRId64, v->shapes.transcendental);
    if (t.uses_division)
        sb_addf(sb, "; D = %" PRId64, v->shapes.division);
}

void flops_explain(const struct flops *f, node_id node, struct strbuf *sb)
{
    const struct flops_priv *v = f->priv;
    const struct count_rule *rule;
    struct body_node in_body;

    if (explain_programs(v->p, &v->request, node, sb)) {
        if (f->state[node] == FLOPS_PER_TRIP)
            sb_adds(sb, per_iteration);
        return;
    }
    if (!v->graph) {
        sb_addf(sb, f->count[node] != 0 ? "%" PRId64 " (recorded)" : "not recorded",
                f->count[node]);
        if (f->state[node] == FLOPS_PER_TRIP)
            sb_adds(sb, per_iteration);
        return;
    }
    if (function_counts_explain(v->functions, node, sb))
        return;
    in_body = function_counts_body_node(v->functions, node);
    rule = count_rule_of(&v->rules, in_body.graph, in_body.node, v->request.rules == FLOPS_RULES_FULL);
    if (f->state[node] == FLOPS_NO_COMPUTE || f->state[node] == FLOPS_NO_RULE || !rule) {
        sb_adds(sb, f->state[node] == FLOPS_NO_COMPUTE ? "computes nothing" : "no rule");
        return;
    }
    explain_rule(f, rule, &in_body, sb);
    if (f->state[node] == FLOPS_PER_TRIP)
        sb_adds(sb, per_iteration);
    if (f->state[node] == FLOPS_LEFT_OUT)
        sb_adds(sb, v->request.rules == FLOPS_RULES_FULL
                        ? ", not counted: another branch costs more"
                        : ", not counted: TensorFlow does not enter the function (-flops_loops "
                          "does)");
}

bool flops_is_call(const struct flops *f, node_id node)
{
    struct strbuf ignored = {0};
    const bool is_call = f->priv->graph && function_counts_explain(f->priv->functions, node,
                                                                   &ignored);

    sb_done(&ignored);
    return is_call;
}
