/* advise_work.c: limits of device work: idle time, exposed communication and copies, stragglers,
 * launch-bound kernels (formats-trace.md section 5). */
#include <inttypes.h>

#include "base/interval_set.h"
#include "model/format.h"
#include "view/advise/advise_places.h"

/* A limit is reported from 1 / LIMIT_PART of the span on; less is noise in most runs. */
enum { LIMIT_PART = 20 };
/* Launch-bound: at least 1 / SHORT_PART of the kernels are shorter than the calls that launched
 * them. */
enum { SHORT_PART = 5 };
/* Devices whose percentages differ by at most this are reported together. */
enum { ALIKE_POINTS = 10 };

/* Data collected from the work of all devices. */
struct work_check {
    struct advise *advise;
    const struct selection *sel;
    const struct launch_counts *launches;
    uint32_t device; /* current device */
    amounts amounts;
    uint64_t n_kernels, n_short;
    int64_t kernels_ps, launches_ps; /* times of short kernels and of their launches */
};

static void add_amount(struct work_check *c, const struct work *w, int64_t ps)
{
    const struct profile *p = c->sel->p;
    const uint32_t id = c->sel->s->kinds[w->kind].id;

    if (id != NODE_NONE)
        amounts_add(&c->amounts, profile_node_of_part(p, id), p->stack[id], ps, 1);
}

/* Calls READ for every device with work; false with ERR when cancelled. */
static bool each_device(struct work_check *c, void (*read)(struct work_check *c), struct err *err)
{
    struct launch_counts launches;
    struct selection sel;

    if (!selection_open(&sel, c->advise->profile, &c->advise->wanted, c->advise->cancel, err))
        return false;
    c->sel = &sel;
    c->launches = &launches;
    while (selection_next(&sel)) {
        launch_counts_init(&launches, sel.s);
        for (c->device = 0; c->device < sel.s->devices.n; c->device++)
            if (sel.devices[c->device])
                read(c);
        launch_counts_done(&launches);
    }
    selection_done(&sel);
    return selection_is_whole(&sel, err);
}

/* ---- claims */

static double percent_of(int64_t part, int64_t whole)
{
    return whole > 0 ? 100.0 * (double)part / (double)whole : 0;
}

/* Appends "/gpu:0" or "8 GPUs", and adds the devices to the rows of REPORT. */
static void add_devices(struct advise *a, struct strbuf *line, struct advice_report *report)
{
    const struct verdict *v = a->advice->verdict;

    if (v->rows.n == 1)
        advise_add_device(a, line, v->rows.data[0].rank, v->rows.data[0].device);
    else
        sb_addf(line, "%zu %ss", v->rows.n, v->noun);
    for (size_t i = 0; i < v->rows.n; i++) {
        struct strbuf name = {0};

        advise_add_device(a, &name, v->rows.data[i].rank, v->rows.data[i].device);
        advice_report_row(report, &name);
    }
}

/* Appends " (90-97 %)", the lowest and highest share of a device, unless they are equal. */
static void add_range(struct strbuf *line, const struct verdict *v,
                      int64_t (*of)(const struct breakdown_row *row))
{
    double least = 100, most = 0;

    for (size_t i = 0; i < v->rows.n; i++) {
        const double percent = percent_of(of(&v->rows.data[i]), v->rows.data[i].span_ps);

        least = percent < least ? percent : least;
        most = percent > most ? percent : most;
    }
    if (most - least < 1)
        return;
    sb_addf(line, " (%.0f-%.0f %%%s)", least, most,
            most - least <= ALIKE_POINTS ? "" : ", depending on the device");
}

static int64_t idle_of(const struct breakdown_row *row)
{
    return row->idle_ps;
}

static int64_t communication_of(const struct breakdown_row *row)
{
    return row->exposed_communication_ps;
}

static int64_t copies_of(const struct breakdown_row *row)
{
    return row->exposed_memory_ps;
}

/* Begins the report of a limit of SUM_PS over all devices: "/gpu:0 WHAT 6.01ms (64.4%)". NULL if it
 * is too small. */
