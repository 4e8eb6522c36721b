/* rank_test.h: tests whether two samples of at most 32 values differ: the Mann-Whitney rank test,
 * or Student's test if the samples are too small for it (comparison.md section 4.1). */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* Largest sample. */
enum { RANK_SAMPLE_MOST = 32 };

/* Limits of the rank test by sizes of the two samples. */
struct rank_limits {
    /* largest U of a significant difference; -1: the samples are too small */
    int16_t most[RANK_SAMPLE_MOST + 1][RANK_SAMPLE_MOST + 1];
    /* probability of a significant difference between samples of one distribution */
    double rate[RANK_SAMPLE_MOST + 1][RANK_SAMPLE_MOST + 1];
};

/* Computes all limits; about a million additions. */
void rank_limits_init(struct rank_limits *limits);

enum sample_verdict {
    SAMPLES_UNKNOWN,     /* a sample has fewer than two values */
    SAMPLES_WITHIN,      /* the difference may be chance */
    SAMPLES_SIGNS,       /* ranks differ, but the means differ in the other direction */
    SAMPLES_SIGNIFICANT, /* the difference is significant */
};

/* Two samples: x of the baseline, y of the current profile. */
struct samples {
    double x[RANK_SAMPLE_MOST], y[RANK_SAMPLE_MOST];
    uint32_t n_x, n_y;
};

/* Compares the samples. RESOLUTION: smallest standard deviation that Student's test assumes, in the
 * unit of the values. Sets *RATE to the probability of SAMPLES_SIGNIFICANT by chance; 0: not
 * tested. */
enum sample_verdict samples_compare(const struct samples *s, const struct rank_limits *limits,
                                    double resolution, double *rate);

/* True when samples of these sizes are compared by ranks, false for Student's test. */
bool samples_use_ranks(uint32_t n_x, uint32_t n_y);

/* Median of all differences y - x (Hodges and Lehmann). Both samples have values. */
double samples_shift(const struct samples *s);
