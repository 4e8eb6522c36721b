/* cost.c: computes the costs of all instructions of a module. */
#include "hlo/cost.h"

#include <stdlib.h>

#include "base/satmath.h"
#include "base/xalloc.h"
#include "hlo/opcode.h"
#include "hlo/tally.h"

/* Limit for the formulas of the parts of a fusion. */
enum { MAX_FORMULA_BYTES = 2000 };

static enum hlo_count_rule rule_of(const struct hlo_module *m, uint32_t i)
{
    return hlo_opcodes[m->instructions[i].opcode].count;
}

/* Runs the rule of instruction I; TEXT, when not NULL, gets the formula of FIGURE. */
static void count(struct hlo_tally *t, const struct hlo_costs *costs, struct budget *budget,
                  uint32_t i, enum hlo_figure figure, struct strbuf *text)
{
    *t = (struct hlo_tally){.m = costs->m, .costs = costs, .budget = budget, .i = i};
    for (enum hlo_figure k = 0; k < HLO_FIGURES; k++)
        terms_init(&t->figures[k], k == figure ? text : NULL);
    hlo_count_rules[rule_of(costs->m, i)](t);
}

static struct hlo_cost cost_of(const struct hlo_costs *costs, struct budget *budget, uint32_t i)
{
    struct hlo_cost cost = {.state = HLO_NO_RULE};
    struct hlo_tally t;
    int64_t figures[HLO_FIGURES];

    count(&t, costs, budget, i, HLO_FIGURES, NULL);
    for (enum hlo_figure k = 0; k < HLO_FIGURES; k++) {
        figures[k] = terms_finish(&t.figures[k]);
        t.no_rule |= figures[k] < 0;
        cost.saturated |= t.figures[k].saturated;
    }
    if (!t.no_rule) {
        cost.operations = figures[HLO_OPERATIONS];
        cost.transcendentals = figures[HLO_TRANSCENDENTALS];
        cost.multiply_adds = t.is_multiply_add ? cost.operations / 2 : t.multiply_adds;
        cost.divisions = t.divisions;
        cost.state = cost.operations ? HLO_COUNTED : HLO_NO_COMPUTE;
    }
    return cost;
}

static void add_body(struct hlo_body *to, const struct hlo_body *body)
{
    for (enum hlo_figure k = 0; k < HLO_FIGURES; k++)
        to->figures[k] = sat_add(to->figures[k], body->figures[k], &to->saturated);
    to->multiply_adds = sat_add(to->multiply_adds, body->multiply_adds, &to->saturated);
    to->divisions = sat_add(to->divisions, body->divisions, &to->saturated);
    to->no_rule |= body->no_rule;
    to->saturated |= body->saturated;
}

/* The cost that instruction I adds to one execution of its computation.  A call of a computation
 * that is not executed on its own has the cost of that computation; loops have no rule, because
 * their trip count is unknown. */
static struct hlo_body share_of(const struct hlo_costs *costs, uint32_t i)
{
    const struct hlo_module *m = costs->m;
    const struct hlo_cost *cost = &costs->costs[i];
    const uint32_t callee = hlo_called(m, i, 0);

    if (rule_of(m, i) == HLO_COUNT_CALL && callee != HLO_NONE &&
        m->computations[callee].rank < m->computations[m->instructions[i].computation].rank)
        return costs->bodies[callee];
    return (struct hlo_body){
        .figures = {[HLO_OPERATIONS] = cost->operations,
                    [HLO_TRANSCENDENTALS] = cost->transcendentals},
        .multiply_adds = cost->multiply_adds,
        .divisions = cost->divisions,
        .no_rule = cost->state == HLO_NO_RULE || rule_of(m, i) == HLO_COUNT_BODIES ||
                   rule_of(m, i) == HLO_COUNT_CALL,
        .saturated = cost->saturated,
    };
}

struct hlo_costs *hlo_costs_new(const struct hlo_module *m)
{
    struct hlo_costs *costs = xcalloc(1, sizeof *costs);
    struct budget budget = budget_of(m->n_bytes, (struct cancel_mark){NULL, 0});
    uint8_t *seen = xcalloc(m->n_instructions, 1);

    costs->m = m;
    costs->costs = xcalloc(m->n_instructions, sizeof *costs->costs);
    costs->bodies = xcalloc(m->n_computations, sizeof *costs->bodies);
    costs->reads = xcalloc(m->n_instructions, sizeof *costs->reads);
    for (uint32_t rank = 0; rank < m->n_computations; rank++) {
        const uint32_t c = m->by_rank[rank];
        const uint32_t first = m->computations[c].first_instruction;
        struct hlo_body *body = &costs->bodies[c];

        body->gather_or_scatter = HLO_NONE;
        for (uint32_t i = first; i < first + m->computations[c].n_instructions; i++) {
            struct hlo_body share;

            costs->costs[i] = cost_of(costs, &budget, i);
            hlo_count_bytes(costs, i, &costs->costs[i]);
            share = share_of(costs, i);
            add_body(body, &share);
            if (body->gather_or_scatter == HLO_NONE && (m->instructions[i].opcode == HLO_GATHER ||
                                                        m->instructions[i].opcode == HLO_SCATTER))
                body->gather_or_scatter = i;
        }
        hlo_count_fused_bytes(costs, c, seen);
    }
    free(seen);
    hlo_count_executions(costs);
    return costs;
}

void hlo_costs_free(struct hlo_costs *costs)
{
    if (!costs)
        return;
    free(costs->costs);
    free(costs->bodies);
    free(costs->reads);
    free(costs->executions);
    free(costs);
}

struct hlo_cost hlo_cost(const struct hlo_costs *costs, uint32_t i)
{
    return costs->costs[i];
}

/* ---- formulas */

static int64_t figure_of(const struct hlo_cost *cost, enum hlo_figure figure)
{
    return figure == HLO_OPERATIONS ? cost->operations : cost->transcendentals;
}

static void add_formula(const struct hlo_costs *costs, uint32_t i, enum hlo_figure figure,
                        struct strbuf *text)
{
    struct budget budget = budget_of(costs->m->n_bytes, (struct cancel_mark){NULL, 0});
    struct hlo_tally t;

    count(&t, costs, &budget, i, figure, text);
}

/* Appends the formulas of the fused instructions; of an inner fusion only its total. */
static void add_parts(const struct hlo_costs *costs, uint32_t c, enum hlo_figure figure,
                      struct strbuf *text)
{
    const struct hlo_computation *of = &costs->m->computations[c];
    const size_t begin = text->len;

    for (uint32_t i = of->first_instruction; i < of->first_instruction + of->n_instructions; i++) {
        if (figure_of(&costs->costs[i], figure) == 0)
            continue;
        sb_adds(text, text->len > begin ? " + " : "");
        if (text->len - begin > MAX_FORMULA_BYTES) {
            sb_adds(text, "...");
            return;
        }
        add_formula(costs, i, figure, text);
    }
}

void hlo_formula(const struct hlo_costs *costs, uint32_t i, enum hlo_figure figure,
                 struct strbuf *text)
{
    if (figure_of(&costs->costs[i], figure) == 0)
        return;
    if (rule_of(costs->m, i) == HLO_COUNT_FUSION)
        add_parts(costs, hlo_called(costs->m, i, 0), figure, text);
    else
        add_formula(costs, i, figure, text);
}
