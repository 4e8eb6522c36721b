/* dims.h: shapes as inference knows them, and arithmetic on them. */
#ifndef TFPROF_FLOPS_DIMS_H
#define TFPROF_FLOPS_DIMS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"

#define DIM_UNKNOWN ((int64_t)-1)
/* More dimensions than this are a defect of the graph, as in TensorFlow. */
#define DIMS_MAX_RANK 254

/* A shape of known rank; immutable, so that nodes share it.  An unknown rank
 * is the NULL pointer everywhere in flops/. */
struct dims {
    uint32_t rank;
    int64_t d[]; /* DIM_UNKNOWN or a size */
};

extern const struct dims dims_scalar;

/* RANK sizes from D (negative ones become unknown); D NULL: all unknown.  NULL
 * when RANK is beyond DIMS_MAX_RANK. */
const struct dims *dims_new(struct arena *a, size_t rank, const int64_t *d);
const struct dims *dims_vector(struct arena *a, int64_t size);

/* True when rank and all sizes are known. */
bool dims_full(const struct dims *s);
bool dims_equal(const struct dims *a, const struct dims *b);
/* Number of elements, or DIM_UNKNOWN; saturating.  A 0 wins over unknown
 * dimensions. */
int64_t dims_elements(const struct dims *s);

/* The following set *OK to false on a conflict (and leave it alone otherwise)
 * and return NULL then. */
/* What both say together. */
const struct dims *dims_merge(struct arena *a, const struct dims *x, const struct dims *y,
                              bool *ok);
/* Broadcasting of two operands; STRONGER: an unknown size beside 0 is 0. */
const struct dims *dims_broadcast(struct arena *a, const struct dims *x, const struct dims *y,
                                  bool stronger, bool *ok);
/* S when it has rank R or is unknown (then R unknown sizes). */
const struct dims *dims_with_rank(struct arena *a, const struct dims *s, uint32_t r, bool *ok);

/* Sizes [FROM, TO) of S; negative bounds count from the end, bounds beyond the
 * rank are cut.  NULL for an unknown rank. */
const struct dims *dims_slice(struct arena *a, const struct dims *s, int64_t from, int64_t to);
/* X then Y; NULL when either rank is unknown. */
const struct dims *dims_concat(struct arena *a, const struct dims *x, const struct dims *y);
/* S with size AT replaced (AT is within the rank). */
const struct dims *dims_replace(struct arena *a, const struct dims *s, uint32_t at, int64_t size);
/* S with SIZE put in before AT. */
const struct dims *dims_insert(struct arena *a, const struct dims *s, uint32_t at, int64_t size);
/* S without size AT. */
const struct dims *dims_drop(struct arena *a, const struct dims *s, uint32_t at);
/* What is true of both shapes: where they differ, unknown. */
const struct dims *dims_weaken(struct arena *a, const struct dims *x, const struct dims *y);

/* Arithmetic on sizes; shapes.md section 1.2.  A negative or overflowing
 * result sets *OK to false. */
int64_t dim_add(int64_t a, int64_t b, bool *ok);
int64_t dim_mul(int64_t a, int64_t b, bool *ok);
/* EVENLY: a remainder is a conflict too. */
int64_t dim_div(int64_t a, int64_t b, bool evenly, bool *ok);
int64_t dim_min(int64_t a, int64_t b);
int64_t dim_max(int64_t a, int64_t b);
/* One size that both are, or a conflict. */
int64_t dim_merge(int64_t a, int64_t b, bool *ok);

#endif
