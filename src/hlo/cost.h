/* cost.h: operations and bytes of one execution of an instruction (formats-hlo.md sections 6 and 7). */
#ifndef TFPROF_HLO_COST_H
#define TFPROF_HLO_COST_H

#include "base/strbuf.h"
#include "hlo/module.h"

enum hlo_state {
    HLO_COUNTED,
    HLO_NO_COMPUTE, /* the rule gives 0 */
    HLO_NO_RULE,    /* not known, which is not 0: all figures of operations are 0 all the same */
};

/* One execution.  Figures are saturated at the limits of 64 bits, and never below 0. */
struct hlo_cost {
    enum hlo_state state;
    bool saturated;
    int64_t operations;      /* a multiply-add counts 2 */
    int64_t multiply_adds;   /* pairs among them: operations - multiply_adds counts each as 1 */
    int64_t divisions;       /* among operations */
    int64_t transcendentals; /* beside operations */
    int64_t bytes_read, bytes_written;
};

/* What fusions and the functions of reductions and the like need of whole computations is worked
 * out once, callees before callers. */
struct hlo_costs;

/* The costs of all instructions of M, which must outlive them.  Work and memory are linear in the
 * module's bytes. */
struct hlo_costs *hlo_costs_new(const struct hlo_module *m);
void hlo_costs_free(struct hlo_costs *costs);

/* The cost of instruction I. */
struct hlo_cost hlo_cost(const struct hlo_costs *costs, uint32_t i);

/* The cost of instruction I in one run of the whole program, which no recording says more of:
 * every call, one iteration of each loop, and of each conditional the branch that costs most.
 * Each figure of the program is largest by itself, so operations and bytes may be those of
 * different branches. */
struct hlo_cost hlo_whole_run_cost(const struct hlo_costs *costs, uint32_t i);

enum hlo_total { HLO_TOTAL_OPERATIONS, HLO_TOTAL_TRANSCENDENTALS, HLO_TOTAL_BYTES, HLO_TOTALS };

/* How often instruction I is executed in that run, as far as FIGURE goes. */
int64_t hlo_executions(const struct hlo_costs *costs, uint32_t i, enum hlo_total figure);

enum hlo_figure { HLO_OPERATIONS, HLO_TRANSCENDENTALS, HLO_FIGURES };

/* Appends the sum of products that FIGURE of instruction I is, with its numbers, as it was counted:
 * "2 * 8x32 * 16".  Nothing when that is 0 or not known; of the parts of a fusion no more than
 * about 2,000 bytes, then "+ ...". */
void hlo_formula(const struct hlo_costs *costs, uint32_t i, enum hlo_figure figure,
                 struct strbuf *text);

#endif