static struct advice_report *begin_limit(struct advise *a, struct strbuf *line, const char *what,
                                         int64_t (*of)(const struct breakdown_row *row),
                                         int64_t sum_ps)
{
    const struct verdict *v = a->advice->verdict;
    struct advice_report *report;

    if (!v->n_devices || !is_part_of(sum_ps, v->span_ps, LIMIT_PART))
        return NULL;
    report = advise_report(a);
    report->gain_ps = sum_ps / v->n_devices;
    report->value = percent_of(sum_ps, v->span_ps);
    report->value_unit = "percent";
    add_devices(a, line, report);
    sb_adds(line, what);
    advise_add_share(line, UNIT_TIME_PS, sum_ps, v->span_ps);
    if (v->rows.n > 1)
        add_range(line, v, of);
    return report;
}

/* ---- idle time */

static void add_gap(void *context, const struct idle_gap *gap)
{
    struct work_check *c = context;

    if (gap->cause == IDLE_HOST)
        add_amount(c, &gap->after, gap->dur_ps);
}

static void read_gaps(struct work_check *c)
{
    breakdown_gaps(c->sel, c->device, 0, add_gap, c);
}

static void add_causes(struct strbuf *line, const struct verdict *v)
{
    const char *between = ": ";

    for (int cause = 0; cause < IDLE_CAUSES; cause++) {
        int64_t sum_ps = 0;

        for (size_t i = 0; i < v->rows.n; i++)
            sum_ps = clamp_add(sum_ps, v->rows.data[i].idle_by_cause_ps[cause]);
        if (!sum_ps)
            continue;
        sb_adds(line, between);
        advise_add_share(line, UNIT_TIME_PS, sum_ps, v->idle_ps);
        sb_addf(line, " %s", idle_cause_help((enum idle_cause)cause));
        between = "; ";
    }
}

static bool check_idle(struct advise *a, struct err *err)
{
    const struct verdict *v = a->advice->verdict;
    struct work_check c = {.advise = a};
    struct strbuf line = {0};
    bool ok;

    if (!begin_limit(a, &line, v->rows.n == 1 ? " is idle for " : " are idle for ", idle_of,
                     v->idle_ps))
        return true;
    add_causes(&line, v);
    advise_line(a, &line);
    ok = each_device(&c, read_gaps, err);
    amounts_merge(&c.amounts);
    amounts_report(a, &c.amounts, UNIT_TIME_PS, v->idle_ps, "wait for the CPU",
                   "an accelerator waits for its launch");
    vec_done(&c.amounts);
    return ok;
}

const struct checker checker_idle = {
    .name = "IdleChecker",
    .id = "idle",
    .command = "breakdown",
    .help = "why devices are idle",
    .applies = advise_has_work,
    .reads_events = true,
    .check = check_idle,
};

/* ---- communication and copies */

static enum event_class class_of(const struct work_check *c, const struct work *w)
{
    return (enum event_class)c->sel->s->kinds[w->kind].event_class;
}

/* Sums the exposed time of each communication, during which nothing computes. */
static void read_exposed(struct work_check *c)
{
    interval_set computing = {0};
    struct work_reader r;

    work_begin(&r, c->sel, c->device);
    while (work_next(&r))
        if (class_of(c, &r.work) == EVENT_COMPUTE)
            interval_set_add(&computing, r.work.start_ps, r.work.end_ps);
    work_end(&r);
    work_begin(&r, c->sel, c->device);
    while (work_next(&r)) {
        const struct work *w = &r.work;
        const int64_t exposed_ps = w->end_ps - w->start_ps -
                                   interval_set_within(&computing, w->start_ps, w->end_ps);

        if (class_of(c, w) == EVENT_COMMUNICATION && exposed_ps)
            add_amount(c, w, exposed_ps);
    }
    work_end(&r);
    vec_done(&computing);
}

static bool check_communication(struct advise *a, struct err *err)
{
    const struct verdict *v = a->advice->verdict;
    struct work_check c = {.advise = a};
    int64_t communication_ps = 0;
    struct strbuf line = {0};
    bool ok;

    if (!begin_limit(a, &line, ": exposed communication for ", communication_of,
                     v->exposed_communication_ps))
        return true;
    for (size_t i = 0; i < v->rows.n; i++)
        communication_ps = clamp_add(communication_ps, v->rows.data[i].communication_ps);
    sb_addf(&line, ": %.1f%% of its communication is exposed",
            percent_of(v->exposed_communication_ps, communication_ps));
    advise_line(a, &line);
    ok = each_device(&c, read_exposed, err);
    amounts_merge(&c.amounts);
    amounts_report(a, &c.amounts, UNIT_TIME_PS, v->exposed_communication_ps, "communication",
                   "has exposed communication");
    vec_done(&c.amounts);
    return ok;
}

