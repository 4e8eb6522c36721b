/* dims.h: shapes with unknown sizes, and arithmetic on them. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"

#define DIM_UNKNOWN ((int64_t)-1)
/* The largest rank, as in TensorFlow. */
#define DIMS_MAX_RANK 254

/* A shape of known rank; immutable, so nodes share it.  A NULL pointer is a shape of unknown
 * rank. */
struct dims {
    uint32_t rank;
    int64_t d[]; /* DIM_UNKNOWN or a size */
};

extern const struct dims dims_scalar;

/* A shape of RANK sizes from D (negative ones become unknown); D NULL: all unknown.  NULL when RANK
 * exceeds DIMS_MAX_RANK. */
const struct dims *dims_new(struct arena *a, size_t rank, const int64_t *d);
const struct dims *dims_vector(struct arena *a, int64_t size);

/* True when rank and all sizes are known. */
bool dims_full(const struct dims *s);
bool dims_equal(const struct dims *a, const struct dims *b);
/* Number of elements, saturating, or DIM_UNKNOWN.  A size of 0 makes it 0 even with unknown
 * sizes. */
int64_t dims_elements(const struct dims *s);

/* The functions below return NULL and clear *OK on a conflict; otherwise *OK is unchanged. */
/* Merges the known sizes of both shapes. */
const struct dims *dims_merge(struct arena *a, const struct dims *x, const struct dims *y,
                              bool *ok);
/* Broadcasts two operands.  STRONGER: an unknown size against 0 becomes 0. */
const struct dims *dims_broadcast(struct arena *a, const struct dims *x, const struct dims *y,
                                  bool stronger, bool *ok);
/* S if it has rank R, R unknown sizes if its rank is unknown, else a conflict. */
const struct dims *dims_with_rank(struct arena *a, const struct dims *s, uint32_t r, bool *ok);

/* Sizes [FROM, TO) of S; negative bounds count from the end, bounds beyond the rank are clamped.
 * NULL for an unknown rank. */
const struct dims *dims_slice(struct arena *a, const struct dims *s, int64_t from, int64_t to);
/* X followed by Y; NULL when either rank is unknown. */
const struct dims *dims_concat(struct arena *a, const struct dims *x, const struct dims *y);
/* S with size AT replaced (AT is within the rank). */
const struct dims *dims_replace(struct arena *a, const struct dims *s, uint32_t at, int64_t size);
/* S with SIZE inserted before AT. */
const struct dims *dims_insert(struct arena *a, const struct dims *s, uint32_t at, int64_t size);
/* S without size AT. */
const struct dims *dims_drop(struct arena *a, const struct dims *s, uint32_t at);
/* The common part of both shapes: unknown where they differ. */
const struct dims *dims_weaken(struct arena *a, const struct dims *x, const struct dims *y);

/* Arithmetic on sizes (shapes.md section 1.2).  A negative or overflowing result sets *OK to
 * false. */
int64_t dim_add(int64_t a, int64_t b, bool *ok);
int64_t dim_mul(int64_t a, int64_t b, bool *ok);
/* EVENLY: a remainder is a conflict. */
int64_t dim_div(int64_t a, int64_t b, bool evenly, bool *ok);
int64_t dim_min(int64_t a, int64_t b);
int64_t dim_max(int64_t a, int64_t b);
/* The known one of A and B; different known sizes are a conflict. */
int64_t dim_merge(int64_t a, int64_t b, bool *ok);
