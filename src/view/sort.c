/* sort.c: sorts rows for display: by figure, largest first, then by name, then in traversal
 * order. */
#include <math.h>
#include <stdlib.h>

#include "base/compare.h"
#include "base/satmath.h"
#include "model/profile_kind.h"
#include "view/stages.h"

/* From this number of rows on a radix sort is faster than comparing. */
enum { MANY = 2048, DIGIT_BITS = 11, DIGITS = 1 << DIGIT_BITS };

COMPARE_CHAIN(by_key, struct sort_key, DOWN(value) || DOWN(tie) || UP(rank) || UP(row))

/* Maps values to unsigned numbers in descending order. */
static uint64_t value_digits(const struct sort_key *key)
{
    return ~((uint64_t)key->value ^ UINT64_C(1) << 63);
}

static uint64_t tie_digits(const struct sort_key *key)
{
    return ~((uint64_t)key->tie ^ UINT64_C(1) << 63);
}

static uint64_t rank_digits(const struct sort_key *key)
{
    return key->rank;
}

/* One stable counting pass over the digit at SHIFT. Returns false, without moving anything, if all
 * keys have the same digit. */
static bool sort_digit(const struct sort_key *from, struct sort_key *to, uint32_t n,
                       uint64_t (*digits)(const struct sort_key *), unsigned shift)
{
    uint32_t begin[DIGITS] = {0};
    uint32_t sum = 0;

    for (uint32_t i = 0; i < n; i++)
        begin[digits(&from[i]) >> shift & (DIGITS - 1)]++;
    if (begin[digits(&from[0]) >> shift & (DIGITS - 1)] == n)
        return false;
    for (uint32_t d = 0; d < DIGITS; d++) {
        uint32_t count = begin[d];

        begin[d] = sum;
        sum += count;
    }
    for (uint32_t i = 0; i < n; i++)
        to[begin[digits(&from[i]) >> shift & (DIGITS - 1)]++] = from[i];
    return true;
}

/* Radix sort from the lowest digit up; the keys are given in traversal order. Returns KEYS or
 * SPARE, whichever holds the result. */
static struct sort_key *sort_many(struct sort_key *keys, struct sort_key *spare, uint32_t n,
                                  bool has_ties)
{
    static const struct {
        uint64_t (*digits)(const struct sort_key *);
        unsigned bits;
    } parts[] = {{rank_digits, 32}, {tie_digits, 64}, {value_digits, 64}};

    for (size_t p = 0; p < sizeof parts / sizeof *parts; p++)
        for (unsigned shift = 0; shift < parts[p].bits; shift += DIGIT_BITS)
            if ((has_ties || parts[p].digits != tie_digits) &&
                sort_digit(keys, spare, n, parts[p].digits, shift)) {
                struct sort_key *sorted = spare;

                spare = keys;
                keys = sorted;
            }
    return keys;
}

/* any change from 0 is the maximum */
static int64_t parts_per_million(int64_t base, int64_t delta)
{
    const double ratio = base ? 1e6 * (double)delta / fabs((double)base) : 0;

    if (!base || fabs(ratio) >= (double)INT64_MAX)
        return delta > 0 ? INT64_MAX : delta < 0 ? INT64_MIN : 0;
    return (int64_t)ratio;
}

static int64_t compared(int order, int64_t base, int64_t now)
{
    const int64_t delta = clamp_sub(now, base);

    switch (order) {
    case ORDER_BASE:
        return base;
    case ORDER_DELTA_ABS:
        return delta < 0 ? clamp_neg(delta) : delta;
    case ORDER_DELTA_PERCENT:
        return parts_per_million(base, delta);
    default:
        return delta;
    }
}

static int64_t sort_value(const struct order_figures *f, row_id row)
{
    if (f->counts)
        return f->counts[row];
    if (!f->values)
        return 0;
    if (!f->base)
        return f->values[row];
    if (f->noise && f->order >= ORDER_DELTA &&
        (f->noise[row] == SAMPLES_WITHIN || f->noise[row] == SAMPLES_SIGNS))
        return INT64_MIN;
    return compared(f->order, f->base[row], f->values[row]);
}

enum metric_id order_tie_metric(const struct profile *p, const struct options *o)
{
    return p->kind >= PROFILE_TRACE && options_order_metric(o) < METRIC_COUNT ? METRIC_WORK_MICROS
                                                                              : METRIC_COUNT;
}

void order_rows(const struct tree *t, const struct order_figures *figures, row_id *rows,
                uint32_t n, struct sort_key *keys)
{
    bool sorted = true, by_walk = true;

    for (uint32_t i = 0; i < n; i++) {
        row_id row = rows[i];

        keys[i].value = sort_value(figures, row);
        keys[i].tie = figures->ties ? figures->ties[row] : 0;
        keys[i].rank = tree_rank(t, row);
        keys[i].row = row;
        sorted = sorted && (i == 0 || by_key(&keys[i - 1], &keys[i]) < 0);
        by_walk = by_walk && (i == 0 || rows[i - 1] < row);
    }
    if (sorted)
        return;
    if (n < MANY || !by_walk)
        qsort(keys, n, sizeof *keys, by_key);
    else
        keys = sort_many(keys, keys + n, n, figures->ties != NULL);
    for (uint32_t i = 0; i < n; i++)
        rows[i] = keys[i].row;
}
