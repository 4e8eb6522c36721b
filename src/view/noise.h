/* noise.h: tests whether the difference of a row may be chance, by its figures in each step. */
#pragma once

#include <stddef.h>

#include "base/rank_test.h"
#include "view/build/tree.h"

/* Marks a step in which a row did not run. */
#define NOISE_NOT_RUN INT64_MIN

/* Figures of rows by step, at most RANK_SAMPLE_MOST steps of each side, and test results. All zero:
 * not requested. */
struct noise {
    const uint8_t *verdicts; /* by row: enum sample_verdict; NULL: a side has a single step */
    const float *rates;        /* by row: probability of significance by chance; 0: not tested */
    const int64_t *base, *now; /* [steps][rows]; NOISE_NOT_RUN */
    uint32_t n_base_steps, n_now_steps;
    size_t n_rows;
    /* rows of the view: tested, significant, and expected to be significant by chance */
    uint32_t n_tested, n_significant;
    double n_expected;
};

/* Test data of one row; figures in the unit of the metric. */
struct row_noise {
    enum sample_verdict verdict;
    uint32_t n_base, n_now; /* steps in which it ran */
    int64_t base_median, now_median;
    int64_t shift;    /* median of all differences */
    const char *test; /* "ranks", "t", or NULL: not tested */
};

struct row_noise noise_of_row(const struct noise *noise, row_id row);
