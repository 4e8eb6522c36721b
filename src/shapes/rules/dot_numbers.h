/* dot_numbers.h: the dimension numbers of XlaDot and XlaConv, encoded messages in a string
 * attribute. */
#pragma once

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

/* Decodes a DotDimensionNumbers message; false when it is malformed. */
bool dot_numbers_parse(struct dot_numbers *dot, const char *bytes, size_t len);
bool dot_numbers_has(const struct dot_numbers *dot, enum dot_side side, int64_t at);

/* The dimension indexes of one operand of a convolution: an image, or a kernel (batch: its input
 * features). */
struct conv_side {
    int64_t batch, feature;
    uint32_t n_spatial;
    int64_t spatial[CONV_SPATIAL_MAX];
};

struct conv_numbers {
    struct conv_side input, kernel, output;
};

/* Decodes a ConvolutionDimensionNumbers message.  Without bytes the defaults are N_SPATIAL
 * dimensions after the others, and a kernel with its output features first.  False when it is
 * malformed, or its operands have different numbers of spatial dimensions. */
bool conv_numbers_parse(struct conv_numbers *conv, const char *bytes, size_t len,
                        uint32_t n_spatial);
