/* flops.c: counts every node of a profile and says how. */
#include "flops/flops.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "flops/bind.h"
#include "flops/bodies.h"
#include "flops/count_calls.h"
#include "flops/shape_graph.h"

struct flops_priv {
    const struct profile *p;
    struct flops_request request;
    struct op_table ops;
    struct arena keep;
    struct shape_request shapes;
    struct shape_graph *graph; /* NULL: recorded counts only */
    uint32_t n_batch_binds;    /* unknown ones that -batch would count */
};

static struct flops *flops_new(const struct profile *p, const struct flops_request *request)
{
    struct flops *f = xcalloc(1, sizeof *f);

    f->count = xcalloc((size_t)p->n_nodes + 1, sizeof *f->count);
    f->state = xcalloc((size_t)p->n_nodes + 1, sizeof *f->state);
    f->priv = xcalloc(1, sizeof *f->priv);
    f->priv->p = p;
    f->priv->request = *request;
    f->priv->request.bind = NULL; /* used once, not ours to keep */
    op_table_init(&f->priv->ops);
    return f;
}

void flops_free(struct flops *f)
{
    if (!f)
        return;
    shape_graph_free(f->priv->graph);
    op_table_done(&f->priv->ops);
    arena_done(&f->priv->keep);
    notes_done(&f->notes);
    free(f->priv);
    free(f->count);
    free(f->state);
    free(f);
}

static void count_recorded(struct flops *f, const struct profile *p)
{
    for (node_id i = 0; i < p->n_nodes; i++) {
        const struct op_entry *e = op_table_find(
            &f->priv->ops, profile_text(p, p->op[i]), intern_len(&p->strings, p->op[i]));
        bool computes = e->compat || (e->full && e->full->apply);

        f->count[i] = p->static_float_ops[i];
        f->state[i] = f->count[i] != 0 ? FLOPS_COUNTED
                      : computes       ? FLOPS_UNKNOWN_SHAPE
                      : e->full        ? FLOPS_NO_COMPUTE
                                       : FLOPS_NO_RULE;
    }
}

/* Counts all nodes of G into COUNT and STATE; the first node at a 64-bit limit
 * is noted.  False when cancelled. */
static bool count_all(struct flops *f, struct shape_graph *g, int64_t *count, uint8_t *state,
                      struct cancel_mark cancel)
{
    const struct profile *p = f->priv->p;
    bool full = f->priv->request.rules == FLOPS_RULES_FULL, noted = false;
    struct arena scratch = {0};
    struct tally t;

    for (node_id i = 0; i < p->n_nodes; i++) {
        if (i % 4096 == 0 && cancel_asked(cancel)) {
            arena_done(&scratch);
            return false;
        }
        tally_init(&t, f->priv->request.macs, NULL);
        count_node(g, i, full, &scratch, &t);
        count[i] = tally_finish(&t);
        state[i] = (uint8_t)t.state;
        if (t.saturated && t.state == FLOPS_COUNTED && !noted && count == f->count) {
            note_add(&f->notes, "node '%s': the number of operations is beyond 64 bits",
                     profile_text(p, p->name[i]));
            noted = true;
        }
    }
    arena_done(&scratch);
    return bodies_count(g, full, full || f->priv->request.loops, f->priv->request.macs, count, state,
                        cancel);
}

static void sum_states(struct flops *f)
{
    for (node_id i = 0; i < f->priv->p->n_nodes; i++)
        f->n_state[f->state[i]]++;
}

/* How many of the unknown counts a batch size would give: tried with one that
 * no graph has by chance. */
static bool try_batch(struct flops *f, struct cancel_mark cancel)
{
    struct flops_priv *v = f->priv;
    struct notes notes = {0};
    struct arena keep = {0};
    struct shape_request trial = v->shapes;
    struct shape_graph *g;
    uint8_t *state;
    int64_t *count;
    bool done = false;

    if (v->request.batch > 0 || f->n_state[FLOPS_UNKNOWN_SHAPE] == 0)
        return true;
    trial.batch = 2 * 3 * 5 * 7 * 16;
    trial.keep = &keep;
    trial.notes = &notes;
    trial.body_nodes = 0;
    state = xcalloc((size_t)v->p->n_nodes + 1, sizeof *state);
    count = xcalloc((size_t)v->p->n_nodes + 1, sizeof *count);
    g = shape_graph_new(v->p, &trial);
    if (g && count_all(f, g, count, state, cancel)) {
        for (node_id i = 0; i < v->p->n_nodes; i++)
            v->n_batch_binds += f->state[i] == FLOPS_UNKNOWN_SHAPE && state[i] == FLOPS_COUNTED;
        done = true;
    }
    shape_graph_free(g);
    free(state);
    free(count);
    notes_done(&notes);
    arena_done(&keep);
    return done;
}

static bool infer_and_count(struct flops *f, const struct flops_request *request,
                            struct cancel_mark cancel, struct err *err)
{
    struct flops_priv *v = f->priv;

    v->shapes = (struct shape_request){
        .ops = &v->ops,
        .attrs = request->attrs,
        .functions = request->functions,
        .stronger = request->rules == FLOPS_RULES_FULL,
        .batch = request->batch,
        .cancel = cancel,
        .keep = &v->keep,
        .notes = &f->notes,
    };
    if (!bind_parse(v->p, request->bind, &v->keep, &v->shapes.bindings, &v->shapes.n_bindings, err))
        return false;
    v->graph = shape_graph_new(v->p, &v->shapes);
    if (v->graph && count_all(f, v->graph, f->count, f->state, cancel)) {
        sum_states(f);
        if (try_batch(f, cancel))
            return true;
    }
    return err_set(err, ERR_CANCELLED, "cancelled");
}

