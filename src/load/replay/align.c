/* align.c: assigns device work to captured launches by node ids, by position, or by the longest
 * common subsequence (formats-trace.md section 11). */
#include "load/replay/align.h"

#include <stdlib.h>

#include "base/compare.h"
#include "base/xalloc.h"

static bool equal_at(const struct align_request *r, size_t launch, size_t work)
{
    return kernel_tokens_equal(&r->launches[launch], &r->works[work]);
}

/* True when N_EQUAL is at least 99 % of the longer list. */
static bool is_enough(const struct align_request *r, uint64_t n_equal)
{
    const uint64_t max = r->n_launches > r->n_works ? r->n_launches : r->n_works;

    return 100 * n_equal >= 99 * max;
}

/* ---- by node ids */

struct node_at {
    int64_t id;
    uint32_t at;
};

COMPARE_BY(by_id, struct node_at, id)

static struct node_at *nodes_sorted(const int64_t *ids, size_t n)
{
    struct node_at *nodes = xreallocarray(NULL, n, sizeof *nodes);

    for (size_t i = 0; i < n; i++)
        nodes[i] = (struct node_at){ids[i], (uint32_t)i};
    qsort(nodes, n, sizeof *nodes, by_id);
    return nodes;
}

/* Pairs launches and work by node id; false when the sets of ids differ or have duplicates. */
static bool align_nodes(const struct align_request *r, uint32_t *placed, struct alignment *a)
{
    const size_t n = r->n_works;
    struct node_at *launches, *works;
    bool fits = true;

    if (!r->launch_nodes || !r->work_nodes || r->n_launches != n || !n)
        return false;
    launches = nodes_sorted(r->launch_nodes, n);
    works = nodes_sorted(r->work_nodes, n);
    for (size_t i = 0; i < n && fits; i++)
        fits = launches[i].id == works[i].id && (!i || launches[i].id != launches[i - 1].id);
    for (size_t i = 0; i < n && fits; i++) {
        placed[works[i].at] = launches[i].at;
        a->n_equal += equal_at(r, launches[i].at, works[i].at);
    }
    free(launches);
    free(works);
    a->how = JOIN_BY_NODE_IDS;
    a->reason = is_enough(r, a->n_equal) ? JOIN_FITS : JOIN_NAMES;
    return fits;
}

/* ---- by position */

/* The number of positions at which launch and work have equal names. */
static size_t n_equal_positions(const struct align_request *r)
{
    const size_t n = r->n_launches < r->n_works ? r->n_launches : r->n_works;
    size_t n_equal = 0;

    for (size_t i = 0; i < n; i++)
        n_equal += equal_at(r, i, i);
    return n_equal;
}

/* Assigns all work by position if all names are equal, else returns false. */
static bool align_positions(const struct align_request *r, uint32_t *placed)
{
    if (r->n_launches != r->n_works)
        return false;
    for (size_t i = 0; i < r->n_works; i++)
        if (!equal_at(r, i, i))
            return false;
    for (size_t i = 0; i < r->n_works; i++)
        placed[i] = (uint32_t)i;
    return true;
}

/* Aligns launches without names: only their number and order are compared. */
static struct alignment align_count(const struct align_request *r, uint32_t *placed)
{
    struct alignment a = {.how = JOIN_BY_COUNT, .reason = JOIN_STREAMS};

    if (r->n_streams > 1)
        return a;
    a.n_equal = (uint32_t)n_equal_positions(r);
    a.reason = align_positions(r, placed) ? JOIN_FITS : JOIN_NAMES;
    return a;
}

/* ---- longest common subsequence within a band of diagonals */

/* Diagonal K holds the pairs (launch I, work I + K).  Row I has a cell per diagonal from LOW to
 * HIGH: the LCS length of the first I launches and the first I + K works. */
struct band {
    const struct align_request *r;
    int64_t low, high;
    size_t width;
};

static struct band band_of(const struct align_request *r, int64_t low, int64_t high)
{
    return (struct band){r, low, high, (size_t)(high - low + 1)};
}

