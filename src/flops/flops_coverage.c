/* flops_coverage.c: the share of a graph that is counted. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/compare.h"
#include "base/satmath.h"
#include "base/xalloc.h"
#include "flops/flops_priv.h"
#include "model/programs.h"

/* By name, because ids depend on the order of the file. */
COMPARE_CHAIN(by_nodes, struct flops_type_without_rule, DOWN(n_nodes) || THEN(strcmp(a->name, b->name)))

struct flops_type_without_rule *flops_types_without_rule(const struct flops *f, size_t *n)
{
    const struct profile *p = f->priv->p;
    uint32_t *n_of = xcalloc(p->strings.n + 1, sizeof *n_of);
    struct flops_type_without_rule *all;
    size_t k = 0;

    *n = 0;
    for (node_id i = 0; i < p->n_nodes; i++)
        if (f->state[i] == FLOPS_NO_RULE && !profile_is_of_run(p, i))
            *n += n_of[name_without_rule(p, i)]++ == 0;
    all = xcalloc(*n + 1, sizeof *all);
    for (strid id = 0; id < p->strings.n; id++)
        if (n_of[id] > 0)
            all[k++] = (struct flops_type_without_rule){id, profile_text(p, id), n_of[id]};
    qsort(all, *n, sizeof *all, by_nodes);
    free(n_of);
    return all;
}

/* Appends "; N WHAT", or nothing for 0. */
static void add_part(struct strbuf *sb, uint32_t n, const char *what)
{
    if (n > 0)
        sb_addf(sb, "; %" PRIu32 " %s", n, what);
}

/* Appends how many nodes are left out, and the option that includes them. */
static void add_left_out(struct strbuf *sb, const struct flops *f)
{
    const char *what = "in branches that cost less than others";

    if (f->priv->request.rules == FLOPS_RULES_COMPAT)
        what = f->priv->p->function_rows == FUNCTION_ROWS_NONE
                   ? "calls of functions, which are not entered"
                   : "in loops and branches: -flops_loops counts them";
    add_part(sb, f->n_state[FLOPS_LEFT_OUT], what);
}

/* The number of nodes that only the full rules can count. */
static uint32_t count_full_rules_only(const struct flops *f)
{
    const struct profile *p = f->priv->p;
    uint32_t n = 0;

    if (f->priv->request.rules != FLOPS_RULES_COMPAT)
        return 0;
    for (node_id i = 0; i < p->n_nodes; i++)
        if (f->state[i] == FLOPS_NO_RULE) {
            const struct count_entry *e =
                count_table_find(&f->priv->rules, shape_graph_entry(f->priv->graph, i));

            n += (e->full && e->full->apply) || e->compat;
        }
    return n;
}

/* Appends the share of op time in operations whose counts are known (0 included). */
static void add_time(struct strbuf *sb, const struct programs *c)
{
    int64_t whole = c ? c->self_ps : 0;

    for (size_t i = 0; c && i < c->n_devices; i++)
        whole = clamp_sub(whole, c->devices[i].no_op_ps);
    if (whole > 0)
        sb_addf(sb, ", %.1f %% of their time",
                100.0 * (double)clamp_sub(whole, c->self_without_rule_ps) / (double)whole);
}

void flops_coverage(const struct flops *f, struct strbuf *sb)
{
    enum { SHOWN = 8 };
    const struct profile *p = f->priv->p;
    uint32_t counted = f->n_state[FLOPS_COUNTED] + f->n_state[FLOPS_PER_TRIP];
    uint32_t unknown = f->n_state[FLOPS_UNKNOWN_SHAPE], ruleless = f->n_state[FLOPS_NO_RULE];
    struct flops_type_without_rule *list = NULL;
    uint32_t of_runs = 0;
    size_t n = 0;

    if (p->n_parts && !profile_has_op_set(p)) {
        parts_coverage(f, p, sb);
        return;
    }
    for (node_id i = 0; i < p->n_nodes; i++)
        of_runs += f->state[i] == FLOPS_NO_RULE && profile_is_of_run(p, i);
    sb_addf(sb, "counted %" PRIu32 " of %" PRIu32 " compute ops", counted,
            counted + unknown + ruleless + f->n_state[FLOPS_LEFT_OUT] - of_runs);
    add_time(sb, p->programs);
    add_part(sb, f->n_state[FLOPS_PER_TRIP], "of them per iteration of a loop");
    add_part(sb, unknown, f->priv->graph ? "unknown shape" : "not recorded");
    if (f->priv->n_batch_binds > 0)
        sb_addf(sb, ": -batch binds %" PRIu32 " of them", f->priv->n_batch_binds);
    add_left_out(sb, f);
    ruleless -= of_runs;
    add_part(sb, ruleless, "without a rule: ");
    if (ruleless > 0)
        list = flops_types_without_rule(f, &n);
    for (size_t i = 0; i < n && i < SHOWN; i++)
        sb_addf(sb, "%s%s", i > 0 ? ", " : "", profile_text(p, list[i].op));
    if (n > SHOWN)
        sb_addf(sb, " and %zu more types", n - SHOWN);
    free(list);
    if (count_full_rules_only(f) > 0)
        sb_addf(sb, " (-flops full has rules for %" PRIu32 ")", count_full_rules_only(f));
    add_part(sb, of_runs, "only in runs");
}

void flops_limits(const struct flops *f, struct strbuf *sb)
{
    const bool loops = f->n_state[FLOPS_PER_TRIP] > 0;
    const bool branches =
        f->priv->request.rules == FLOPS_RULES_FULL && f->n_state[FLOPS_LEFT_OUT] > 0;

    if (f->priv->graph && (loops || branches))
        sb_addf(sb, " (%s%s%s)", loops ? "loops: one iteration" : "",
                loops && branches ? "; " : "", branches ? "branches: the costliest" : "");
}
