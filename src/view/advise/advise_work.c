/* advise_trace_devices.c: why accelerators of a trace do not compute: idle time, exposed
 * communication, launch-bound kernels (formats-trace.md section 5). */
#include <inttypes.h>
#include <stdlib.h>

#include "activity/breakdown_sums.h"
#include "activity/interval_set.h"
#include "base/xalloc.h"
#include "model/format.h"
#include "view/advise/advise_places.h"

/* Shares from which on a finding is reported. */
static const double IDLE_MUCH = 0.1, EXPOSED_MUCH = 0.05, SHORT_MUCH = 0.2;

/* A device, while it is checked. */
struct device_check {
    struct advise *advise;
    const struct selection *sel;
    const struct launch_counts *launches;
    uint32_t device;
    struct breakdown_row row; /* sums over all steps */
    places places;
};

static void add_place(struct device_check *d, const struct work *w, int64_t ps)
{
    const struct profile *p = d->sel->p;
    const uint32_t id = d->sel->s->kinds[w->kind].id;

    if (id != NODE_NONE)
        places_add(&d->places, profile_whole(p, id), p->stack[id], ps, 1);
}

/* Sums of the device over all steps. */
static void sum_device(struct device_check *d)
{
    struct work_reader r;
    struct sums sums;

    sums_init(&sums);
    work_begin(&r, d->sel, d->device);
    while (work_next(&r))
        sums_add(&sums, &r.work, (enum event_class)d->sel->s->kinds[r.work.kind].event_class,
                 work_is_short(d->sel, d->launches, &r.work), 0);
    work_end(&r);
    sums_end(&sums);
    d->row = sums.row;
}

/* Runs CHECK on every device that has work; false with ERR when cancelled. */
static bool each_device(struct advise *a, void (*check)(struct device_check *d), struct err *err)
{
    struct device_check d = {.advise = a};
    struct launch_counts launches;
    struct selection sel;

    selection_open_all(&sel, a->profile, a->cancel);
    d.sel = &sel;
    d.launches = &launches;
    while (selection_next(&sel)) {
        launch_counts_init(&launches, sel.s);
        for (d.device = 0; d.device < sel.s->devices.n; d.device++) {
            if (!sel.devices[d.device])
                continue;
            sum_device(&d);
            d.places.n = 0;
            check(&d);
        }
        launch_counts_done(&launches);
    }
    selection_done(&sel);
    vec_done(&d.places);
    return selection_is_whole(&sel, err);
}

static bool is_much(int64_t part, int64_t whole, double share)
{
    return whole > 0 && (double)part >= share * (double)whole;
}

static void add_device(const struct device_check *d, struct strbuf *line)
{
    const struct event_store *s = d->sel->s;
    const struct profile_device *device = &s->devices.data[d->device];

    advise_add_device(d->advise, line, s->ranks.data[device->rank].number, device->name);
}

/* ---- idle time */

static void add_gap(void *context, const struct idle_gap *gap)
{
    struct device_check *d = context;

    if (gap->cause == IDLE_HOST)
        add_place(d, &gap->after, gap->dur_ps);
}

static void check_device_idle(struct device_check *d)
{
    const struct breakdown_row *row = &d->row;
    struct strbuf line = {0};
    const char *between = ": ";

    if (!is_much(row->idle_ps, row->span_ps, IDLE_MUCH))
        return;
    advise_report(d->advise);
    add_device(d, &line);
    sb_adds(&line, " is idle for ");
    advise_add_share(&line, UNIT_TIME_PS, row->idle_ps, row->span_ps);
    for (int cause = 0; cause < IDLE_CAUSES; cause++) {
        if (!row->idle_by_cause_ps[cause])
            continue;
        sb_adds(&line, between);
        advise_add_share(&line, UNIT_TIME_PS, row->idle_by_cause_ps[cause], row->idle_ps);
        sb_addf(&line, " %s", idle_cause_help((enum idle_cause)cause));
        between = "; ";
    }
    advise_line(d->advise, &line);
    breakdown_gaps(d->sel, d->device, 0, add_gap, d);
    places_settle(&d->places);
    places_report(d->advise, &d->places, UNIT_TIME_PS, row->idle_ps, "wait for the CPU",
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

static enum event_class class_of(const struct device_check *d, const struct work *w)
{
    return (enum event_class)d->sel->s->kinds[w->kind].event_class;
}

static void collect_computing(interval_set *all, const struct device_check *d)
{
    struct work_reader r;

    work_begin(&r, d->sel, d->device);
    while (work_next(&r))
        if (class_of(d, &r.work) == EVENT_COMPUTE)
            interval_set_add(all, r.work.start_ps, r.work.end_ps);
    work_end(&r);
}

/* Adds the exposed part of each communication: the time in which nothing computes. */
static void add_exposed(struct device_check *d)
{
    interval_set all = {0};
    struct work_reader r;

    collect_computing(&all, d);
    work_begin(&r, d->sel, d->device);
    while (work_next(&r)) {
        const struct work *w = &r.work;
        const int64_t exposed_ps =
            w->end_ps - w->start_ps - interval_set_within(&all, w->start_ps, w->end_ps);

        if (class_of(d, w) == EVENT_COMMUNICATION && exposed_ps)
            add_place(d, w, exposed_ps);
    }
    work_end(&r);
    vec_done(&all);
}

static void check_device_communication(struct device_check *d)
{
    const struct breakdown_row *row = &d->row;
    struct strbuf line = {0};

    if (!is_much(row->exposed_communication_ps, row->span_ps, EXPOSED_MUCH))
        return;
    advise_report(d->advise);
    add_device(d, &line);
    sb_adds(&line, ": exposed communication for ");
    advise_add_share(&line, UNIT_TIME_PS, row->exposed_communication_ps, row->span_ps);
    sb_addf(&line, ": %.1f%% of its communication is exposed",
            100.0 * (double)row->exposed_communication_ps / (double)row->communication_ps);
    advise_line(d->advise, &line);
    add_exposed(d);
    places_settle(&d->places);
    places_report(d->advise, &d->places, UNIT_TIME_PS, row->exposed_communication_ps,
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
    int64_t kernels_ps = 0, launches_ps = 0;
    struct strbuf line = {0};
    struct work_reader r;

    if (!row->n_short || !is_much(row->n_short, row->n_kernels, SHORT_MUCH))
        return;
    work_begin(&r, d->sel, d->device);
    while (work_next(&r)) {
        if (!work_is_short(d->sel, d->launches, &r.work))
            continue;
        kernels_ps = clamp_add(kernels_ps, r.work.end_ps - r.work.start_ps);
        launches_ps = clamp_add(launches_ps, r.work.launch_dur_ps);
        add_place(d, &r.work, r.work.launch_dur_ps);
    }
    work_end(&r);
    advise_report(d->advise);
    add_device(d, &line);
    sb_addf(&line, ": %" PRIu32 " of %" PRIu32 " kernels (%.1f%%) are shorter than their launch: ",
            row->n_short, row->n_kernels, 100.0 * row->n_short / row->n_kernels);
    format_time(&line, launches_ps);
    sb_adds(&line, " to launch what runs for ");
    format_time(&line, kernels_ps);
    sb_adds(&line, "; fused operators or a captured graph need fewer launches");
    advise_line(d->advise, &line);
    places_settle(&d->places);
    places_report(d->advise, &d->places, UNIT_TIME_PS, launches_ps, "launch",
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
