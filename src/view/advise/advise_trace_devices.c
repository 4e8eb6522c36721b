/* advise_trace_devices.c: why accelerators of a trace do not compute: idle time, exposed
 * communication, launch-bound kernels (formats-trace.md section 5). */
#include <inttypes.h>
#include <stdlib.h>

#include "base/lower_bound.h"
#include "base/xalloc.h"
#include "model/format.h"
#include "view/advise/advise_places.h"
#include "view/breakdown/breakdown.h"

/* Shares from which on a finding is reported. */
static const double IDLE_MUCH = 0.1, EXPOSED_MUCH = 0.05, SHORT_MUCH = 0.2;

/* A device of a recording, while it is checked. */
struct device_check {
    struct advise *advise;
    const struct recording *recording;
    const struct device_work **works; /* work of the device, sorted by start */
    size_t n_works;
    struct breakdown_row row; /* sums over all steps */
    places places;
};

/* Runs CHECK on every device that has work; false with ERR when cancelled. */
static bool each_device(struct advise *a, void (*check)(struct device_check *d), struct err *err)
{
    const struct profile *p = a->profile;

    for (size_t i = 0; i < p->n_recordings; i++) {
        struct device_check d = {.advise = a, .recording = &p->recordings[i]};

        d.works = xreallocarray(NULL, (size_t)d.recording->n_works + 1, sizeof *d.works);
        for (uint32_t device = 0; device < d.recording->n_devices; device++) {
            if (cancel_asked(a->cancel))
                break;
            d.n_works = breakdown_works(d.recording, device, d.works);
            d.row = (struct breakdown_row){.device = d.recording->devices[device]};
            breakdown_sum(&d.row, d.works, d.n_works, 0);
            d.places.n = 0;
            check(&d);
        }
        vec_done(&d.places);
        free(d.works);
    }
    return !cancel_asked(a->cancel) || err_set(err, ERR_CANCELLED, "cancelled");
}

static int64_t ps_of(int64_t ns)
{
    return clamp_mul(ns, PS_PER_NS);
}

static bool is_much(int64_t part, int64_t whole, double share)
{
    return whole > 0 && (double)part >= share * (double)whole;
}

/* ---- idle time */

static void add_gap(void *context, const struct idle_gap *gap)
{
    struct device_check *d = context;

    if (gap->cause == IDLE_HOST)
        places_add(&d->places, gap->work->node, gap->work->stack, ps_of(gap->dur_ns), 1);
}

static void check_device_idle(struct device_check *d)
{
    const struct breakdown_row *row = &d->row;
    struct strbuf line = {0};
    const char *between = ": ";

    if (!is_much(row->idle_ns, row->span_ns, IDLE_MUCH))
        return;
    advise_report(d->advise);
    advise_add_device(d->advise, &line, d->recording, row->device);
    sb_adds(&line, " is idle for ");
    advise_add_share(&line, UNIT_TIME_PS, ps_of(row->idle_ns), ps_of(row->span_ns));
    for (int cause = 0; cause < IDLE_CAUSES; cause++) {
        if (!row->idle_by_cause_ns[cause])
            continue;
        sb_adds(&line, between);
        advise_add_share(&line, UNIT_TIME_PS, ps_of(row->idle_by_cause_ns[cause]),
                         ps_of(row->idle_ns));
        sb_addf(&line, " %s", idle_cause_help((enum idle_cause)cause));
        between = "; ";
    }
    advise_line(d->advise, &line);
    breakdown_gaps(d->works, d->n_works, 0, add_gap, d);
    places_settle(&d->places);
    places_report(d->advise, &d->places, UNIT_TIME_PS, ps_of(row->idle_ns), "wait for the CPU",
                  "an accelerator waits for its launch");
}

static bool check_idle(struct advise *a, struct err *err)
{
    return each_device(a, check_device_idle, err);
}

const struct checker checker_trace_idle = {
    .name = "IdleChecker",
    .help = "why accelerators are idle",
    .applies = advise_has_trace,
    .check = check_idle,
};

/* ---- communication */

/* Computing time as a union of intervals: begin, end, and the sum of the intervals before. */
struct computing {
    int64_t start_ns, end_ns, before_ns;
};

typedef VEC(struct computing) computings;

