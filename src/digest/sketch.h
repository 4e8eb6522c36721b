/* sketch.h: a histogram with logarithmic buckets.  Quantiles have a relative error of at most
 * 1/128. All numbers are integers, so the order of merging makes no difference. */
#pragma once

#include <stdint.h>

#include "base/vec.h"

/* Bucket I holds the value I for I < 64; above, each power of two is divided into 64 buckets of
 * equal width (formats-digest.md section 3). */
enum { SKETCH_STEPS = 64, SKETCH_BUCKETS = 59 * SKETCH_STEPS };

struct sketch_bucket {
    uint32_t index;
    uint64_t n; /* up to the 64-bit limit */
};

/* Sorted by index, without empty ones.  A zeroed sketch is empty. */
typedef VEC(struct sketch_bucket) sketch_buckets;
struct sketch {
    sketch_buckets buckets, scratch;
};

uint32_t sketch_bucket_of(uint64_t value);
/* The representative value of a bucket, within 1/128 of every value in it. */
uint64_t sketch_value_of(uint32_t index);

void sketch_add(struct sketch *s, uint64_t value);
/* Adds all values of FROM. */
void sketch_merge(struct sketch *s, const struct sketch *from);
/* The number of values, saturated at the 64-bit limit. */
uint64_t sketch_count(const struct sketch *s);
/* The smallest value that at least PERCENT of all values do not exceed; 0 when empty. */
uint64_t sketch_quantile(const struct sketch *s, unsigned percent);
/* Removes all values and keeps the memory. */
void sketch_clear(struct sketch *s);
void sketch_done(struct sketch *s);