static bool pair_equal(const struct band *b, int64_t launch, int64_t work)
{
    return equal_at(b->r, (size_t)launch, (size_t)work);
}

static uint32_t max_of(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

/* Computes ROW of the first I launches from the row BEFORE it; both may be the same array. */
static void next_row(const struct band *b, int64_t i, const uint32_t *before, uint32_t *row)
{
    for (size_t t = 0; t < b->width; t++) {
        const int64_t j = i + b->low + (int64_t)t;
        uint32_t best = 0;

        if (j >= 0 && j <= (int64_t)b->r->n_works) {
            if (j > 0 && pair_equal(b, i - 1, j - 1))
                best = before[t] + 1;
            if (t + 1 < b->width)
                best = max_of(best, before[t + 1]);
            if (t && j > 0)
                best = max_of(best, row[t - 1]);
        }
        row[t] = best;
    }
}

/* Computes ROW for the lists' ends, launches from I and works from I + K, from the row BEHIND it;
 * both may be the same array. */
static void previous_row(const struct band *b, int64_t i, const uint32_t *behind, uint32_t *row)
{
    for (size_t t = b->width; t-- > 0;) {
        const int64_t j = i + b->low + (int64_t)t;
        uint32_t best = 0;

        if (j >= 0 && j <= (int64_t)b->r->n_works) {
            if (j < (int64_t)b->r->n_works)
                best = behind[t] + pair_equal(b, i, j);
            if (t)
                best = max_of(best, behind[t - 1]);
            if (t + 1 < b->width && j < (int64_t)b->r->n_works)
                best = max_of(best, row[t + 1]);
        }
        row[t] = best;
    }
}

/* Sets *LENGTH to the LCS length in BAND, which has the last diagonal; false when out of steps. */
static bool band_length(const struct band *b, uint32_t *length)
{
    const int64_t n = (int64_t)b->r->n_launches;
    uint32_t *row;

    if (!align_spend(b->r, (uint64_t)n * b->width))
        return false;
    row = xcalloc(b->width, sizeof *row);
    for (int64_t i = 1; i <= n; i++)
        next_row(b, i, row, row);
    *length = row[(int64_t)b->r->n_works - n - b->low];
    free(row);
    return true;
}

/* Every `every`-th row, and all rows of one block between two of these; saves memory. */
struct checkpoints {
    int64_t every;
    uint32_t *kept, *block;
};

static struct checkpoints checkpoints_of(const struct band *b)
{
    const int64_t n = (int64_t)b->r->n_launches;
    struct checkpoints c = {.every = 1};
    uint32_t *row = xcalloc(b->width, sizeof *row);

    while (c.every * c.every < n)
        c.every++;
    c.kept = xcalloc((size_t)(n / c.every + 1) * b->width, sizeof *c.kept);
    c.block = xcalloc((size_t)(c.every + 1) * b->width, sizeof *c.block);
    for (int64_t i = 1; i <= n; i++) {
        next_row(b, i, row, row);
        if (i % c.every == 0)
            memcpy(c.kept + (size_t)(i / c.every) * b->width, row, b->width * sizeof *row);
    }
    free(row);
    return c;
}

/* Computes the rows of the block that starts at FIRST, a multiple of `every`. */
static void fill_block(const struct band *b, const struct checkpoints *c, int64_t first)
{
    const int64_t n = (int64_t)b->r->n_launches;

    memcpy(c->block, c->kept + (size_t)(first / c->every) * b->width, b->width * sizeof *c->block);
    for (int64_t i = first + 1; i < first + c->every && i <= n; i++)
        next_row(b, i, c->block + (size_t)(i - first - 1) * b->width,
                 c->block + (size_t)(i - first) * b->width);
}

/* Records all pairs of launch I that belong to a common subsequence of LENGTH.  ROW covers the
 * launches before I, BEHIND those after I. */
static void record_pairs(const struct band *b, int64_t i, const uint32_t *row, const uint32_t *behind,
                       uint32_t length, uint32_t *placed)
{
    for (size_t t = 0; t < b->width; t++) {
        const int64_t j = i + b->low + (int64_t)t;

        if (j >= 0 && j < (int64_t)b->r->n_works && pair_equal(b, i, j) &&
            row[t] + 1 + behind[t] == length)
            align_record(b->r, placed, (uint32_t)j, (uint32_t)i);
    }
}

/* Records all pairs of all longest common subsequences; false when out of steps. */
static bool record_all_pairs(const struct band *b, uint32_t length, uint32_t *placed)
{
    const int64_t n = (int64_t)b->r->n_launches;
    struct checkpoints c;
    uint32_t *behind;

    if (!align_spend(b->r, 3 * (uint64_t)n * b->width))
        return false;
    c = checkpoints_of(b);
    behind = xcalloc(b->width, sizeof *behind);
    for (int64_t i = n - 1; i >= 0; i--) {
        if (i == n - 1 || i % c.every == c.every - 1)
            fill_block(b, &c, i - i % c.every);
        record_pairs(b, i, c.block + (size_t)(i % c.every) * b->width, behind, length, placed);
        previous_row(b, i, behind, behind);
    }
    free(behind);
    free(c.kept);
    free(c.block);
    return true;
}

/* ---- by order */

/* Sets BAND to one that contains all longest common subsequences, and *LENGTH.  False when fewer
 * than 99 % are common (*LENGTH is a lower bound) or out of steps. */
static bool find_band(const struct align_request *r, struct band *band, uint32_t *length)
{
    const int64_t n = (int64_t)r->n_launches, m = (int64_t)r->n_works, max = n > m ? n : m;
    const int64_t widest = max / 100, last = m - n;

    *length = 0;
    if (!is_enough(r, (uint64_t)(n < m ? n : m)))
        return false;
    for (int64_t half = 1;; half *= 2) {
        const int64_t reach = half < widest ? half : widest;

        *band = band_of(r, (last < 0 ? last : 0) - reach, (last > 0 ? last : 0) + reach);
        if (!band_length(band, length))
            return false;
        if (n - *length <= -band->low && m - *length <= band->high) {
            *band = band_of(r, *length - n, m - *length);
            return is_enough(r, *length);
        }
        if (reach == widest)
            return false;
    }
}

/* The LCS length for a message about names that differ too much; at least LENGTH. */
static uint32_t full_length(const struct align_request *r, uint32_t length)
{
    const struct align_request counted = {.launches = r->launches,
                                          .works = r->works,
                                          .n_launches = r->n_launches,
                                          .n_works = r->n_works,
                                          .steps_left = r->count_steps_left};
    const struct band all = band_of(&counted, -(int64_t)r->n_launches, (int64_t)r->n_works);
    const uint32_t positions = (uint32_t)n_equal_positions(r);

    band_length(&all, &length);
    return max_of(length, positions);
}

static struct alignment align_order(const struct align_request *r, uint32_t *placed)
{
    struct alignment a = {.how = JOIN_BY_ORDER, .n_equal = (uint32_t)r->n_works};
    struct band band;

    if (align_positions(r, placed))
        return a;
    if (find_band(r, &band, &a.n_equal) && record_all_pairs(&band, a.n_equal, placed))
        return a;
    a.reason = JOIN_NAMES;
    a.n_equal = full_length(r, a.n_equal);
    return a;
}

struct alignment align(const struct align_request *r, uint32_t *placed)
{
    struct alignment a = {.reason = JOIN_NAMES};

    for (size_t i = 0; i < r->n_works; i++)
        placed[i] = ALIGN_UNMATCHED;
    if (r->n_launches > ALIGN_MAX || r->n_works > ALIGN_MAX || align_nodes(r, placed, &a))
        return a;
    for (size_t i = 0; i < r->n_launches; i++)
        if (!kernel_is_copy(&r->launches[i]) && !r->launches[i].name)
            return align_count(r, placed);
    return r->n_streams > 1 ? align_streams(r, placed) : align_order(r, placed);
}