static void collect_computing(computings *all, const struct device_check *d)
{
    for (size_t i = 0; i < d->n_works; i++) {
        const struct device_work *w = d->works[i];
        struct computing *last = all->n ? &all->data[all->n - 1] : NULL;
        const int64_t end_ns = w->start_ns + w->dur_ns;

        if (w->work_class != WORK_COMPUTE)
            continue;
        if (!last || w->start_ns > last->end_ns) {
            const struct computing next = {
                w->start_ns, end_ns, last ? last->before_ns + last->end_ns - last->start_ns : 0};

            vec_push(all, next);
        } else if (end_ns > last->end_ns) {
            last->end_ns = end_ns;
        }
    }
}

/* Computing time before the instant NS. */
static int64_t computed_before(const computings *all, int64_t ns)
{
    size_t at = 0;
    const struct computing *c;

    LOWER_BOUND(at, all->n, i, all->data[i].start_ns < ns);
    if (!at)
        return 0;
    c = &all->data[at - 1];
    return c->before_ns + (ns < c->end_ns ? ns : c->end_ns) - c->start_ns;
}

/* Adds the exposed part of each communication: the time in which nothing computes. */
static void add_exposed(struct device_check *d)
{
    computings all = {0};

    collect_computing(&all, d);
    for (size_t i = 0; i < d->n_works; i++) {
        const struct device_work *w = d->works[i];
        const int64_t end_ns = w->start_ns + w->dur_ns;
        const int64_t exposed_ns =
            w->dur_ns - (computed_before(&all, end_ns) - computed_before(&all, w->start_ns));

        if (w->work_class == WORK_COMMUNICATION && exposed_ns)
            places_add(&d->places, w->node, w->stack, ps_of(exposed_ns), 1);
    }
    vec_done(&all);
}

static void check_device_communication(struct device_check *d)
{
    const struct breakdown_row *row = &d->row;
    struct strbuf line = {0};

    if (!is_much(row->exposed_communication_ns, row->span_ns, EXPOSED_MUCH))
        return;
    advise_report(d->advise);
    advise_add_device(d->advise, &line, d->recording, row->device);
    sb_adds(&line, ": exposed communication for ");
    advise_add_share(&line, UNIT_TIME_PS, ps_of(row->exposed_communication_ns),
                     ps_of(row->span_ns));
    sb_addf(&line, ": %.1f%% of its communication is exposed",
            100.0 * (double)row->exposed_communication_ns / (double)row->communication_ns);
    advise_line(d->advise, &line);
    add_exposed(d);
    places_settle(&d->places);
    places_report(d->advise, &d->places, UNIT_TIME_PS, ps_of(row->exposed_communication_ns),
                  "communication", "has exposed communication");
}

static bool check_communication(struct advise *a, struct err *err)
{
    return each_device(a, check_device_communication, err);
}

const struct checker checker_trace_communication = {
    .name = "CommunicationChecker",
    .help = "exposed communication",
    .applies = advise_has_trace,
    .check = check_communication,
};

/* ---- short kernels */

static void check_device_launches(struct device_check *d)
{
    const struct breakdown_row *row = &d->row;
    int64_t kernels_ns = 0, launches_ns = 0;
    struct strbuf line = {0};

    if (!row->n_short || !is_much(row->n_short, row->n_kernels, SHORT_MUCH))
        return;
    for (size_t i = 0; i < d->n_works; i++) {
        const struct device_work *w = d->works[i];

        if (!work_is_short(w))
            continue;
        kernels_ns = clamp_add(kernels_ns, w->dur_ns);
        launches_ns = clamp_add(launches_ns, w->launch_dur_ns);
        places_add(&d->places, w->node, w->stack, ps_of(w->launch_dur_ns), 1);
    }
    advise_report(d->advise);
    advise_add_device(d->advise, &line, d->recording, row->device);
    sb_addf(&line, ": %" PRIu32 " of %" PRIu32 " kernels (%.1f%%) are shorter than their launch: ",
            row->n_short, row->n_kernels, 100.0 * row->n_short / row->n_kernels);
    format_time(&line, ps_of(launches_ns));
    sb_adds(&line, " to launch what runs for ");
    format_time(&line, ps_of(kernels_ns));
    sb_adds(&line, "; fused operators or a captured graph need fewer launches");
    advise_line(d->advise, &line);
    places_settle(&d->places);
    places_report(d->advise, &d->places, UNIT_TIME_PS, ps_of(launches_ns), "launch",
                  "launches launch-bound kernels");
}

static bool check_launches(struct advise *a, struct err *err)
{
    return each_device(a, check_device_launches, err);
}

const struct checker checker_trace_launches = {
    .name = "LaunchChecker",
    .help = "launch-bound kernels",
    .applies = advise_has_trace,
    .check = check_launches,
};
