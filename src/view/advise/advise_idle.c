/* advise_idle.c: devices of a capture that were idle for most of the time. */
#include "model/format.h"
#include "view/advise/advise_capture.h"

static const double BUSY_ENOUGH = 0.5;

static bool say(const struct profile *p, size_t i, struct strbuf *line)
{
    const struct capture_device *d = &p->capture->devices[i];

    if (!d->n_events || (double)d->covered_ps >= BUSY_ENOUGH * (double)d->span_ps)
        return false;
    add_text(line, p, d->name);
    sb_adds(line, " is idle for ");
    add_percent(line, (double)d->span_ps - (double)d->covered_ps, (double)d->span_ps);
    sb_adds(line, " of ");
    format_time(line, d->span_ps);
    if (d->longest_gap_ps) {
        sb_adds(line, ": longest gap ");
        format_time(line, d->longest_gap_ps);
        sb_adds(line, " before ");
        add_text(line, p, d->after_gap);
    }
    return true;
}

static bool check(struct advise *a, struct err *err)
{
    (void)err;
    advise_items(a, a->profile->capture->n_devices, say);
    return true;
}

const struct checker checker_idle = {
    .name = "IdleChecker",
    .help = "devices that are idle most of the time",
    .applies = capture_has_run,
    .check = check,
};
