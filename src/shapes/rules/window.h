/* window.h: data formats, and what a sliding window leaves of a dimension. */
#ifndef TFPROF_FLOPS_WINDOW_H
#define TFPROF_FLOPS_WINDOW_H

#include "shapes/opctx.h"

#define SPATIAL_MAX 3

/* Where the dimensions of an image stand. */
struct image_layout {
    uint32_t rank, batch, channel, n_spatial;
    uint32_t spatial[SPATIAL_MAX];
    bool vect; /* channels are split: the last dimension holds some of them */
};

/* Of attribute data_format of a node with N_SPATIAL dimensions; false with a
 * failed node for a format that nobody knows. */
bool layout_of(struct opctx *c, uint32_t n_spatial, struct image_layout *l);

enum padding { PADDING_VALID, PADDING_SAME, PADDING_EXPLICIT };

/* Of attribute padding; false with a failed node for another word. */
bool padding_of(struct opctx *c, enum padding *p);

/* Size that a window of SIZE, moved by STRIDE and spread by DILATION, makes of
 * IN; BEFORE and AFTER count for PADDING_EXPLICIT.  shapes.md section 4. */
int64_t window_out(struct opctx *c, int64_t in, int64_t size, int64_t stride, int64_t dilation,
                   enum padding padding, int64_t before, int64_t after);

/* Entry I of list attribute NAME, or ABSENT. */
int64_t list_entry(struct opctx *c, const char *name, size_t i, int64_t absent);

#endif
