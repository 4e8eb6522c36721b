/* count_rules.h: the tables of counting rules.  A row without ops ends a table. */
#pragma once

#include "flops/tally.h"

struct count_rule {
    const char *ops;     /* op types, separated by single blanks */
    const char *formula; /* as in flops.md; NULL: no arithmetic */
    void (*apply)(struct opctx *c, struct tally *t); /* NULL: no arithmetic */
    int arg;
};

/* A statistic of TensorFlow and the first release that has it. */
struct statistic {
    struct count_rule rule;
    enum flops_release since;
};

/* A row's arg: plain operations + COUNT_T * transcendental functions + COUNT_D * divisions. */
enum { COUNT_T = 256, COUNT_D = 65536 };
int64_t count_weight(const struct opctx *c, struct tally *t, int arg);

/* The statistics that TensorFlow registers, including their defects. */
extern const struct statistic count_rules_compat[];
/* Our own rules; ops in none of these tables are counted as in compat. */
extern const struct count_rule count_rules_elementwise[];
extern const struct count_rule count_rules_matrix[];
extern const struct count_rule count_rules_conv[];
extern const struct count_rule count_rules_nn[];
extern const struct count_rule count_rules_other[];
/* For ONNX operators, without ONNX_PREFIX; compat and full counts are equal. */
extern const struct count_rule count_rules_onnx[];
/* For TFLite operators, without "tflite:". */
extern const struct count_rule count_rules_tflite[];

/* Rules that several tables use. */
void count_each_output(struct opctx *c, struct tally *t); /* arg * N(out) */
void count_each_input(struct opctx *c, struct tally *t);  /* arg * N(in) */
void count_each_second_input(struct opctx *c, struct tally *t);      /* arg * N(in1) */
void count_each_input_less_output(struct opctx *c, struct tally *t); /* arg * N(in) - N(out) */
/* The product of attribute ksize. */
int64_t count_window(struct opctx *c, struct tally *t);
/* Adds the steps in attribute fused_ops, for each element of S. */
void count_fused(struct opctx *c, struct tally *t, const struct dims *s);
/* Adds the steps in the name of a quantised op (bias, sum, activation, requantisation), each one
 * operation per output element. */
void count_name_steps(struct opctx *c, struct tally *t);
