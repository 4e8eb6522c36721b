/* roofs.c: the roofline model of rows. */
#include "view/roofs.h"

#include <stdlib.h>

#include "base/satmath.h"
#include "base/utf8.h"
#include "base/xalloc.h"
#include "model/programs.h"
#include "model/events.h"
#include "model/format.h"

/* percent of the total time that a type must take to be measured */
enum { SHORT_PERCENT = 1 };

const char *const bound_names[BOUND_COUNT] = {
    [BOUND_NONE] = "", [BOUND_COMPUTE] = "compute", [BOUND_MEMORY] = "memory",
    [BOUND_LATENCY] = "latency",
};

/* ---- roofs */

struct type_sums {
    int64_t float_ops, bytes, ps;
};

static void raise_roof(struct roof *roof, int64_t per_second, enum roof_source source, strid of)
{
    if (per_second > roof->per_second)
        *roof = (struct roof){per_second, source, of};
}

/* Raises ROOFS to the highest rates of types that took at least MIN_PS. */
static void raise_to_types(struct roofs *roofs, const struct type_sums *sums, size_t n,
                           int64_t min_ps)
{
    for (strid op = 0; op < n; op++) {
        const struct type_sums *s = &sums[op];

        if (s->ps <= 0 || s->ps < min_ps)
            continue;
        raise_roof(&roofs->flops, metric_ratio(METRIC_FLOPS_PER_SECOND, s->float_ops, s->ps),
                   ROOF_MEASURED, op);
        raise_roof(&roofs->bytes, metric_ratio(METRIC_BYTES_PER_SECOND, s->bytes, s->ps),
                   ROOF_MEASURED, op);
    }
}

enum peak_width roofs_width(const struct profile *p, const int64_t *float_ops)
{
    int64_t of_width[PEAK_WIDTHS] = {0};
    enum peak_width most = PEAK_16;

    for (node_id node = 0; node < p->n_nodes; node++) {
        int64_t *sum = &of_width[device_peaks_width(p->element_bits[node])];

        *sum = clamp_add(*sum, float_ops[node]);
    }
    for (int i = 0; i < PEAK_WIDTHS; i++)
        if (of_width[i] > of_width[most])
            most = (enum peak_width)i;
    return most;
}

struct roofs roofs_measure(const struct profile *p, const struct roof_figures *f)
{
    struct roofs roofs = {0}, of_short = {0};
    struct type_sums *sums = xcalloc(p->strings.n, sizeof *sums);
    int64_t all_ps = 0;

    for (node_id node = 0; node < p->n_nodes; node++) {
        struct type_sums *s = &sums[p->op[node]];

        s->float_ops = clamp_add(s->float_ops, f->float_ops[node]);
        s->bytes = clamp_add(s->bytes, f->bytes_accessed[node]);
        s->ps = clamp_add(s->ps, f->micros_ps[node]);
        all_ps = clamp_add(all_ps, f->micros_ps[node]);
    }
    raise_to_types(&roofs, sums, p->strings.n, quotient(all_ps, 100 / SHORT_PERCENT));
    if (!roofs.flops.per_second || !roofs.bytes.per_second)
        raise_to_types(&of_short, sums, p->strings.n, 0);
    if (!roofs.flops.per_second)
        roofs.flops = of_short.flops;
    if (!roofs.bytes.per_second)
        roofs.bytes = of_short.bytes;
    free(sums);
    roofs.width = roofs_width(p, f->float_ops);
    return roofs;
}

static int64_t whole_rate(double per_second)
{
    return per_second >= (double)INT64_MAX ? INT64_MAX : per_second > 0 ? (int64_t)per_second : 0;
}

static struct roofs of_devices(const struct profile *p)
{
    struct roofs roofs = {0};

    for (size_t i = 0; p->programs && i < p->programs->n_devices; i++) {
        const struct program_device *d = &p->programs->devices[i];

        raise_roof(&roofs.flops, whole_rate(d->peak_flops), ROOF_OF_DEVICE, d->name);
        raise_roof(&roofs.bytes, whole_rate(d->peak_bytes_per_s), ROOF_OF_DEVICE, d->name);
    }
    return roofs;
}

static struct roofs of_models(const struct profile *p, enum peak_width width)
{
    struct roofs roofs = {0};

    for (size_t i = 0; p->events && i < p->events->devices.n; i++) {
        const strid name = p->events->devices.data[i].model_name;
        const struct device_peaks *peaks = device_peaks_find(intern_string(&p->strings, name));

        if (!peaks)
            continue;
        raise_roof(&roofs.flops, whole_rate(peaks->tera_flops[width] * 1e12), ROOF_OF_MODEL, name);
        raise_roof(&roofs.bytes, whole_rate(peaks->giga_bytes * 1e9), ROOF_OF_MODEL, name);
    }
    return roofs;
}

