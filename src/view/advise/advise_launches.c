/* advise_launches.c: devices of a capture that mostly ran ops as short as their launches. */
#include <inttypes.h>

#include "view/advise/advise_capture.h"

static const double WORTH_SAYING = 0.1; /* share of the executions */

static void report(struct advise *a, const struct capture_device *d)
{
    struct strbuf line = {0};

    add_text(&line, a->profile, d->name);
    sb_adds(&line, ": ");
    add_percent(&line, (double)d->n_short, (double)d->n_executions);
    sb_addf(&line, " of %" PRIu64 " executions take less than 10us, together ", d->n_executions);
    add_percent(&line, (double)d->short_ps, (double)d->self_ps);
    sb_adds(&line, " of its time: fuse them");
    sb_adds(&line, d->is_accelerator ? " or use command buffers" : "");
    advise_line(a, &line);
}

static bool check(struct advise *a, struct err *err)
{
    const struct capture *c = a->profile->capture;
    size_t n_lines = 0;

    (void)err;
    for (size_t i = 0; i < c->n_devices; i++) {
        const struct capture_device *d = &c->devices[i];

        if (!device_counts(c, d) ||
            (double)d->n_short < WORTH_SAYING * (double)d->n_executions || !d->n_short)
            continue;
        if (!n_lines)
            advise_report(a);
        if (++n_lines <= ADVICE_MAX_LINES)
            report(a, d);
    }
    advise_more(a, n_lines);
    return true;
}

const struct checker checker_launches = {
    .name = "LaunchChecker",
    .help = "devices that ran many ops as short as their launches",
    .applies = capture_has_run,
    .check = check,
};
