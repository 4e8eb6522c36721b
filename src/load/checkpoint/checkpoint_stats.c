/* checkpoint_stats.c: statistics of a tensor's values in two passes and constant memory. */
#include <math.h>
#include <string.h>

#include "load/checkpoint/checkpoint_parts.h"

enum { CHUNK = 4096 };

struct pass {
    struct checkpoint_stats *stats;
    double squares; /* sum of squared distances from the running mean */
    uint64_t n_finite;
    void (*take)(struct pass *pass, double value);
};

/* Welford's algorithm, numerically stable for any number of values (Knuth, The Art of Computer
 * Programming, volume 2, 4.2.2). */
static void add_to_moments(struct pass *pass, double value)
{
    struct checkpoint_stats *s = pass->stats;
    double distance = value - s->mean;

    s->n++;
    s->n_zeros += value == 0;
    if (isnan(value)) {
        s->n_nans++;
        return;
    }
    if (isinf(value)) {
        s->n_infinite++;
        return;
    }
    if (!pass->n_finite++ || value < s->min)
        s->min = value;
    if (pass->n_finite == 1 || value > s->max)
        s->max = value;
    s->mean += distance / (double)pass->n_finite;
    pass->squares += distance * (value - s->mean);
}

static void add_to_histogram(struct pass *pass, double value)
{
    struct checkpoint_stats *s = pass->stats;
    /* Halved to avoid overflow of the width. */
    const double width = s->max / 2 - s->min / 2;
    double bin;

    if (!isfinite(value))
        return;
    value = fmin(fmax(value, s->min), s->max); /* the file may have changed since */
    bin = width > 0 ? (value / 2 - s->min / 2) / width * CHECKPOINT_BINS : 0;
    s->bins[bin < CHECKPOINT_BINS ? (unsigned)bin : CHECKPOINT_BINS - 1]++;
}

static bool scan_part(struct part_reader *reader, struct pass *pass, struct cancel_mark cancel,
                      struct err *err)
{
    uint64_t bits[CHUNK];

    for (uint64_t at = 0; at < (uint64_t)reader->part->n_elements; at += CHUNK) {
        uint64_t left = (uint64_t)reader->part->n_elements - at;
        size_t n = left < CHUNK ? (size_t)left : CHUNK;

        if (cancel_asked(cancel))
            return err_set(err, ERR_CANCELLED, "cancelled");
        if (!part_reader_bits(reader, at, n, bits, err))
            return false;
        for (size_t i = 0; i < n; i++)
            pass->take(pass, dtype_double(reader->type, bits[i]));
    }
    return true;
}

static bool scan(const struct checkpoint *c, const struct checkpoint_tensor *t, struct pass *pass,
                 bool verify, struct cancel_mark cancel, struct err *err)
{
    struct part_reader *reader = part_reader_new();
    bool ok = true;

    for (uint32_t i = 0; ok && i < t->n_parts; i++) {
        ok = part_reader_open(reader, c, t, &c->parts.data[t->first_part + i], err);
        if (!ok)
            break;
        ok = (!verify || part_reader_verify(reader, err)) && scan_part(reader, pass, cancel, err);
        part_reader_close(reader);
    }
    part_reader_free(reader);
    return ok;
}

bool checkpoint_stats_compute(const struct checkpoint *c, const struct checkpoint_tensor *t,
                              struct cancel_mark cancel, struct checkpoint_stats *s,
                              struct err *err)
{
    struct pass pass = {.stats = s, .take = add_to_moments};

    memset(s, 0, sizeof *s);
    if (!checkpoint_is_numeric(c, t, err) || !checkpoint_parts_check(c, t, err) ||
        !scan(c, t, &pass, true, cancel, err))
        return false;
    s->deviation = pass.n_finite ? sqrt(pass.squares / (double)pass.n_finite) : 0;
    pass.take = add_to_histogram;
    return scan(c, t, &pass, false, cancel, err);
}
