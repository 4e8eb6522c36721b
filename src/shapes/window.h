/* window.h: data formats, and output sizes of sliding windows. */
#pragma once

#include "shapes/opctx.h"

#define SPATIAL_MAX 3

/* The dimension indexes of an image. */
struct image_layout {
    uint32_t rank, batch, channel, n_spatial;
    uint32_t spatial[SPATIAL_MAX];
    bool vect; /* channels are split; the last dimension has a part of them */
};

/* The layout of attribute data_format with N_SPATIAL dimensions; false, after opctx_fail(), for an
 * unknown format. */
bool layout_of(struct opctx *c, uint32_t n_spatial, struct image_layout *l);

enum padding { PADDING_VALID, PADDING_SAME, PADDING_EXPLICIT };

/* The padding of attribute padding; false, after opctx_fail(), for an unknown word. */
bool padding_of(struct opctx *c, enum padding *p);

/* The output size for input size IN: a window of SIZE with STRIDE and DILATION; BEFORE and AFTER
 * apply to PADDING_EXPLICIT (shapes.md section 4). */
int64_t window_out(struct opctx *c, int64_t in, int64_t size, int64_t stride, int64_t dilation,
                   enum padding padding, int64_t before, int64_t after);

/* Element I of list attribute NAME, or ABSENT. */
int64_t list_entry(struct opctx *c, const char *name, size_t i, int64_t absent);