struct flops *flops_compute(const struct profile *p, const struct flops_request *request,
                            struct cancel_mark cancel, struct err *err)
{
    struct flops *f = flops_new(p, request);

    if (request->rules == FLOPS_RULES_LOG) {
        count_recorded(f, p);
        sum_states(f);
        return f;
    }
    if (infer_and_count(f, request, cancel, err)) {
        if (f->priv->shapes.n_contradictions > f->notes.n)
            note_add(&f->notes, "%" PRIu32 " nodes have shapes that contradict each other",
                     f->priv->shapes.n_contradictions);
        return f;
    }
    flops_free(f);
    return NULL;
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

void flops_explain(const struct flops *f, node_id node, struct strbuf *sb)
{
    const struct flops_priv *v = f->priv;
    struct arena scratch = {0};
    const struct count_rule *rule;
    const struct op_entry *e;
    struct tally t;

    if (!v->graph) {
        sb_addf(sb, f->count[node] != 0 ? "%" PRId64 " (recorded)" : "not recorded",
                f->count[node]);
        return;
    }
    e = shape_graph_entry(v->graph, node);
    rule = v->request.rules == FLOPS_RULES_FULL && e->full ? e->full : e->compat;
    if (f->state[node] == FLOPS_NO_COMPUTE || f->state[node] == FLOPS_NO_RULE || !rule) {
        sb_adds(sb, f->state[node] == FLOPS_NO_COMPUTE ? "computes nothing" : "no rule");
        return;
    }
    sb_addf(sb, "%s = ", rule->formula);
    tally_init(&t, v->request.macs, sb);
    count_node(v->graph, node, v->request.rules == FLOPS_RULES_FULL, &scratch, &t);
    (void)tally_finish(&t);
    if (f->state[node] == FLOPS_COUNTED)
        sb_addf(sb, " = %" PRId64, f->count[node]);
    else
        sb_adds(sb, ": a shape is unknown");
    arena_done(&scratch);
}

/* True for a node of a loop or branch that is not entered, though there is a
 * rule for its op. */
static bool is_left_out(const struct flops *f, node_id node)
{
    const struct flops_priv *v = f->priv;
    const struct op_entry *e;

    if (f->state[node] != FLOPS_NO_RULE || !v->graph || !profile_call_site_of(v->p, node))
        return false;
    e = shape_graph_entry(v->graph, node);
    return e->compat || (v->request.rules == FLOPS_RULES_FULL && e->full);
}

/* What a run made of the graph's nodes has no op type but its name. */
static bool is_of_run(const struct profile *p, node_id node)
{
    return p->def[node].form == NODE_FORM_NONE && p->op[node] == p->name[node];
}

static int by_nodes(const void *a, const void *b)
{
    const struct flops_ruleless *x = a, *y = b;

    if (x->n_nodes != y->n_nodes)
        return x->n_nodes > y->n_nodes ? -1 : 1;
    return x->op < y->op ? -1 : x->op > y->op;
}

size_t flops_ruleless(const struct flops *f, struct flops_ruleless *out, size_t max)
{
    const struct profile *p = f->priv->p;
    uint32_t *n_of = xcalloc(p->strings.n + 1, sizeof *n_of);
    struct flops_ruleless *all;
    size_t n = 0, k = 0;

    for (node_id i = 0; i < p->n_nodes; i++)
        if (f->state[i] == FLOPS_NO_RULE && !is_left_out(f, i) && !is_of_run(p, i))
            n += n_of[p->op[i]]++ == 0;
    all = xcalloc(n + 1, sizeof *all);
    for (strid id = 0; id < p->strings.n; id++)
        if (n_of[id] > 0)
            all[k++] = (struct flops_ruleless){id, n_of[id]};
    qsort(all, n, sizeof *all, by_nodes);
    memcpy(out, all, (n < max ? n : max) * sizeof *all);
    free(all);
    free(n_of);
    return n;
}

/* "; N WHAT", nothing for none. */
static void add_part(struct strbuf *sb, uint32_t n, const char *what)
{
    if (n > 0)
        sb_addf(sb, "; %" PRIu32 " %s", n, what);
}

void flops_coverage(const struct flops *f, struct strbuf *sb)
{
    enum { SHOWN = 8 };
    struct flops_ruleless list[SHOWN];
    const struct profile *p = f->priv->p;
    uint32_t counted = f->n_state[FLOPS_COUNTED], unknown = f->n_state[FLOPS_UNKNOWN_SHAPE];
    uint32_t ruleless = f->n_state[FLOPS_NO_RULE], left_out = 0, of_runs = 0;
    size_t n;

    for (node_id i = 0; i < p->n_nodes; i++) {
        left_out += is_left_out(f, i);
        of_runs += f->state[i] == FLOPS_NO_RULE && is_of_run(p, i);
    }
    sb_addf(sb, "counted %" PRIu32 " of %" PRIu32 " compute ops", counted,
            counted + unknown + ruleless - of_runs);
    add_part(sb, unknown, f->priv->graph ? "unknown shape" : "not recorded");
    if (f->priv->n_batch_binds > 0)
        sb_addf(sb, ": -batch binds %" PRIu32 " of them", f->priv->n_batch_binds);
    add_part(sb, left_out, "in loops and branches: -flops_loops counts them");
    ruleless -= left_out + of_runs;
    add_part(sb, ruleless, "without a rule: ");
    n = ruleless > 0 ? flops_ruleless(f, list, SHOWN) : 0;
    for (size_t i = 0; i < n && i < SHOWN; i++)
        sb_addf(sb, "%s%s", i > 0 ? ", " : "", profile_text(p, list[i].op));
    if (n > SHOWN)
        sb_addf(sb, " and %zu more types", n - SHOWN);
    add_part(sb, of_runs, "seen in runs alone");
}
