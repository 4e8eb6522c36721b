/* advise_idle.c: devices of a capture that had nothing to do for most of the time. */
#include "model/format.h"
#include "view/advise/advise_capture.h"

static const double BUSY_ENOUGH = 0.5;

static void report(struct advise *a, const struct capture_device *d)
{
    struct strbuf line = {0};

    add_text(&line, a->profile, d->name);
    sb_adds(&line, " is idle for ");
    add_percent(&line, (double)d->span_ps - (double)d->covered_ps, (double)d->span_ps);
    sb_adds(&line, " of ");
    format_time(&line, d->span_ps);
    if (d->longest_gap_ps) {
        sb_adds(&line, ": begin with the longest gap, ");
        format_time(&line, d->longest_gap_ps);
        sb_adds(&line, " before ");
        add_text(&line, a->profile, d->after_gap);
    }
    advise_line(a, &line);
}

static bool check(struct advise *a, struct err *err)
{
    const struct capture *c = a->profile->capture;
    size_t n_lines = 0;

    (void)err;
    for (size_t i = 0; i < c->n_devices; i++) {
        const struct capture_device *d = &c->devices[i];

        if (!d->n_events || (double)d->covered_ps >= BUSY_ENOUGH * (double)d->span_ps)
            continue;
        if (!n_lines)
            advise_report(a);
        if (++n_lines <= ADVICE_MAX_LINES)
            report(a, d);
    }
    advise_more(a, n_lines);
    return true;
}

const struct checker checker_idle = {
    .name = "IdleChecker",
    .help = "devices that had nothing to do for most of the time",
    .applies = capture_has_run,
    .check = check,
};
