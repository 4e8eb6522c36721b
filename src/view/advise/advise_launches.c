/* advise_launches.c: launch-bound devices of a capture: most executions are as short as their
 * launch. */
#include <inttypes.h>

#include "view/advise/advise_capture.h"

static const double WORTH_SAYING = 0.1; /* reported from this share of the executions on */

static bool say(const struct profile *p, size_t i, struct strbuf *line)
{
    const struct capture_device *d = &p->capture->devices[i];

    if (!device_counts(p->capture, d) || !d->n_short ||
        (double)d->n_short < WORTH_SAYING * (double)d->n_executions)
        return false;
    add_text(line, p, d->name);
    sb_adds(line, ": ");
    add_percent(line, (double)d->n_short, (double)d->n_executions);
    sb_addf(line, " of %" PRIu64 " executions take less than 10us, together ", d->n_executions);
    add_percent(line, (double)d->short_ps, (double)d->self_ps);
    sb_adds(line, " of its time: fuse them");
    sb_adds(line, d->is_accelerator ? " or use command buffers" : "");
    return true;
}

static bool check(struct advise *a, struct err *err)
{
    (void)err;
    advise_items(a, a->profile->capture->n_devices, say);
    return true;
}

const struct checker checker_launches = {
    .name = "LaunchChecker",
    .help = "devices with many launch-bound ops",
    .applies = capture_has_run,
    .check = check,
};
