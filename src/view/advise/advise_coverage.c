/* advise_coverage.c: time of a capture without an op, a FLOP count or a call stack. */
#include "model/format.h"
#include "view/advise/advise_items.h"

enum { TOP = 3 };

static bool report_ops(const struct profile *p, size_t i, struct strbuf *line)
{
    const struct program_device *d = &p->programs->devices[i];

    if (!d->is_accelerator || !d->no_op_ps)
        return false;
    add_percent(line, (double)d->no_op_ps, (double)d->self_ps);
    sb_adds(line, " of ");
    add_text(line, p, d->name);
    sb_adds(line, " (");
    format_time(line, d->no_op_ps);
    sb_adds(line, ") is copies and kernels without an HLO op: see the rows below (no HLO)");
    return true;
}

/* Time of NODE on all devices. */
static int64_t node_ps(const struct profile *p, node_id node)
{
    int64_t n, ps;

    profile_exec_total(p, node, NULL, &n, &ps);
    return ps;
}

static void check_counts(struct advise *a, const struct programs *c)
{
    struct ranked_node top[TOP];
    struct strbuf line = {0};
    size_t n = 0;

    for (node_id node = 0; node < c->n_costs; node++)
        if (c->costs[node].count == PROGRAM_NO_RULE && node_ps(a->profile, node))
            rank_node(top, &n, TOP, (struct ranked_node){node, node_ps(a->profile, node)});
    if (!n)
        return;
    advise_report(a);
    sb_adds(&line, "operations are not counted for ");
    add_percent(&line, (double)c->self_without_rule_ps, (double)c->self_ps);
    sb_adds(&line, " of the time, mostly in ");
    for (size_t i = 0; i < n; i++) {
        sb_adds(&line, i ? ", " : "");
        add_text(&line, a->profile, a->profile->name[top[i].node]);
    }
    sb_adds(&line, ": float_ops leaves it out");
    advise_line(a, &line);
}

static void check_stacks(struct advise *a, const struct programs *c)
{
    struct strbuf line = {0};

    if (!c->self_without_stack_ps)
        return;
    advise_report(a);
    add_percent(&line, (double)c->self_without_stack_ps, (double)c->self_of_hlo_ps);
    sb_adds(&line, " of the time of compiled code (");
    format_time(&line, c->self_without_stack_ps);
    sb_adds(&line, ") has no call stack: the code view leaves it out");
    advise_line(a, &line);
}

static bool check(struct advise *a, struct err *err UNUSED)
{
    advise_items(a, a->profile->programs->n_devices, report_ops);
    check_counts(a, a->profile->programs);
    check_stacks(a, a->profile->programs);
    return true;
}

const struct checker checker_coverage = {
    .name = "CoverageChecker",
    .id = "coverage",
    .help = "time without an op, an operation count or a call stack",
    .applies = profile_ran_programs,
    .check = check,
};
