/* tally.h: the cost of one instruction while a rule runs; private to src/hlo.  Rules are
 * straight-line code over the shapes of an instruction.  The first shape that is missing or unknown
 * sets no_rule; later calls change nothing. */
#pragma once

#include "base/budget.h"
#include "base/terms.h"
#include "hlo/cost.h"

/* The cost of one execution of a computation. */
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
    struct hlo_totals *executions; /* by computation: executions in one run of the program */
    struct hlo_cost *costs;  /* by instruction */
    struct hlo_body *bodies; /* by computation */
    /* By instruction: bytes that a fusion reads of this parameter, or of this tuple element. */
    int64_t *reads;
};

struct hlo_tally {
    const struct hlo_module *m;
    const struct hlo_costs *costs; /* callees are complete */
    struct budget *budget;         /* limits work that small inputs can request */
    uint32_t i;
    bool no_rule;
    bool is_multiply_add; /* all operations are multiply-adds */
    struct terms figures[HLO_FIGURES];
    int64_t multiply_adds, divisions;
};

/* Sets no_rule unless HOLDS; returns HOLDS. */
static inline bool hlo_tally_need(struct hlo_tally *t, bool holds)
{
    t->no_rule |= !holds;
    return holds;
}

/* The first array of operand K, or of the instruction itself.  When it is missing or its size
 * unknown, sets no_rule and returns an array of 0 elements. */
const struct hlo_leaf *hlo_tally_operand(struct hlo_tally *t, uint32_t k);
const struct hlo_leaf *hlo_tally_output(struct hlo_tally *t);

/* Multiplies the term of FIGURE by the size AT of LEAF. */
void hlo_tally_dim(struct hlo_tally *t, enum hlo_figure figure, const struct hlo_leaf *leaf,
                   uint64_t at);

/* TIMES * N(LEAF) executions of a computation (LEAF NULL: TIMES); NEGATIVE: subtracted. */
struct hlo_runs {
    const struct hlo_leaf *leaf;
    int64_t times;
    bool negative;
};

/* The rules (opcode.h). */
typedef void hlo_count(struct hlo_tally *t);
hlo_count hlo_count_convolution, hlo_count_custom_call;
extern hlo_count *const hlo_count_rules[];

/* Counts a convolution with the window and dimension numbers of the instruction. */
void hlo_tally_convolution(struct hlo_tally *t, const struct hlo_leaf *lhs,
                           const struct hlo_leaf *rhs, const struct hlo_leaf *output);
/* Begins a term of one multiply-add for each element of OUTPUT; the caller multiplies it by the
 * contracted sizes. */
void hlo_tally_product(struct hlo_tally *t, const struct hlo_leaf *output);

/* Sets the bytes that instruction I reads and writes; its callees are complete. */
void hlo_count_bytes(const struct hlo_costs *costs, uint32_t i, struct hlo_cost *cost);
/* Sets the bytes of a fusion that calls computation C; SEEN is zero for each instruction of the
 * module. */
void hlo_count_fused_bytes(struct hlo_costs *costs, uint32_t c, uint8_t *seen);
/* Computes costs->executions from costs->costs. */
void hlo_count_executions(struct hlo_costs *costs);
/* The first gather or scatter in custom fusion I, which counts for the fusion; HLO_NONE for other
 * fusions. */
uint32_t hlo_part_of_custom_fusion(const struct hlo_costs *costs, uint32_t i);
/* True for custom calls of libraries: only the first array written is a result, the others are
 * scratch space. */
bool hlo_is_library_call(const struct hlo_module *m, uint32_t i);
