/* cost.h: operations and bytes of one execution of an instruction (formats-hlo.md sections 6 and
 * 7). */
#pragma once

#include "base/strbuf.h"
#include "hlo/module.h"

enum hlo_state {
    HLO_COUNTED,
    HLO_NO_COMPUTE, /* the rule's result is 0 */
    HLO_NO_RULE,    /* unknown; the operation figures are 0 */
};

/* The cost of one execution.  Figures saturate at the 64-bit limits and are never negative. */
struct hlo_cost {
    enum hlo_state state;
    bool saturated;
    int64_t operations;      /* a multiply-add counts 2 */
    int64_t multiply_adds;   /* number of multiply-adds: operations - multiply_adds counts each of
                              * them as 1 */
    int64_t divisions;       /* included in operations */
    int64_t transcendentals; /* not included in operations */
    int64_t bytes_read, bytes_written;
};

/* Costs of whole computations, which fusions and reductions need, are computed once, callees before
 * callers. */
struct hlo_costs;

/* Computes the costs of all instructions of M, which has to outlive them.  Time and memory are
 * linear in the bytes of the module. */
struct hlo_costs *hlo_costs_new(const struct hlo_module *m);
void hlo_costs_free(struct hlo_costs *costs);

struct hlo_cost hlo_cost(const struct hlo_costs *costs, uint32_t i);

/* The cost of instruction I in one run of the whole program without recorded executions: every
 * call, one iteration of each loop, and of each conditional the most expensive branch.  Each figure
 * is maximised separately, so operations and bytes may come from different branches. */
struct hlo_cost hlo_whole_run_cost(const struct hlo_costs *costs, uint32_t i);

enum hlo_total { HLO_TOTAL_OPERATIONS, HLO_TOTAL_TRANSCENDENTALS, HLO_TOTAL_BYTES, HLO_TOTALS };

/* Executions of instruction I in that run, as chosen for FIGURE. */
int64_t hlo_executions(const struct hlo_costs *costs, uint32_t i, enum hlo_total figure);

enum hlo_figure { HLO_OPERATIONS, HLO_TRANSCENDENTALS, HLO_FIGURES };

/* Appends FIGURE of instruction I as a sum of products with its numbers: "2 * 8x32 * 16".  Nothing
 * when it is 0 or unknown.  The parts of a fusion are cut after about 2,000 bytes with "+ ...". */
void hlo_formula(const struct hlo_costs *costs, uint32_t i, enum hlo_figure figure,
                 struct strbuf *text);
