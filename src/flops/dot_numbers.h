/* dot_numbers.h: the dimension numbers of XlaDot and XlaConv, which stand as
 * bytes of a message in a string attribute. */
#ifndef TFPROF_FLOPS_DOT_NUMBERS_H
#define TFPROF_FLOPS_DOT_NUMBERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "flops/dims.h"

enum dot_side {
    DOT_LEFT_CONTRACTING,
    DOT_RIGHT_CONTRACTING,
    DOT_LEFT_BATCH,
    DOT_RIGHT_BATCH,
    DOT_SIDES,
};

struct dot_numbers {
    uint32_t n[DOT_SIDES];
    int64_t at[DOT_SIDES][DIMS_MAX_RANK];
};

/* A DotDimensionNumbers message; false when it is malformed. */
bool dot_numbers_parse(struct dot_numbers *dot, const char *bytes, size_t len);
bool dot_numbers_has(const struct dot_numbers *dot, enum dot_side side, int64_t at);

struct conv_numbers {
    int64_t input_feature, output_feature; /* of the kernel */
    uint32_t n_spatial;
    int64_t spatial[DIMS_MAX_RANK]; /* of the kernel */
};

/* A ConvolutionDimensionNumbers message; false when it is malformed. */
bool conv_numbers_parse(struct conv_numbers *conv, const char *bytes, size_t len);

#endif
