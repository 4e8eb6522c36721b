/* tally.h: the cost of one instruction under construction, private to src/hlo.
 *
 * Rules are straight-line code over the shapes of an instruction.  The first shape that is missing
 * or not known settles that there is no rule; what follows changes nothing. */
#ifndef TFPROF_HLO_TALLY_H
#define TFPROF_HLO_TALLY_H

#include "base/budget.h"
#include "base/terms.h"
#include "hlo/cost.h"

/* What one run of a computation costs its caller. */
struct hlo_body {
    int64_t figures[HLO_FIGURES];
    int64_t multiply_adds, divisions;
    int64_t bytes_read, bytes_written; /* of a fusion that calls it */
    uint32_t gather_or_scatter;        /* the first such instruction in it; HLO_NONE: none */
    bool no_rule, saturated;
};

/* One number for each figure of a whole run. */
struct hlo_totals {
    int64_t figures[HLO_TOTALS];
};

struct hlo_costs {
    const struct hlo_module *m;
    struct hlo_totals *executions; /* by computation, in one run of the program */
    struct hlo_cost *costs;  /* by instruction */
    struct hlo_body *bodies; /* by computation */
    /* By instruction: what a fusion reads of this parameter of its computation, or of this element
     * of one. */
    int64_t *reads;
};

struct hlo_tally {
    const struct hlo_module *m;
    const struct hlo_costs *costs; /* those of called computations are there */
    struct budget *budget;         /* for work that a few bytes of a file may ask for */
    uint32_t i;
    bool no_rule;
    bool is_multiply_add; /* all operations are */
    struct terms figures[HLO_FIGURES];
    int64_t multiply_adds, divisions;
};

/* Settles that there is no rule, unless HOLDS; returns HOLDS. */
static inline bool hlo_tally_need(struct hlo_tally *t, bool holds)
{
    t->no_rule |= !holds;
    return holds;
}

/* The first array of operand K, or of the instruction itself.  Where there is none, or its size is
 * not known, there is no rule; an array of no elements comes back. */
const struct hlo_leaf *hlo_tally_operand(struct hlo_tally *t, uint32_t k);
const struct hlo_leaf *hlo_tally_output(struct hlo_tally *t);

/* Multiplies the term of FIGURE by the elements of LEAF, or by its size AT. */
void hlo_tally_elements(struct hlo_tally *t, enum hlo_figure figure, const struct hlo_leaf *leaf);
void hlo_tally_dim(struct hlo_tally *t, enum hlo_figure figure, const struct hlo_leaf *leaf,
                   uint64_t at);
/* N(LEAF) as a term. */
void hlo_tally_each(struct hlo_tally *t, enum hlo_figure figure, const struct hlo_leaf *leaf);

/* A computation that runs TIMES * N(LEAF) times, of LEAF NULL as of a scalar, or, NEGATIVE, so many
 * times less. */
struct hlo_runs {
    const struct hlo_leaf *leaf;
    int64_t times;
    bool negative;
};

/* What computation K that the instruction calls costs in the N kinds of RUNS. */
void hlo_tally_runs(struct hlo_tally *t, uint32_t k, const struct hlo_runs *runs, size_t n);

/* One rule each (opcode.h). */
typedef void hlo_count(struct hlo_tally *t);
hlo_count hlo_count_convolution, hlo_count_custom_call;
extern hlo_count *const hlo_count_rules[];

/* The operations of the convolution whose window and dimension numbers the instruction has. */
void hlo_tally_convolution(struct hlo_tally *t, const struct hlo_leaf *lhs,
                           const struct hlo_leaf *rhs, const struct hlo_leaf *output);
/* A multiply-add for each of OUTPUT, as a term that each contracted size multiplies. */
void hlo_tally_product(struct hlo_tally *t, const struct hlo_leaf *output);

/* Fills in what instruction I reads and writes; what it calls is done. */
void hlo_count_bytes(const struct hlo_costs *costs, uint32_t i, struct hlo_cost *cost);
/* Fills in what a fusion reads and writes that calls computation C; SEEN has a zero for each
 * instruction of the module. */
void hlo_count_fused_bytes(struct hlo_costs *costs, uint32_t c, uint8_t *seen);
/* Fills in costs->executions; costs->costs are there. */
void hlo_count_executions(struct hlo_costs *costs);
/* The gather or scatter that stands for custom fusion I: the first in it.  HLO_NONE for other
 * fusions. */
uint32_t hlo_part_of_custom_fusion(const struct hlo_costs *costs, uint32_t i);
/* True when only the first array that the custom call I writes is a result, the others are room
 * for its work. */
bool hlo_is_library_call(const struct hlo_module *m, uint32_t i);

#endif