const struct checker checker_communication = {
    .name = "CommunicationChecker",
    .id = "communication",
    .command = "breakdown",
    .help = "exposed communication",
    .applies = advise_has_work,
    .reads_events = true,
    .check = check_communication,
};

static bool check_copies(struct advise *a, struct err *err UNUSED)
{
    struct strbuf line = {0};

    if (begin_limit(a, &line, ": exposed copies for ", copies_of,
                    a->advice->verdict->exposed_memory_ps)) {
        sb_adds(&line, ": copy on a separate stream, from pinned memory");
        advise_line(a, &line);
    }
    return true;
}

const struct checker checker_copies = {
    .name = "CopyChecker",
    .id = "copies",
    .command = "breakdown",
    .help = "exposed copies",
    .applies = advise_has_work,
    .reads_events = true,
    .check = check_copies,
};

/* ---- stragglers */

static bool check_late(struct advise *a, struct err *err UNUSED)
{
    const struct verdict *v = a->advice->verdict;
    struct advice_report *report;
    struct strbuf line = {0};

    if (v->verdict_class != VERDICT_LATE)
        return true;
    report = advise_report(a);
    report->gain_ps = v->stragglers.made_wait_ps / v->n_devices;
    report->value = (double)v->value_ps / PS_PER_US;
    report->value_unit = "us";
    sb_adds(&line, v->who);
    advice_report_row(report, &line);
    sb_adds(&line, v->text);
    advise_line(a, &line);
    return true;
}

const struct checker checker_late = {
    .name = "StragglerChecker",
    .id = "late",
    .command = "ranks",
    .help = "ranks and hosts that delay the others",
    .applies = advise_has_work,
    .reads_events = true,
    .check = check_late,
};

/* ---- short kernels */

static void read_launches(struct work_check *c)
{
    struct work_reader r;

    work_begin(&r, c->sel, c->device);
    while (work_next(&r)) {
        c->n_kernels += class_of(c, &r.work) == EVENT_COMPUTE;
        if (!work_is_short(c->sel, c->launches, &r.work))
            continue;
        c->n_short++;
        c->kernels_ps = clamp_add(c->kernels_ps, r.work.end_ps - r.work.start_ps);
        c->launches_ps = clamp_add(c->launches_ps, r.work.launch_dur_ps);
        add_amount(c, &r.work, r.work.launch_dur_ps);
    }
    work_end(&r);
}

static void report_launches(struct work_check *c)
{
    struct advice_report *report = advise_report(c->advise);
    struct strbuf line = {0};

    report->value = percent_of((int64_t)c->n_short, (int64_t)c->n_kernels);
    report->value_unit = "percent";
    add_devices(c->advise, &line, report);
    sb_addf(&line, ": %" PRIu64 " of %" PRIu64 " kernels (%.1f%%) are shorter than their launch: ",
            c->n_short, c->n_kernels, report->value);
    format_time(&line, c->launches_ps);
    sb_adds(&line, " to launch work of ");
    format_time(&line, c->kernels_ps);
    sb_adds(&line, "; fuse operators or replay a captured graph for fewer launches");
    advise_line(c->advise, &line);
    amounts_merge(&c->amounts);
    amounts_report(c->advise, &c->amounts, UNIT_TIME_PS, c->launches_ps, "launch",
                   "launches launch-bound kernels");
}

static bool check_launches(struct advise *a, struct err *err)
{
    struct work_check c = {.advise = a};
    const bool ok = each_device(&c, read_launches, err);

    if (ok && c.n_short &&
        is_part_of((int64_t)c.n_short, (int64_t)c.n_kernels, SHORT_PART))
        report_launches(&c);
    vec_done(&c.amounts);
    return ok;
}

const struct checker checker_launches = {
    .name = "LaunchChecker",
    .id = "launch",
    .command = "kernels",
    .help = "launch-bound kernels",
    .applies = advise_has_work,
    .reads_events = true,
    .check = check_launches,
};
