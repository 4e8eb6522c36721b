/* advise_utilization.c: utilization of each accelerator. */
#include <stdlib.h>

#include "base/compare.h"
#include "base/satmath.h"
#include "base/vec.h"
#include "view/advise/advise_items.h"

static const double BUSY_ENOUGH = 0.5;

struct device_use {
    strid device;
    int64_t start_ticks, end_ticks, busy_ps;
};

typedef VEC(struct device_use) device_uses;

static struct device_use *use_of(device_uses *uses, strid device)
{
    struct device_use fresh = {.device = device};

    for (size_t i = 0; i < uses->n; i++)
        if (uses->data[i].device == device)
            return &uses->data[i];
    vec_push(uses, fresh);
    return &uses->data[uses->n - 1];
}

/* Only the last step of a node counts. */
static void add_node(device_uses *uses, const struct profile *p, node_id node)
{
    struct device_use *use = use_of(uses, p->device[node]);
    struct exec_walk walk = profile_execs(p, node);
    bool saturated = false;
    struct exec e = {0};

    while (exec_next(&walk, &e))
        continue;
    if (e.start_ticks && (!use->start_ticks || e.start_ticks < use->start_ticks))
        use->start_ticks = e.start_ticks;
    KEEP_MAX(use->end_ticks, e.latest_end_ticks);
    use->busy_ps = sat_add(use->busy_ps, e.accelerator_ps, &saturated);
}

COMPARE_WITH(by_device, struct device_use, struct intern, THEN(intern_compare(with, a->device, b->device)))

static void report_use(struct advise *a, const struct device_use *use)
{
    double utilization;
    struct strbuf line = {0};

    if (use->end_ticks <= use->start_ticks)
        return;
    utilization = (double)(use->busy_ps / a->profile->clock.tick_ps) /
                  ((double)use->end_ticks - (double)use->start_ticks);
    advise_report(a);
    sb_adds(&line, "device: ");
    add_text(&line, a->profile, use->device);
    sb_addf(&line, "%s utilization: %.2f", utilization >= BUSY_ENOUGH ? "" : " low", utilization);
    advise_line(a, &line);
}

static bool check(struct advise *a, struct err *err UNUSED)
{
    const struct profile *p = a->profile;
    device_uses uses = {0};

    for (node_id node = 0; node < p->n_nodes; node++)
        if (profile_ran(p, node) && profile_on_accelerator(p, node))
            add_node(&uses, p, node);
    if (uses.n)
        qsort_r(uses.data, uses.n, sizeof *uses.data, by_device, (void *)(uintptr_t)&p->strings);
    for (size_t i = 0; i < uses.n; i++)
        report_use(a, &uses.data[i]);
    vec_done(&uses);
    return true;
}

/* Captures have more precise data: see checker_idle. */
static bool applies(const struct profile *p)
{
    return advise_has_graph(p) && !profile_ran_programs(p);
}

const struct checker checker_utilization = {
    .name = "AcceleratorUtilizationChecker",
    .id = "utilization",
    .help = "how much of the time each accelerator was busy",
    .applies = applies,
    .check = check,
};
