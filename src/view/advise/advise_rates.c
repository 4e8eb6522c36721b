/* advise_rates.c: achieved share of the device peaks, for the most expensive ops of a capture. */
#include <stdlib.h>

#include "base/satmath.h"
#include "base/xalloc.h"
#include "view/advise/advise_items.h"

enum { TOP = 3 };

static const double FAR_FROM_PEAK = 0.1;

/* Work of a node on devices with known peaks, and the work these devices could have done in the
 * same time. */
struct rates {
    int64_t ps;
    double flops, bytes, most_flops, most_bytes;
};

/* By device name: index + 1; 0: the peaks of the device are unknown. */
static uint32_t *index_devices(const struct profile *p)
{
    const struct programs *c = p->programs;
    uint32_t *index_of_device = xcalloc((size_t)p->strings.n + 1, sizeof *index_of_device);

    for (size_t i = 0; i < c->n_devices; i++)
        if (c->devices[i].peak_flops > 0 && c->devices[i].peak_bytes_per_s > 0)
            index_of_device[c->devices[i].name] = (uint32_t)i + 1;
    return index_of_device;
}

/* Computes the rates of NODE. COUNTED is zeroed, by strid. */
static struct rates rates_of(const struct profile *p, const uint32_t *index_of_device, uint8_t *counted, node_id node)
{
    const struct programs *c = p->programs;
    const struct program_cost *cost = &c->costs[node];
    struct rates r = {0};
    uint32_t n_devices;
    const strid *devices = profile_devices(p, node, &n_devices);

    for (uint32_t i = 0; i < n_devices; i++) {
        const uint32_t at = index_of_device[devices[i]];
        int64_t n, ps;

        if (!at)
            continue;
        counted[devices[i]] = 1;
        profile_exec_total(p, node, counted, &n, &ps);
        counted[devices[i]] = 0;
        r.ps = clamp_add(r.ps, ps);
        r.flops += (double)cost->operations * (double)n;
        r.bytes += (double)cost->bytes_accessed * (double)n;
        r.most_flops += (double)ps / 1e12 * c->devices[at - 1].peak_flops;
        r.most_bytes += (double)ps / 1e12 * c->devices[at - 1].peak_bytes_per_s;
    }
    return r;
}

static void report(struct advise *a, node_id node, const struct rates *r)
{
    const double s = (double)r->ps / 1e12, flops = r->flops / r->most_flops,
                 bytes = r->bytes / r->most_bytes, nearest = flops > bytes ? flops : bytes;
    struct strbuf line = {0};

    add_text(&line, a->profile, a->profile->name[node]);
    sb_adds(&line, " does ");
    if (r->flops > 0) {
        sb_addf(&line, "%.3g TFLOP/s, ", r->flops / s / 1e12);
        add_percent(&line, flops, 1);
        sb_adds(&line, " of the peak, and ");
    }
    sb_addf(&line, "%.4g GB/s, ", r->bytes / s / 1e9);
    add_percent(&line, bytes, 1);
    sb_adds(&line, r->flops > 0 ? "" : " of the peak");
    if (nearest > 1) {
        sb_adds(&line, ": more than the peak, so the count or the peak is wrong");
    } else if (nearest < FAR_FROM_PEAK) {
        sb_adds(&line, ": low efficiency, check its shapes and layouts");
        advise_mark(a, node, "far from the peaks of its devices");
    } else {
        sb_addf(&line, ": bound by %s", flops > bytes ? "arithmetic" : "memory");
    }
    advise_line(a, &line);
}

/* Reports accelerators whose peaks are not in the file. */
static bool report_unknown(const struct profile *p, size_t i, struct strbuf *line)
{
    const struct program_device *d = &p->programs->devices[i];

    if (!d->is_accelerator || !d->n_events || (d->peak_flops > 0 && d->peak_bytes_per_s > 0))
        return false;
    sb_adds(line, "the peak rates of ");
    add_text(line, p, d->name);
    sb_adds(line, " are not known: utilisation unknown");
    return true;
}

static bool check(struct advise *a, struct err *err UNUSED)
{
    const struct programs *c = a->profile->programs;
    uint32_t *index_of_device = index_devices(a->profile);
    uint8_t *counted = xcalloc((size_t)a->profile->strings.n + 1, sizeof *counted);
    struct ranked_node top[TOP];
    size_t n = 0;

    for (node_id node = 0; node < c->n_costs; node++) {
        const struct rates r = rates_of(a->profile, index_of_device, counted, node);

        if (r.ps > 0 && (r.flops > 0 || r.bytes > 0))
            rank_node(top, &n, TOP, (struct ranked_node){node, r.ps});
    }
    if (n)
        advise_report(a);
    for (size_t i = 0; i < n; i++) {
        const struct rates r = rates_of(a->profile, index_of_device, counted, top[i].node);

        report(a, top[i].node, &r);
    }
    advise_items(a, c->n_devices, report_unknown);
    EACH(free, counted, index_of_device);
    return true;
}

const struct checker checker_rates = {
    .name = "RateChecker",
    .id = "rate",
    .command = "op",
    .help = "roofline efficiency of the most expensive ops",
    .applies = profile_ran_programs,
    .check = check,
};
