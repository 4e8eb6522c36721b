/* count_rules.h: the tables of counting rules.  A row without ops ends a
 * table. */
#ifndef TFPROF_FLOPS_COUNT_RULES_H
#define TFPROF_FLOPS_COUNT_RULES_H

#include "flops/tally.h"

struct count_rule {
    const char *ops;     /* op types, separated by single blanks */
    const char *formula; /* as in flops.md; NULL: nothing is computed */
    void (*apply)(struct opctx *c, struct tally *t); /* NULL: nothing is computed */
    int arg;
};

/* A statistic of TensorFlow, and from which release on it has it. */
struct statistic {
    struct count_rule rule;
    enum flops_release since;
};

/* What a row's arg is made of: so many plain operations, plus transcendental functions
 * times COUNT_T, plus divisions times COUNT_D. */
enum { COUNT_T = 256, COUNT_D = 65536 };
int64_t count_weight(const struct opctx *c, struct tally *t, int arg);

/* The statistics that TensorFlow registers, with all their quirks. */
extern const struct statistic count_rules_compat[];
/* Our own; an op that is not in one of these is counted as in compat. */
extern const struct count_rule count_rules_elementwise[];
extern const struct count_rule count_rules_matrix[];
extern const struct count_rule count_rules_conv[];
extern const struct count_rule count_rules_nn[];
extern const struct count_rule count_rules_other[];
/* Of the operators of ONNX, without ONNX_PREFIX; the same for compat and full. */
extern const struct count_rule count_rules_onnx[];
/* Of those of TFLite, without "tflite:". */
extern const struct count_rule count_rules_tflite[];

/* Rules that tables share. */
void count_each_output(struct opctx *c, struct tally *t); /* arg * N(out) */
void count_each_input(struct opctx *c, struct tally *t);  /* arg * N(in) */
/* All sizes of attribute ksize multiplied. */
int64_t count_window(struct opctx *c, struct tally *t);
/* Steps that a fused op names in attribute fused_ops, on each element of S. */
void count_fused(struct opctx *c, struct tally *t, const struct dims *s);
/* Steps that are part of a quantised op's NAME: bias, sum, activation,
 * requantisation: one on each element of the output. */
void count_name_steps(struct opctx *c, struct tally *t);

#endif
