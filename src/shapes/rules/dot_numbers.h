/* dot_numbers.h: the dimension numbers of XlaDot and XlaConv, which stand as
 * bytes of a message in a string attribute. */
#ifndef TFPROF_FLOPS_DOT_NUMBERS_H
#define TFPROF_FLOPS_DOT_NUMBERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "shapes/dims.h"

#define CONV_SPATIAL_MAX 8

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

/* Where one operand of a convolution has its dimensions: an image, or a kernel
 * (batch: its input features). */
struct conv_side {
    int64_t batch, feature;
    uint32_t n_spatial;
    int64_t spatial[CONV_SPATIAL_MAX];
};

struct conv_numbers {
    struct conv_side input, kernel, output;
};

/* A ConvolutionDimensionNumbers message, or no bytes: then N_SPATIAL dimensions
 * behind the others, features of the output first in the kernel.  False when it is
 * malformed, or its sides differ in spatial dimensions. */
bool conv_numbers_parse(struct conv_numbers *conv, const char *bytes, size_t len,
                        uint32_t n_spatial);

#endif
