/* count_programs.c: operation counts of instructions of compiled programs (formats-hlo.md section
 * 6). */
#include "flops/flops_priv.h"

#include <inttypes.h>

#include "base/satmath.h"
#include "model/programs.h"

static int64_t weight(int64_t requested)
{
    return requested > 0 ? requested : 1;
}

static bool counts_macs(const struct flops_request *r)
{
    return r->macs && r->rules != FLOPS_RULES_LOG;
}

/* FLOPs of one execution.  Only the full rules count transcendental functions, and weights of
 * divisions other than 1. */
static int64_t count_of(const struct program_cost *cost, const struct flops_request *r)
{
    int64_t count = cost->operations;

    if (counts_macs(r))
        count = clamp_sub(count, cost->multiply_adds);
    if (r->rules != FLOPS_RULES_FULL)
        return count;
    count = clamp_add(count, clamp_mul(cost->transcendentals, weight(r->transcendental)));
    return clamp_add(count, clamp_mul(cost->divisions, clamp_sub(weight(r->division), 1)));
}

/* False when NODE is not part of the capture, or has a definition of its own. */
static bool cost_of(const struct profile *p, node_id node, struct program_cost *cost)
{
    *cost = program_cost_of(p->programs, node);
    return cost->count != PROGRAM_NO_NODE && p->def[node].form == NODE_FORM_NONE;
}

void count_programs(const struct profile *p, const struct flops_request *request, int64_t *count,
                   uint8_t *state)
{
    struct program_cost cost;

    for (node_id i = 0; p->programs && i < p->n_nodes; i++) {
        if (!cost_of(p, i, &cost) || (cost.count == PROGRAM_NO_RULE && p->static_float_ops[i]))
            continue;
        count[i] = cost.count == PROGRAM_NO_RULE ? 0 : count_of(&cost, request);
        if (cost.count == PROGRAM_NO_RULE)
            state[i] = FLOPS_NO_RULE;
        else if (count[i] == 0)
            state[i] = FLOPS_NO_COMPUTE;
        else
            state[i] = cost.per_trip && p->programs->plans ? FLOPS_PER_TRIP : FLOPS_COUNTED;
    }
}

/* Appends " + T * (FORMULA)" for transcendental functions and " + (D - 1) * N" for divisions. */
static void add_weighed(const struct programs *c, node_id node, const struct program_cost *cost,
                        struct strbuf *sb)
{
    if (cost->transcendentals) {
        sb_adds(sb, cost->operations ? " + T * (" : "T * (");
        c->formula(c->context, node, true, sb);
        sb_addc(sb, ')');
    }
    if (cost->divisions)
        sb_addf(sb, " + (D - 1) * %" PRId64, cost->divisions);
}

static void add_formula(const struct programs *c, const struct flops_request *r, node_id node,
                        const struct program_cost *cost, struct strbuf *sb)
{
    const bool full = r->rules == FLOPS_RULES_FULL;

    if (!full && cost->operations == 0) {
        sb_addf(sb, "0; and %" PRId64 " transcendental functions, which -flops full counts",
                cost->transcendentals);
        return;
    }
    c->formula(c->context, node, false, sb);
    if (full)
        add_weighed(c, node, cost, sb);
    if (counts_macs(r) && cost->multiply_adds)
        sb_addf(sb, " - %" PRId64 " multiply-adds", cost->multiply_adds);
    sb_addf(sb, "%s%" PRId64, sb->len ? " = " : "", count_of(cost, r));
    if (full && cost->transcendentals)
        sb_addf(sb, "; T = %" PRId64, weight(r->transcendental));
    if (full && cost->divisions)
        sb_addf(sb, "; D = %" PRId64, weight(r->division));
    if (!full && cost->transcendentals)
        sb_addf(sb, "; and %" PRId64 " transcendental functions, which -flops full counts",
                cost->transcendentals);
}

bool explain_programs(const struct profile *p, const struct flops_request *request, node_id node,
                     struct strbuf *sb)
{
    struct program_cost cost;

    if (!p->programs || !cost_of(p, node, &cost) ||
        (cost.count == PROGRAM_NO_RULE && p->static_float_ops[node]))
        return false;
    if (cost.count == PROGRAM_NO_RULE) {
        const strid name = name_without_rule(p, node);

        sb_addf(sb, "not known: no rule for %s", profile_text(p, name));
    } else if (count_of(&cost, request) || cost.transcendentals) {
        add_formula(p->programs, request, node, &cost, sb);
    } else {
        sb_adds(sb, "computes nothing");
    }
    return true;
}

strid name_without_rule(const struct profile *p, node_id node)
{
    const struct programs *c = p->programs;
    strid id = STRID_EMPTY;

    if (c && program_cost_of(c, node).count != PROGRAM_NO_NODE) {
        const struct text target = c->target(c->context, node);

        id = intern_find(&p->strings, target.bytes, target.len);
    }
    return id == STRID_NONE || id == STRID_EMPTY ? p->op[node] : id;
}
