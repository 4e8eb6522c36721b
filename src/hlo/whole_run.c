/* whole_run.c: costs of instructions in one run of a whole program, without recorded executions
 * (formats-hlo.md section 6.4).  Total costs are computed callees first, then executions callers
 * first. */
#include <stdlib.h>

#include "base/satmath.h"
#include "base/xalloc.h"
#include "hlo/opcode.h"
#include "hlo/tally.h"

static struct hlo_totals totals_of(const struct hlo_cost *cost)
{
    return (struct hlo_totals){{
        [HLO_TOTAL_OPERATIONS] = cost->operations,
        [HLO_TOTAL_TRANSCENDENTALS] = cost->transcendentals,
        [HLO_TOTAL_BYTES] = clamp_add(cost->bytes_read, cost->bytes_written),
    }};
}

/* Computation K that instruction I executes; HLO_NONE when there is none, and in a recursion. */
static uint32_t executed_callee(const struct hlo_module *m, uint32_t i, uint32_t k)
{
    const struct hlo_computation *caller = &m->computations[m->instructions[i].computation];
    const uint32_t callee = hlo_called(m, i, k);

    return callee != HLO_NONE && m->computations[callee].rank < caller->rank ? callee : HLO_NONE;
}

/* The first branch of conditional I with the largest FIGURE. */
static uint32_t costliest_branch(const struct hlo_module *m, const struct hlo_totals *totals,
                                 uint32_t i, enum hlo_total figure)
{
    uint32_t best = HLO_NONE;

    for (uint32_t k = 0; k < m->instructions[i].n_called; k++) {
        const uint32_t callee = executed_callee(m, i, k);

        if (callee != HLO_NONE &&
            (best == HLO_NONE || totals[callee].figures[figure] > totals[best].figures[figure]))
            best = callee;
    }
    return best;
}

/* The next computation that counts for FIGURE when instruction I executes once; HLO_NONE at the
 * end. *K starts at 0. */
static uint32_t next_callee(const struct hlo_module *m, const struct hlo_totals *totals, uint32_t i,
                            enum hlo_total figure, uint32_t *k)
{
    const struct hlo_instruction *in = &m->instructions[i];

    if (!hlo_executes_callees(in->opcode))
        return HLO_NONE;
    if (in->opcode == HLO_CONDITIONAL)
        return (*k)++ ? HLO_NONE : costliest_branch(m, totals, i, figure);
    while (*k < in->n_called) {
        const uint32_t callee = executed_callee(m, i, (*k)++);

        if (callee != HLO_NONE)
            return callee;
    }
    return HLO_NONE;
}

/* Adds the costs of the instructions of computation C, including what they execute. */
static void add_totals(const struct hlo_costs *costs, struct hlo_totals *totals, uint32_t c)
{
    const struct hlo_module *m = costs->m;
    const uint32_t first = m->computations[c].first_instruction;

    for (uint32_t i = first; i < first + m->computations[c].n_instructions; i++) {
        const struct hlo_totals own = totals_of(&costs->costs[i]);

        for (enum hlo_total figure = 0; figure < HLO_TOTALS; figure++) {
            int64_t *sum = &totals[c].figures[figure];
            uint32_t k = 0, callee;

            *sum = clamp_add(*sum, own.figures[figure]);
            while ((callee = next_callee(m, totals, i, figure, &k)) != HLO_NONE)
                *sum = clamp_add(*sum, totals[callee].figures[figure]);
        }
    }
}

/* Adds the executions of computation C to those of the computations that it executes. */
static void add_executions(const struct hlo_costs *costs, const struct hlo_totals *totals,
                           uint32_t c)
{
    const struct hlo_module *m = costs->m;
    const uint32_t first = m->computations[c].first_instruction;

    for (uint32_t i = first; i < first + m->computations[c].n_instructions; i++) {
        for (enum hlo_total figure = 0; figure < HLO_TOTALS; figure++) {
            uint32_t k = 0, callee;

            while ((callee = next_callee(m, totals, i, figure, &k)) != HLO_NONE)
                costs->executions[callee].figures[figure] =
                    clamp_add(costs->executions[callee].figures[figure],
                              costs->executions[c].figures[figure]);
        }
    }
}

void hlo_count_executions(struct hlo_costs *costs)
{
    const struct hlo_module *m = costs->m;
    struct hlo_totals *totals = xcalloc(m->n_computations, sizeof *totals);

    costs->executions = xcalloc(m->n_computations, sizeof *costs->executions);
    for (uint32_t rank = 0; rank < m->n_computations; rank++)
        add_totals(costs, totals, m->by_rank[rank]);
    for (enum hlo_total figure = 0; figure < HLO_TOTALS; figure++)
        costs->executions[m->entry].figures[figure] = 1;
    for (uint32_t rank = m->n_computations; rank-- > 0;)
        add_executions(costs, totals, m->by_rank[rank]);
    free(totals);
}

int64_t hlo_executions(const struct hlo_costs *costs, uint32_t i, enum hlo_total figure)
{
    return costs->executions[costs->m->instructions[i].computation].figures[figure];
}

struct hlo_cost hlo_whole_run_cost(const struct hlo_costs *costs, uint32_t i)
{
    const int64_t of_operations = hlo_executions(costs, i, HLO_TOTAL_OPERATIONS);
    const int64_t of_bytes = hlo_executions(costs, i, HLO_TOTAL_BYTES);
    struct hlo_cost cost = costs->costs[i];

    cost.operations = sat_mul(cost.operations, of_operations, &cost.saturated);
    cost.multiply_adds = sat_mul(cost.multiply_adds, of_operations, &cost.saturated);
    cost.divisions = sat_mul(cost.divisions, of_operations, &cost.saturated);
    cost.transcendentals = sat_mul(
        cost.transcendentals, hlo_executions(costs, i, HLO_TOTAL_TRANSCENDENTALS), &cost.saturated);
    cost.bytes_read = sat_mul(cost.bytes_read, of_bytes, &cost.saturated);
    cost.bytes_written = sat_mul(cost.bytes_written, of_bytes, &cost.saturated);
    if (cost.state == HLO_COUNTED && !cost.operations)
        cost.state = HLO_NO_COMPUTE;
    return cost;
}