static struct roof choose(int64_t given, struct roof device, struct roof model, struct roof best)
{
    if (given)
        return (struct roof){given, ROOF_GIVEN, STRID_EMPTY};
    return device.per_second ? device : model.per_second ? model : best;
}

struct roofs roofs_choose(const struct profile *p, const struct options *o, struct roofs best)
{
    const struct roofs devices = of_devices(p), models = of_models(p, best.width);

    return (struct roofs){
        .flops = choose(o->peak_flops, devices.flops, models.flops, best.flops),
        .bytes = choose(o->peak_bandwidth, devices.bytes, models.bytes, best.bytes),
        .width = best.width,
    };
}

/* ---- rows */

static double share_of(struct roof roof, int64_t per_second)
{
    return roof.per_second && per_second > 0 ? (double)per_second / (double)roof.per_second : 0;
}

/* With rates F and B the intensity is F / B. The attainable rate is min(P, W * F / B), so the
 * achieved share F / attainable is max(F / P, B / W). */
int64_t roofs_percent(const struct roofs *roofs, int64_t flops_per_second,
                      int64_t bytes_per_second)
{
    const double flops = share_of(roofs->flops, flops_per_second),
                 bytes = share_of(roofs->bytes, bytes_per_second),
                 percent = 100.0 * MILLION * (flops > bytes ? flops : bytes);

    return percent >= (double)INT64_MAX ? INT64_MAX : (int64_t)(percent + 0.5);
}

enum bound roofs_bound(const struct roofs *roofs, int64_t flops_per_second,
                       int64_t bytes_per_second)
{
    const double flops = share_of(roofs->flops, flops_per_second),
                 bytes = share_of(roofs->bytes, bytes_per_second);

    if (flops <= 0 && bytes <= 0)
        return BOUND_NONE;
    if (100 * (flops > bytes ? flops : bytes) < LATENCY_PERCENT)
        return BOUND_LATENCY;
    return flops >= bytes ? BOUND_COMPUTE : BOUND_MEMORY;
}

const char *roofs_excess(const struct roofs *roofs, int64_t flops_per_second, int64_t bytes_per_second)
{
    const double flops = share_of(roofs->flops, flops_per_second),
                 bytes = share_of(roofs->bytes, bytes_per_second);
    const struct roof *roof = flops > bytes ? &roofs->flops : &roofs->bytes;

    if (flops <= 1 && bytes <= 1)
        return NULL;
    if (roof->source == ROOF_MEASURED)
        return "ran too briefly to set the roof";
    return flops > bytes ? "8-bit types or low -peak_flops"
                         : "caches or low -peak_bandwidth";
}

/* ---- as text */

const char *roofs_source(enum roof_source source)
{
    return source == ROOF_GIVEN       ? "-peak_flops"
           : source == ROOF_OF_DEVICE ? "capture"
           : source == ROOF_OF_MODEL  ? "device table"
                                      : NULL;
}

static void add_rate(struct strbuf *sb, struct roof roof, enum metric_id metric)
{
    if (roof.source == ROOF_UNKNOWN) {
        sb_addf(sb, "%s not known", metrics[metric].legend);
        return;
    }
    format_value(sb, UNIT_RATE, roof.per_second);
    sb_adds(sb, metrics[metric].suffix);
}

void roofs_rates_text(struct strbuf *sb, const struct roofs *roofs)
{
    add_rate(sb, roofs->flops, METRIC_FLOPS_PER_SECOND);
    sb_adds(sb, ", ");
    add_rate(sb, roofs->bytes, METRIC_BYTES_PER_SECOND);
}

static void add_roof(struct strbuf *sb, const struct profile *p, struct roof roof,
                     enum metric_id metric, const char *operands)
{
    add_rate(sb, roof, metric);
    if (roof.source == ROOF_UNKNOWN)
        return;
    if (roof.source == ROOF_GIVEN) {
        sb_adds(sb, " given");
        return;
    }
    sb_adds(sb, " of ");
    utf8_escape(sb, profile_text(p, roof.of), intern_len(&p->strings, roof.of));
    if (roof.source == ROOF_OF_MODEL)
        sb_adds(sb, operands);
}

void roofs_flops_text(struct strbuf *sb, const struct profile *p, const struct roofs *roofs)
{
    static const char *const operands[PEAK_WIDTHS] = {
        [PEAK_16] = " with 16 bits", [PEAK_8] = " with 8 bits", [PEAK_32] = " with 32 bits",
        [PEAK_64] = " with 64 bits"};

    add_roof(sb, p, roofs->flops, METRIC_FLOPS_PER_SECOND, operands[roofs->width]);
}

void roofs_text(struct strbuf *sb, const struct profile *p, const struct roofs *roofs)
{
    roofs_flops_text(sb, p, roofs);
    sb_adds(sb, ", ");
    add_roof(sb, p, roofs->bytes, METRIC_BYTES_PER_SECOND, "");
}
