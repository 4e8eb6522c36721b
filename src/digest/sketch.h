/* sketch.h: how often values were how large, in so many buckets that any quantile is known to
 * one part in 128, and in whole numbers, so that the order of merging does not matter. */
#ifndef TFPROF_DIGEST_SKETCH_H
#define TFPROF_DIGEST_SKETCH_H

#include <stdint.h>

#include "base/vec.h"

/* Bucket I has the value I below 64; from there on each power of two has 64 buckets of the same
 * width (formats-digest.md section 3). */
enum { SKETCH_STEPS = 64, SKETCH_BUCKETS = 59 * SKETCH_STEPS };

struct sketch_bucket {
    uint32_t index;
    uint64_t n; /* up to the 64-bit limit */
};

/* By index, none of them empty.  A zeroed one has no values. */
typedef VEC(struct sketch_bucket) sketch_buckets;
struct sketch {
    sketch_buckets buckets, scratch;
};

uint32_t sketch_bucket_of(uint64_t value);
/* The value that stands for all of a bucket: at most 1/128 of any of them away from it. */
uint64_t sketch_value_of(uint32_t index);

void sketch_add(struct sketch *s, uint64_t value);
/* Adds all values of FROM. */
void sketch_merge(struct sketch *s, const struct sketch *from);
/* How many values there are, up to the 64-bit limit. */
uint64_t sketch_count(const struct sketch *s);
/* The value that PERCENT of all are not larger than; 0 of none. */
uint64_t sketch_quantile(const struct sketch *s, unsigned percent);
/* Forgets the values, keeps the memory. */
void sketch_clear(struct sketch *s);
void sketch_done(struct sketch *s);

#endif
